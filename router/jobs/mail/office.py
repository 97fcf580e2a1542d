"""How e-mails are sent: by which server, and by which rules."""

from dataclasses import dataclass, field

from pydantic import SecretStr

from router.errors import SettingsError, Unclear
from router.jobs.mail.addresses import address_of, named
from router.jobs.mail.rules import MB, Rules, and_of
from router.jobs.mail.server import Server, server_of

ANYBODY = "*"
"""What allows every domain."""


@dataclass(frozen=True, slots=True)
class Office(Rules):
    """Everything that holds for all e-mails of the bot."""

    server: Server = field(kw_only=True)


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
        problems.append(f"EMAIL_ALLOWED_DOMAINS: {and_of(wrong)} cannot be a domain. It is written example.com, or *.")
    if problems:
        raise SettingsError(problems)
    given = None if ANYBODY in allowed else allowed or frozenset({address.domain})
    return Office(address, name, given, most, int(megabytes * MB), server=server)


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
