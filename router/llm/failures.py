"""Failures of a model, by what they are, and the sentence with the remedy of each.

The clients of a dozen providers share no exception classes, but they share HTTP statuses and names of classes.
"""

from dataclasses import dataclass
from typing import Final, Literal

from router.errors import AgentAway, AgentFailed, BotError
from router.llm.prompt_log import redact
from router.retry_after import retry_after_seconds

Failure = Literal[
    "memory", "too long", "quota", "missing", "key", "unreachable", "away", "broken", "late", "busy", "unknown"
]

PASSING: Final = ("away", "broken", "late", "busy")
"""Failures before an answer which may be over soon."""

RETRY_AFTER_MAX_SECONDS: Final = 600.0
"""The longest wait that a server's Retry-After asks for."""

_WORDS: Final[tuple[tuple[Failure, tuple[str, ...]], ...]] = (
    ("memory", ("out of memory", "system memory", "unable to allocate", "cudamalloc")),
    ("too long", ("context length", "context size", "context_length", "prompt is too long")),
    ("quota", ("insufficient_quota",)),
    ("unreachable", ("certificate",)),
)
_STATUSES: Final[dict[int, Failure]] = {
    **dict.fromkeys((401, 403), "key"),
    404: "missing",
    **dict.fromkeys((408, 504), "late"),
    **dict.fromkeys((429, 503, 529), "busy"),
    502: "away",
}
BUSY_STATUSES: Final = frozenset({408, 429, 503, 504, 529})

_CLASSES: Final[tuple[tuple[Failure, frozenset[str]], ...]] = (
    ("memory", frozenset({"MemoryError"})),
    ("unreachable", frozenset({"InvalidURL", "UnsupportedProtocol", "ProxyError"})),
    ("away", frozenset({"ConnectTimeout", "ConnectError", "PoolTimeout"})),
    ("late", frozenset({"TimeoutError", "TimeoutException", "APITimeoutError"})),
    (
        "broken",
        frozenset(
            {"ReadError", "WriteError", "CloseError", "ProtocolError", "ConnectionResetError", "BrokenPipeError"}
        ),
    ),
    ("away", frozenset({"OSError", "APIConnectionError", "NetworkError"})),
)
"""The first one counts."""


def failure_of(error: BaseException) -> Failure:
    """Return what an exception of a model's client is."""
    words = f"{error} {getattr(error, 'code', None) or ''}".lower()
    for failure, phrases in _WORDS:
        if any(phrase in words for phrase in phrases):
            return failure
    if "model" in words and "not found" in words:
        return "missing"
    if status := _status_of(error):
        return _STATUSES.get(status, "unknown")
    names = {kind.__name__ for kind in type(error).__mro__}
    return next((failure for failure, known in _CLASSES if names & known), "unknown")


def _status_of(error: BaseException) -> int:
    """Return the HTTP status that the exception carries, or 0."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
    return 0


class ServerRefused(Exception):
    """The server took no question, and may take the same one soon; `seconds`: after these, 0 where it does not say."""

    def __init__(self, error: Exception) -> None:
        self.failure, self.error = failure_of(error), error
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        self.seconds = min(retry_after_seconds(headers), RETRY_AFTER_MAX_SECONDS)
        super().__init__(str(error))

    @property
    def away(self) -> bool:
        """True where the server is not there; else it is busy."""
        return self.failure in ("away", "broken")


@dataclass(frozen=True, slots=True)
class Remedies:
    """Sentences on what to do when a model is away, unknown to its server, or too large."""

    unreachable: str = "Check that it runs and that its address is right, then ask again."
    missing: str = "Check the model's name in the settings."
    memory: str = "Choose a smaller model, or close other programs on its machine."


def explain(error: BaseException, name: str, remedies: Remedies) -> BotError:
    """Return the sentence for whatever a model's client raised; a BotError is its own sentence."""
    if isinstance(error, BotError):
        return error
    detail = redact(str(error).strip().partition("\n")[0])[:300] or type(error).__name__
    away: dict[Failure, str] = {
        "memory": f"{name} ran out of memory. {remedies.memory}",
        "quota": f"{name} takes no more questions: its quota is used up. See the provider's account.",
        "missing": f"The server does not have {name}. {remedies.missing}",
        "key": f"{name} refused the API key. Check the key in the settings.",
        "unreachable": f"{name} cannot be reached. {remedies.unreachable}",
        "away": f"{name} cannot be reached. {remedies.unreachable}",
        "unknown": f"{name} answered with an error: {detail}. Ask again later.",
    }
    failed: dict[Failure, str] = {
        "too long": f"This question with its tables is too long for {name}. Choose fewer tables, or another model.",
        "broken": f"{name} broke off in the middle of its answer. Your question is kept; ask again.",
        "late": late(name, None),
        "busy": f"{name} is busy. Your question is kept; ask again in a minute.",
    }
    failure = failure_of(error)
    return AgentFailed(failed[failure]) if failure in failed else AgentAway(away[failure])


def late(name: str, seconds: float | None) -> str:
    """Return the sentence for an answer that did not come in time."""
    within = f" within {seconds:.0f} seconds" if seconds else " in time"
    return f"{name} did not answer{within}. Your question is kept: ask again, choose fewer tables, or allow more time."


def too_long(needed: int, limit: int) -> AgentFailed:
    """Return the error for a prompt that the model cannot hold."""
    return AgentFailed(
        f"The model can read {limit:,} tokens at once, and this question with its tables needs about {needed:,}. "
        "Choose fewer tables, or a model with a longer context."
    )
