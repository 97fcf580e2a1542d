"""What is written stands in Slack once, in order, as rich as Slack takes it."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from slack_sdk.errors import SlackApiError

from adapters.chat.surface import MessagePlace, Posted
from adapters.rendering.attachment import Attached
from adapters.slack.clients import FAILED, Clients, NotInstalled
from adapters.slack.drawing import Draw, SlackMessage
from adapters.slack.writer import Writer
from tests.platforms.slack.stand_in import Slack

TOP = MessagePlace("T1", "C1")


def drawn(text: str, *files: Attached) -> Draw:
    """Return what draws a text, with blocks or without."""
    return lambda rich: SlackMessage(text, (), files)


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack whose channels the bot may read, with nobody to tell."""
    with Slack(events=set()) as slack:
        slack.scopes |= {"channels:history"}
        yield slack


@pytest.fixture
async def writer(slack: Slack) -> AsyncIterator[Writer]:
    """A writer that waits little between its tries."""

    async def token(team: str) -> str:
        return slack.teams[team].token

    clients = Clients(token, slack.url)
    yield Writer(clients, pause=0.01)
    await clients.close()


def texts(slack: Slack, channel: str = "C1") -> list[str]:
    """Return the texts of a channel."""
    return [message.text for message in slack.messages(channel)]


@pytest.mark.parametrize("how", ["lose", "drop", "500", "503", "fatal_error"])
async def test_a_message_whose_reply_is_lost_is_not_posted_twice(slack: Slack, writer: Writer, how: str) -> None:
    """Whether Slack did it before the fault or not: the message stands there once, and its place is known."""
    slack.fail("chat.postMessage", how, times=3)
    posted = await writer.show(TOP, drawn("hello"), "one")

    assert ["hello"] == texts(slack)
    assert posted.id == slack.messages("C1")[0].ts


async def test_a_lost_reply_in_direct_messages_is_found(slack: Slack, writer: Writer) -> None:
    """A person's id becomes that of the direct messages, which can be read, with the first message to them."""
    slack.user("U1")
    first = await writer.show(MessagePlace("T1", "U1"), drawn("first"), "one")
    slack.fail("chat.postMessage", "lose")
    await writer.show(MessagePlace("T1", "U1"), drawn("second"), "two")

    assert first.channel.startswith("D")
    assert ["first", "second"] == texts(slack, "U1")
    assert slack.refused == []


async def test_without_the_right_to_read_a_lost_reply_is_posted_again(slack: Slack, writer: Writer) -> None:
    """Rather twice than never, where nothing can be looked up."""
    slack.scopes.discard("channels:history")
    slack.fail("chat.postMessage", "lose")
    await writer.show(TOP, drawn("hello"), "one")

    assert ["hello", "hello"] == texts(slack)


async def test_a_limited_rate_is_kept_and_holds_nobody_else_up(slack: Slack, writer: Writer) -> None:
    """The wait that Slack asks for is observed, what follows in the channel waits behind it, others do not."""
    slack.channel("C2")
    slack.fail("chat.postMessage", "ratelimited", retry_after=1)
    first = asyncio.create_task(writer.show(TOP, drawn("first"), "one"))
    await slack.awaited.wait_calls("chat.postMessage")
    second = asyncio.create_task(writer.show(TOP, drawn("second"), "two"))
    await writer.show(MessagePlace("T1", "C2"), drawn("elsewhere"), "three")
    assert not first.done()
    await asyncio.gather(first, second)

    turned_away, elsewhere, again, after = slack.asked("chat.postMessage")
    assert ["first", "second"] == texts(slack)
    assert ("C2", "first", "second") == (
        elsewhere.arguments["channel"],
        again.arguments["text"],
        after.arguments["text"],
    )
    assert again.time - turned_away.time >= 1.0


async def test_blocks_that_are_refused_become_words(slack: Slack, writer: Writer) -> None:
    """Each is tried once."""
    slack.fail("chat.postMessage", "invalid_blocks")
    await writer.show(
        TOP, lambda rich: SlackMessage("blocks" if rich else "words", ({"type": "divider"},) * rich), "one"
    )

    assert ["words"] == texts(slack)
    assert len(slack.asked("chat.postMessage")) == 2


async def test_a_deleted_message_is_not_posted_anew(slack: Slack, writer: Writer) -> None:
    """What somebody deleted stays deleted; the caller that wanted to change it learns so."""
    posted = await writer.show(TOP, drawn("before"), "one")
    await writer.remove(TOP, posted)
    with pytest.raises(SlackApiError, match="message_not_found"):
        await writer.redraw(TOP, posted, drawn("after"), "two")

    assert [] == texts(slack)


async def test_a_message_that_becomes_another_is_found_as_that(slack: Slack, writer: Writer) -> None:
    """Where an answer takes the place of progress, it is the answer that is found afterwards."""
    posted = await writer.show(TOP, drawn("working"), "progress")
    await writer.redraw(TOP, posted, drawn("still working"))
    assert posted == await writer.find(TOP, "progress")
    await writer.redraw(TOP, posted, drawn("answer"), "answer")

    assert None is await writer.find(TOP, "progress")
    assert posted == await writer.find(TOP, "answer")


async def test_channels_are_written_by_one_at_a_time(slack: Slack, writer: Writer) -> None:
    """Two messages to one channel are never under way together, two to different channels are; no lock stays."""
    slack.channel("C2")
    slack.fail("chat.postMessage", "slow", times=4, seconds=0.3)
    began = slack.world.now()
    await asyncio.gather(
        *(
            writer.show(MessagePlace("T1", channel), drawn(f"{n}"), f"{channel} {n}")
            for channel in ("C1", "C2")
            for n in (1, 2)
        )
    )

    times = {
        channel: [c.time for c in slack.asked("chat.postMessage") if c.arguments["channel"] == channel]
        for channel in ("C1", "C2")
    }
    assert all(second - first >= 0.3 for first, second in times.values())
    assert max(first for first, _ in times.values()) - began < 0.3
    assert {} == writer._locks._locks


async def test_slack_is_away_for_a_while(writer: Writer, slack: Slack, tmp_path: Path) -> None:
    """While connections are refused the writer goes on trying, and the message arrives once."""
    port = slack.port
    away = Slack(events=set(), port=port)
    slack.run(slack._runner.cleanup())
    showing = asyncio.create_task(writer.show(TOP, drawn("hello"), "one"))
    await asyncio.sleep(0.05)
    with away:
        away.scopes |= {"channels:history"}
        await showing

        assert ["hello"] == texts(away)


@pytest.mark.parametrize(
    ("method", "how"),
    [
        ("upload", "lose"),
        ("upload", "500"),
        ("files.getUploadURLExternal", "lose"),
        ("files.completeUploadExternal", "lose"),
        ("files.completeUploadExternal", "ratelimited"),
    ],
)
async def test_a_file_arrives_once(slack: Slack, writer: Writer, method: str, how: str) -> None:
    """Whatever step of an upload goes wrong for a moment, the file stands in the thread once."""
    slack.fail(method, how, retry_after=0)
    posted = await writer.show(TOP, drawn("see below", Attached("rows.csv", "a,b")), "one")

    assert [("rows.csv", b"a,b", posted.id)] == [(each.name, each.content, each.thread) for each in slack.files]
    assert ["see below"] == [text for text in texts(slack) if text]


async def test_a_file_that_cannot_be_uploaded_is_told(slack: Slack, writer: Writer) -> None:
    """The message stays, and a sentence below says what is missing."""
    slack.scopes.discard("files:write")
    await writer.show(TOP, drawn("see below", Attached("rows.csv", "a,b")), "one")

    assert [
        "see below",
        "I could not upload rows.csv here. Everything else is kept; ask for it again in a moment.",
    ] == (texts(slack))


async def test_an_app_that_is_gone_is_a_failure_like_any_other(slack: Slack) -> None:
    """A workspace without a token raises what callers expect; removing and looking say nothing at all."""

    async def token(team: str) -> str:
        raise NotInstalled(team)

    clients = Clients(token, slack.url)
    writer = Writer(clients, pause=0.01)
    with pytest.raises(FAILED):
        await writer.show(TOP, drawn("hello"), "one")
    await writer.remove(TOP, Posted("C1", "1.2"))
    assert None is await writer.find(TOP, "one")
    await clients.close()
