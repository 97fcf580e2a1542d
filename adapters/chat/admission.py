"""Decides who is answered at all, and where, before anything else is done with an input."""

import asyncio
import logging
from dataclasses import replace
from typing import Final

from adapters.chat.reply_sender import ReplySender
from adapters.chat.surface import Heard, MessagePlace, NotTaken, Refusal, Surface, Undelivered
from router.catalog.connection import Connections
from router.errors import NotAllowed, WrongChannel
from router.memory.draft import User
from router.memory.stage import Stage
from router.memory.thread import Memory
from router.policy import require_channel, require_some_for_guests
from router.turn import Changed, Said
from router.understanding.button_words import word_of

# The address in front of what is said ("@bot, …") is no part of it.


AFTER_A_NAME: Final = r"(?:\s*(?:[,:;!]|[-–—](?=\s)))?"
"""A pattern: "@icc-bot, help", "@icc-bot: hi"."""


log = logging.getLogger("icc_bot")

STRANGER = "I answer people of this workspace only. Nothing was asked or run."

UNKNOWN_PERSON = "I could not make sure who you are, so nothing was asked or run. Please try again in a moment."


NOT_BY_A_WORD = (
    "If that was for me: press the button, or write my name with it. Where others talk too, a word alone runs nothing."
)


OUTBOUND = (Stage.CONFIRM_WRITE, Stage.CONFIRM_EMAIL, Stage.CONFIRM_SCHEDULE)
"""Stages at which any word may be the answer that sends rows away: only what is said to the bot is taken."""

HARMLESS = ("cancel", "back", "restart", "help")
"""Words that send nothing anywhere."""

APPROVING = (Stage.CONFIRM_GENERATED_SQL, Stage.CONFIRM_USER_SQL, Stage.CONFIRM_EMAIL_QUERY, *OUTBOUND)


class TurnedAway(Exception):
    """The person is not answered; the sentence says why."""


class Stranger(TurnedAway):
    """The person is not one of those whom the bot answers."""


async def let_in(surface: Surface, connections: Connections, heard: Heard) -> Heard:
    """Return the input with all that is known of its author; raises TurnedAway."""
    user = await identify(surface, heard.key.team, heard.user)
    try:
        # Before a thread is begun, which others could read.
        require_channel(heard.key, connections.channels, heard.shared)
        require_some_for_guests(user, connections)
    except (WrongChannel, NotAllowed) as error:
        raise TurnedAway(str(error)) from error
    return replace(heard, user=user)


async def identify(surface: Surface, team: str, user: User, seconds: float | None = None) -> User:
    """Return who acts, as their platform knows them; raises TurnedAway for strangers, and if that is not certain.

    `seconds`: it is not certain if it takes longer.
    """
    try:
        person = await asyncio.wait_for(surface.person(team, user), seconds)
    except (Undelivered, TimeoutError) as error:
        raise TurnedAway(UNKNOWN_PERSON) from error
    if person.stranger:
        raise Stranger(STRANGER)
    return person.user


async def send_refusal(surface: Surface, heard: Heard, text: str, refusal: Refusal | None = None) -> None:
    """Show a refusal to the person alone, as far as possible; a form or click that waits for `refusal` shows it."""
    log.warning("%s was refused in %s: %s", heard.user.id, heard.key, text)
    if refusal and not refusal.done():
        refusal.set_result(NotTaken(text))
        return
    await send_privately(surface, heard.at, heard.user, text)


async def send_privately(surface: Surface, place: MessagePlace, user: User, text: str) -> None:
    """Send a text to the person alone; what cannot be delivered is logged."""
    try:
        await surface.whisper(place, user, text)
    except Undelivered as error:
        log.warning("%s could not be told: %s", user.id, error)


async def is_meant(reply_sender: ReplySender, heard: Heard) -> bool:
    """Return whether a message in a thread that names nobody is for the bot: the owner of the talk goes on.

    An "ok" to a colleague must not run anything: that takes the button, or the bot's name.
    """
    memory = await asyncio.to_thread(reply_sender.router.memory, heard.key)
    if memory is None or memory.owner is None or memory.owner.id != heard.user.id:
        return False
    if isinstance(heard.input, Changed):
        return True  # it can approve nothing
    text = heard.input.text if isinstance(heard.input, Said) else ""
    if memory.stage in APPROVING and _agrees(text, memory):
        await send_refusal(reply_sender.surface, heard, NOT_BY_A_WORD)
        return False
    return memory.stage not in OUTBOUND or word_of(text, HARMLESS) is not None


def _agrees(text: str, memory: Memory) -> bool:
    """Return whether a text could be an approval: a word, or the name of the table whose rows are deleted."""
    table = memory.tasks.writing.table if memory.tasks.writing else ""
    named = bool(table) and text.strip().casefold() == table.casefold()
    return named or word_of(text, ("yes", "write", "email")) is not None
