"""The configuration of e-mails: the server that sends them, and the rules of sending."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pydantic import SecretStr

from router.errors import SettingsError, Unclear
from router.jobs.mail.addresses import Address, address_of, named
from router.jobs.results.cells import line
from router.language.wording import and_list, or_list

# The mail server, as one URL names it.

Security = Literal["starttls", "tls", "none"]
"""The encryption of the connection: by an upgrade that is demanded, from the start, or none (loopback alone)."""

_PORTS = {"smtp": 587, "smtps": 465}
_URL_FORM = "It is written smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465"
_CODED = "characters such as @ : / # ? % of user and password are written as %40 %3A %2F %23 %3F %25"


NO_PASSWORD = SecretStr("")


@dataclass(frozen=True, slots=True)
class MailServer:
    """The mail server that takes e-mails, and the user who logs in; without a user, nobody does."""

    host: str
    port: int
    security: Security
    user: str = ""
    password: SecretStr = NO_PASSWORD

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def server_of(url: SecretStr) -> MailServer:
    """Return the server of SMTP_URL; raises SettingsError, without a word of the URL in it."""
    try:
        parts = urlsplit(url.get_secret_value().strip())
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        host = (parts.hostname or "").encode("idna").decode()
        port = _PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
    except ValueError:  # a UnicodeError is one
        raise SettingsError([f"SMTP_URL cannot be read. {_URL_FORM}; {_CODED}."]) from None
    if problem := _problem(parts, options, host, port):
        raise SettingsError([problem])
    security: Security = "tls" if parts.scheme == "smtps" else "none" if options.get("starttls") == "no" else "starttls"
    return MailServer(host, port, security, unquote(parts.username or ""), SecretStr(unquote(parts.password or "")))


def _problem(parts: SplitResult, options: dict[str, str], host: str, port: int) -> str:
    if parts.scheme not in _PORTS or not host or not port:
        return f"SMTP_URL does not name a server. {_URL_FORM}."
    if parts.path not in ("", "/") or parts.fragment:
        return f"SMTP_URL has something behind the server's name. {_URL_FORM}; {_CODED}."
    if bool(parts.username) != bool(parts.password):
        return "SMTP_URL has a user without a password, or a password without a user; write both, or neither."
    if options and (parts.scheme == "smtps" or options not in ({"starttls": "no"}, {"starttls": "yes"})):
        return "SMTP_URL has an option that is not known; the only one is ?starttls=no behind smtp://."
    if options.get("starttls") == "no" and not _is_loopback(host):
        return "SMTP_URL says starttls=no: that is for a server on this machine only, or anybody could read along."
    return ""


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


# The rules of sending: as whom, to whom, and how much at once.

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class MailRules:
    """Everything that is asked before an e-mail is sent; `domains` is None if anybody may get one."""

    sender: Address
    name: str = ""
    """The name that stands beside the sender's address."""
    domains: frozenset[str] | None = frozenset()
    most: int = 20
    """Recipients of one e-mail."""
    largest: int = 10 * MB
    """Bytes of one e-mail as it is sent, in which a file takes a third more than on a disk."""

    def problem(self, recipients: Sequence[str]) -> str:
        """Return why these may not get an e-mail, as a sentence; empty if they may."""
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
            f"I can only mail addresses at {or_of(sorted(self.domains))}, so not {and_of(outside)}. Nothing was sent. "
            "Your administrator can allow more."
        )


def and_of(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence: "a, b and c"."""
    return and_list(line(word, 80) for word in words)


def or_of(words: Sequence[str]) -> str:
    """Return the words as a list in a sentence: "a, b or c"."""
    return or_list(line(word, 80) for word in words)


ANY_DOMAIN = "*"
"""The entry that allows every domain."""


@dataclass(frozen=True, slots=True)
class MailConfig(MailRules):
    """Everything that holds for all e-mails of the bot."""

    server: MailServer = field(kw_only=True)


def build_mail_config(url: SecretStr, sender: str, domains: str, most: int, megabytes: float) -> MailConfig:
    """Return the rules that settings give; raises SettingsError with every problem.

    If no domains are given, those at the sender's own domain get e-mails, and nobody else.
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
    given = None if ANY_DOMAIN in allowed else allowed or frozenset({address.domain})
    return MailConfig(address, name, given, most, int(megabytes * MB), server=server)


def _domains(text: str) -> tuple[frozenset[str], list[str]]:
    """Return the domains in ASCII, and what is none."""
    found, wrong = set(), []
    for typed in text.replace(";", ",").split(","):
        domain = typed.strip().removeprefix("@")
        try:
            if domain:
                found.add(ANY_DOMAIN if domain == ANY_DOMAIN else address_of(f"somebody@{domain}").domain)
        except Unclear:
            wrong.append(domain)
    return frozenset(found), wrong
