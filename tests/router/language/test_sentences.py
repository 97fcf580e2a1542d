"""Lists, counts, numbers, times and lengths in sentences."""

from datetime import timedelta

from router.language.wording import (
    size_words,
    spoken_number,
    whole_units,
)


def test_numbers() -> None:
    """A chart's number has ten digits, or all of its integer and two more; a size one behind its point."""
    values = (12345.6, 0.1 + 0.2, -7.0, 12345678912.0, 12345678901234.56, -9007199254740863.0, 1 / 3, 12345678912e9)
    expected = (
        "12,345.6 0.3 -7 12,345,678,912 12,345,678,901,234.56 -9,007,199,254,740,863 0.3333333333 1.234567891e+19"
    )
    assert expected.split() == [spoken_number(value) for value in values]
    assert ["999 B", "1.2 kB", "1.0 MB", "20.0 GB"] == [size_words(n) for n in (999, 1_200, 999_960, 20_000_000_000)]


def test_lengths() -> None:
    """The greatest unit counts that there is one of; below a minute there is none."""
    assert (1.5, "day") == whole_units(timedelta(hours=36))
    assert (23.0, "hour") == whole_units(timedelta(hours=23))
    assert (0.0, "") == whole_units(timedelta(seconds=59)) == whole_units(timedelta(seconds=-100))
