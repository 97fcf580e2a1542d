"""Refusals that pass: a model's server that is busy, or away for a moment, and is to be asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from router.errors import BotError
from router.llm.failures import status_of, words_of
from router.retry_after import retry_after_seconds

BUSY_STATUSES: Final = frozenset({408, 429, 503, 504, 529})
AWAY_STATUSES: Final = frozenset({502})
"""What stands in front of the server says that it is not there."""

RETRY_AFTER_MAX_SECONDS: Final = 600.0
"""The longest wait that a server's Retry-After closes the gate for."""

_TIMEOUTS: Final = frozenset({"ConnectTimeout", "ReadTimeout", "WriteTimeout", "TimeoutError", "APITimeoutError"})
_BREAKS: Final = frozenset(
    {"ConnectError", "ReadError", "WriteError", "CloseError", "RemoteProtocolError", "ConnectionError"}
)
_LASTING: Final = ("insufficient_quota", "certificate")


@dataclass(frozen=True, slots=True)
class ServerRefusal:
    """A server's no before it gave a token; `seconds` is the wait that it asks for, 0 where it does not say."""

    why: Literal["busy", "away"]
    seconds: float
    error: Exception


class ServerRefused(Exception):
    """The server took no question, and may take the same one soon."""

    def __init__(self, refusal: ServerRefusal) -> None:
        self.refusal = refusal
        super().__init__(str(refusal.error))


def refusal_of(error: Exception) -> ServerRefusal | None:
    """Return the refusal that an error of a model's client is; None where asking again would not help."""
    words = words_of(error)
    if isinstance(error, BotError) or any(word in words for word in _LASTING):
        return None
    status = status_of(error)
    if status in BUSY_STATUSES:
        asked = retry_after_seconds(_headers(error))
        return ServerRefusal("busy", min(asked, RETRY_AFTER_MAX_SECONDS), error)
    if status:
        return ServerRefusal("away", 0.0, error) if status in AWAY_STATUSES else None
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & _TIMEOUTS:
        return ServerRefusal("busy", 0.0, error)
    return ServerRefusal("away", 0.0, error) if names & (_BREAKS | {"APIConnectionError"}) else None


def _headers(error: Exception) -> Mapping[str, str]:
    headers = getattr(getattr(error, "response", None), "headers", None)
    return headers if isinstance(headers, Mapping) else {}
