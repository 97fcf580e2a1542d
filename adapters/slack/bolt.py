"""Bolt's app for one workspace or for several; the listeners come from `adapters.slack.app`."""

import logging
from urllib.parse import urljoin

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization.async_authorize import AsyncInstallationStoreAuthorize
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings

from adapters.slack.access import Access
from adapters.slack.clients import Clients
from adapters.slack.installations import STATE_SECONDS, Installations
from adapters.slack.uses import OPTIONAL_SCOPES, SCOPES

INSTALL, REDIRECT = "/slack/install", "/slack/oauth_redirect"


def bolt_app(access: Access, clients: Clients, installations: Installations | None) -> AsyncApp:
    """Return the app; with installations, each workspace is served with the token that it gave."""
    secret = access.signing_secret.get_secret_value()
    if access.workspaces is None or installations is None:
        client = clients.client(access.bot_token.get_secret_value())
        return AsyncApp(name="icc-bot", client=client, signing_secret=secret)
    client, given = clients.client(), access.workspaces
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
    return AsyncApp(name="icc-bot", client=client, signing_secret=secret, oauth_settings=flow, oauth_flow=hasty)
