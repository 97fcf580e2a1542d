"""Microsoft's clouds and what differs between them, as its SDK names it (`botframework.connector.auth`)."""

from dataclasses import dataclass

from adapters.teams.access import TeamsAccess


@dataclass(frozen=True, slots=True)
class Cloud:
    """The addresses of a Microsoft cloud: the issuer of incoming tokens, its keys, and the scope of outgoing ones."""

    issuer: str
    openid_url: str
    scope: str
    everyone: str
    """The tenant where a bot of several tenants logs in."""
    client: str
    """The address where people open Teams by a link."""


PUBLIC = Cloud(
    issuer="https://api.botframework.com",
    openid_url="https://login.botframework.com/v1/.well-known/openidconfiguration",
    scope="https://api.botframework.com",
    everyone="botframework.com",
    client="https://teams.microsoft.com",
)
GOVERNMENT = Cloud(
    issuer="https://api.botframework.us",
    openid_url="https://login.botframework.azure.us/v1/.well-known/openidconfiguration",
    scope="https://api.botframework.us",
    everyone="MicrosoftServices.onmicrosoft.us",
    client="https://gov.teams.microsoft.us",
)
GOVERNMENT_LOGIN = "https://login.microsoftonline.us"


def cloud_of(access: TeamsAccess) -> Cloud:
    """Return the cloud where the bot logs in."""
    return GOVERNMENT if access.login_url == GOVERNMENT_LOGIN else PUBLIC


def openid_url_of(access: TeamsAccess) -> str:
    """Return where the keys of incoming tokens are announced."""
    return access.openid_url or cloud_of(access).openid_url


def token_url_of(access: TeamsAccess) -> str:
    """Return where tokens for what goes out are given."""
    tenant = cloud_of(access).everyone if access.kind == "MultiTenant" else access.tenant
    return f"{access.login_url}/{tenant}/oauth2/v2.0/token"
