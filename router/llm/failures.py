"""Errors of a model, as a sentence with a remedy.

The clients of a dozen providers share no exception classes, but they share HTTP statuses and names of classes.
"""

from dataclasses import dataclass

from router.errors import AgentAway, AgentFailed, BotError
from router.llm.prompt_log import redact


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
    words = words_of(error)
    known = (
        _by_words(words, name, remedies)
        or _by_status(status_of(error), name, remedies)
        or _by_class(error, name, remedies)
    )
    detail = redact(str(error).strip().partition("\n")[0])[:300] or type(error).__name__
    return known or AgentAway(f"{name} answered with an error: {detail}. Ask again later.")


def _by_words(words: str, name: str, remedies: Remedies) -> AgentFailed | None:
    if any(phrase in words for phrase in ("out of memory", "system memory", "unable to allocate", "cudamalloc")):
        return AgentAway(f"{name} ran out of memory. {remedies.memory}")
    if any(phrase in words for phrase in ("context length", "context size", "context_length", "prompt is too long")):
        return AgentFailed(
            f"This question with its tables is too long for {name}. Choose fewer tables, or another model."
        )
    if "insufficient_quota" in words:
        return AgentAway(f"{name} takes no more questions: its quota is used up. See the provider's account.")
    if "model" in words and "not found" in words:
        return AgentAway(f"The server does not have {name}. {remedies.missing}")
    return None


def _by_status(status: int, name: str, remedies: Remedies) -> AgentFailed | None:
    match status:
        case 401 | 403:
            return AgentAway(f"{name} refused the API key. Check the key in the settings.")
        case 404:
            return AgentAway(f"The server does not have {name}. {remedies.missing}")
        case 408 | 504:
            return AgentFailed(late(name, None))
        case 429 | 503 | 529:
            return AgentFailed(f"{name} is busy. Your question is kept; ask again in a minute.")
        case _:
            return None


def _by_class(error: BaseException, name: str, remedies: Remedies) -> AgentFailed | None:
    names = {kind.__name__ for kind in type(error).__mro__}
    away = AgentAway(f"{name} cannot be reached. {remedies.unreachable}")
    if isinstance(error, MemoryError):
        return AgentAway(f"{name} ran out of memory. {remedies.memory}")
    if names & {"ConnectTimeout", "ConnectError", "PoolTimeout", "ProxyError", "InvalidURL", "UnsupportedProtocol"}:
        return away
    if isinstance(error, TimeoutError) or any("Timeout" in kind for kind in names):
        return AgentFailed(late(name, None))
    if names & {"ReadError", "WriteError", "CloseError", "ProtocolError", "ConnectionResetError", "BrokenPipeError"}:
        return AgentFailed(f"{name} broke off in the middle of its answer. Your question is kept; ask again.")
    if isinstance(error, OSError) or names & {"APIConnectionError", "NetworkError"}:
        return away
    return None


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


def words_of(error: BaseException) -> str:
    """Return what the exception says, in small letters, with the code that a provider gives its error."""
    return f"{error} {getattr(error, 'code', None) or ''}".lower()


def status_of(error: BaseException) -> int:
    """Return the HTTP status that the exception carries, or 0."""
    for holder in (error, getattr(error, "response", None)):
        status = getattr(holder, "status_code", None)
        if isinstance(status, int) and status > 0:
            return status
    return 0
