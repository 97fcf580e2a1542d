"""Who acts: a person's name and address as their workspace knows them, asked for once an hour."""

import asyncio

from slack_sdk.errors import SlackApiError

from adapters.chat.known import Known
from adapters.chat.surface import Person
from adapters.slack.clients import Clients, error_of
from router.memory import User
from router.timing import zone_known

PATIENCE = 30.0
"""Seconds that a workspace may take to say who somebody is; there is an answer to be waited for."""

NOBODY = frozenset({"user_not_found", "user_not_visible"})
"""Slack's words for somebody whom the workspace does not know."""


class People:
    """The people of all workspaces; `patience` is how many seconds a workspace may take to say who somebody is."""

    def __init__(self, clients: Clients, patience: float = PATIENCE) -> None:
        self._clients, self._patience = clients, patience
        self._known = Known(self._ask)

    async def person(self, team: str, id: str, name: str = "") -> Person:
        """Return the person; `name` stands in where the workspace does not tell it.

        Raises one of FAILED where nobody says for sure who it is: a guess would let strangers in.
        """
        return await self._known.person(team, id, name)

    async def _ask(self, team: str, id: str, name: str) -> Person:
        try:
            async with asyncio.timeout(self._patience):
                client = await self._clients.of(team)
                answer = await client.users_info(user=id)
        except SlackApiError as error:
            if error_of(error) not in NOBODY:
                raise
            return Person(User(f"slack:{id}", name), stranger=True)
        found = answer.get("user") or {}
        profile = found.get("profile") or {}
        shown = profile.get("display_name") or profile.get("real_name") or found.get("real_name") or name
        at_home = found.get("team_id") == team or team in (found.get("enterprise_user") or {}).get("teams", [])
        stranger = bool(found.get("is_stranger")) or not at_home
        # An address is believed only where our own workspace vouches for it.
        email = "" if stranger or found.get("is_bot") else str(profile.get("email", ""))
        return Person(User(f"slack:{id}", str(shown), email, zone_known(str(found.get("tz") or ""))), stranger)
