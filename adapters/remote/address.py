"""The address of the jobs API, and the token that lets the bot in."""

from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from pydantic import SecretStr

from router.errors import SettingsError

TABLES_PATH = "/v1/connections"
"""The beginning of all requests about connections, schemas and tables."""


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """The API's address without a slash at its end, and the token; `local` if it is on this machine."""

    url: str
    token: SecretStr
    local: bool
    tables_url: str = ""
    """The address for requests about connections and tables, if it is another one."""

    def __str__(self) -> str:
        return self.url

    def of(self, path: str) -> str:
        """Return the whole address of a request."""
        return f"{(path.startswith(TABLES_PATH) and self.tables_url) or self.url}{path}"


def address_of_api(url: str, token: SecretStr, plain: bool, tables_url: str = "") -> ApiAddress:
    """Return the address that settings give; `plain` allows HTTP without TLS. Raises SettingsError."""
    given = {"BASE_URL": url.strip(), "TABLE_API_BASE_URL": tables_url.strip()}
    problems = [problem for name, each in given.items() if each and (problem := _problem(name, each, plain))]
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
    base, tables = (each.rstrip("/").removesuffix("/v1") for each in given.values())
    return ApiAddress(base, SecretStr(secret), _is_loopback(urlsplit(base)), tables)


def _problem(name: str, url: str, plain: bool) -> str:
    """Return what is wrong with an address, "" if nothing is."""
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
    if not known or parts.query or parts.fragment or parts.username:
        return f"{name} is no address of a jobs API. It is written https://jobs.example.com, without a user."
    if parts.scheme == "https" or plain or _is_loopback(parts):
        return ""
    return (
        f"{name} says http, so that anybody on the way could read the token and the rows. Put TLS in front of the "
        "jobs API and write https; in a network that nobody else is in, API_ALLOW_HTTP=true allows it."
    )


def _is_loopback(parts: SplitResult) -> bool:
    host = parts.hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
