"""Very many at once, while Teams is not well and the model is slow."""

import random
import re
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from functools import partial
from pathlib import Path

import pytest

from adapters.chat.inbox import Inbox
from adapters.teams.calls import Calls
from router.storage.database import home_database
from tests.adapters.teams.talks.bot_process import alive
from tests.adapters.teams.talks.site import TeamsCompany, founded
from tests.platforms.ollama import Answer
from tests.platforms.teams.world import Message
from tests.support.shop import BLOCKS

HOWS = [("429", "500", "503"), ("429", "500", "lose")]
CHANNELS = [f"channel{n}" for n in range(20)]


def answers(prompt: str, slow: float) -> Answer:
    """Answer each question with SQL of its own, every twenty-fifth after so many seconds."""
    numbers = re.findall(r"number (\d+)", prompt)
    sql = f"SELECT n FROM numbers WHERE n = {numbers[-1] if numbers else 0}"
    late = bool(numbers) and int(numbers[-1]) % 25 == 0
    return Answer(sql, pace=slow / len(sql.split()) if late else 0.0)


def left(company: TeamsCompany) -> int:
    """Return how many inputs are still to be worked on."""
    with closing(home_database(company.folder / "home")) as database:
        return len(Inbox(database, "teams").left())


def ask(company: TeamsCompany, many: int) -> list[Message]:
    """Have people ask, half of them in channels, and Teams tell three in ten twice."""
    chance, asked = random.Random(7), []
    for n in range(many):
        name = f"person{n}"
        asked.append(company.ask(f"show all regions, number {n}", name, CHANNELS[n // 2 % 20] if n % 2 else name))
        if chance.random() < 0.3:
            company.teams.redeliver(company.teams.posts[-1], later=chance.random() < 0.5)
    return asked


def answered(company: TeamsCompany, asked: Message) -> list[str]:
    """Return the answers to a question."""
    return [each for each in company.said(asked) if "Run on" in each]


def flood(
    folder: Path,
    many: int,
    hows: tuple[str, ...],
    slow: float,
    seconds: float,
    patience: float,
    run: Callable[[TeamsCompany], AbstractContextManager[object]] = TeamsCompany.at_work,
) -> str:
    """Have so many ask at once while calls fail; demand one answer for each; return figures.

    `patience` is how long a POST may take: a second where nothing else runs, else Teams' own.

    Where Teams did a call and its answer was lost, that message was sent again, so that it may stand there twice.
    """
    with founded(folder) as company:
        teams = company.teams
        (company.folder / "connections.toml").write_text(BLOCKS["shop"])
        company.model.script = partial(answers, slow=slow)
        for name in CHANNELS:
            teams.channel(name)
        with run(company):
            company.offered(company.ask("How many regions are there?", "first", "first"), "Run")  # it is awake
            teams.fail_some(0.15, 7, hows, retry_after=-1)
            began = time.monotonic()
            asked = ask(company, many)
            teams.wait_posted(seconds=seconds)
            taken = time.monotonic() - began
            for each in asked:
                company.shown(each, "Run on", seconds)
            told = time.monotonic() - began
            teams.wait(lambda: left(company) == 0, seconds)
        said = [answered(company, each) for each in asked]
        sent = [each for method in ("send", "reply") for each in teams.asked(method)]
        lost = [each for each in sent if each.status == 0 and "Run on" in str(each.body)]
        assert [n for n, found in enumerate(said) if not all(f"n = {n} " in " ".join(e.split()) for e in found)] == []
        assert min(map(len, said)) == 1
        assert many <= sum(map(len, said)) <= many + len(lost)
        assert sorted(map(int, re.findall(r"number (\d+)", " ".join(company.model.prompts)))) == list(range(many))
        # What was done, and its answer lost, cannot be done again: a message is gone, a stream has ended.
        again = {("delete", 404), ("send", 403)} if "lose" in hows else set()
        assert {(each.method, each.status) for each in teams.refused} <= again
        assert teams.faults == []
        assert sorted(post.latency or 0.0 for post in teams.posts.late(patience)) == []
        late = max(post.latency or 0.0 for post in teams.posts)
        return (
            f"{len(teams.posts)} activities taken in {taken:.1f} s, the slowest POST in {late:.2f} s; answered after "
            f"{told:.1f} s, by {len(teams.calls)} calls of which {sum(each.asked for each in teams.calls)} went wrong"
        )


@pytest.mark.thorough
@pytest.mark.parametrize("hows", HOWS)
def test_a_flood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hows: tuple[str, ...]) -> None:
    """Each of 100 questions is answered once, though some come twice and calls fail."""
    monkeypatch.setattr("bot.commands.teams.Calls", partial(Calls, pause=0.02))
    print(flood(tmp_path / "site", 100, hows, 0.5, 60, 15))


@pytest.mark.bench
@pytest.mark.parametrize("hows", HOWS)
def test_a_flood_of_a_thousand(tmp_path: Path, hows: tuple[str, ...]) -> None:
    """What holds of 100 holds of 1,000 and of the real program, while some answers of the model take 20 seconds."""
    print(flood(tmp_path / "site", 1_000, hows, 20, 300, 1, alive))
