"""The address of the jobs API, and the token that lets the bot in."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import SecretStr

from router.errors import SettingsError


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """The API's address without a slash at its end, and the token; `local` where it is on this machine."""

    url: str
    token: SecretStr
    local: bool

    @property
    def encrypted(self) -> bool:
        """True where nobody on the way can read along."""
        return self.url.startswith("https:")

    def __str__(self) -> str:
        return self.url


def address_of_api(url: str, token: SecretStr, plain: bool) -> ApiAddress:
    """Return the address that settings give; `plain` allows HTTP without TLS. Raises SettingsError."""
    problems = []
    try:
        parts = urlsplit(url.strip())
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        parts, host = urlsplit(""), ""
    if parts.scheme not in ("http", "https") or not host or parts.query or parts.fragment or parts.username:
        problems.append("BASE_URL is no address of a jobs API. It is written https://jobs.example.com, without a user.")
    elif parts.scheme == "http" and not plain and not _loopback(host):
        problems.append(
            "BASE_URL says http, so that anybody on the way could read the token and the rows. Put TLS in front of the "
            "jobs API and write https; in a network that nobody else is in, API_ALLOW_HTTP=true allows it."
        )
    secret = token.get_secret_value().strip()
    if not secret:
        problems.append(
            "BASE_URL is set, and no token: set API_TOKEN. Where the jobs API runs, this makes one: icc-bot api "
            "--new-token --name bot --user bot@example.com --scopes read,write,email,act_for"
        )
    elif not secret.isascii() or not secret.isprintable() or " " in secret:
        problems.append("API_TOKEN is no token: it begins with icc_, and holds letters, digits and the signs _ and -.")
    if problems:
        raise SettingsError(problems)
    base = f"{parts.scheme}://{parts.netloc}{parts.path}".rstrip("/").removesuffix("/v1")
    return ApiAddress(base, SecretStr(secret), _loopback(host))


def _loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
