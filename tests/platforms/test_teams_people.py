"""People act in the stand-in for Teams, and a bot hears of it as of Teams."""

from typing import Any

import pytest
from aiohttp import ClientSession

from tests.platforms.teams.cards.filling import Impossible
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams_bot import bot, posted, show


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


async def test_feedback_is_asked_for() -> None:
    """Without the loop there is no thumb to press."""
    with Teams() as teams:
        async with bot(teams) as made:
            message = await show(teams, "alex", channelData={"feedbackLoop": {"type": "default"}})
            teams.feedback(message, "dislike", "wrong table")
            await teams.awaited.wait_posted()
            with pytest.raises(Impossible):
                teams.feedback(await show(teams, "alex"))

    value = {"reaction": "dislike", "feedback": '{"feedbackText": "wrong table"}'}
    assert made.told[0]["name"] == "message/submitAction"
    assert made.told[0]["value"] == {"actionName": "feedback", "actionValue": value}


@pytest.mark.parametrize("parts", [1, 2])
async def test_a_file_is_put_where_the_consent_says(parts: int) -> None:
    """It may come in parts; the bot's token is not for that address."""
    content = b"a,b\n1,2\n" * 81_920  # two parts of 320 KiB
    offer = {"sizeInBytes": len(content), "acceptContext": {"f": 1}, "declineContext": {"f": 1}}
    consent = {"contentType": "application/vnd.microsoft.teams.card.file.consent", "name": "r.csv", "content": offer}
    with Teams() as teams:
        async with bot(teams) as made:
            message = await show(teams, "alex", attachments=[consent])
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
        teams.world.clock = lambda: 1e9
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
    body["conversation"] = {"id": teams.conversation(where).id, "conversationType": teams.conversation(where).kind}
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
