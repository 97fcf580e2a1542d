"""One question to a model: the prompt, who asks it, and the two ways to the person who waits."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel

from router.errors import Stopped

if TYPE_CHECKING:
    from langchain_core.messages import AIMessageChunk


def silent(_text: str) -> None:
    """Show nobody what is being done."""


def never() -> bool:
    """Say that nobody pressed Stop."""
    return False


def ending() -> bool:
    """Say whether the process is ending, and only waits for its threads.

    The threads of an executor are waited for while the main thread still counts as alive; Python has no public name for
    this moment. Without the private one the process would end only with the model's answer.
    """
    return bool(getattr(threading, "_SHUTTING_DOWN", False))


@dataclass(frozen=True, slots=True)
class Call:
    """`asker` is the person, `agent` the part of the bot that asks; `shape` is wanted instead of text."""

    system: str
    user: str
    asker: str
    agent: str
    temperature: float | None = None
    progress: Callable[[str], None] = silent
    stopped: Callable[[], bool] = never
    shape: type[BaseModel] | None = None
    background: bool = False

    def check(self) -> None:
        """Raise Stopped if nobody waits for the answer any more."""
        if self.stopped() or ending():
            raise Stopped("Stopped. The model's answer was not waited for.")


def said(piece: "AIMessageChunk") -> str:
    """Return the text of a chunk; models without structured output put their JSON into a tool call's arguments."""
    return piece.text or "".join(part["args"] or "" for part in piece.tool_call_chunks)


def cut(piece: "AIMessageChunk") -> bool:
    """Say whether the model ended here because it was not allowed to write more."""
    reasons = {piece.response_metadata.get(key) for key in ("done_reason", "finish_reason", "stop_reason")}
    return bool(reasons & {"length", "max_tokens", "MAX_TOKENS"})
