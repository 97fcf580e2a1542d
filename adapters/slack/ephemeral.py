"""Shows something to the person alone who acted: a sentence, or a modal. Tells who that person is."""

import logging
from collections.abc import Mapping
from typing import Any

from adapters.chat import admission
from adapters.chat.admission import TurnedAway, identify
from adapters.chat.surface import Undelivered
from adapters.slack.inbound import actor_of, place_in, team_of
from adapters.slack.surface import SlackSurface
from router.memory.draft import User

log = logging.getLogger("icc_bot")

TELL_AFTER_SECONDS = 2.0
"""Seconds after which somebody who waits for a form or a menu hears that it is not certain who they are."""

UNKNOWN_BUTTON = "That button is too old for me. Please ask again."
NOT_OPENED = "Slack did not open the form. Press again, or type it into the thread."


async def tell_actor(surface: SlackSurface, body: Mapping[str, Any], text: str) -> None:
    """Send a text to the person who acted, and nobody else, where they acted."""
    await admission.send_privately(surface, place_in(body), actor_of(body), text)


async def open_modal(surface: SlackSurface, body: Mapping[str, Any], view: dict[str, Any]) -> None:
    """Open a modal for the person who acted; if Slack does not, they are told."""
    try:
        await surface.open_view(team_of(body), body["trigger_id"], view)
    except Undelivered as error:
        log.warning("a form could not be opened: %s", error)
        await tell_actor(surface, body, NOT_OPENED)


async def find_actor(surface: SlackSurface, body: Mapping[str, Any]) -> User:
    """Return who acted, as their workspace knows them; raises TurnedAway for strangers, and if that is not certain."""
    return await identify(surface, team_of(body), actor_of(body), TELL_AFTER_SECONDS)


async def admit_actor(surface: SlackSurface, body: Mapping[str, Any]) -> User | None:
    """Return who acted; None if they are a stranger, or may be one, which they are told."""
    try:
        return await find_actor(surface, body)
    except TurnedAway as why:
        log.warning("%s was refused: %s", actor_of(body).id, why)
        await tell_actor(surface, body, str(why))
        return None
