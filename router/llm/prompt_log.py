"""A log of the models' prompts and answers, one file a call, for tuning the prompts."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

# Masking credentials in what is shown or written down.


_IN_URL = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@'\"]*@")
_BEARER = re.compile(r"(?i)\b(bearer|api[-_]?key|token|password)(\s*[:=]\s*|\s+)[^\s,;'\"]{6,}")


def redact(text: str) -> str:
    """Return `text` with the credentials of every URL, and every bearer token or named key, replaced by ***."""
    return _BEARER.sub(r"\1\2***", _IN_URL.sub(r"\1***@", text))


@dataclass(frozen=True, slots=True)
class ModelExchange:
    """One call of a model; `read` and `written` are tokens, None if the model does not say."""

    agent: str
    model: str
    system: str
    user: str
    answer: str
    seconds: float
    read: int | None = None
    written: int | None = None
    cached: int = 0
    """Those of the tokens read that the model still knew from before."""


class PromptLog:
    """Writes `session_<time>/NNNN_<agent>.txt` under `folder`; the files are readable by their owner only."""

    def __init__(self, folder: Path) -> None:
        self._session = folder / f"session_{datetime.now(UTC):%Y%m%d_%H%M%S_%f}"
        self._numbers = count(1)

    def write(self, exchange: ModelExchange) -> Path:
        """Write one exchange, credentials blacked out, and return its file."""
        number = next(self._numbers)
        agent = "".join(letter if letter.isalnum() else "_" for letter in exchange.agent) or "agent"
        self._session.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._session / f"{number:04d}_{agent}.txt"
        path.touch(mode=0o600, exist_ok=False)
        path.write_text(redact(_text(exchange)), encoding="utf-8")
        return path


def _text(exchange: ModelExchange) -> str:
    tokens = f"{exchange.read or '?'} tokens read, {exchange.written or '?'} written"
    head = f"model: {exchange.model}\nagent: {exchange.agent}\n{exchange.seconds:.2f} seconds, {tokens}\n"
    parts = (("SYSTEM", exchange.system), ("USER", exchange.user), ("ANSWER", exchange.answer))
    return head + "".join(f"\n===== {title} =====\n{body}\n" for title, body in parts)
