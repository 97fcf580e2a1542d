"""The app's two tabs, as somebody opens them: Home is drawn, Messages suggests questions and greets."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from adapters.chat.desk import Desk
from adapters.chat.gate import TurnedAway
from adapters.slack.clients import FAILED, word_of
from adapters.slack.home import RECENT, home_view, prompts_for, sentence_view
from adapters.slack.inbound import actor_of, team_of
from adapters.slack.surface import SlackSurface
from adapters.slack.telling import known, tell
from router.errors import BotError
from router.lasting import REPEATING
from router.memory import User

log = logging.getLogger("icc_bot")

WELCOME = (
    "Hello! Ask me a question about your data, in your own words. I write the SQL and show it to you; it runs when you "
    "press Run, and the rows come back as a table. `help` tells at any time what you can do."
)


async def show_tab(desk: Desk, surface: SlackSurface, body: Mapping[str, Any]) -> None:
    """Draw the Home tab, or suggest questions in the Messages tab; greet whoever comes for the first time.

    Strangers, and people who may be some, find there why they are not answered.
    """
    home = body["event"].get("tab") == "home"
    try:
        user = await known(surface, body)
    except TurnedAway as why:
        log.warning("%s was refused: %s", actor_of(body).id, why)
        await (_publish(surface, body, sentence_view(str(why))) if home else tell(surface, body, str(why)))
        return
    if home:
        await _show_home(desk, surface, body, user)
    else:
        asked = await asyncio.to_thread(desk.tools.feedback.asked, user.id, RECENT)
        await _suggest(desk, surface, body, prompts_for(user, desk.tools, asked))


async def press_tab(desk: Desk, surface: SlackSurface, body: Mapping[str, Any]) -> None:
    """Stop or resume what a button of the Home tab names, and draw the tab anew with what is said about it."""
    try:
        user = await known(surface, body)
    except TurnedAway as why:
        await _publish(surface, body, sentence_view(str(why)))
        return
    answer = body["actions"][0]["value"]
    try:
        repeats = answer.startswith(REPEATING)
        said = await asyncio.to_thread(desk.outlet.router.repeats.act, user, answer) if repeats else ""
    except BotError as error:
        said = str(error)
    await _show_home(desk, surface, body, user, said)


async def _show_home(desk: Desk, surface: SlackSurface, body: Mapping[str, Any], user: User, said: str = "") -> None:
    def seen() -> dict[str, Any]:
        asked = desk.tools.feedback.asked(user.id, RECENT)
        return home_view(user, desk.tools, asked, desk.outlet.router.repeats.of(user), said)

    try:
        view = await asyncio.to_thread(seen)
    except BotError as error:
        view = sentence_view(str(error))
    await _publish(surface, body, view)


async def _publish(surface: SlackSurface, body: Mapping[str, Any], view: dict[str, Any]) -> None:
    try:
        client = await surface.clients.of(team_of(body))
        await client.views_publish(user_id=surface.home(actor_of(body).id), view=view)
    except FAILED as error:
        log.warning("the Home tab could not be drawn: %s", word_of(error))


async def _suggest(desk: Desk, surface: SlackSurface, body: Mapping[str, Any], prompts: list[dict[str, str]]) -> None:
    team, event = team_of(body), body["event"]
    try:
        client = await surface.clients.of(team)
        await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
        if desk.outlet.shown.welcome(team, event["user"]):
            await client.chat_postMessage(channel=event["channel"], text=WELCOME)
    except FAILED as error:
        log.warning("no questions could be suggested: %s", word_of(error))
