"""The size of a model's context: its limit, and the setting for it."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from router.errors import AgentFailed

Context = Callable[[int], Mapping[str, Any]]
"""Takes the tokens of prompt and answer, returns fields to set on the chat model; raises AgentFailed if too many."""

NUM_CTX_MIN_TOKENS = 4096


def tokens(text: str) -> int:
    """Return a careful guess (rather too many) at the tokens of `text`: three bytes each, and every digit its own."""
    digits = sum(letter.isdigit() for letter in text)
    return digits + (len(text.encode()) - digits + 2) // 3


def unlimited(_needed: int) -> Mapping[str, Any]:
    """Leave it to the server, which knows its own size and says so."""
    return {}


class ContextSteps:
    """Ollama's `num_ctx`: in steps of 4096, 8192, 16384…, and never smaller than before.

    Ollama loads a model anew when num_ctx changes, and cuts a longer prompt without a word. So it grows seldom, and a
    prompt beyond the model's own limit is refused. `limit` is asked once, at the first prompt; None: not known.
    """

    def __init__(self, limit: Callable[[], int | None]) -> None:
        self._ask = limit
        self._limit: int | None = None
        self._asked = False
        self._size = NUM_CTX_MIN_TOKENS
        self._lock = Lock()

    def __call__(self, needed: int) -> Mapping[str, Any]:
        """Return {"num_ctx": …} with room for `needed` tokens."""
        with self._lock:
            if not self._asked:
                self._limit, self._asked = self._ask(), True
            if self._limit is not None and needed > self._limit:
                raise too_long(needed, self._limit)
            while self._size < needed:
                self._size *= 2
            return {"num_ctx": self._size if self._limit is None else min(self._size, self._limit)}


def too_long(needed: int, limit: int) -> AgentFailed:
    """Return the error for a prompt that the model cannot hold."""
    return AgentFailed(
        f"The model can read {limit:,} tokens at once, and this question with its tables needs about {needed:,}. "
        "Choose fewer tables, or a model with a longer context."
    )
