"""Every kind of value that a driver gives, as a strategy."""

from datetime import timedelta, timezone

from hypothesis import strategies as st

from router.sql.value_kinds import ExactTime, Interval, JsonText

zones = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
texts = st.text(max_size=20)
intervals = st.builds(Interval, *(st.integers(-(10**digits), 10**digits) for digits in (6, 6, 15)))
exact_times = st.sampled_from(
    [
        ExactTime("date", "infinity"),
        ExactTime("timestamp", "0044-03-15 12:00:00 BC"),
        ExactTime("timestamptz", "10000-01-01 00:00:00+00"),
        ExactTime("timestamp", "2026-01-31 00:00:00.123456789"),
        ExactTime("time", "24:00:00"),
        ExactTime("date", "0000-00-00"),
    ]
)
decimals = st.decimals(allow_nan=False) | st.decimals(allow_nan=False, allow_infinity=False, places=2)
times = (
    st.dates()
    | st.datetimes()
    | st.datetimes(timezones=zones)
    | st.times()
    | st.times(timezones=zones)
    | intervals
    | exact_times
)
scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | texts
    | st.text(st.characters(), max_size=5)  # lone surrogates too
    | st.binary(max_size=20)
    | st.binary(max_size=5).map(lambda blob: b"\xfa\xce" + blob)
    | decimals
    | times
    | st.uuids()
    | st.sampled_from([JsonText("null"), JsonText('"a"'), JsonText("12345678901234567890.10")])
)
nested = st.lists(scalars, max_size=3) | st.dictionaries(texts, scalars, max_size=3)
values = scalars | nested | st.lists(nested, max_size=2)


def rows(most: int = 12) -> st.SearchStrategy[list[tuple[object, ...]]]:
    """Give some rows of one width."""
    return st.integers(1, 5).flatmap(
        lambda width: st.lists(st.tuples(*[values for _ in range(width)]), min_size=1, max_size=most)
    )
