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


async def test_a_press_says_who_where_and_what(made: Bot) -> None:
    """The interaction has the person, the message, its thread and the value of the button."""
    message = await card(made)
    delivery = made.slack.press(message, "Go", user="U2")
    await made.slack.awaited.wait(lambda: made.told)
    body = made.told[0]

    assert (body["user"]["id"], body["channel"]["id"], body["team"]["id"]) == ("U2", "C1", "T1")
    assert (body["container"]["message_ts"], body["message"]["thread_ts"]) == (message.ts, message.thread)
    assert (body["actions"][0]["action_id"], body["actions"][0]["value"]) == ("go", "run-7")
    assert delivery.payload == body


async def test_what_was_chosen_is_in_the_state(made: Bot) -> None:
    """A choice is told at once, and again in the state of a later press; external menus ask the app."""
    slack, message = made.slack, await card(made)
    await slack.awaited.choose(message, "Database", "Option 1")
    await slack.awaited.choose(message, "what", ["city", "amount"])
    slack.press(message, "Go")
    await slack.awaited.wait(lambda: len(made.told) == 3)
    values = made.told[2]["state"]["values"]

    assert made.told[0]["actions"][0]["selected_option"]["value"] == "1"
    assert values["where"]["menu"]["selected_option"]["text"]["text"] == "Option 1"
    assert [each["value"] for each in values["what"]["columns"]["selected_options"]] == ["city", "amount"]


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


async def test_an_old_button_can_still_be_pressed(made: Bot) -> None:
    """Who has not seen the update yet presses what was there before."""
    slack, message = made.slack, await card(made)
    await made.app.client.chat_update(channel="C1", ts=message.ts, text="Done")
    slack.press(message, "Go", blocks=message.edits[0][1])
    await slack.awaited.wait(lambda: made.told)

    assert made.told[0]["actions"][0]["value"] == "run-7"


async def test_a_modal_is_filled_in_and_sent(made: Bot) -> None:
    """Errors keep it open, an empty acknowledgement closes it, and both say what was typed."""
    slack = made.slack
    await made.app.client.views_open(trigger_id=slack.world.trigger("U1", "T1"), view=VIEW)
    view = await slack.awaited.wait_view("Mail")
    wrong = await slack.awaited.submit(view, {"Name": "nobody"})
    still = view.open
    right = await slack.awaited.submit(view, {"name": "Ana", "Note": "hi"})

    assert (wrong, still) == ({"response_action": "errors", "errors": {"name": "Who is that?"}}, True)
    assert (right, slack.views) == (None, [])
    assert made.told[1]["view"]["state"]["values"]["note"]["note"] == {"type": "plain_text_input", "value": "hi"}
    assert made.told[1]["view"]["private_metadata"] == "7"


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


async def test_a_command_is_answered_to_one_person(made: Bot) -> None:
    """Its text is escaped, and what it is acknowledged with is seen by who typed it."""
    made.slack.command("/ask", "a < b", user="U3")
    answer = await made.slack.awaited.wait_message("C1", "One moment")

    assert (made.told[0]["text"], made.told[0]["user_id"]) == ("a &lt; b", "U3")
    assert answer.ephemeral_to == "U3"


async def test_a_shortcut_knows_its_message(made: Bot) -> None:
    """That of a message's menu has the message, the other one has not."""
    slack, message = made.slack, await card(made)
    slack.shortcut("explain", message)
    slack.shortcut("explain")
    await slack.awaited.wait(lambda: len(made.told) == 2)
    by_type = {body["type"]: body for body in made.told}

    assert by_type["message_action"]["message"]["ts"] == message.ts
    assert "message" not in by_type["shortcut"]


async def test_edits_and_removals_are_told(made: Bot) -> None:
    """What a person changes comes as message_changed and message_deleted, if the history may be read."""
    slack = made.slack
    said = slack.dm("U1", "hello")
    await slack.awaited.wait(lambda: len(made.told) == 1)
    slack.edit(said, "good morning")
    await slack.awaited.wait(lambda: len(made.told) == 2)
    slack.remove(said)
    await slack.awaited.wait(lambda: len(made.told) == 3)

    assert [None, "message_changed", "message_deleted"] == [body["event"].get("subtype") for body in made.told]
    assert made.told[1]["event"]["previous_message"]["text"] == "hello"
    assert slack.messages("U1") == []
