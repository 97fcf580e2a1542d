"""Which workspaces are served at all."""

import logging
from collections.abc import Awaitable, Callable, Collection
from typing import Any

from slack_bolt.response import BoltResponse

from adapters.slack.inbound import team_of

log = logging.getLogger("icc_bot")

FAREWELLS = frozenset({"app_uninstalled", "tokens_revoked"})
"""Events that have something deleted, which any workspace may."""

Gate = Callable[..., Awaitable[BoltResponse | None]]


def gate_of(served: Callable[[], Collection[str] | None]) -> Gate:
    """Return a middleware of Bolt that answers no workspace but these; None: it is not known yet which they are."""

    async def gate(body: dict[str, Any], next: Callable[[], Awaitable[None]]) -> BoltResponse | None:
        team, event, teams = team_of(body), body.get("event") or {}, served()
        greeting = body.get("type") == "url_verification"
        if teams is None and not greeting:
            log.warning("what came from workspace %s has to be sent again: it is not known yet who is served", team)
            return BoltResponse(status=503, body="")
        if greeting or team in (teams or ()) or event.get("type") in FAREWELLS:
            await next()
            return None
        log.warning("what came from workspace %s was refused: it is none of those that the bot serves", team or "?")
        return BoltResponse(status=200, body="")  # with any other status, Slack would send it again

    return gate
