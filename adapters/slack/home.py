"""The Home tab: how to begin, what one may ask, and what one asked last."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from urllib.parse import quote

from adapters.chat.admission import TurnedAway
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Undelivered
from adapters.ordered_calls import call_in_order
from adapters.slack.clients import FAILED, word_of
from adapters.slack.controls import button
from adapters.slack.drawing import Block
from adapters.slack.ephemeral import admit_actor, find_actor
from adapters.slack.examples import example_buttons
from adapters.slack.inbound import actor_of, team_of
from adapters.slack.menus import REPEAT
from adapters.slack.mrkdwn import escaped
from adapters.slack.surface import SlackSurface
from adapters.slack.text_blocks import LINK_LABEL_MAX_CHARS, draw_small, section
from router.approval_requests import WaitingApproval
from router.catalog.connection import Connection
from router.errors import BotError
from router.interactions.persistent_buttons import SCHEDULE_PREFIXES
from router.jobs.feedback import AnsweredQuestion
from router.jobs.job_entry import JobEntry, JobState, Kind
from router.language.wording import truncate
from router.memory.draft import User
from router.memory.thread import ThreadKey, key_from
from router.policy import example_questions, no_database, readable_connections
from router.schedules.listing import ListedSchedule
from router.services import Services

HOME_TALKS_MAX = 8
HOME_CONNECTIONS_MAX = 10
HOME_APPROVALS_MAX = 8
HOME_JOBS_MAX = 5
HOME_SCHEDULES_MAX = 18
"""Of what is repeated and of databases, two blocks each: a tab has at most a hundred."""
JOBS_LOOKED_AT_MAX = 30
SUGGESTED_PROMPTS_MAX = 4
PROMPT_TITLE_MAX_CHARS = 75
NOTICE = "Answers are written by AI and can be wrong: read the SQL before you press Run. Nothing runs without you."
ASK = "ask"
"""The action_id of the button that opens the form for a question."""


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """Contents of a person's Home tab, read at once; `said` is what came of a press in it."""

    asked: Sequence[AnsweredQuestion] = ()
    repeated: Sequence[ListedSchedule] = ()
    approvals: Sequence[WaitingApproval] = ()
    jobs: Sequence[JobEntry] = ()
    """The jobs that are not over."""
    said: str = ""


def facts_of(service: ConversationService, user: User, team: str, said: str = "") -> HomeFacts:
    """Read the contents of a person's Home tab, by a few reads of the databases."""
    services = service.services
    jobs = [job for job in services.jobs.latest(user, JOBS_LOOKED_AT_MAX) if not job.over]
    return HomeFacts(
        services.feedback.asked(user.id, HOME_TALKS_MAX),
        service.reply_sender.router.schedules.of(user),
        services.approvals.waiting_for(user, "slack", team) if services.approvals else (),
        jobs,
        said,
    )


def home_view(user: User, services: Services, facts: HomeFacts, address: str) -> Block:
    """Return the Home tab of one person; `address` is the workspace's own, for links to threads."""
    connections = readable_connections(services.connections, user)
    return {
        "type": "home",
        "blocks": [
            _header("Ask your data"),
            section(
                "Ask in your own words. I show you the SQL, and nothing runs before you press *Run*. You can also "
                "mention me in a channel, or type `/ask` anywhere."
            ),
            {"type": "actions", "elements": [button("Ask a question", ASK, ASK, "primary")]},
            *([section(escaped(facts.said))] if facts.said else []),
            *_part("Waiting for your approval", facts.approvals, HOME_APPROVALS_MAX, partial(_approval, address)),
            *_part("Under way", facts.jobs, HOME_JOBS_MAX, partial(_job, address)),
            _header("What you may ask about"),
            *(block for n, each in enumerate(connections[:HOME_CONNECTIONS_MAX]) for block in _connection(each, n)),
            *_more(connections, HOME_CONNECTIONS_MAX),
            *([] if connections else [section(_none(user))]),
            *_part("What I repeat for you", facts.repeated, HOME_SCHEDULES_MAX, _repeated, SEE_SCHEDULES),
            *_part("What you asked last", facts.asked, HOME_TALKS_MAX, partial(_recent, address)),
            {"type": "divider"},
            draw_small(NOTICE),
        ],
    }


SEE_SCHEDULES = "Type `schedules` to me for all of them."

T = TypeVar("T")


def _part(title: str, items: Sequence[T], most: int, draw: Callable[[T], list[Block]], more: str = "") -> list[Block]:
    """Return a part of the tab, with how many items are left out; nothing if there are none."""
    if not items:
        return []
    return [_header(title), *(block for each in items[:most] for block in draw(each)), *_more(items, most, more)]


def _more(items: Sequence[Any], most: int, more: str = "") -> list[Block]:
    left = len(items) - most
    return [draw_small(f"{left} more. {more}".strip())] if left > 0 else []


def sentence_view(sentence: str) -> Block:
    """Return a Home tab that says this and nothing else."""
    return {"type": "home", "blocks": [section(escaped(sentence))]}


def prompts_for(user: User, services: Services, asked: Sequence[AnsweredQuestion]) -> list[dict[str, str]]:
    """Return at most four questions to begin with: examples of the databases one may ask, then one's own."""
    offered = example_questions(services.connections, user)[:SUGGESTED_PROMPTS_MAX]
    questions = list(dict.fromkeys([*offered, *(answered.question for answered in asked)]))
    chosen = questions[:SUGGESTED_PROMPTS_MAX] or ["What can you do?"]
    return [{"title": truncate(question, PROMPT_TITLE_MAX_CHARS), "message": question} for question in chosen]


def _none(user: User) -> str:
    return no_database(user) if user.guest else "No database yet. Your administrator can add you to its readers."


def _header(text: str) -> Block:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _connection(connection: Connection, number: int) -> list[Block]:
    """Return a database with the examples that ask it."""
    name = section(f"*{escaped(truncate(connection.label, 200))}*")
    return [name, example_buttons(connection.examples, f"home{number}")] if connection.examples else [name]


def _approval(address: str, waiting: WaitingApproval) -> list[Block]:
    since = f"<!date^{int(waiting.asked.timestamp())}^{{date_short_pretty}}, {{time}}|{waiting.asked:%Y-%m-%d %H:%M}>"
    about = " · ".join(filter(None, (escaped(waiting.asker), escaped(waiting.connection), since)))
    return _item(address, waiting.key, waiting.headline or "A query", about)


def _job(address: str, job: JobEntry) -> list[Block]:
    request = job.request
    rows = f"{job.rows:,} rows so far" if job.rows else "waits for its turn" if job.state == JobState.QUEUED else ""
    key = key_from(request.thread) if request.thread else None
    return _item(address, key, request.name or JOB_NAMES[request.kind], rows)


JOB_NAMES: Mapping[Kind, str] = {
    "read_sql": "A query",
    "write_data": "Writing rows",
    "send_email": "An e-mail",
    "match_sql": "A comparison",
    "compare_sql": "A comparison",
}


def _repeated(listed: ListedSchedule) -> list[Block]:
    words = section(truncate(f"*{escaped(listed.name)}*\n{escaped(listed.about)}", 2900))
    buttons = [
        button(way.label, f"{REPEAT}:{n}", way.answer, way.style if way.style != "danger" else "plain")
        for n, way in enumerate(listed.ways)
    ]
    return [words, {"type": "actions", "elements": buttons}]


def _recent(address: str, answered: AnsweredQuestion) -> list[Block]:
    return _item(address, key_from(answered.thread), answered.question, escaped(answered.outcome))


def _item(address: str, key: ThreadKey | None, label: str, about: str) -> list[Block]:
    """Return a label, which leads to its thread if that is one of Slack, and a line of mrkdwn below it."""
    words = escaped(truncate(" ".join(label.split()), LINK_LABEL_MAX_CHARS)).replace("|", "¦")
    if address and key and key.platform == "slack" and key.thread:
        words = f"<{address}/archives/{quote(key.channel)}/p{key.thread.replace('.', '')}|{words}>"
    return [section(f"{words}\n{about}".strip())]


# Opening a tab: Home is drawn, Messages suggests questions and greets.


log = logging.getLogger("icc_bot")

WELCOME = (
    "Hi! What would you like to know? Ask in your own words: I write the SQL and show it to you, and it runs when you "
    "press *Run*. Type `help` to see what else you can do."
)


async def show_tab(service: ConversationService, surface: SlackSurface, body: Mapping[str, Any]) -> None:
    """Draw the Home tab, or suggest questions in the Messages tab; greet people who come for the first time.

    Strangers, and people who may be some, find there why they are not answered.
    """
    if body["event"].get("tab") == "home":
        await _show_home(service, surface, body)
    elif user := await admit_actor(surface, body):
        await _suggest(service, surface, body, user)


async def press_tab(service: ConversationService, surface: SlackSurface, body: Mapping[str, Any]) -> None:
    """Stop or resume what a button of the Home tab names, and draw the tab again with what is said about it."""
    answer = body["actions"][0]["value"]

    def act(user: User) -> str:
        try:
            return service.reply_sender.router.schedules.act(user, answer)
        except BotError as error:
            return str(error)

    await _show_home(service, surface, body, act if answer.startswith(SCHEDULE_PREFIXES) else _nothing)


async def press_example(
    service: ConversationService, surface: SlackSurface, body: Mapping[str, Any], question: str
) -> None:
    """Say in the Home tab where a question that was pressed there is answered."""
    asked = truncate(" ".join(question.split()), LINK_LABEL_MAX_CHARS)
    await _show_home(service, surface, body, lambda user: f"I answer “{asked}” under Messages.")


def _nothing(user: User) -> str:
    return ""


async def _show_home(
    service: ConversationService,
    surface: SlackSurface,
    body: Mapping[str, Any],
    act: Callable[[User], str] = _nothing,
) -> None:
    """Draw the tab of the person who acted, with what came of it."""
    team = team_of(body)

    def view(user: User, address: str) -> Block:
        said = act(user)
        try:
            return home_view(user, service.services, facts_of(service, user, team, said), address)
        except BotError as error:
            return sentence_view(str(error))

    try:
        user = await find_actor(surface, body)
    except TurnedAway as why:
        log.warning("%s was refused: %s", actor_of(body).id, why)
        await _publish(surface, body, sentence_view(str(why)))
        return
    try:
        address = await surface.address(team)
    except Undelivered as error:
        log.info("the workspace's address is not known: %s", error)
        address = ""
    await _publish(surface, body, await asyncio.to_thread(view, user, address))


async def _publish(surface: SlackSurface, body: Mapping[str, Any], view: dict[str, Any]) -> None:
    try:
        client = await surface.clients.of(team_of(body))
        await client.views_publish(user_id=surface.home(actor_of(body).id), view=view)
    except FAILED as error:
        log.warning("the Home tab could not be drawn: %s", word_of(error))


async def _suggest(service: ConversationService, surface: SlackSurface, body: Mapping[str, Any], user: User) -> None:
    team, event = team_of(body), body["event"]
    asked = await asyncio.to_thread(service.services.feedback.asked, user.id, HOME_TALKS_MAX)
    prompts = prompts_for(user, service.services, asked)
    try:
        client = await surface.clients.of(team)
        await client.assistant_threads_setSuggestedPrompts(channel_id=event["channel"], prompts=prompts)
        if await call_in_order(service.reply_sender.shown.welcome, team, event["user"]):
            examples = [prompt["message"] for prompt in prompts]
            blocks = [section(WELCOME), example_buttons(examples, "welcome"), draw_small(NOTICE)]
            await client.chat_postMessage(channel=event["channel"], text=WELCOME, blocks=blocks)
    except FAILED as error:
        log.warning("no questions could be suggested: %s", word_of(error))
