"""Microsoft's clouds and what differs between them, taken from its SDK.

The settings do not import this: every command reads them, and the SDK takes half a second of computing.
"""

from dataclasses import dataclass

from botframework.connector.auth import AuthenticationConstants, GovernmentConstants

from adapters.teams.access import TeamsAccess


@dataclass(frozen=True, slots=True)
class Cloud:
    """Who signs what comes in, where its keys are announced, and what a token for what goes out is asked with."""

    issuer: str
    openid_url: str
    scope: str
    everyone: str
    """The tenant where a bot of several tenants logs in."""
    client: str
    """Where people open Teams by a link."""


PUBLIC = Cloud(
    AuthenticationConstants.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
    AuthenticationConstants.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
    AuthenticationConstants.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
    AuthenticationConstants.DEFAULT_CHANNEL_AUTH_TENANT,
    "https://teams.microsoft.com",
)
GOVERNMENT = Cloud(
    GovernmentConstants.TO_BOT_FROM_CHANNEL_TOKEN_ISSUER,
    GovernmentConstants.TO_BOT_FROM_CHANNEL_OPENID_METADATA_URL,
    GovernmentConstants.TO_CHANNEL_FROM_BOT_OAUTH_SCOPE,
    GovernmentConstants.DEFAULT_CHANNEL_AUTH_TENANT,
    "https://gov.teams.microsoft.us",
)


def cloud_of(access: TeamsAccess) -> Cloud:
    """Return the cloud where the bot logs in."""
    government = GovernmentConstants.TO_CHANNEL_FROM_BOT_LOGIN_URL_PREFIX.rstrip("/")
    return GOVERNMENT if access.login_url == government else PUBLIC


def openid_url_of(access: TeamsAccess) -> str:
    """Return where the keys of incoming tokens are announced."""
    return access.openid_url or cloud_of(access).openid_url


def token_url_of(access: TeamsAccess) -> str:
    """Return where tokens for what goes out are given."""
    tenant = cloud_of(access).everyone if access.kind == "MultiTenant" else access.tenant
    return f"{access.login_url}/{tenant}/oauth2/v2.0/token"
