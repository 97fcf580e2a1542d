"""A turn's replies in Slack: where the answer stands, and that no progress stays."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.turn import Said
from tests.adapters.slack.running_bot import Working, working
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message

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


def thread(slack: Slack, root: Message) -> list[str]:
    """Return what the bot says in a thread for all to see, message by message."""
    said = slack.messages(root.channel, root, by=slack.bot_user)
    return [words_of(each.blocks) or each.text for each in said if not each.ephemeral_to]


async def ask_slowly(work: Working, model: Ollama) -> tuple[Message, Event]:
    """Ask, and return once progress is shown; the event lets the model answer."""
    goes_on = Event()
    model.enqueue(Answer(SQL, waits=goes_on))
    root = work.slack.say("C1", "which regions?", mention=True)
    await work.hear(root)
    await work.slack.awaited.wait(lambda: thread(work.slack, root))
    return root, goes_on


async def test_after_a_long_time_the_answer_is_a_message_of_its_own(
    tmp_path: Path, slack: Slack, model: Ollama
) -> None:
    """A person who went away is notified of it, and the progress is gone."""
    async with working(tmp_path, slack, model, patient=0.0) as work:
        root, goes_on = await ask_slowly(work, model)
        (progress,) = slack.messages("C1", root, by=slack.bot_user)
        goes_on.set()
        await work.rest()

        (answer,) = slack.messages("C1", root, by=slack.bot_user)
        assert progress.ts < answer.ts
        assert progress.deleted
        assert "SELECT" in words_of(answer.blocks)


@pytest.mark.parametrize(
    ("method", "how", "times"),
    [
        ("chat.update", "invalid_blocks", 4),
        ("chat.update", "lose", 1),
        ("chat.update", "message_not_found", 1),
        ("chat.update", "ratelimited", 1),
        ("chat.postMessage", "lose", 3),
    ],
)
@pytest.mark.parametrize("patient", [0.0, 15.0])
async def test_no_progress_stays_when_slack_fails(
    tmp_path: Path, slack: Slack, model: Ollama, method: str, how: str, times: int, patient: float
) -> None:
    """Whatever happens to the answer's way, it is the one message that stands in the end."""
    async with working(tmp_path, slack, model, patient=patient) as work:
        root, goes_on = await ask_slowly(work, model)
        slack.fail(method, how, times, retry_after=0)
        goes_on.set()
        await work.rest()

        said = [each for each in thread(slack, root) if "SELECT" in each]
        assert len(said) == 1
        stays = [each for each in thread(slack, root) if each not in said]
        assert [] == stays
        assert ([], []) == (work.shown.begun(slack_key(root)), work.inbox.left())


async def test_stop_leaves_one_message(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """What stood as progress says that the work was stopped."""
    async with working(tmp_path, slack, model) as work:
        root, goes_on = await ask_slowly(work, model)
        await work.service.stop(slack_key(root), User("slack:U1"))
        await work.rest()
        goes_on.set()

        (said,) = thread(slack, root)
        assert "Stopped." in said


@pytest.mark.parametrize("how", ["user_not_in_channel", "500", "lose", "channel_not_found", "missing_scope"])
async def test_what_one_person_cannot_be_told_costs_nobody_an_answer(
    tmp_path: Path, slack: Slack, model: Ollama, how: str
) -> None:
    """Somebody else who speaks meanwhile is refused; where that cannot be said, the turn goes on all the same."""
    async with working(tmp_path, slack, model) as work:
        root, goes_on = await ask_slowly(work, model)
        slack.user("U2")
        slack.fail("chat.postEphemeral", how)
        assert await work.hear(slack.say("C1", "and mine?", user="U2", thread=root, mention=True))
        await slack.awaited.wait_calls("chat.postEphemeral")
        goes_on.set()
        await work.rest()

        assert ["SELECT" in each for each in thread(slack, root)] == [True]


async def test_an_answer_that_did_not_get_through_is_taken_up_by_the_next_bot(
    tmp_path: Path, slack: Slack, model: Ollama
) -> None:
    """The input is kept until its answer stands in Slack; the model is not asked again."""
    async with working(tmp_path, slack, model) as work:
        # All of them: how many there are depends on whether progress is shown, and so on how fast the machine is.
        slack.fail_some(1.0, 1, ("500",), ("chat.postMessage",))
        root = slack.say("C1", "which regions?", mention=True)
        await work.hear(root)
        await slack.awaited.wait_calls("chat.postMessage", 6)
        await slack.awaited.wait(lambda: not work.service.underway.tasks)

        assert [] == thread(slack, root)
        assert len(work.inbox.left()) == 1
    slack.fail_some(0.0, 1)
    asked = sum("which regions?" in prompt for prompt in model.prompts)
    async with working(tmp_path, slack, model) as work:
        await work.rest()

        assert ["SELECT" in each for each in thread(slack, root)] == [True]
        assert asked == sum("which regions?" in prompt for prompt in model.prompts)


def slack_key(root: Message) -> ThreadKey:
    """Return the thread under a message."""
    return ThreadKey("slack", root.team, root.channel, root.ts)


async def test_a_question_that_somebody_deleted_stays_deleted(tmp_path: Path, slack: Slack, model: Ollama) -> None:
    """A person who goes on after an admin took the SQL away does not see it again."""
    async with working(tmp_path, slack, model) as work:
        root = slack.say("C1", "which regions?", mention=True)
        await work.hear(root)
        await work.rest()
        (question,) = slack.messages("C1", root, by=slack.bot_user)
        slack.remove(question)
        await work.hear(root, Said("how many orders?"), "T1:next")
        await work.rest()

        said = thread(slack, root)
        assert ["Run on Shop" in each for each in said] == [True]
