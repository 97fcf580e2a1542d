"""Failures of a model, by what they are, and the sentence with the remedy of each.

The clients of a dozen providers share no exception classes, but they share HTTP statuses and names of classes.
"""

import tomllib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from router.errors import AgentAway, AgentFailed, BotError
from router.llm.prompt_log import redact
from router.retry_after import retry_after_seconds

TRANSIENT_FAILURES: Final = ("away", "broken", "late", "busy")
"""Failures before an answer which may be over soon."""

BUSY_STATUSES: Final = frozenset({408, 429, 503, 504, 529})
"""HTTP statuses of a server that may answer the same question soon."""

RETRY_AFTER_MAX_SECONDS: Final = 600.0
"""The longest wait that a server's Retry-After asks for."""


@cache
def _known() -> dict[str, dict[str, Any]]:
    """Return what is known of failures, each by its name."""
    return tomllib.loads((files("router.llm") / "failures.toml").read_text(encoding="utf-8"))


def failure_of(error: BaseException) -> str:
    """Return what an exception of a model's client is, by its name in the file."""
    known, words = _known(), f"{error} {getattr(error, 'code', None) or ''}".lower()
    for failure, phrases in known["words"].items():
        if any(phrase in words for phrase in phrases):
            return str(failure)
    if "model" in words and "not found" in words:
        return "missing"
    status = _status_of(error)
    family = [status] if status else [kind.__name__ for kind in type(error).__mro__]
    by_sign = known["statuses"] if status else known["classes"]
    named = {sign: failure for failure, signs in by_sign.items() for sign in signs}
    return next((str(named[sign]) for sign in family if sign in named), "unknown")


def _status_of(error: BaseException) -> int:
    """Return the HTTP status that the exception carries, or 0."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
    return 0


class ServerRefused(Exception):
    """The server took no question, and may take the same one soon; `seconds`: after these, 0 if it does not say."""

    def __init__(self, error: Exception) -> None:
        self.failure, self.error = failure_of(error), error
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        self.seconds = min(retry_after_seconds(headers), RETRY_AFTER_MAX_SECONDS)
        super().__init__(str(error))

    @property
    def away(self) -> bool:
        """True if the server is not there; else it is busy."""
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
    failure, failed = failure_of(error), _known()["failed"]
    sentence: str = (failed | _known()["away"])[failure]
    kind = AgentFailed if failure in failed else AgentAway
    return kind(sentence.format(name=name, detail=detail, **asdict(remedies)))


def late(name: str, seconds: float) -> str:
    """Return the sentence for an answer that did not come within so many seconds."""
    sentence: str = _known()["failed"]["late"]
    return sentence.replace("in time", f"within {seconds:.0f} seconds").format(name=name)


def too_long(needed: int, limit: int) -> AgentFailed:
    """Return the error for a prompt that the model cannot hold."""
    return AgentFailed(
        f"The model can read {limit:,} tokens at once, and this question with its tables needs about {needed:,}. "
        "Choose fewer tables, or a model with a longer context."
    )
