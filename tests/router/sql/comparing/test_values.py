"""Values of two databases that are the same, or are not; and keys and rows as they lie on the disk."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.memory.comparing import Form, Tolerances
from router.sql.comparing.normal_form import Normalizer, RowKeys, Sameness, form_of
from router.sql.comparing.spill import packed_key
from router.sql.row_codec import decode, encode
from router.sql.value_kinds import Interval
from tests.router.jobs.values import exact_times, intervals
from tests.support.hypothesis_examples import examples
from tests.support.rows import every_row

NAN = float("nan")
NUMBER = UUID("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")
EAST = timezone(timedelta(hours=2))
moment = datetime.fromisoformat
LOOSE = Tolerances(absolute=0.5, blanks="around", fold=True, precision="minute", empty=True)


@every_row(
    ("left", "right"),
    [
        (12.5, Decimal("12.50")),
        (0.1 + 0.2, Decimal("0.3")),
        (593282.2000000033, 593282.2000000026),
        (593282.2000000033, Decimal("593282.20")),
        (593282.2000000033, "593282.2000000026"),
        (1.0, 1.0000000005),
        (1e-20, 1.0000000001e-20),
        (1e300, 1.0000000005e300),
        (0.1 + 0.2 - 0.3, 0.0),
        (0, 4.656612873077393e-10),
        (0.0, -0.0),
        (12345678.120000001, 12345678.12),
        (7, "7"),
        (Decimal("12.50"), " 12.5"),
        (True, 1),
        (False, "no"),
        ("true", True),
        (date(2026, 1, 31), "2026-01-31"),
        (date(2026, 1, 31), moment("2026-01-31 00:00:00")),
        (moment("2026-01-31 08:00:00"), "2026-01-31T08:00:00"),
        (datetime(2026, 1, 31, 8, 0, tzinfo=UTC), datetime(2026, 1, 31, 10, 0, tzinfo=EAST)),
        (datetime(2026, 1, 31, 10, 0, tzinfo=EAST), "2026-01-31 08:00:00"),
        (time(10, 0), "10:00:00"),
        (Interval(micros=36_000 * 10**6), time(10, 0)),
        ("DE    ", "DE"),
        (b"\x01\xff", "\\x01ff"),
        (memoryview(b"abc"), b"abc"),
        (NUMBER, str(NUMBER).upper()),
        (NAN, Decimal("NaN")),
        (float("inf"), Decimal("Infinity")),
        ({"b": 1, "a": [1.0]}, '{"a": [1], "b": 1}'),
        ([Decimal("1e40"), Decimal("0.50")], [10**40, 0.5]),
        ([Decimal("Infinity"), 1e300], [float("inf"), Decimal("1e300")]),
        ([Decimal("1e4500")], [Decimal("10e4499")]),
        (2**60, float(2**60)),
        (1e15 / 3, Decimal("333333333333333.3333")),
        (NAN, NAN),
        (float("-inf"), float("-inf")),
        (None, None),
    ],
)
def test_types_make_no_difference(left: Any, right: Any) -> None:
    """One value in the types of two databases is the same, from either side."""
    sameness = Sameness(Tolerances())

    assert (True, True) == (sameness.same(left, right), sameness.same(right, left))


@every_row(
    ("left", "right"),
    [
        (1_000_000_000, 1_000_000_001),
        (Decimal("0.10"), Decimal("0.11")),
        (1.0, 1.0001),
        (123456789.12, 123456789.02),
        (1_760_000_000.0, 1_760_000_001),
        (1.0, 1.000000002),
        (593282.2000000033, 593282.21),
        (12345678.12, 12345678.13),
        (12345678.120000001, 12345678.13),
        (9007199254740863.0, 9007199254740864.0),
        (1234567890123.0, Decimal(1234567890124)),
        (Decimal("593282.2000000033"), Decimal("593282.2000000026")),
        (9007199254740993, 9007199254740992),
        (0.0, 1e-12),
        (1e-300, 2e-300),
        (3.4567890123456e-12, 3.4567890123457e-11),
        (float("inf"), float("-inf")),
        (NAN, 0.0),
        ("007", "7"),
        ("1.0", "1.00"),
        (7, "seven"),
        ("a", "A"),
        (" a", "a"),
        ("", None),
        (0, None),
        (date(2026, 1, 31), moment("2026-01-31 00:01:00")),
        ("2026-01-31", "2026-01-31 00:00:00"),
        (True, "maybe"),
        (b"\x01", b"\x02"),
        (float("inf"), 1e308),
        (1, "1_0"),
    ],
)
def test_differences_are_seen(left: Any, right: Any) -> None:
    """What differs in more than its type is told as a difference, from either side."""
    sameness = Sameness(Tolerances())

    assert (False, False) == (sameness.same(left, right), sameness.same(right, left))


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (1, 1.5, True),
        (Decimal("0.2"), Decimal("0.7"), True),
        (1, 1.75, False),
        (" Straße", "STRASSE ", True),
        ("", None, True),
        (moment("2026-01-01 08:00:01"), moment("2026-01-01 08:00:59"), True),
        (moment("2026-01-01 08:00:01"), moment("2026-01-01 08:01:01"), False),
    ],
)
def test_tolerances_are_kept_to(left: Any, right: Any, expected: bool) -> None:
    """What a person lets pass is the same, and what is beyond it is not."""
    assert expected == Sameness(LOOSE).same(left, right)


values = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.decimals(allow_nan=False)
    | st.text()
    | st.binary()
    | st.dates()
    | st.datetimes()
    | st.datetimes(timezones=st.just(EAST))
    | st.times()
    | intervals
    | exact_times
    | st.uuids()
    | st.lists(st.integers() | st.text(), max_size=3)
)
forms = st.sampled_from(["text", "number", "time", "bool", "uuid", "bytes", "json"])


@settings(max_examples=examples(40))
@given(st.tuples(values, values), st.tuples(values, values), st.tuples(forms, forms))
def test_packed_keys_are_in_the_order_of_keys(
    left: tuple[Any, Any], right: tuple[Any, Any], told: tuple[Form, Form]
) -> None:
    """Any two rows' keys compare alike as tuples and as bytes."""
    first, second = RowKeys((0, 1), told, Tolerances()).of([left, right])

    assert (first < second, first == second) == (
        packed_key(first) < packed_key(second),
        packed_key(first) == packed_key(second),
    )


@given(st.tuples(values, values))
def test_packed_rows_come_back(row: tuple[Any, Any]) -> None:
    """A row that lay on the disk has the values that it had."""
    keys = RowKeys((0, 1), ("text", "text"), Tolerances())

    assert keys.of([row]) == keys.of([decode(*encode(row))])


@given(values, forms)
def test_every_value_has_a_form(value: Any, told: Form) -> None:
    """Any value is equal to itself in its form, whatever texts are read as."""
    forming = Normalizer(LOOSE)

    assert forming.of(value, told) == forming.of(value, told)


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (["7", "8"], [7, 8], "number"),
        ([7, "007"], ["7", 8], "auto"),
        ([7, "007"], ["7", "8"], "auto"),
        ([7, "007"], [7, 8], "number"),
        (["yes", 1], ["no", 0], "bool"),
    ],
)
def test_texts_among_numbers(left: list[Any], right: list[Any], expected: Form) -> None:
    """Where one side keeps numbers as texts, texts are numbers; where both have texts, none is another's number."""
    assert expected == form_of(("text", "text"), left, right)
    assert expected != "auto" or "number" == form_of(("text", "number"), left, right)
