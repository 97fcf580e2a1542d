"""Offers of one process are good in the next one, and what was begun to be put is put."""

from pathlib import Path

import pytest

from tests.adapters.teams.talks.offers import CSV, arrived, csv_offered, said_in
from tests.adapters.teams.talks.site import CONNECTIONS, founded
from tests.platforms.teams.looking import shown

ALONE = {"TEAMS_PUBLIC_URL": ""}


@pytest.mark.thorough
def test_offers_outlive_the_process(tmp_path: Path) -> None:
    """What was offered before can be allowed after; what was on its way arrives; what was used stays used."""
    with founded(tmp_path / "site") as company:
        teams = company.teams
        with company.at_work(**ALONE) as site:
            waiting = csv_offered(site)[2]
            _, _, begun = csv_offered(site, "bob")
            taken = csv_offered(site)[2]
            post = teams.consent(taken).wait()
            arrived(site, taken)
            teams.fail("upload", "hang", seconds=30)
            teams.consent(begun).wait()
            teams.wait_calls("upload", 2)
        with company.at_work(**ALONE) as site:
            teams.redeliver(post).wait()
            teams.consent(waiting).wait()
            assert [CSV, CSV] == [arrived(site, offer).split() for offer in (begun, waiting)]
            assert len(teams.files) == 3
            site.demand_sound()


@pytest.mark.thorough
def test_what_was_allowed_before_a_kill(tmp_path: Path) -> None:
    """What Teams was told is taken is put by the next process, though it was not even known yet who allowed it."""
    with founded(tmp_path / "site") as company:
        with company.at_work(**ALONE) as site:
            offer = csv_offered(site)[2]
        with company.at_work(**ALONE):
            company.teams.fail("member", "hang", seconds=30)
            company.teams.consent(offer).wait()
        with company.at_work(**ALONE):
            assert CSV == arrived(company, offer).split()


def test_who_may_not_read_any_more(tmp_path: Path) -> None:
    """Rows are not handed over to somebody who lost the right to read them since they were offered."""
    with founded(tmp_path / "site") as company:
        with company.at_work(**ALONE) as site:
            offer = csv_offered(site)[2]
        (company.folder / "connections.toml").write_text(CONNECTIONS.replace('"ana@example.com", ', ""))
        with company.at_work(**ALONE) as site:
            company.teams.consent(offer).wait()
            company.teams.wait(lambda: "There is no connection" in shown(offer))
            assert said_in(offer) == {}
            assert company.teams.asked("upload") == []
            site.demand_sound()
