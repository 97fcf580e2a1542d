"""The rules of sending: by which server, as whom, to whom, and how much at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import SecretStr

from router.errors import SettingsError, Unclear
from router.jobs.cells import line
from router.jobs.mail.addresses import Address, address_of, named
from router.jobs.mail.server import Server, server_of

ANYBODY = "*"
"""What allows every domain."""

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Office:
    """Everything that holds for all e-mails of the bot; `domains` is None where anybody may get one."""

    server: Server
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
            f"E-mails go to addresses at {_or(sorted(self.domains))} only, and {_and(outside)} "
            f"{'is none' if len(outside) == 1 else 'are none'}. Nothing was sent. Whoever runs this bot can allow more."
        )


def office_of(url: SecretStr, sender: str, domains: str, most: int, megabytes: float) -> Office:
    """Return the rules that settings give; raises SettingsError with every problem.

    Where no domains are given, those at the sender's own domain get e-mails, and nobody else.
    """
    problems: list[str] = []
    try:
        server = server_of(url)
    except SettingsError as error:
        problems += error.problems
    try:
        name, address = named(sender)
    except Unclear:
        problems.append("EMAIL_FROM is no e-mail address. It is written Reports <reports@example.com>.")
    allowed, wrong = _domains(domains)
    if wrong:
        problems.append(f"EMAIL_ALLOWED_DOMAINS: {_and(wrong)} cannot be a domain. It is written example.com, or *.")
    if problems:
        raise SettingsError(problems)
    given = None if ANYBODY in allowed else allowed or frozenset({address.domain})
    return Office(server, address, name, given, most, int(megabytes * MB))


def _domains(text: str) -> tuple[frozenset[str], list[str]]:
    """Return the domains in ASCII, and what is none."""
    found, wrong = set(), []
    for typed in text.replace(";", ",").split(","):
        domain = typed.strip().removeprefix("@")
        try:
            if domain:
                found.add(ANYBODY if domain == ANYBODY else address_of(f"somebody@{domain}").domain)
        except Unclear:
            wrong.append(domain)
    return frozenset(found), wrong


def _and(words: Sequence[str]) -> str:
    return _listed(words, "and")


def _or(words: Sequence[str]) -> str:
    return _listed(words, "or")


def _listed(words: Sequence[str], last: str) -> str:
    shown = [line(word, 80) for word in words]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} {last} {shown[-1]}"
