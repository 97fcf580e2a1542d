"""Moments are the same once they were written, whatever the zone of the server or of the machine."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from router.sql.dialect import Name
from router.sql.writing.order import ResultField
from tests.router.sql.value_places import differences, opened, place_of
from tests.router.sql.writing.places import Place

EVENING = datetime(2026, 3, 1, 20, 30, tzinfo=UTC)
"""In Kathmandu it is the next day by then."""
THERE = "2026-03-02 02:15:00"

N = ResultField("n", "integer")
TYPES: dict[Name, str] = {"postgres": "timestamptz", "duckdb": "TIMESTAMPTZ", "mysql": "TIMESTAMP"}


def live_in_kathmandu(place: Place) -> None:
    """Give the database another zone; MariaDB's server has one for all tests."""
    if place.name == "postgres":
        (name,) = place.rows("SELECT current_database()")[0]
        place.run(f"ALTER DATABASE {name} SET timezone = 'Asia/Kathmandu'")


@pytest.mark.parametrize("name", TYPES)
def test_moments_stay(name: Name, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """A moment is written as that moment, and shown as it is there; its copy is the same."""
    with place_of(name, request, tmp_path / name) as place:
        live_in_kathmandu(place)
        place.run(f"CREATE TABLE visits (n INTEGER, seen {TYPES[name]})")
        moment = ResultField("seen", "timestamptz")
        place.write([(1, EVENING)], N, moment, table="visits", mode="append", job="job-1")
        cast = "CHAR" if name == "mysql" else "VARCHAR"
        with opened(place) as database, database.session() as session:
            sql = f"SELECT n, seen, CAST(seen AS {cast}) FROM visits ORDER BY n"
            rows = [row for batch in session.stream(sql)[1] for row in batch]
        if name != "duckdb":  # which shows moments in the zone of the machine
            assert [str(text)[:19] for *_, text in rows] == [THERE]
        if name == "postgres":  # what only the server reads is in UTC, whatever the database lives in
            place.run("CREATE TABLE spans (n INTEGER, span tstzrange)")
            span = ResultField("span", "text")
            place.write([(1, "[2026-03-01 20:30,)")], N, span, table="spans", mode="append", job="job-2")
            began = "SELECT n, lower(span) AS seen FROM spans"
            assert differences(place, place, "SELECT * FROM visits", began, rows=1) == []
        copied = [row[:2] for row in rows]
        kind = "timestamp" if name == "mysql" else "timestamptz"
        place.run(f"CREATE TABLE copied (n INTEGER, seen {TYPES[name]})")
        place.write(copied, N, ResultField("seen", kind), table="copied", mode="append", job="job-3")
        assert differences(place, place, "SELECT * FROM visits", "SELECT * FROM copied", rows=1) == []
