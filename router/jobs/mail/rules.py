"""The rules of sending: as whom, to whom, and how much at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from router.errors import Unclear
from router.jobs.cells import line
from router.jobs.mail.addresses import Address, address_of

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """Everything that is asked before an e-mail is sent; `domains` is None where anybody may get one."""

    sender: Address
    name: str = ""
    """Whose name stands beside the sender's address."""
    domains: frozenset[str] | None = frozenset()
    most: int = 20
    """Recipients of one e-mail."""
    largest: int = 10 * MB
    """Bytes of one e-mail as it is sent, in which a file takes a third more than on a disk."""

    def problem(self, recipients: Sequence[str]) -> str:
        """Return why these may not get an e-mail, as a sentence; empty where they may."""
        if len(recipients) > self.most:
            return (
                f"An e-mail goes to at most {self.most} people, and these are {len(recipients)}. Nothing was sent. "
                "Leave some out, or use the address of a mailing list."
            )
        try:
            domains = {text: address_of(text).domain for text in recipients}
        except Unclear as error:
            return f"{error} Nothing was sent."
        if self.domains is None:
            return ""
        outside = [text for text, domain in domains.items() if domain not in self.domains]
        if not outside:
            return ""
        return (
            f"E-mails go to addresses at {or_of(sorted(self.domains))} only, and {and_of(outside)} "
            f"{'is none' if len(outside) == 1 else 'are none'}. Nothing was sent. Whoever runs this bot can allow more."
        )


def and_of(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence: "a, b and c"."""
    return _listed(words, "and")


def or_of(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence: "a, b or c"."""
    return _listed(words, "or")


def _listed(words: Sequence[str], last: str) -> str:
    shown = [line(word, 80) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"
