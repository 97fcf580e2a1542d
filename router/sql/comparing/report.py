"""The report of a comparison: what is counted while rows go by, what is shown of it, and its rows as a table."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args
from unicodedata import category, name, normalize

from router.language.wording import counted
from router.memory.comparing import Reporting
from router.sql.cell_text import number, plain
from router.sql.comparing.normal_form import Sameness
from router.sql.comparing.plan import ComparePlan, Difference, Row, Sink, Status, Which
from router.sql.databases.session import Described

_SHOWN_VALUE_MAX_CHARS = 200
_BEFORE = 40
_BYTES = (bytes, bytearray, memoryview)


@dataclass(frozen=True, slots=True)
class Changes:
    """One pair of columns among rows that were paired: in how many it differs, and in how many one side has no value.

    `largest` and `mean` are of the amounts by which numbers differ; None where no two numbers did.
    """

    name: str
    differing: int = 0
    only_left_null: int = 0
    only_right_null: int = 0
    largest: float | None = None
    mean: float | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """One measure of both sides, such as "sum" of "amount"; None where a side has none. `column` is "" for rows."""

    column: str
    measure: str
    left: str | None
    right: str | None
    same: bool


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """A difference with its values as texts, None for NULL; `places` are the columns that differ."""

    status: Status
    left: tuple[str | None, ...] | None
    right: tuple[str | None, ...] | None
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """A comparison that came to its end.

    Every row of a side is in one count: identical, changed, only there, or a duplicate: its key (one of
    `duplicate_keys`) is there more than once on a side, and no row of the other side that is left is equal to it.
    Without a key nothing is changed or a duplicate.
    With `reporting` "aggregates" there are only `totals` and the rows of each side; `untold` are the columns of which
    some are missing, as a database would count what is no difference here, or has another order. `sorted_here` are the
    sides that their database did not give in order. Of the rows that were to be kept, `unkept` were too many.
    """

    reporting: Reporting
    left: str
    right: str
    keyed: bool
    left_rows: int
    right_rows: int
    identical: int = 0
    changed: int = 0
    only_left: int = 0
    only_right: int = 0
    duplicate_keys: int = 0
    duplicate_left: int = 0
    duplicate_right: int = 0
    names: tuple[str, ...] = ()
    columns: tuple[Changes, ...] = ()
    first: tuple[ShownDifference, ...] = ()
    totals: tuple[Total, ...] = ()
    sorted_here: tuple[Which, ...] = ()
    untold: tuple[str, ...] = ()
    unkept: int = 0

    @property
    def measured(self) -> bool:
        """True where rows were paired by a key, so that it is known which of their columns differ."""
        return self.keyed and bool(self.identical or self.changed)

    @property
    def same(self) -> bool:
        """True where nothing differs."""
        apart = self.changed + self.only_left + self.only_right + self.duplicate_left + self.duplicate_right
        return not apart and self.left_rows == self.right_rows and all(total.same for total in self.totals)


def shown(difference: Difference) -> ShownDifference:
    """Return a difference with its values as texts of at most 200 characters, unlike where they differ."""
    left, right = _texts(difference.left), _texts(difference.right)
    if difference.left is not None and difference.right is not None and left and right:
        for place in difference.places:
            mine, other = briefly(difference.left[place], difference.right[place], same=False)
            left = (*left[:place], mine, *left[place + 1 :])
            right = (*right[:place], other, *right[place + 1 :])
    return ShownDifference(difference.status, left, right, difference.places)


def brief(value: Any) -> str | None:
    """Return a value as a text of at most 200 characters, a float rounded to what a person reads; None for NULL."""
    if value is None:
        return None
    if isinstance(value, _BYTES):
        return counted(len(value), "byte")
    return _beginning(number(value) if isinstance(value, float) else plain(value))


def briefly(left: Any, right: Any, same: bool) -> tuple[str | None, str | None]:
    """Return two values as brief texts, which are unlike unless the values are the same."""
    texts = brief(left), brief(right)
    return texts if same or texts[0] is None or texts[0] != texts[1] else _apart(left, right)


def _beginning(text: str) -> str:
    """Return the text, cut where it is long; blanks before the cut stay, as two values may differ in them alone."""
    return text if len(text) <= _SHOWN_VALUE_MAX_CHARS else text[: _SHOWN_VALUE_MAX_CHARS - 1] + "…"


def _apart(left: Any, right: Any) -> tuple[str, str]:
    """Return two values from shortly before where they differ; those that are written alike have their types."""
    mine, other = _written(left), _written(right)
    if mine == other:
        return _beginning(f"{mine} ({type(left).__name__})"), _beginning(f"{other} ({type(right).__name__})")
    start = max(0, common_prefix_chars(mine, other) - _BEFORE)
    return (
        (_beginning(f"…{mine[start:]}"), _beginning(f"…{other[start:]}"))
        if start
        else (_beginning(mine), _beginning(other))
    )


def _written(value: Any) -> str:
    return f"0x{bytes(value).hex()}" if isinstance(value, _BYTES) else plain(value)


def _texts(row: Row | None) -> tuple[str | None, ...] | None:
    return None if row is None else tuple(map(brief, row))


# Two values that differ, written so that a person sees by what: invisible characters are named.

_CHARACTER_NAMES = {" ": "␣", "\t": "⟨tab⟩", "\n": "⟨line feed⟩", "\r": "⟨carriage return⟩"}

_TWINS = str.maketrans("АВЕКМНОРСТХаеорсухіΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEKMHOPCTXaeopcyxiABEZHIKMNOPTYXo")
"""Letters of other alphabets that look like those of the Latin one."""


def told_apart(left: str | None, right: str | None) -> tuple[str | None, str | None]:
    """Return two different texts as they are where one sees that they differ, else with names in ⟨…⟩."""
    if left is None or right is None:
        return _quoted(left), _quoted(right)
    if left == right or _looks(left) != _looks(right):
        return left, right
    start = common_prefix_chars(left, right)
    end = common_prefix_chars(left[start:][::-1], right[start:][::-1])
    return _named(left, start, end), _named(right, start, end)


def common_prefix_chars(one: str, other: str) -> int:
    """Return how many letters at the beginning are the same."""
    both = enumerate(zip(one, other, strict=False))
    return next((place for place, (mine, its) in both if mine != its), min(len(one), len(other)))


def _quoted(text: str | None) -> str | None:
    """Return a text beside no value so that it is not taken for one too."""
    return "(empty text)" if text is not None and not text.strip() else "“NULL”" if text == "NULL" else text


def _looks(text: str) -> str:
    """Return what is to be seen of a text."""
    plain = "".join(" " if letter.isspace() else letter for letter in normalize("NFC", text.translate(_TWINS)))
    return " ".join("".join(letter for letter in plain if category(letter) not in ("Cf", "Cc")).split())


def _named(text: str, start: int, end: int) -> str:
    middle = "".join(map(_letter, text[start : len(text) - end]))
    return text[:start] + middle + text[len(text) - end :]


def _letter(letter: str) -> str:
    if letter in _CHARACTER_NAMES:
        return _CHARACTER_NAMES[letter]
    if category(letter)[0] in "MCZ" or letter.translate(_TWINS) != letter:
        return f"⟨{name(letter, f'U+{ord(letter):04X}').lower()}⟩"
    return letter


# Differences as rows of a table, for a stored result, a file or a database.

STATUS, DIFFERING = "status", "differing"
"""The first column and the last one."""

_NOTHING, _ALL = "nothing", "whole row"


@dataclass(frozen=True, slots=True)
class Layout:
    """The rows of a comparison by this plan, of two sides that are called `left` and `right`."""

    plan: ComparePlan
    left: str
    right: str

    def columns(self) -> tuple[Described, ...]:
        """Return the columns: the status, the key, both values of every other pair, and the names of what differs."""
        names = self.plan.names
        keys = [Described(names[place], "text") for place in self.plan.keys]
        plan, sides = self.plan, (self.left, self.right)
        pairs = [plan.pairs[place] for place in _others(plan)]
        owns = [(plan.left[pair.left], plan.right[pair.right]) for pair in pairs]
        others = [Described(of_side(own, side), "text") for each in owns for own, side in zip(each, sides, strict=True)]
        return (Described(STATUS, "text"), *keys, *others, Described(DIFFERING, "text"))

    def rows(self, differences: Sequence[Difference]) -> list[Row]:
        """Return a row a difference, in those columns; the key is the left side's where both have one."""
        words = statuses(self.left, self.right)
        return [(words[each.status], *_laid(self.plan, each)) for each in differences]


def of_side(column: str, side: str) -> str:
    """Return the name of a column, or of a query, with that of its side, which may have brackets of its own."""
    return f"{column} in {side}" if "(" in side else f"{column} ({side})"


def statuses(left: str, right: str) -> dict[Status, str]:
    """Return what is said of a row, with the names of the sides."""
    return {
        "identical": "identical",
        "changed": "changed",
        "only_left": f"only in {left}",
        "only_right": f"only in {right}",
        "duplicate_left": f"key not unique, in {left}",
        "duplicate_right": f"key not unique, in {right}",
    }


def _laid(plan: ComparePlan, difference: Difference) -> Row:
    empty: Row = (None,) * len(plan.pairs)
    left, right = difference.left or empty, difference.right or empty
    told = left if difference.left is not None else right
    keys = [told[place] for place in plan.keys]
    others = [value for place in _others(plan) for value in (left[place], right[place])]
    differing = ", ".join(plan.names[place] for place in difference.places)
    return (*keys, *others, differing or (_NOTHING if difference.status == "identical" else _ALL))


def _others(plan: ComparePlan) -> list[int]:
    return [place for place in range(len(plan.pairs)) if place not in plan.keys]


# The counts of a comparison, kept while rows go by, and the rows that are handed on.

_BATCH_ROWS = 1000


class Tally:
    """The counts of one comparison; rows that the report is to have go to the sink."""

    def __init__(self, plan: ComparePlan, sink: Sink) -> None:
        self.plan, self._sink = plan, sink
        self._sameness = Sameness(plan.tolerances)
        self._judged = [(place, pair.form) for place, pair in enumerate(plan.pairs) if place not in plan.keys]
        self._forms = [pair.form for pair in plan.pairs]
        self._columns = [_ColumnTally() for _ in plan.pairs]
        self._told = plan.reporting in ("differences", "all")
        self._all = plan.reporting == "all"
        self._waiting: list[Difference] = []
        self.counts: dict[Status, int] = dict.fromkeys(get_args(Status), 0)
        self.duplicates = 0
        self.first: list[ShownDifference] = []

    @property
    def quiet(self) -> bool:
        """True where identical rows need only be counted."""
        return not self._all

    def pair(self, left: Row, right: Row) -> None:
        """Count two rows of one key."""
        places = tuple(p for p, form in self._judged if not self._sameness.same(left[p], right[p], form))
        for p in places:
            self._columns[p].add(left[p], right[p], self._sameness.difference(left[p], right[p], self._forms[p]))
        self._count(Difference("changed" if places else "identical", left, right, places))

    def same(self, left: Row, right: Row) -> bool:
        """Tell whether two rows of one key are the same in everything else."""
        return all(self._sameness.same(left[place], right[place], form) for place, form in self._judged)

    def identical(self, left: Row, right: Row) -> None:
        """Count two rows that are known to be the same."""
        self._count(Difference("identical", left, right))

    def left(self, row: Row, status: Status = "only_left") -> None:
        """Count a row of the left side that has no partner."""
        self._count(Difference(status, row, None))

    def right(self, row: Row, status: Status = "only_right") -> None:
        """Count a row of the right side that has no partner."""
        self._count(Difference(status, None, row))

    def finish(self) -> None:
        """Hand on what is left."""
        if self._waiting:
            self._sink.add(self._waiting)
            self._waiting = []

    def changes(self) -> tuple[Changes, ...]:
        """Return what was counted a column."""
        return tuple(column.changes(name) for name, column in zip(self.plan.names, self._columns, strict=True))

    def _count(self, row: Difference) -> None:
        self.counts[row.status] += 1
        if row.status != "identical" and len(self.first) < self.plan.first:
            self.first.append(shown(row))
        if self._all or (self._told and row.status != "identical"):
            self._waiting.append(row)
            if len(self._waiting) >= _BATCH_ROWS:
                self.finish()


class _ColumnTally:
    """The differences in one column."""

    def __init__(self) -> None:
        self._differing = self._null_left = self._null_right = self._numbers = 0
        self._largest = self._sum = 0.0

    def add(self, left: object, right: object, apart: float | None) -> None:
        self._differing += 1
        self._null_left += left is None
        self._null_right += right is None
        if apart is not None:
            self._numbers += 1
            self._sum += abs(apart)
            self._largest = max(self._largest, abs(apart))

    def changes(self, name: str) -> Changes:
        mean = self._sum / self._numbers if self._numbers else None
        largest = self._largest if self._numbers else None
        return Changes(name, self._differing, self._null_left, self._null_right, largest, mean)
