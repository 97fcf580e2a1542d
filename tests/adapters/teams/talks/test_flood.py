"""Very many at once, while Teams is not well."""

import random
from functools import partial
from pathlib import Path

import pytest

from adapters.teams.calls import Calls
from tests.adapters.teams.talks.house import founded
from tests.platforms.teams import shown
from tests.shop import BLOCKS

MANY = 150


@pytest.mark.parametrize("hows", [("429", "500", "503"), ("429", "500", "lose")])
def test_a_flood(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hows: tuple[str, ...]) -> None:
    """Each of 150 questions is answered once, though some come twice and calls fail; twice where a reply was lost."""
    monkeypatch.setattr("bot.teams.Calls", partial(Calls, pause=0.02))
    chance = random.Random(7)
    with founded(tmp_path / "house") as town:
        (town.folder / "connections.toml").write_text(BLOCKS["shop"])
        teams = town.teams
        with town.at_work() as house:
            teams.fail_some(0.15, 7, hows, retry_after=-1)
            people = [f"person{n}" for n in range(MANY)]
            for n, name in enumerate(people):
                house.ask(f"SELECT n FROM numbers WHERE n = {n}", name, name)
                if chance.random() < 0.3:
                    teams.redeliver(teams.posts[-1], later=chance.random() < 0.5)
            for name in people:
                teams.wait_message(name, "Run this on", seconds=20)
            teams.wait_posted()
            teams.fail_some(0, 7)

            def answers() -> list[int]:
                said = [teams.messages(name, by="bot") for name in people]
                return [sum("Run this on" in shown(each) for each in held) for held in said]

            # Teams did these and nobody was told, so that they were sent again.
            lost = sum(each.status == 0 and "Run this on" in str(each.body) for each in teams.asked("send"))
            teams.wait(lambda: sum(answers()) == MANY + lost, 5)
            assert min(answers()) == 1
            assert lost or "lose" not in hows
            house.demand_sound()
