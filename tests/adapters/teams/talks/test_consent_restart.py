"""Offers of one process are good in the next one, for those who may read the rows then."""

from pathlib import Path

import pytest

from tests.adapters.teams.talks.offers import CSV, arrived, csv_offered, said_in
from tests.adapters.teams.talks.site import CONNECTIONS, founded
from tests.platforms.teams.looking import shown

ALONE = {"TEAMS_PUBLIC_URL": ""}


@pytest.mark.thorough
def test_offers_outlive_the_process(tmp_path: Path) -> None:
    """What was offered before can be allowed after."""
    with founded(tmp_path / "site") as company:
        with company.at_work(**ALONE) as site:
            waiting = csv_offered(site)[2]
        with company.at_work(**ALONE) as site:
            company.teams.consent(waiting).wait()
            assert CSV == arrived(company, waiting).split()
            site.require_sound()


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
            site.require_sound()
