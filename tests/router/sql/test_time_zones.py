"""Moments are shown, read and written in UTC on every engine, whatever the zone of the server or of the machine."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from router.sql.dialect import Name
from router.sql.writing.order import ResultField
from tests.router.sql.value_places import differences, opened, place_of
from tests.router.sql.writing.places import Place

EVENING = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)
"""In Kathmandu it is the next day by then."""

N = ResultField("n", "integer")
TYPES: dict[Name, str] = {"postgres": "timestamptz", "duckdb": "TIMESTAMPTZ", "mysql": "TIMESTAMP"}


def live_in_kathmandu(place: Place) -> None:
    """Give the database another zone; MariaDB's server has one for all tests, DuckDB takes the machine's."""
    if place.name == "postgres":
        (name,) = place.rows("SELECT current_database()")[0]
        place.run(f"ALTER DATABASE {name} SET timezone = 'Asia/Kathmandu'")


@pytest.mark.parametrize("name", TYPES)
def test_moments_are_in_utc(
    name: Name, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is written is what is read, days begin at midnight of UTC, and a text of a moment is one of UTC."""
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    with place_of(name, request, tmp_path / name) as place:
        live_in_kathmandu(place)
        place.run(f"CREATE TABLE visits (n INTEGER, seen {TYPES[name]})")
        moment, text = ResultField("seen", "timestamptz"), ResultField("seen", "text")
        place.write([(1, EVENING)], N, moment, table="visits", mode="append", job="job-1")
        place.write([(2, str(EVENING.replace(tzinfo=None)))], N, text, table="visits", mode="append", job="job-2")
        place.write([(1, EVENING), (2, EVENING)], N, moment, table="copied", job="job-3")
        cast = "CHAR" if name == "mysql" else "VARCHAR"
        with opened(place) as database, database.session() as session:
            sql = f"SELECT seen, CAST(seen AS DATE), CAST(seen AS {cast}) FROM visits ORDER BY n"
            rows = [row for batch in session.stream(sql)[1] for row in batch]
        zone = None if name == "mysql" else UTC  # whose columns have none
        for seen, day, shown in rows:
            assert seen == EVENING.replace(tzinfo=zone)
            assert seen.utcoffset() in (None, timedelta(0))
            assert (day, shown[:19]) == (date(2026, 3, 1), "2026-03-01 20:30:00")
        assert len(rows) == 2
        assert differences(place, place, "SELECT * FROM visits", "SELECT * FROM copied") == []
