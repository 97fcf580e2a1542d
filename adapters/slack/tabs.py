"""The app's two tabs, as somebody opens them: Home is drawn, Messages suggests questions and greets."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from adapters.chat.desk import Desk
from adapters.slack.clients import FAILED, word_of
from adapters.slack.home import RECENT, home_view, prompts_for
from adapters.slack.surface import SlackSurface

log = logging.getLogger("icc_bot")

WELCOME = (
    "Hello! Ask me a question about your data, in your own words. I write the SQL and show it to you; it runs when you "
    "press Run, and the rows come back as a table. `help` tells at any time what you can do."
)


async def show_tab(desk: Desk, surface: SlackSurface, team: str, event: Mapping[str, Any]) -> None:
    """Draw the Home tab, or suggest questions in the Messages tab; greet whoever comes for the first time."""
    user = event["user"]
    person = await surface.people.person(team, user)
    asked = await asyncio.to_thread(desk.tools.feedback.asked, person.user.id, RECENT)
    try:
        client = await surface.clients.of(team)
        if event.get("tab") == "home":
            await client.views_publish(user_id=user, view=home_view(person.user, desk.tools, asked))
            return
        prompts = prompts_for(person.user, desk.tools, asked)
        await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
        if desk.outlet.shown.welcome(team, user):
            await client.chat_postMessage(channel=event["channel"], text=WELCOME)
    except FAILED as error:
        log.warning("the app's tab could not be drawn: %s", word_of(error))
