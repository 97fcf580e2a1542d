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
        # Threads of an executor are waited for when the process ends; by then nobody is left to read the answer.
        if self.stopped() or not threading.main_thread().is_alive():
            raise Stopped("Stopped. The model's answer was not waited for.")


def said(piece: "AIMessageChunk") -> str:
    """Return the text of a chunk; models without structured output put their JSON into a tool call's arguments."""
    return piece.text or "".join(part["args"] or "" for part in piece.tool_call_chunks)


def cut(piece: "AIMessageChunk") -> bool:
    """Say whether the model ended here because it was not allowed to write more."""
    reasons = {piece.response_metadata.get(key) for key in ("done_reason", "finish_reason", "stop_reason")}
    return bool(reasons & {"length", "max_tokens", "MAX_TOKENS"})
