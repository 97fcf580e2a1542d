"""Whether what comes over HTTP was signed by Slack, and whether anything ever was."""

from collections.abc import Callable, Mapping
from time import time
from typing import Final

from slack_sdk.signature import SignatureVerifier

OLD: Final = 300
"""Seconds after which a signed request may be a copy of an earlier one, as Slack says."""

MANY: Final = 20
"""Refusals in a row after which a secret that was good before seems to be wrong: anybody may send a forgery or two."""

WRONG: Final = "its signature is wrong"
LATE: Final = "its timestamp is too old, or ahead of this machine's clock"
UNSIGNED: Final = "it has no signature"

REMEDIES: Final = {
    WRONG: "If that was Slack, SLACK_SIGNING_SECRET is not the one that stands under Basic Information > App "
    "Credentials: nobody is answered before it is.",
    LATE: "If that was Slack, this machine's clock is wrong: nobody is answered before it is right.",
}


class Signatures:
    """Judges requests by their signature; whoever runs the bot is told once that they seem to fail."""

    def __init__(self, secret: str, tell: Callable[[str], None]) -> None:
        self._verifier, self._tell = SignatureVerifier(secret), tell
        self._proven = False
        self._refused = 0

    @property
    def fail(self) -> bool:
        """Whether the secret seems to be wrong: nothing that was signed was right so far, or for a long time."""
        return self._refused >= self._enough

    @property
    def _enough(self) -> int:
        return MANY if self._proven else 1

    def refusal(self, body: bytes, headers: Mapping[str, str]) -> str:
        """Return why this does not come from Slack, or came long ago; empty where it is good."""
        why = self._judged(body, headers)
        if not why:
            self._proven, self._refused = True, 0
        elif why in REMEDIES:  # whoever knocks without a signature says nothing about the secret
            self._refused += 1
            if self._refused == self._enough:
                self._tell(f"A request with a signature of Slack's kind was refused: {why}. {REMEDIES[why]}")
        return why

    def _judged(self, body: bytes, headers: Mapping[str, str]) -> str:
        stamp, signature = headers.get("X-Slack-Request-Timestamp", ""), headers.get("X-Slack-Signature", "")
        if not stamp.isascii() or not stamp.isdecimal() or not signature.isascii() or not signature:
            return UNSIGNED
        if abs(time() - int(stamp)) > OLD:
            return LATE
        try:
            good = self._verifier.is_valid(body, stamp, signature)
        except ValueError:  # the body is no text
            good = False
        return "" if good else WRONG
