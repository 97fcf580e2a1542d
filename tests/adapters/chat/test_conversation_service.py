"""What was heard is worked on once, in its order, and taken up again if a process left it."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

import pytest

from adapters.chat.inbox import Inbox
from adapters.chat.shown_messages import ShownMessages
from adapters.chat.surface import Heard, QuestionOutcome
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.database import home_database
from router.turn import Pressed, Said
from tests.adapters.slack.running_bot import working
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.shop import write_connections

SQL = "SELECT name FROM regions"


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack whose channels the bot may read; nothing is delivered, the test says what is heard."""
    with Slack(events={"agent_session_stopped"}) as slack:
        slack.scopes |= {"channels:history", "users:read"}
        yield slack


@pytest.fixture
def model() -> Iterator[Ollama]:
    """A model that answers at once, unless a test says otherwise."""
    with Ollama(script=lambda prompt: SQL) as model:
        yield model


def said_in(slack: Slack, root: Message) -> list[str]:
    """Return what the bot says in a thread."""
    return [words_of(each.blocks) or each.text for each in slack.messages(root.channel, root, by=slack.bot_user)]


async def test_an_event_is_taken_once(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """The same event again is dropped, while it is worked on, afterwards, and by the next process."""
    root = slack.say("C1", "which regions?", mention=True)
    async with working(tmp_path, slack, model) as work:
        taken = [await work.hear(root), await work.hear(root)]
        await work.rest()
        taken.append(await work.hear(root))
    async with working(tmp_path, slack, model) as work:
        taken.append(await work.hear(root))
        await work.rest()

    assert [True, False, False, False] == taken
    assert len(said_in(slack, root)) == 1


async def test_a_status_never_overtakes_the_one_before(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A first status that takes long is followed by the last, whatever the order in which they were ready."""
    slack.fail("agents.sessions.setStatus", "ratelimited", retry_after=1)
    async with working(tmp_path, slack, model) as work:
        root = slack.say("C1", "which regions?", mention=True)
        await work.hear(root)
        await work.rest()

    assert ["processing", "suspended"] == [each.status for each in slack.statuses]


async def test_an_answer_in_the_place_of_progress_is_not_repeated(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A process that ends after its answer stood, and before it could note that, is followed by one that finds it."""
    goes_on = Event()
    model.enqueue(Answer(SQL, waits=goes_on))
    root = slack.say("C1", "which regions?", mention=True)
    async with working(tmp_path, slack, model) as work:
        await work.hear(root)
        await slack.awaited.wait(lambda: said_in(slack, root))
        goes_on.set()
        await work.rest()
    forget(tmp_path, f"{root.channel}:{root.ts}", root)
    async with working(tmp_path, slack, model) as work:
        await work.rest()

        assert ["SELECT" in each for each in said_in(slack, root)] == [True]
        noted = work.shown.question(ThreadKey("slack", "T1", "C1", root.ts))
        assert noted is not None
        assert [noted.id] == [each.ts for each in slack.messages("C1", root, by=slack.bot_user)]


def forget(folder: Path, event: str, root: Message, words: str = "which regions?") -> None:
    """Put the database into the state from before the answer was noted."""
    key = ThreadKey("slack", "T1", root.channel, root.ts)
    with closing(home_database(folder / "home")) as database:
        ShownMessages(database, "slack").expire(0.0)
        inbox = Inbox(database, "slack")
        inbox.forget("T1")
        assert inbox.take(Heard(key, User("slack:U1"), Said(words), event))


async def test_progress_of_a_killed_process_goes(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """The answer takes the place of what the last process showed as progress."""
    root = slack.say("C1", "which regions?", mention=True)
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        client = await work.surface.clients.of("T1")
        left = await client.chat_postMessage(channel="C1", thread_ts=root.ts, text="Writing…")
        work.shown.begin("C1", left["ts"], key)
        assert work.inbox.take(Heard(key, User("slack:U1"), Said("which regions?"), "T1:killed"))
    async with working(tmp_path, slack, model) as work:
        await work.rest()

        assert [] == work.shown.begun(key)
    assert ["SELECT" in each for each in said_in(slack, root)] == [True]


async def test_the_end_of_a_talk_in_the_place_of_progress_stays(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A process that ends after the last reply stood in place of progress, and before it noted that, loses none."""
    root = slack.say("C1", "which regions?", mention=True)
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        for words in ("", "run", "done"):
            said = slack.say("C1", words, thread=root, mention=True) if words else root
            await work.hear(said)
            await work.rest()
        last = slack.messages("C1", root, by=slack.bot_user)[-1]
    before = said_in(slack, root)
    forget(tmp_path, f"C1:{said.ts}", root, "done")
    with closing(home_database(tmp_path / "home")) as database:
        ShownMessages(database, "slack").begin("C1", last.ts, key)
    async with working(tmp_path, slack, model) as work:
        await work.rest()
        assert [] == work.shown.begun(key)

    assert before == said_in(slack, root)


async def test_a_card_that_was_answered_before_a_kill_is_drawn_so(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A process that was killed between noting an answer and drawing it leaves no buttons to press."""
    root = slack.say("C1", "which regions?", mention=True)
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        await work.hear(root)
        await work.rest()
        question = work.shown.question(key)
        assert question is not None
        ana = User("slack:U1", "Ana")
        work.shown.answer(question, QuestionOutcome("Edited", ana, datetime(2026, 11, 1, 9, 30, tzinfo=UTC)))
        assert work.inbox.take(Heard(key, ana, Said("help"), "T1:killed"))
    card = next(each for each in slack.messages("C1", root) if each.ts == question.id)
    before = str(card.blocks)
    async with working(tmp_path, slack, model) as work:
        await work.rest()

    assert "Edited" not in before
    assert "Edited" in str(card.blocks)
    assert "actions" not in [block["type"] for block in card.blocks]


async def test_what_was_not_begun_is_left_to_the_next(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A bot that stops tells nobody so whose SQL is being written, or not yet: they are answered after the start."""
    goes_on = Event()
    model.script = lambda prompt: Answer(SQL, waits=goes_on)
    roots = [slack.say("C1", f"which regions, {number}?", mention=True) for number in range(12)]
    async with working(tmp_path, slack, model, workers=8) as work:
        for root in roots:
            await work.hear(root)
        await slack.awaited.wait(lambda: sum("which regions" in prompt for prompt in model.prompts) >= 8)
    assert not any("I was stopped" in each for root in roots for each in said_in(slack, root))
    goes_on.set()
    async with working(tmp_path, slack, model) as work:
        await work.rest()

    assert [1] * 12 == [len(said_in(slack, root)) for root in roots]
    assert all("SELECT" in said_in(slack, root)[0] for root in roots)


async def test_what_a_stopping_bot_leaves_says_that_it_goes_on(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A thread is never left without a word of the bot: where progress stood, and then the answer will."""
    goes_on = Event()
    model.script = lambda prompt: Answer(SQL, waits=goes_on)
    root = slack.say("C1", "which regions?", mention=True)
    async with working(tmp_path, slack, model) as work:
        await work.hear(root)
        await slack.awaited.wait(lambda: said_in(slack, root))
    (left,) = slack.messages("C1", root, by=slack.bot_user)
    assert "What you asked is kept, and I go on by myself in a moment." in str(left.blocks)
    assert "Stop" not in str(left.blocks)
    goes_on.set()
    async with working(tmp_path, slack, model) as work:
        await work.rest()

    (answer,) = slack.messages("C1", root, by=slack.bot_user)
    assert answer.ts == left.ts
    assert "SELECT" in str(answer.blocks)


async def test_what_bystanders_said_stays_theirs(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A word in a thread that was not meant for the bot is not answered after a restart either."""
    root = slack.say("C1", "who comes to lunch?", user="U2")
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        heard = Heard(key, User("slack:U2"), Said("How many people come?"), "T1:lunch", addressed=False)
        assert work.inbox.take(heard)
    async with working(tmp_path, slack, model) as work:
        await work.rest()

        assert ([], []) == (said_in(slack, root), work.inbox.left())


async def test_a_farewell_that_was_posted_stays(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A process that ends between posting its last words and noting them is followed by one that leaves them."""
    root = slack.say("C1", "which regions?", mention=True)
    key = ThreadKey("slack", "T1", "C1", root.ts)
    async with working(tmp_path, slack, model) as work:
        await work.hear(root)
        await work.rest()
        await work.press(root, "cancel")
        await work.rest()
        before = said_in(slack, root)
        memory = work.bot.router.memory(key)
        assert memory is not None
        event = memory.seen[-1]
        work.shown.forget(ThreadKey("slack", "T1", "", ""))
        work.inbox.forget("T1")
        assert work.inbox.take(Heard(key, User("slack:U1"), Pressed("cancel", 1), event))
    async with working(tmp_path, slack, model) as work:
        await work.rest()

        assert (before, []) == (said_in(slack, root), work.inbox.left())
    assert "Mention me for" in before[-1]


async def test_a_barred_channel_sees_nothing_of_a_command(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """Where the bot may not answer, a command's words are not posted either."""
    path = write_connections(tmp_path, ["shop"])
    path.write_text("[channels]\nallowed = []\n" + path.read_text())
    slack.user("U1", "Ana")
    async with working(tmp_path, slack, model) as work:
        heard = Heard(ThreadKey("slack", "T1", "C1", ""), User("slack:U1"), Said("which regions?"), "T1:command:1")
        assert await work.service.take(heard)
        await work.rest()

        assert [] == slack.messages("C1", by=slack.bot_user)
        (told,) = slack.messages("U1", by=slack.bot_user)
        assert "I don't answer in this channel" in told.text
