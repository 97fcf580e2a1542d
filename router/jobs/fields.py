"""The columns of a stored result as a table can keep them."""

from router.cards import Head
from router.jobs.seen import ZONED, Seen, Tally
from router.jobs.sheet import Sheet
from router.sql.databases import Kind as Driven
from router.sql.writing import Field, Kind

_BATCH = 1000
_EMPTY: dict[Driven, Kind] = {"number": "float", "date": "timestamp", "bool": "bool", "blob": "blob", "text": "text"}
_KINDS: tuple[tuple[Kind, frozenset[str]], ...] = (
    ("bool", frozenset({"bool"})),
    ("integer", frozenset({"int", "bool"})),
    ("decimal", frozenset({"Decimal", "int", "bool"})),
    ("float", frozenset({"float", "Decimal", "int", "bool"})),
    ("date", frozenset({"date"})),
    ("timestamp", frozenset({"datetime", "date"})),
    ("timestamptz", frozenset({f"datetime{ZONED}", "datetime", "date"})),
    ("time", frozenset({"time"})),
    ("interval", frozenset({"timedelta"})),
    ("blob", frozenset({"bytes", "bytearray", "memoryview"})),
    ("json", frozenset({"list", "tuple", "dict"})),
    ("uuid", frozenset({"UUID"})),
)
_INT64_DIGITS = 19


def fields_of(sheet: Sheet) -> tuple[Field, ...]:
    """Return a field a column of the result, in its order.

    The kinds are those of the values that were seen while they were stored. A column of several kinds is one of texts.
    """
    seen = sheet.seen or _looked_at(sheet)
    fields = tuple(_field(head, each) for head, each in zip(sheet.ref.columns, seen, strict=True))
    return _with_lengths(fields, sheet)


def _field(head: Head, seen: Seen) -> Field:
    types = frozenset(seen.types)
    if not types:
        return Field(head.name, _EMPTY[head.kind])
    kind: Kind = next((kind for kind, allowed in _KINDS if types <= allowed), "text")
    if seen.wide and kind == "integer":
        kind = "decimal"
    if kind != "decimal":
        return Field(head.name, kind)
    if not seen.numbers:
        return Field(head.name, kind)
    whole = max(seen.whole, _INT64_DIGITS if "int" in types and not seen.wide else 1)
    return Field(head.name, kind, whole + seen.scale, seen.scale)


def _looked_at(sheet: Sheet) -> tuple[Seen, ...]:
    """Look at every value of a result that was stored without a word about them."""
    tallies = [Tally() for _ in sheet.ref.columns]
    for rows in sheet.rows(_BATCH):
        for tally, column in zip(tallies, zip(*rows, strict=True), strict=True):
            types = set(map(type, column))
            tally.add(types, column)
            if int in types:
                tally.widen(column)
    return tuple(tally.seen() for tally in tallies)


def _with_lengths(fields: tuple[Field, ...], sheet: Sheet) -> tuple[Field, ...]:
    """Measure the texts, which SQLite does by itself; a column that was all encoded stays without a length."""
    places = [place for place, field in enumerate(fields) if field.kind == "text" and sheet.forms[place] == "text"]
    if not places:
        return fields
    lengths = sheet.database.execute(f"SELECT {', '.join(f'max(length(c{place}))' for place in places)} FROM rows")
    longest = dict(zip(places, lengths.fetchone(), strict=True))
    return tuple(
        Field(field.name, field.kind, length=longest.get(place) or 0) if field.kind == "text" else field
        for place, field in enumerate(fields)
    )
