"""Lists, counts, numbers, times and lengths in sentences."""

from datetime import UTC, datetime, timedelta

import pytest

from router.language.wording import (
    MONTHS,
    and_list,
    counted,
    or_list,
    size_words,
    spoken_day,
    spoken_number,
    spoken_time,
    verb,
    whole_units,
)


@pytest.mark.parametrize(
    ("parts", "said"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_lists(parts: tuple[str, ...], said: str) -> None:
    """No comma stands before the last of them; "or" stands where "and" does."""
    assert said == and_list(parts)
    assert said.replace("and", "or") == or_list(iter(parts))


def test_counts() -> None:
    """One is no plural, none is; thousands are parted."""
    assert ["0 rows", "1 row", "2,345 rows"] == [counted(count, "row") for count in (0, 1, 2345)]
    assert ["1 query", "2 queries"] == [counted(count, "query") for count in (1, 2)]
    assert ["are", "is", "are"] == [verb(count, "is", "are") for count in (0, 1, 2)]


def test_numbers() -> None:
    """A chart's number has ten digits, or all of its integer and two more; a size one behind its point."""
    values = (12345.6, 0.1 + 0.2, -7.0, 12345678912.0, 12345678901234.56, -9007199254740863.0, 1 / 3, 12345678912e9)
    expected = (
        "12,345.6 0.3 -7 12,345,678,912 12,345,678,901,234.56 -9,007,199,254,740,863 0.3333333333 1.234567891e+19"
    )
    assert expected.split() == [spoken_number(value) for value in values]
    assert ["999 B", "1.2 kB", "1.0 MB", "20.0 GB"] == [size_words(n) for n in (999, 1_200, 999_960, 20_000_000_000)]


def test_times() -> None:
    """A time is told in its zone, in English, whatever the machine speaks."""
    time = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
    assert "Tue 1 Dec 00:30" == spoken_time(time, "Europe/Berlin")
    assert "30 Nov" == spoken_day(time, "UTC")
    assert ("January", "December", 12) == (MONTHS[0], MONTHS[-1], len(MONTHS))


def test_lengths() -> None:
    """The greatest unit counts that there is one of; below a minute there is none."""
    assert (1.5, "day") == whole_units(timedelta(hours=36))
    assert (23.0, "hour") == whole_units(timedelta(hours=23))
    assert (0.0, "") == whole_units(timedelta(seconds=59)) == whole_units(timedelta(seconds=-100))
