"""One question to a model: the prompt, and the person who waits for the answer."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from router.errors import Stopped
from router.language.outside_json import parse_json

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk


# Parsing a model's JSON into a value.


Shape = TypeVar("Shape", bound=BaseModel)


def read(shape: type[Shape], answer: str) -> Shape:
    """Return the value in `answer`, which may have words or a fence around its JSON; raises ValidationError."""
    begin, end = answer.find("{"), answer.rfind("}")
    try:
        value = parse_json(answer[begin : end + 1])
    except ValueError:
        return shape.model_validate_json(answer)
    return shape.model_validate(value)


def complaint(error: ValidationError) -> str:
    """Return the first thing that is wrong, in one sentence."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}." if place else f"{first['msg']}."


def unmarked(text: str) -> str:
    """Return text in which nothing, such as a table's name, passes for a mark that parts a talk for the model."""
    return text.replace("<|", "< |")


class Tell(Protocol):
    """Shows somebody what is being done, as part of the step at hand or of the one that begins with it."""

    def __call__(self, text: str, step: int | None = None, /) -> None: ...


def silent(_text: str, _step: int | None = None, /) -> None:
    """Show nobody what is being done."""


def never() -> bool:
    """Say that nobody pressed Stop."""
    return False


def is_ending() -> bool:
    """Return whether the process is ending, and only waits for its threads.

    The threads of an executor are waited for while the main thread still counts as alive; Python has no public name for
    this moment. Without the private one the process would end only with the model's answer.
    """
    return bool(getattr(threading, "_SHUTTING_DOWN", False))


@dataclass(frozen=True, slots=True)
class Requester:
    """The person who waits for a model, by their id: they are told its `progress`, and `stopped` is their button."""

    id: str
    progress: Tell = silent
    stopped: Callable[[], bool] = never


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A prompt for a model; `agent` is the part of the bot that asks, `shape` is wanted instead of text."""

    system: str
    user: str
    requester: Requester
    agent: str
    temperature: float | None = None
    shape: type[BaseModel] | None = None
    background: bool = False

    def check(self) -> None:
        """Raise Stopped if nobody waits for the answer any more."""
        if self.requester.stopped() or is_ending():
            raise Stopped("Stopped. Nothing was run.")


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """A model's words. `tokens` are their pieces, each with the natural logarithm of how likely it was to the model.

    There are none if its server does not tell.
    """

    text: str
    tokens: tuple[tuple[str, float], ...] = ()


def chunk_text(piece: "AIMessageChunk") -> str:
    """Return the text of a chunk; models without structured output put their JSON into a tool call's arguments."""
    return piece.text or "".join(part["args"] or "" for part in piece.tool_call_chunks)


def weighed(piece: "AIMessageChunk") -> list[tuple[str, float]]:
    """Return the tokens of a chunk with their logarithms, as Ollama and llama.cpp tell them; none of another form."""
    try:
        return [(token["token"], token["logprob"]) for token in piece.response_metadata.get("logprobs") or ()]
    except (KeyError, TypeError):
        return []


def was_cut(piece: "AIMessageChunk") -> bool:
    """Return whether the model ended here because it was not allowed to write more."""
    reasons = {piece.response_metadata.get(key) for key in ("done_reason", "finish_reason", "stop_reason")}
    return bool(reasons & {"length", "max_tokens", "MAX_TOKENS"})
