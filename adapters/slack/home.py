"""The Home tab: how to begin, what one may ask, and what one asked last."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from adapters.chat.admission import TurnedAway
from adapters.chat.conversation_service import ConversationService
from adapters.slack.clients import FAILED, word_of
from adapters.slack.controls import button
from adapters.slack.ephemeral import known, tell
from adapters.slack.inbound import actor_of, team_of
from adapters.slack.menus import REPEAT
from adapters.slack.mrkdwn import escaped
from adapters.slack.surface import SlackSurface
from adapters.slack.text_blocks import section, small
from router.catalog.connection import Connection
from router.errors import BotError
from router.interactions.persistent_buttons import SCHEDULE_PREFIXES
from router.jobs.feedback import AnsweredQuestion
from router.language.wording import truncate
from router.memory.draft import User
from router.memory.thread import key_from
from router.policy import examples, no_database, readable
from router.schedules.listing import ListedSchedule
from router.services import Services

HOME_TALKS_MAX = 8
SUGGESTED_PROMPTS_MAX = 4
HOME_SCHEDULES_MAX = 20
"""Of what is repeated, two blocks each: a tab has at most a hundred."""
PROMPT_TITLE_MAX_CHARS = 75
NOTICE = "Answers are written by AI and can be wrong: read the SQL before you press Run. Nothing runs without you."


def home_view(
    user: User,
    services: Services,
    asked: Sequence[AnsweredQuestion],
    repeated: Sequence[ListedSchedule] = (),
    said: str = "",
) -> dict[str, Any]:
    """Return the Home tab of one person; `said` is what came of a press in it."""
    connections, more = readable(services.connections, user), len(repeated) - HOME_SCHEDULES_MAX
    return {
        "type": "home",
        "blocks": [
            _header("Ask your data"),
            section(
                "Write a question to me under *Messages*, mention me in a channel, or type `/ask` and your question. I "
                "show you the SQL; nothing runs before you press *Run*. Then the rows come as a table, and as CSV or "
                "Excel if you like. `help` tells at any time what you can do."
            ),
            _header("What you may ask about"),
            *(_connection(connection) for connection in connections[:20]),
            *([] if connections else [section(_none(user))]),
            *([_header("What I repeat for you")] if repeated or said else []),
            *([section(escaped(said))] if said else []),
            *(block for listed in repeated[:HOME_SCHEDULES_MAX] for block in _repeated(listed)),
            *([small(f"{more} more: type `schedules` to me for all of them.")] if more > 0 else []),
            *([_header("What you asked last"), *(_recent(answered) for answered in asked)] if asked else []),
            {"type": "divider"},
            small(NOTICE),
        ],
    }


def sentence_view(sentence: str) -> dict[str, Any]:
    """Return a Home tab that says this and nothing else."""
    return {"type": "home", "blocks": [section(escaped(sentence))]}


def prompts_for(user: User, services: Services, asked: Sequence[AnsweredQuestion]) -> list[dict[str, str]]:
    """Return at most four questions to begin with: examples of the databases one may ask, then one's own."""
    offered = examples(services.connections, user)[:SUGGESTED_PROMPTS_MAX]
    questions = list(dict.fromkeys([*offered, *(answered.question for answered in asked)]))
    chosen = questions[:SUGGESTED_PROMPTS_MAX] or ["What can you do?"]
    return [{"title": truncate(question, PROMPT_TITLE_MAX_CHARS), "message": question} for question in chosen]


def _none(user: User) -> str:
    return no_database(user) if user.guest else "No database yet. Your administrator can add you to its readers."


def _header(text: str) -> dict[str, Any]:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _connection(connection: Connection) -> dict[str, Any]:
    examples = "".join(f"\n> {escaped(example)}" for example in connection.examples[:3])
    return section(truncate(f"*{escaped(connection.label)}*{examples}", 2900))


def _repeated(listed: ListedSchedule) -> list[dict[str, Any]]:
    words = section(truncate(f"*{escaped(listed.name)}*\n{escaped(listed.about)}", 2900))
    buttons = [
        button(way.label, f"{REPEAT}:{n}", way.answer, way.style if way.style != "danger" else "plain")
        for n, way in enumerate(listed.ways)
    ]
    return [words, {"type": "actions", "elements": buttons}]


def _recent(answered: AnsweredQuestion) -> dict[str, Any]:
    key = key_from(answered.thread)
    link = f"https://slack.com/archives/{quote(key.channel)}/p{key.thread.replace('.', '')}"
    question = escaped(truncate(" ".join(answered.question.split()), 200)).replace("|", "¦")
    there = f"<{link}|{question}>" if key.platform == "slack" else question
    return section(f"{there}\n{escaped(answered.outcome)}")


# Opening a tab: Home is drawn, Messages suggests questions and greets.


log = logging.getLogger("icc_bot")

WELCOME = (
    "Hello! Ask me a question about your data, in your own words. I write the SQL and show it to you; it runs when you "
    "press Run, and the rows come back as a table. `help` tells at any time what you can do."
)


async def show_tab(service: ConversationService, surface: SlackSurface, body: Mapping[str, Any]) -> None:
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
        await _show_home(service, surface, body, user)
    else:
        asked = await asyncio.to_thread(service.services.feedback.asked, user.id, HOME_TALKS_MAX)
        await _suggest(service, surface, body, prompts_for(user, service.services, asked))


async def press_tab(service: ConversationService, surface: SlackSurface, body: Mapping[str, Any]) -> None:
    """Stop or resume what a button of the Home tab names, and draw the tab anew with what is said about it."""
    try:
        user = await known(surface, body)
    except TurnedAway as why:
        await _publish(surface, body, sentence_view(str(why)))
        return
    answer = body["actions"][0]["value"]
    try:
        repeats = answer.startswith(SCHEDULE_PREFIXES)
        said = await asyncio.to_thread(service.reply_sender.router.schedules.act, user, answer) if repeats else ""
    except BotError as error:
        said = str(error)
    await _show_home(service, surface, body, user, said)


async def _show_home(
    service: ConversationService, surface: SlackSurface, body: Mapping[str, Any], user: User, said: str = ""
) -> None:
    def seen() -> dict[str, Any]:
        asked = service.services.feedback.asked(user.id, HOME_TALKS_MAX)
        return home_view(user, service.services, asked, service.reply_sender.router.schedules.of(user), said)

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


async def _suggest(
    service: ConversationService, surface: SlackSurface, body: Mapping[str, Any], prompts: list[dict[str, str]]
) -> None:
    team, event = team_of(body), body["event"]
    try:
        client = await surface.clients.of(team)
        await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
        if service.reply_sender.shown.welcome(team, event["user"]):
            await client.chat_postMessage(channel=event["channel"], text=WELCOME)
    except FAILED as error:
        log.warning("no questions could be suggested: %s", word_of(error))
