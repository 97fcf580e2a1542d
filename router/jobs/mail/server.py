"""The mail server that takes the bot's e-mails, as one URL names it."""

from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from pydantic import SecretStr

from router.errors import SettingsError

Security = Literal["starttls", "tls", "none"]
"""How what is sent is hidden from others: by an upgrade that is demanded, from the start, or not (loopback alone)."""

_PORTS = {"smtp": 587, "smtps": 465}
_FORM = "It is written smtp://user:password@mail.example.com:587 or smtps://user:password@mail.example.com:465"
_CODED = "characters such as @ : / # ? % of user and password are written as %40 %3A %2F %23 %3F %25"


NOTHING = SecretStr("")


@dataclass(frozen=True, slots=True)
class Server:
    """Where e-mails are handed over, and as whom; without a user, nobody logs in."""

    host: str
    port: int
    security: Security
    user: str = ""
    password: SecretStr = NOTHING

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def server_of(url: SecretStr) -> Server:
    """Return the server of SMTP_URL; raises SettingsError, without a word of the URL in it."""
    try:
        parts = urlsplit(url.get_secret_value().strip())
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
        host = (parts.hostname or "").encode("idna").decode()
        port = _PORTS.get(parts.scheme, 0) if parts.port is None else parts.port
    except ValueError:  # a UnicodeError is one
        raise SettingsError([f"SMTP_URL cannot be read. {_FORM}; {_CODED}."]) from None
    if problem := _problem(parts, options, host, port):
        raise SettingsError([problem])
    security: Security = "tls" if parts.scheme == "smtps" else "none" if options.get("starttls") == "no" else "starttls"
    return Server(host, port, security, unquote(parts.username or ""), SecretStr(unquote(parts.password or "")))


def _problem(parts: SplitResult, options: dict[str, str], host: str, port: int) -> str:
    if parts.scheme not in _PORTS or not host or not port:
        return f"SMTP_URL does not name a server. {_FORM}."
    if parts.path not in ("", "/") or parts.fragment:
        return f"SMTP_URL has something behind the server's name. {_FORM}; {_CODED}."
    if bool(parts.username) != bool(parts.password):
        return "SMTP_URL has a user without a password, or a password without a user; write both, or neither."
    if options and (parts.scheme == "smtps" or options not in ({"starttls": "no"}, {"starttls": "yes"})):
        return "SMTP_URL has an option that is not known; the only one is ?starttls=no behind smtp://."
    if options.get("starttls") == "no" and not _loopback(host):
        return "SMTP_URL says starttls=no: that is for a server on this machine only, or anybody could read along."
    return ""


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
