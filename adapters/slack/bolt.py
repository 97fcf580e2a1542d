"""Bolt's app for one workspace or for several; the listeners come from `adapters.slack.app`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.authorization.async_authorize import AsyncInstallationStoreAuthorize
from slack_bolt.oauth.async_oauth_flow import AsyncOAuthFlow
from slack_bolt.oauth.async_oauth_settings import AsyncOAuthSettings
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.slack.access import INSTALL_MAX_SECONDS, SlackAccess, Workspaces
from adapters.slack.clients import FAILED, Clients, word_of
from adapters.slack.inbound import team_of
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES

if TYPE_CHECKING:
    from adapters.slack.installations import Installations


log = logging.getLogger("icc_bot")

ASK_AGAIN_SECONDS = 3.0
"""Seconds after which Slack is asked again."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """A workspace's id, and the bot's ids there: as a user, and as a bot."""

    team: str
    user: str
    bot: str


@dataclass(slots=True)
class OwnWorkspace:
    """The workspace that the bot's token belongs to; None until Slack has said which it is."""

    known: Workspace | None = None
    app: str = ""
    """The id of the app whose bot this is; empty if that is not known."""

    async def ask(self, client: AsyncWebClient, tell: Callable[[str], None]) -> None:
        """Ask until Slack says it; the log says once that it does not."""
        told = False
        while self.known is None:
            try:
                answer = await client.auth_test()
                self.known = Workspace(str(answer["team_id"]), str(answer["user_id"]), str(answer.get("bot_id", "")))
            except FAILED as error:
                log.warning("Slack does not say whose the bot's token is: %s", word_of(error))
                if not told:
                    tell(
                        f"SLACK_BOT_TOKEN: Slack does not say whose it is ({word_of(error)}). Nobody is answered "
                        "before it does; I go on asking."
                    )
                told = True
                await asyncio.sleep(ASK_AGAIN_SECONDS)
        if not self.app and self.known.bot:
            try:
                answer = await client.bots_info(bot=self.known.bot)
                self.app = str((answer.get("bot") or {}).get("app_id") or "")
            except FAILED as error:  # then every app's events are taken, as long as they are signed
                log.info("Slack does not say which app the bot is of: %s", word_of(error))


UNINSTALL_EVENTS = frozenset({"app_uninstalled", "tokens_revoked"})
"""Events that have something deleted, which any workspace may."""

Middleware = Callable[..., Awaitable[BoltResponse | None]]


def served_only(served: Callable[[], Collection[str] | None], app: Callable[[], str]) -> Middleware:
    """Return a middleware of Bolt that answers no workspace but these, and nothing that is meant for another app.

    None: it is not known yet which workspaces they are; an empty id: it is not known which app this is.
    """

    async def gate(body: dict[str, Any], next: Callable[[], Awaitable[None]]) -> BoltResponse | None:
        team, event, teams = team_of(body), body.get("event") or {}, served()
        meant, own = body.get("api_app_id"), app()
        if meant and own and meant != own:
            log.warning("what was meant for the app %s was refused: this is %s", meant, own)
            return BoltResponse(status=200, body="")
        greeting = body.get("type") == "url_verification"
        if teams is None and not greeting:
            log.warning("what came from workspace %s has to be sent again: it is not known yet who is served", team)
            return BoltResponse(status=503, body="")
        if greeting or team in (teams or ()) or event.get("type") in UNINSTALL_EVENTS:
            await next()
            return None
        log.warning("what came from workspace %s was refused: it is none of those that the bot serves", team or "?")
        return BoltResponse(status=200, body="")  # with any other status, Slack would send it again

    return gate


INSTALL, REDIRECT = "/slack/install", "/slack/oauth_redirect"


def bolt_app(access: SlackAccess, clients: Clients, served: "OwnWorkspace | Installations") -> AsyncApp:
    """Return the app for one workspace, or for those that install it, each with the token that it gave."""
    if isinstance(served, OwnWorkspace):
        return _app_of_one(access, clients, served)
    given = access.workspaces
    assert given is not None
    return _app_of_many(access, given, clients, served)


def _app_of_one(access: SlackAccess, clients: Clients, own: OwnWorkspace) -> AsyncApp:
    async def authorize(enterprise_id: str | None, user_id: str | None) -> AuthorizeResult:
        """Bolt's own would ask Slack at the first event, and drop it if Slack does not answer."""
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
        before_authorize=served_only(lambda: {own.known.team} if own.known else None, lambda: access.app_id or own.app),
        authorize=authorize,
    )


def _app_of_many(access: SlackAccess, given: Workspaces, clients: Clients, installations: "Installations") -> AsyncApp:
    client = clients.client()
    client_secret = given.client_secret.get_secret_value()
    flow = AsyncOAuthSettings(
        client_id=given.client_id,
        client_secret=client_secret,
        # What is optional is asked for too; the installer may take it away.
        scopes=[*SCOPES, *OPTIONAL_SCOPES],
        user_scopes=[],
        install_path=INSTALL,
        redirect_uri_path=REDIRECT,
        authorization_url=urljoin(access.api_url, "../oauth/v2/authorize"),
        installation_store=installations,
        installation_store_bot_only=True,
        state_store=installations.states,
        state_expiration_seconds=INSTALL_MAX_SECONDS,
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
        before_authorize=served_only(lambda: installations.teams, lambda: access.app_id or installations.app),
        oauth_settings=flow,
        oauth_flow=hasty,
    )
