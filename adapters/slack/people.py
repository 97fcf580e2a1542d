"""Who acts: a person's name and address as their workspace knows them, asked for once an hour."""

import logging
from time import monotonic

from slack_sdk.errors import SlackApiError

from adapters.chat.surface import Person
from adapters.slack.clients import UNSURE, Clients, error_of
from router.memory import User

log = logging.getLogger("icc_bot")

KEPT = 3600.0
MOST = 10_000

NOBODY = frozenset({"user_not_found", "user_not_visible"})
"""Slack's words for somebody whom the workspace does not know."""


class People:
    """The people of all workspaces; without the scope users:read they have ids alone."""

    def __init__(self, clients: Clients) -> None:
        self._clients = clients
        self._known: dict[tuple[str, str], tuple[float, Person]] = {}

    async def person(self, team: str, id: str, name: str = "") -> Person:
        """Return the person; `name` stands in where the workspace does not tell it."""
        known = self._known.get((team, id))
        if known and monotonic() - known[0] < KEPT:
            return known[1]
        try:
            person, lasting = await self._asked(team, id, name), True
        except SlackApiError as error:
            # Without the scope, names and addresses stay unknown; anything else may be gone in a moment.
            lasting = error_of(error) == "missing_scope"
            person = Person(User(f"slack:{id}", name), stranger=error_of(error) in NOBODY)
        except UNSURE as error:
            log.warning("Slack does not say who %s is: %s", id, type(error).__name__)
            person, lasting = Person(User(f"slack:{id}", name), stranger=False), False
        if lasting:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[team, id] = (monotonic(), person)
        return person

    async def _asked(self, team: str, id: str, name: str) -> Person:
        client = await self._clients.of(team)
        found = (await client.users_info(user=id))["user"]
        profile = found.get("profile", {})
        shown = profile.get("display_name") or profile.get("real_name") or found.get("real_name") or name
        at_home = found.get("team_id") == team or team in found.get("enterprise_user", {}).get("teams", [])
        stranger = bool(found.get("is_stranger")) or not at_home
        # An address is believed only where our own workspace vouches for it.
        email = "" if stranger or found.get("is_bot") else str(profile.get("email", ""))
        return Person(User(f"slack:{id}", str(shown), email), stranger)
