"""Bolt's app for one workspace or for several; the listeners come from `adapters.slack.app`."""

import logging
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncInstallationStoreAuthorize
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings

from adapters.slack.access import STATE_SECONDS, Access, Workspaces
from adapters.slack.clients import Clients
from adapters.slack.gate import gate_of
from adapters.slack.uses import OPTIONAL_SCOPES, SCOPES
from adapters.slack.workspace import Own

if TYPE_CHECKING:
    from adapters.slack.installations import Installations

INSTALL, REDIRECT = "/slack/install", "/slack/oauth_redirect"


def bolt_app(access: Access, clients: Clients, served: "Own | Installations") -> AsyncApp:
    """Return the app for one workspace, or for those that install it, each with the token that it gave."""
    if isinstance(served, Own):
        return _app_of_one(access, clients, served)
    given = access.workspaces
    assert given is not None
    return _app_of_many(access, given, clients, served)


def _app_of_one(access: Access, clients: Clients, own: Own) -> AsyncApp:
    async def authorize(enterprise_id: str | None, user_id: str | None) -> AuthorizeResult:
        """Bolt's own would ask Slack at the first event, and drop it where Slack does not answer."""
        workspace = own.known
        assert workspace is not None  # the gate lets nothing in before
        return AuthorizeResult(
            enterprise_id=enterprise_id,
            team_id=workspace.team,
            bot_user_id=workspace.user,
            bot_id=workspace.bot,
            bot_token=access.bot_token.get_secret_value(),
            user_id=user_id,
        )

    return AsyncApp(
        name="icc-bot",
        client=clients.client(),  # the token comes with each event
        signing_secret=access.signing_secret.get_secret_value(),
        before_authorize=gate_of(lambda: {own.known.team} if own.known else None),
        authorize=authorize,
    )


def _app_of_many(access: Access, given: Workspaces, clients: Clients, installations: "Installations") -> AsyncApp:
    client = clients.client()
    client_secret = given.client_secret.get_secret_value()
    flow = AsyncOAuthSettings(
        client_id=given.client_id,
        client_secret=client_secret,
        # What is optional is asked for too; whoever installs may take it away.
        scopes=[*SCOPES, *OPTIONAL_SCOPES],
        user_scopes=[],
        install_path=INSTALL,
        redirect_uri_path=REDIRECT,
        authorization_url=urljoin(access.api_url, "../oauth/v2/authorize"),
        installation_store=installations,
        installation_store_bot_only=True,
        state_store=installations.states,
        state_expiration_seconds=STATE_SECONDS,
    )
    # Bolt's own would ask slack.com whatever the address is, and before every single event.
    flow.authorize = AsyncInstallationStoreAuthorize(
        logger=logging.getLogger("slack_bolt.authorize"),
        installation_store=installations,
        client_id=given.client_id,
        client_secret=client_secret,
        client=client,
        bot_only=True,
        cache_enabled=True,
    )
    # A code is good once, and a person waits in front of the page.
    hasty = AsyncOAuthFlow(client=clients.client(once=True), settings=flow)
    return AsyncApp(
        name="icc-bot",
        client=client,
        signing_secret=access.signing_secret.get_secret_value(),
        before_authorize=gate_of(lambda: installations.teams),
        oauth_settings=flow,
        oauth_flow=hasty,
    )
