"""People press, choose, fill in and type commands in the stand-in for Slack, and a real Bolt app understands them."""

import re
from collections.abc import AsyncIterator
from typing import Any

import pytest

from tests.platforms.bolt import Bot, bot
from tests.platforms.slack.forms import Impossible
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.platforms.slack_samples import FIELD, SECTION, Json, actions, button, menu, modal, plain

COLUMNS = {
    "type": "multi_external_select",
    "action_id": "columns",
    "min_query_length": 2,
    "placeholder": plain("Columns"),
}
CARD: list[Json] = [
    SECTION,
    {"type": "section", "block_id": "where", "text": plain("Where?"), "accessory": menu(placeholder=plain("Database"))},
    {"type": "section", "block_id": "what", "text": plain("What?"), "accessory": COLUMNS},
    actions(button(value="run-7", style="primary"), button("hidden", text=plain("Stop"), visible_to_user_ids=["U1"])),
]
NAME = {**FIELD, "block_id": "name"}
NOTE = {**FIELD, "block_id": "note", "label": plain("Note"), "optional": True}
NOTE["element"] = {"type": "plain_text_input", "action_id": "note", "max_length": 5}
VIEW = modal(NAME, NOTE, callback_id="mail", private_metadata="7", notify_on_close=True)


@pytest.fixture(params=["http", "socket"])
async def made(request: pytest.FixtureRequest) -> AsyncIterator[Bot]:
    """A Slack with a Bolt app that listens to what people do, by HTTP and by socket."""
    with Slack() as slack:
        async with bot(slack, request.param) as made:
            listen(made)
            yield made


def listen(made: Bot) -> None:
    """Remember each interaction; answer those that want an answer."""

    @made.app.action(re.compile("."))
    async def acted(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        made.told.append(body)

    @made.app.options("columns")
    async def offer(ack: Any, payload: dict[str, Any]) -> None:
        names = [name for name in ("amount", "city", "customer") if payload["value"] in name]
        await ack(options=[{"text": plain(name), "value": name} for name in names])

    @made.app.view("mail")
    async def sent(ack: Any, body: dict[str, Any], view: dict[str, Any]) -> None:
        made.told.append(body)
        if view["state"]["values"]["name"]["name"]["value"] == "nobody":
            await ack(response_action="errors", errors={"name": "Who is that?"})
        else:
            await ack()

    @made.app.view_closed("mail")
    @made.app.shortcut("explain")
    async def happened(ack: Any, body: dict[str, Any]) -> None:
        await ack()
        made.told.append(body)

    @made.app.command("/ask")
    async def asked(ack: Any, body: dict[str, Any]) -> None:
        made.told.append(body)
        await ack("One moment")


async def card(made: Bot) -> Message:
    """Return a message with a card, in a thread."""
    asked = made.slack.say("C1", "How many?", user="U1")
    await made.app.client.chat_postMessage(channel="C1", text="Run?", blocks=CARD, thread_ts=asked.ts)
    return made.slack.messages("C1", asked)[-1]


async def test_people_cannot_do_what_is_not_there(made: Bot) -> None:
    """Buttons that are missing or hidden, options that are not offered and short queries are no use."""
    slack, message = made.slack, await card(made)

    with pytest.raises(Impossible, match="there is no button 'Gone'"):
        slack.press(message, "Gone")
    with pytest.raises(Impossible, match="'Stop' is not shown to U2"):
        slack.press(message, "Stop", user="U2")
    with pytest.raises(Impossible, match="'Option 9' is not offered"):
        slack.choose(message, "Database", "Option 9")
    with pytest.raises(Impossible, match="asks the app from 2 characters on"):
        slack.suggest(message, "Columns", "c")


async def test_a_modal_has_rules(made: Bot) -> None:
    """What has to be filled in and what is too long is not sent; closing is told to who wants to know."""
    slack = made.slack
    await made.app.client.views_open(trigger_id=slack.world.trigger("U1", "T1"), view=VIEW)
    view = slack.views[0]

    with pytest.raises(Impossible, match=r"have to be filled in: \['Name'\]"):
        await slack.awaited.submit(view, {})
    with pytest.raises(Impossible, match="at most 5 characters"):
        await slack.awaited.submit(view, {"Name": "Ana", "Note": "too long"})

    slack.close(view)
    await slack.awaited.wait(lambda: made.told)

    assert made.told[0]["type"] == "view_closed"
    with pytest.raises(Impossible, match="the modal is closed"):
        await slack.awaited.submit(view, {"Name": "Ana"})
