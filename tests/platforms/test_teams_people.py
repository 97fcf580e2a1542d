"""People act in the stand-in for Teams, and a bot hears of it as of Teams."""

from typing import Any

import pytest
from aiohttp import ClientSession

from tests.platforms.teams import Impossible, Message, Teams
from tests.platforms.teams.world import ADAPTIVE, Card
from tests.platforms.teams_bot import Invoked, activity, bot, connector, posted

RUN = {"type": "Action.Execute", "title": "Run", "verb": "run", "id": "r", "data": {"q": 1}}
LIMIT = {"type": "Input.Number", "id": "limit", "min": 1, "max": 99, "isRequired": True, "errorMessage": "1 to 99"}
DATABASE = {
    "type": "Input.ChoiceSet",
    "id": "db",
    "label": "Database",
    "value": "s",
    "choices": [{"title": "Sales", "value": "s"}, {"title": "Staff", "value": "f"}],
}
TABLE = {
    "type": "Input.ChoiceSet",
    "id": "table",
    "style": "filtered",
    "choices": [],
    "choices.data": {"type": "Data.Query", "dataset": "tables", "associatedInputs": "auto"},
}


def card(*body: Any, **more: Any) -> Card:
    """Return a card of these elements."""
    return {"type": "AdaptiveCard", "version": "1.5", "body": list(body), **more}


async def shown(teams: Teams, where: str, *cards: Card, **more: Any) -> Message:
    """Return a message of the bot with these cards."""
    async with connector(teams) as client:
        place = teams.conversation(where).id
        sent = await client.conversations.send_to_conversation(place, activity("Look", *cards, **more))
    return teams.conversation(where).messages[sent.id]


def with_card(made: Card) -> Any:
    """Return what answers each invoke with this card."""

    def invoked(told: dict[str, Any]) -> Invoked:
        return 200, {"statusCode": 200, "type": ADAPTIVE, "value": made}

    return invoked


async def test_a_mention_in_a_channel_is_answered_in_its_thread() -> None:
    """It arrives as Teams sends it: with the mention by id, and with HTML beside the text."""
    with Teams() as teams:
        async with bot(teams) as made:
            asked = teams.say("sales", "a < b", user="sam")
            await teams.awaited.wait_message("sales", "You said", thread=asked)
            later = teams.say("sales", "again", thread=asked)
            await teams.awaited.wait_message("sales", "again", thread=asked, after=later)
            teams.say("sales", "not for the bot", mention=False)
            await teams.awaited.wait_posted()

    told = made.told[0]
    assert told["text"] == "<at>icc-bot</at>&nbsp;a < b"
    assert told["entities"][0]["mentioned"] == {"id": teams.bot_id, "name": "icc-bot"}
    assert told["attachments"][0]["content"].endswith("</span>&nbsp;a &lt; b</p>")
    assert told["conversation"]["id"] == f"19:sales@thread.tacv2;messageid={asked.id}"
    assert told["from"]["aadObjectId"] == teams.person("sam").aad
    assert told["channelData"]["team"] == {"id": "19:general@thread.tacv2"}
    assert len(made.told) == 2
    assert (teams.refused, teams.faults) == ([], [])


async def test_a_personal_chat_needs_no_mention() -> None:
    """It has no thread and no team."""
    with Teams() as teams:
        async with bot(teams) as made:
            teams.say("sam", "hello")
            answer = await teams.awaited.wait_message("sam")

    assert answer.text == "You said hello"
    assert made.told[0]["conversation"]["conversationType"] == "personal"
    assert "isGroup" not in made.told[0]["conversation"]


async def test_a_click_shows_its_card_to_the_clicker_alone() -> None:
    """All see it once the message is updated."""
    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = with_card(card({"type": "TextBlock", "text": "Running"}))
            message = await shown(teams, "board", card(actions=[RUN]))
            post = teams.press(message, "Run")
            await teams.awaited.wait_posted(post)

            assert [made.told[0]["value"]] == [{"action": {**RUN, "data": {"q": 1}}, "trigger": "manual"}]
            assert (made.told[0]["name"], made.told[0]["replyToId"]) == ("adaptiveCard/action", message.id)
            assert await teams.awaited.wait_message("board", "Running", user="alex") is message
            assert message.card_for("sam") == card(actions=[RUN])
            async with connector(teams) as client:
                await client.conversations.update_activity(message.conversation.id, message.id, activity("Done"))
            assert message.card_for("alex") is None
            assert post.ok
            assert teams.faults == []


async def test_inputs_travel_with_the_press() -> None:
    """What is not touched keeps its first value, what is empty is left out, as in Teams' client."""
    with Teams(retries=()) as teams:
        async with bot(teams) as made:
            made.invoked = lambda told: (
                200,
                {"statusCode": 200, "type": "application/vnd.microsoft.activity.message", "value": "OK"},
            )
            note = {"type": "Input.Text", "id": "note"}
            message = await shown(teams, "alex", card(LIMIT, DATABASE, note, actions=[RUN]))
            teams.press(message, "run", fill={"limit": "5"})
            teams.press(message, "r", fill={"limit": "7", "Database": "Staff", "note": "x"})
            await teams.awaited.wait_posted()

    sent = [told["value"]["action"]["data"] for told in made.told]
    assert sent[0] == {"q": 1, "limit": "5", "db": "s"}
    assert sent[1] == {"q": 1, "limit": "7", "db": "f", "note": "x"}
    assert teams.toasts == ["OK", "OK"]


@pytest.mark.parametrize(
    ("name", "fill"),
    [
        ("Run", {}),
        ("Run", {"limit": "100"}),
        ("Run", {"limit": "many"}),
        ("Run", {"limit": "5", "db": "nowhere"}),
        ("Run", {"limit": "5", "db": ["s", "f"]}),
        ("Run", {"limit": "5", "nothing": "x"}),
        ("Stop", {}),
        ("Off", {"limit": "5"}),
        ("Hidden", {"limit": "5"}),
        ("Open", {"limit": "5"}),
    ],
)
async def test_what_no_person_could_do_is_impossible(name: str, fill: dict[str, Any]) -> None:
    """The client does not send it, so that the bot is not told."""
    others = [
        {**RUN, "title": "Off", "verb": "off", "id": "o", "isEnabled": False},
        {"type": "Action.OpenUrl", "title": "Open", "url": "https://example.com"},
    ]
    hidden = {"type": "ActionSet", "isVisible": False, "actions": [{**RUN, "title": "Hidden", "verb": "h", "id": "h"}]}
    with Teams() as teams:
        message = await shown(teams, "alex", card(LIMIT, DATABASE, hidden, actions=[RUN, *others]))
        with pytest.raises(Impossible):
            teams.press(message, name, fill=fill)
        assert teams.posts == []


async def test_a_submit_comes_as_a_message() -> None:
    """Its value is the data with the inputs."""
    with Teams() as teams:
        async with bot(teams) as made:
            submit = {"type": "Action.Submit", "title": "Send", "data": {"verb": "send"}}
            message = await shown(teams, "board", card(DATABASE, actions=[submit]))
            teams.press(message, "Send")
            await teams.awaited.wait_posted()

    assert made.told[0]["type"] == "message"
    assert made.told[0]["value"] == {"verb": "send", "db": "s"}
    assert "text" not in made.told[0]
    assert made.told[0]["replyToId"] == message.id


async def test_a_toggle_shows_what_was_hidden_and_a_shown_card_keeps_its_inputs() -> None:
    """Inputs of an Action.ShowCard go with the buttons in it only."""
    inner = card(LIMIT, actions=[{**RUN, "title": "Inner", "verb": "inner", "id": "i"}])
    toggle = {"type": "Action.ToggleVisibility", "title": "More", "targetElements": ["more"]}
    more = {"type": "ActionSet", "id": "more", "isVisible": False, "actions": [{**RUN, "title": "Late", "verb": "l"}]}
    show = {"type": "Action.ShowCard", "title": "Limit", "card": inner}
    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = with_card(card())
            message = await shown(teams, "alex", card(more, actions=[RUN, toggle, show]))
            before = message.card
            teams.toggle(message, "More")
            teams.press(message, "Late")
            teams.press(message, "Inner", fill={"limit": "3"}, card=before)
            await teams.awaited.wait_posted()

    assert [{"q": 1}, {"q": 1, "limit": "3"}] == [told["value"]["action"]["data"] for told in made.told]


async def test_typeahead_asks_the_bot_and_offers_what_it_says() -> None:
    """Only what was offered can be chosen."""

    def invoked(told: dict[str, Any]) -> Invoked:
        found = {"results": [{"title": "Orders", "value": "o"}]}
        return 200, {"statusCode": 200, "type": "application/vnd.microsoft.search.searchResponse", "value": found}

    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = invoked
            message = await shown(teams, "alex", card(TABLE, actions=[RUN]))
            with pytest.raises(Impossible):
                teams.press(message, "Run", fill={"table": "Orders"})
            found = await teams.awaited.search(message, "table", "ord", fill={"db": "s"})
            made.invoked = with_card(card())
            teams.press(message, "Run", fill={"table": "Orders"})
            await teams.awaited.wait_posted()
            made.invoked = lambda told: (200, {"results": []})
            nothing = await teams.awaited.search(await shown(teams, "alex", card(TABLE)), "table", "x")

    asked = {"queryText": "ord", "queryOptions": {"skip": 0, "top": 15}, "dataset": "tables", "data": {"db": "s"}}
    assert found == [{"title": "Orders", "value": "o"}]
    assert made.told[0]["value"] == asked
    assert made.told[1]["value"]["action"]["data"] == {"q": 1, "table": "o"}
    assert nothing == []
    assert ["means nothing to Teams" in each for each in teams.faults] == [True]


@pytest.mark.parametrize("answer", [(200, None), (200, {"ok": True}), (200, {"statusCode": 200, "type": ADAPTIVE})])
async def test_an_answer_that_means_nothing_is_a_fault(answer: Invoked) -> None:
    """The clicker would see that something went wrong."""
    with Teams() as teams:
        async with bot(teams) as made:
            made.invoked = lambda told: answer
            message = await shown(teams, "alex", card(actions=[RUN]))
            await teams.awaited.wait_posted(teams.press(message, "Run"))

    assert len(teams.faults) == 1
    assert message.seen == {}


async def test_feedback_is_asked_for() -> None:
    """Without the loop there is no thumb to press."""
    with Teams() as teams:
        async with bot(teams) as made:
            message = await shown(teams, "alex", channelData={"feedbackLoop": {"type": "default"}})
            teams.feedback(message, "dislike", "wrong table")
            await teams.awaited.wait_posted()
            with pytest.raises(Impossible):
                teams.feedback(await shown(teams, "alex"))

    value = {"reaction": "dislike", "feedback": '{"feedbackText": "wrong table"}'}
    assert made.told[0]["name"] == "message/submitAction"
    assert made.told[0]["value"] == {"actionName": "feedback", "actionValue": value}


@pytest.mark.parametrize("parts", [1, 2])
async def test_a_file_is_put_where_the_consent_says(parts: int) -> None:
    """It may come in parts; the bot's token is not for that address."""
    content = b"a,b\n1,2\n"
    offer = {"sizeInBytes": len(content), "acceptContext": {"f": 1}, "declineContext": {"f": 1}}
    consent = {"contentType": "application/vnd.microsoft.teams.card.file.consent", "name": "r.csv", "content": offer}
    with Teams() as teams:
        async with bot(teams) as made:
            message = await shown(teams, "alex", attachments=[consent])
            teams.consent(message, accept=False)
            await teams.awaited.wait_posted(teams.consent(message))
            url = made.told[-1]["value"]["uploadInfo"]["uploadUrl"]
            step = len(content) // parts
            async with ClientSession() as session:
                for start in range(0, len(content), step):
                    whole = f"bytes {start}-{start + step - 1}/{len(content)}"
                    await session.put(url, data=content[start : start + step], headers={"Content-Range": whole})

    assert {"accept", "decline"} == {told["value"]["action"] for told in made.told}
    assert [("r.csv", content)] == [(file.name, file.content) for file in teams.files]
    assert teams.faults == []


async def test_a_stream_grows_until_its_final_message() -> None:
    """It has its own order; too fast and too late are counted, and the stop button ends it."""
    with Teams() as teams:
        first = await streamed(teams, 1, "informative", "Reading")
        assert first["status"] == 201
        id_ = first["body"]["id"]
        await streamed(teams, 3, "streaming", "Two", id_)
        await streamed(teams, 2, "streaming", "One", id_)
        await streamed(teams, 4, "streaming", "Three", id_)
        await streamed(teams, None, "final", "Three and more", id_)
        late = await streamed(teams, 5, "streaming", "x", id_)
        stopped = (await streamed(teams, 1, "streaming", "x"))["body"]["id"]
        teams.stop(teams.messages("alex")[-1])
        cancelled = await streamed(teams, 2, "streaming", "xy", stopped)
        group = await streamed(teams, 1, "streaming", "x", where="board")
        slow = (await streamed(teams, 1, "streaming", "x"))["body"]["id"]
        teams.pass_time(121)
        over = await streamed(teams, None, "final", "x", slow)

    stream = teams.streams[0]
    assert ["Reading", "Two", "Three", "Three and more"] == stream.chunks
    assert (stream.dropped, stream.rapid, stream.final) == ([2], 3, True)
    assert teams.faults == ["send: each part of a stream holds the whole text so far"]
    assert [403] * 4 == [each["status"] for each in (late, cancelled, group, over)]
    assert "canceled" in cancelled["body"]["error"]["message"]
    assert "exceeded streaming time" in over["body"]["error"]["message"]


async def streamed(
    teams: Teams, sequence: int | None, kind: str, text: str, id_: str = "", where: str = "alex"
) -> dict[str, Any]:
    """Send a part of a stream, and return the status and the body of the answer."""
    info: dict[str, Any] = {"type": "streaminfo", "streamType": kind}
    info |= {} if sequence is None else {"streamSequence": sequence}
    info |= {"streamId": id_} if id_ else {}
    body = {"type": "message" if kind == "final" else "typing", "text": text, "entities": [info]}
    status, answer, _ = await posted(teams, body, where)
    return {"status": status, "body": answer}


async def test_the_app_comes_and_goes() -> None:
    """The bot is told of the installation and of its members, and of reactions, edits and deletions."""
    with Teams() as teams:
        async with bot(teams) as made:
            teams.install("kim", "kim")
            teams.install("sales")
            teams.join("sales", "kim")
            asked = teams.say("sales", "hello")
            await teams.awaited.wait_message("sales", "hello")
            teams.edit(asked, "hello again")
            teams.react(asked, "heart", "kim")
            teams.remove(asked)
            await teams.awaited.wait_posted()
            teams.uninstall("sales")
            await teams.awaited.wait_posted()

    kinds = sorted(told["type"] for told in made.told)
    assert kinds == sorted(
        ["installationUpdate", "conversationUpdate"] * 3
        + ["conversationUpdate", "message", "messageUpdate", "messageReaction", "messageDelete"]
    )
    added = [told for told in made.told if told.get("membersAdded")]
    assert {"id": teams.bot_id} in added[0]["membersAdded"]
    assert not teams.conversation("sales").bot
