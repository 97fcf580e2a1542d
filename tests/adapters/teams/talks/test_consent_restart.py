"""Offers of one process are good in the next one, and what was begun to be put is put."""

from pathlib import Path

from adapters.chat.gate import UNKNOWN
from tests.adapters.teams.talks.house import CONNECTIONS, founded
from tests.adapters.teams.talks.offers import CSV, arrived, csv_offered, said_in
from tests.platforms.teams import shown

ALONE = {"TEAMS_PUBLIC_URL": ""}


def test_offers_outlive_the_process(tmp_path: Path) -> None:
    """What was offered before can be allowed after; what was on its way arrives; what was used stays used."""
    with founded(tmp_path / "house") as town:
        teams = town.teams
        with town.at_work(**ALONE) as house:
            waiting = csv_offered(house)[2]
            _, _, begun = csv_offered(house, "bob")
            taken = csv_offered(house)[2]
            post = teams.consent(taken).wait()
            arrived(house, taken)
            teams.fail("upload", "hang", seconds=30)
            teams.consent(begun).wait()
            teams.wait_calls("upload", 2)
        with town.at_work(**ALONE) as house:
            teams.redeliver(post).wait()
            teams.consent(waiting).wait()
            assert [CSV, CSV] == [arrived(house, offer).split() for offer in (begun, waiting)]
            assert len(teams.files) == 3
            house.demand_sound()


def test_what_was_allowed_before_a_kill(tmp_path: Path) -> None:
    """What Teams was told is taken is put by the next process, though it was not even known yet who allowed it."""
    with founded(tmp_path / "house") as town:
        with town.at_work(**ALONE) as house:
            offer = csv_offered(house)[2]
        with town.at_work(**ALONE):
            town.teams.fail("member", "hang", seconds=30)
            town.teams.consent(offer).wait()
        with town.at_work(**ALONE):
            assert CSV == arrived(town, offer).split()


def test_who_is_not_known_for_now(tmp_path: Path) -> None:
    """Where Teams does not tell who allowed a file, they are told so, and allow it again."""
    with founded(tmp_path / "house") as town:
        with town.at_work(**ALONE) as house:
            offer = csv_offered(house)[2]
        with town.at_work(**ALONE) as house:
            town.teams.fail("member", "403")
            town.teams.consent(offer).wait()
            house.shown(offer, UNKNOWN)
            town.teams.consent(offer).wait()
            assert CSV == arrived(town, offer).split()


def test_who_may_not_read_any_more(tmp_path: Path) -> None:
    """Rows are not handed over to somebody who lost the right to read them since they were offered."""
    with founded(tmp_path / "house") as town:
        with town.at_work(**ALONE) as house:
            offer = csv_offered(house)[2]
        (town.folder / "connections.toml").write_text(CONNECTIONS.replace('"ana@example.com", ', ""))
        with town.at_work(**ALONE) as house:
            town.teams.consent(offer).wait()
            town.teams.wait(lambda: "There is no connection" in shown(offer))
            assert said_in(offer) == {}
            assert town.teams.asked("upload") == []
            house.demand_sound()
