"""Every question is answered exactly once, however much goes wrong between Slack and the bot."""

import asyncio
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from adapters.chat.inbox import Inbox
from router.storage.database import home_database
from tests.adapters.slack.running_bot import working
from tests.platforms.ollama import Ollama
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.slack_bot import Mode, running

CHANNELS = [f"C{number}" for number in range(100, 120)]
RATE = 0.12
"""How many of all calls go wrong."""
HOWS = ("ratelimited", "500", "503", "drop", "lose")
RETRIES = (0.0, 0.5, 1.0, 2.0)


def sql_of(prompt: str) -> str:
    """Answer each question with SQL of its own."""
    numbers = re.findall(r"question (\d+)", prompt)
    return f"SELECT {numbers[-1] if numbers else 0} AS number FROM regions"


def prepare(slack: Slack, seed: int) -> None:
    """Make the channels, and let calls go wrong from now on; the bot may read what stands in channels."""
    slack.scopes |= {"channels:history", "users:read"}
    for channel in CHANNELS:
        slack.channel(channel)
    slack.fail_some(RATE, seed, HOWS, retry_after=0)


def ask(slack: Slack, numbers: range, dice: random.Random) -> list[Message]:
    """Ask in all channels: each comes as a mention and as a message, and three in ten of both come again."""
    asked = []
    for number in numbers:
        user = f"U{number % 7}"
        asked.append(slack.say(CHANNELS[number % 20], f"show all regions, question {number}?", user=user, mention=True))
        told = [each for each in slack.acks[-4:] if each.payload["event"]["ts"] == asked[-1].ts]
        for each in told if dice.random() < 0.3 else ():
            slack.redeliver(each)
    return asked


def threads(slack: Slack) -> dict[str, list[Message]]:
    """Return what the bot wrote and stands now, by the ts of the thread."""
    found: dict[str, list[Message]] = defaultdict(list)
    for channel in CHANNELS:
        for message in slack.messages(channel, by=slack.bot_user):
            found[message.thread or message.ts].append(message)
    return found


def asks_once(question: Message, said: list[Message]) -> bool:
    """Return whether a thread has one message, and that shows the SQL of its own question, with Run."""
    number = re.findall(r"\d+", question.text)[-1]
    words = words_of(said[0].blocks) if said else ""
    return len(said) == 1 and re.search(rf"SELECT\s+{number}\s+AS number", words) is not None and "Run" in words


def until(condition: Callable[[], bool], seconds: float) -> None:
    """Wait without holding up the stand-in."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.1)


def answered(slack: Slack, asked: list[Message]) -> bool:
    """Return whether each thread shows an answer."""
    said = threads(slack)
    return all("Run" in words_of([m.blocks for m in said[question.ts]]) for question in asked)


def flood(folder: Path, count: int, seed: int, mode: Mode, seconds: float) -> dict[str, object]:
    """Ask while calls fail and sockets are cut; return what was found in the end."""
    dice = random.Random(seed)
    with Slack(retries=RETRIES) as slack, Ollama(script=sql_of) as model:
        with running(folder, slack, model, mode):
            prepare(slack, seed)
            began, asked = time.monotonic(), []
            for part in range(5):
                asked += ask(slack, range(part * count // 5, (part + 1) * count // 5), dice)
                time.sleep(0.1)
                if mode == "socket":
                    slack.drop_sockets()
            until(lambda: answered(slack, asked), seconds)
            taken = time.monotonic() - began
            until(lambda: not left(folder), seconds)
            slack.wait_delivered(seconds)
        said = threads(slack)
        return {
            "wrong": [[each.text for each in said[q.ts]] for q in asked if not asks_once(q, said[q.ts])],
            "left": left(folder),
            "refused": Counter(str(call.answer.get("error")) for call in slack.refused),
            "faults": slack.faults,
            "given up": [each for each in slack.acks if not each.acked],
            "model": len({prompt for prompt in model.prompts if "question" in prompt}) == count,
            "figures": f"{taken:.1f} s, {len(slack.acks)} deliveries, {len(slack.calls)} calls, "
            f"{sum(call.asked for call in slack.calls)} of them failed",
        }


def left(folder: Path) -> int:
    """Return how many inputs are still to be worked on."""
    with closing(home_database(folder / "home")) as database:
        return len(Inbox(database, "slack").left())


def whole(found: dict[str, object]) -> bool:
    """Return whether everything is as it should be; a delete that was lost and repeated finds nothing any more."""
    refused = found["refused"]
    assert isinstance(refused, Counter)
    print(found["figures"])
    del refused["message_not_found"]
    return not any(found[each] for each in ("wrong", "left", "refused", "faults", "given up"))


@pytest.mark.thorough
@pytest.mark.parametrize("mode", ["socket", pytest.param("http", marks=pytest.mark.thorough)])
def test_each_question_of_a_flood_is_answered_once(tmp_path: Path, mode: Mode) -> None:
    """Twelve of a hundred calls fail, sockets are cut, events come two to four times: each thread has one answer."""
    found = flood(tmp_path, 100, 1, mode, 60)

    assert whole(found), found


@pytest.mark.bench
@pytest.mark.parametrize("mode", ["socket", "http"])
def test_each_of_a_thousand_questions_is_answered_once(tmp_path: Path, mode: Mode) -> None:
    """What holds of a hundred holds of a thousand."""
    found = flood(tmp_path, 1000, 2, mode, 300)

    assert whole(found), found


@pytest.mark.thorough
def test_a_flood_goes_on_after_restarts(tmp_path: Path) -> None:
    """The bot is closed at random moments, and another goes on: each thread has one answer, or was told of the stop."""
    dice = random.Random(3)
    with Slack(retries=RETRIES) as slack, Ollama(script=sql_of) as model:
        asked: list[Message] = []
        for life in range(3):
            with running(tmp_path, slack, model):
                if life == 0:
                    prepare(slack, 3)
                if life < 2:
                    asked += ask(slack, range(40 * life, 40 * life + 40), dice)
                    time.sleep(dice.uniform(0.1, 1.0))
                else:
                    until(lambda: len(threads(slack)) == 80 and not left(tmp_path), 120)
        said = threads(slack)

        others = [said[question.ts] for question in asked if not asks_once(question, said[question.ts])]
        told = [[each.text for each in said_] for said_ in others]
        assert [] == [each for each in told if len(each) != 1 or "Ask it again" not in each[0]]
        assert left(tmp_path) == 0
        assert slack.faults == []


@pytest.mark.thorough
async def test_nothing_is_left_of_a_flood_in_memory(tmp_path: Path) -> None:
    """After a flood there are no tasks, locks, statuses or open turns, and one entry for each person."""
    with Slack(retries=RETRIES) as slack, Ollama(script=sql_of) as model:
        async with working(tmp_path, slack, model, socket=True) as work:
            prepare(slack, 4)
            asked = await asyncio.to_thread(ask, slack, range(60), random.Random(4))
            await asyncio.to_thread(until, lambda: answered(slack, asked), 120)
            await slack.awaited.wait_delivered()
            await work.rest()
            slack.fail_some(0.0, 0)

            assert all(asks_once(each, threads(slack)[each.ts]) for each in asked)
            service = work.service
            assert [{}, set(), {}, {}, [], {}] == [
                service._running,
                service._statuses._sending,
                service.queue._given,
                service.queue._sessions,
                service.queue._tasks._known,
                work.writer._locks._locks,
            ]
            assert {} == service.turns._under_way
            assert len(work.surface.people._known._asked) == len({question.user for question in asked})
            assert len(asyncio.all_tasks()) < 10  # those of the socket and of the test
