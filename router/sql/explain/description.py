"""The description of a query: its parts in words, as sentences of what it does, and as one line, its title."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Final

from sqlglot import exp

from router.language.wording import and_list
from router.sql.explain.names import WORDS, called

TITLE_MAX_CHARS = 80
FILTERED: Final = ", filtered"
"""The end of a title that leaves conditions out."""
DESCENDING: Final = " descending"

_SHORT_MAX_CHARS = 60
_SHOWN_MAX, _LISTED_MAX = 8, 4
"""Columns that are named in a sentence, and in a title."""


def is_short(text: str) -> bool:
    """Return whether words can stand in a title: without code, and without the steps of an inner query."""
    return 0 < len(text) <= _SHORT_MAX_CHARS and not set("`;") & set(text)


@dataclass(frozen=True, slots=True)
class Result:
    """A column that comes out."""

    name: str
    """The name that outer queries know it by, in lower case."""
    text: str
    alias: str = ""
    """The name that the writer of the SQL gave it, in quotes."""
    is_measure: bool = False
    """True if it is taken over many rows."""
    is_plain: bool = False
    """True if it is a column as it is read."""
    rank: str = ""
    """What a rank goes by: "by total descending within each region"."""

    @property
    def short(self) -> str:
        """The words for a title."""
        return self.text if is_short(self.text) else self.alias or "a calculated value"

    @property
    def brief(self) -> str:
        """The words for a title without room: the name that it is given, if it is no column as it is read."""
        return self.short if self.is_plain else self.alias or self.short

    @property
    def full(self) -> str:
        """The words for a sentence: with the name that it is given."""
        same = self.alias.strip("“”").lower() == self.text.lower()
        return self.text if same or not self.alias else f"{self.text} as {self.alias}"


@dataclass(frozen=True, slots=True)
class Source:
    """A table or an inner query that is read."""

    alias: str
    """Its name in the query, in lower case."""
    text: str
    """Its name, as it is written, or the words for the inner query."""
    noun: str
    """What its columns are said to be of: "order"."""
    rows: str
    """What its rows are: "orders"; "rows" if that is unknown."""
    entry: exp.Expr
    """The FROM or the JOIN that reads it."""
    table: str = ""
    """Its name if it is a table of the database."""
    query: "QueryWords | None" = None

    @property
    def side(self) -> str:
        """Return which side's rows its join keeps without a match, "" if none."""
        return self.entry.text("side").upper()


@dataclass(frozen=True, slots=True)
class QueryWords:
    """What a query does: a SELECT, queries that are put together, or one of another kind in `code`."""

    code: str = ""
    kind: str = ""
    """The word for how the queries of `sides` are put together: "union"."""
    sides: "tuple[QueryWords, ...]" = ()
    sources: tuple[Source, ...] = ()
    reads: tuple[str, ...] = ()
    rows: str = "rows"
    """What each row of the joined sources is: "orders"; "rows" if that is unknown."""
    results: tuple[Result, ...] = ()
    groups: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    period: str = ""
    """The time alone if one of the conditions asks for one: "in 2025"."""
    order: tuple[str, ...] = ()
    cut: str = ""
    """Which of the rows come out: "the first 5 rows", "any 5 rows"."""
    is_distinct: bool = False
    is_partial: bool = False
    """True if the condition of an outer join leaves out rows of what is counted."""

    @property
    def is_simple(self) -> bool:
        """True if nothing but rows of one table are read and kept by conditions."""
        is_alone = len(self.sources) == 1 and bool(self.sources[0].table)
        return is_alone and not (self.groups or self.having or self.cut or self.is_distinct)

    @property
    def rows_out(self) -> str:
        """What the rows are that come out: "different values of country"; "rows" if that is unknown."""
        if not self.kind and (self.groups or self.is_distinct):
            return different(self.groups or tuple(each.text for each in self.results))
        return "rows" if any(each.is_measure for each in self.results) else self.rows

    # Sentences.

    def steps(self) -> list[str]:
        """Return what is done, as clauses without a subject: "reads orders"."""
        if self.code:
            return [f"gives {self.code}"]
        steps = [f"query {place}: {'; '.join(each.steps())}" for place, each in enumerate(self.sides, 1)]
        if self.kind:
            steps.append(WORDS["together"][self.kind] + ", each once" * self.is_distinct)
        else:
            steps += self._select()
        steps += [f"sorts by {and_list(self.order)}"] * bool(self.order)
        return steps + [f"keeps {self.cut}"] * bool(self.cut)

    def _select(self) -> Iterator[str]:
        yield from self.reads
        if self.filters:
            yield f"keeps only rows with {and_list(self.filters)}"
        if self.groups:
            yield f"makes one row for each {and_list(self.groups)}"
        elif any(each.is_measure for each in self.results):
            yield "takes all of them together"
        if self.having:
            yield f"keeps only results with {and_list(self.having)}"
        shown = [each.full for each in self.results]
        if len(shown) > _SHOWN_MAX:
            shown = [*shown[: _SHOWN_MAX - 1], f"{len(shown) - _SHOWN_MAX + 1} more"]
        yield f"shows {and_list(shown)}{', each different one once' if self.is_distinct else ''}"

    def inline(self) -> str:
        """Return a query within a sentence: "the average price of products" if it is plain enough."""
        if not self.is_simple or len(self.results) != 1:
            return "; ".join(self.steps())
        text = self.results[0].text.replace("all columns", "rows")
        return f"the {text}{self._of(text)}{self.where()}"

    def where(self) -> str:
        """Return the conditions as they follow rows: " with status “open”", or ""."""
        return f" with {and_list(self.filters)}" if self.filters else ""

    # The title.

    def title(self) -> str:
        """Return what comes out in one line of at most 80 characters, "" if there are no words for it."""
        titles = self._set_titles() if self.kind else self._titles()
        return next((each for each in titles if len(each) <= TITLE_MAX_CHARS), "")

    def _titles(self) -> Iterator[str]:
        """Yield titles of a SELECT, those that say more first."""
        conditions, is_partial = self.conditions()
        told = tuple(each for each in conditions if is_short(each))
        joint = ", only with" if self.groups or self.having or self.is_distinct or len(self.sources) > 1 else " with"
        tails = [(f"{joint} {and_list(told[:count])}", count) for count in range(len(told), 0, -1)]
        tails += [(f", {self.period}", 1)] * bool(self.period)
        for nouns in self._nouns():
            for (tail, count), end, noun in product([*tails, ("", 0)], self._ends(), nouns):
                yield noun + tail + end + FILTERED * (is_partial or count < len(conditions))

    def _ends(self) -> list[str]:
        """Return the words for which of the rows come out, the longer ones first."""
        cut, key = f", {self.cut.removeprefix('the ')}" * bool(self.cut), self.order[0] if self.order else ""
        if not cut or not is_short(key):
            return [cut]
        if [key.removesuffix(DESCENDING)] == [each.text for each in self.results if each.is_measure]:
            place = "top" if key.endswith(DESCENDING) else "lowest"
            return [cut.replace("first row", f"the {place} one").replace("first", place).removesuffix(" rows")]
        return [f"{cut.removesuffix(' rows')} by {key}", cut]

    def conditions(self) -> tuple[tuple[str, ...], bool]:
        """Return the conditions on what comes out, inner ones too, and whether there are any that are not told."""
        told, is_partial = (*self.filters, *self.having), self.is_partial or bool(self.kind)
        for query in (each.query for each in self.sources if each.query):
            inner, more = query.conditions()
            is_alone = len(self.sources) == 1
            told += inner if is_alone else ()
            is_partial |= more or bool(query.cut) or (bool(inner) and not is_alone)
        return told, is_partial

    def _nouns(self) -> list[list[str]]:
        """Return what comes out, lists of the longer words first."""
        measures = [each for each in self.results if each.is_measure]
        shown = (self.groups and measures) or self.results
        groups = list(map(self._group, self.groups))
        if not self.sources or any(each.text.startswith("`") for each in self.sources):
            return []  # of functions and the like, only the steps tell
        if [each.text for each in shown] == ["all columns"] and self.rows != "rows" and len(self.sources) == 1:
            return [[self.rows]]
        texts = [tuple(dict.fromkeys(each.short for each in shown)), tuple(dict.fromkeys(each.brief for each in shown))]
        nouns = [and_list(_trimmed(each)) for each in texts]
        by = f" by {and_list(groups)}" * bool(groups)
        if not measures and (groups or self.is_distinct):
            by = f", one row for each {and_list(groups)}"
            if not groups or set(texts[0]) <= set(groups):
                nouns, by = [different(_trimmed(each)) for each in texts], ""
        counted = f"{len(shown)} {'figures' if measures else 'columns'}"
        lists = [[each] for each in nouns] + [[counted]] * (len(shown) > 1)
        if len(shown) > _LISTED_MAX:
            lists = [[nouns[0], counted]]
        return [[line for each in one_ for line in self._lines(each, by)] for one_ in lists]

    def _group(self, key: str) -> str:
        """Return what rows are grouped by: what is long by its name as a result, in which NULL may be replaced."""
        named = (each.brief for each in self.results if each.text.startswith(key))
        return key if is_short(key) else next(named, "a calculated value")

    def _lines(self, noun: str, by: str) -> list[str]:
        """Return what comes out by what, with where it comes from, and without."""
        of = self._of(noun)
        return [f"{noun}{of}{by}" if len(self.sources) == 1 else f"{noun}{by}{of}", noun + by]

    def _of(self, noun: str) -> str:
        """Return where the rows come from: " of orders", " per country", or " from orders and items"."""
        query, is_joined = self.sources[0].query, len(self.sources) > 1
        is_known = self.rows != "rows" and noun != "all columns"
        is_named = any(each.noun.lower() in noun.lower() for each in self.sources)
        is_counted = any(f"number of {each.rows}" in noun for each in self.sources if each.rows != "rows")
        if is_counted or (is_known and is_joined and (is_named or self.groups)):
            return ""
        if query and query.groups and not is_joined:
            return f" per {and_list(query.groups)}" * any(each.is_measure for each in self.results)
        tables = dict.fromkeys(each.text for each in self.sources if each.table)
        return f" of {self.rows.removeprefix('rows of ')}" if is_known else f" from {and_list(tables)}" * bool(tables)

    def _set_titles(self) -> Iterator[str]:
        """Yield titles of queries that are put together, the longest first."""
        titles, end = [each.title() for each in self.sides], f", {self.cut.removeprefix('the ')}" * bool(self.cut)
        bare = [each.removesuffix(FILTERED) for each in titles]
        if len(titles) == 2 and all(titles):
            filtered = FILTERED * (bare != titles)
            yield WORDS["together_titles"][self.kind].format(bare[0], bare[1]) + end + filtered
        filtered = FILTERED * any(any(each.conditions()) for each in self.sides)
        short = WORDS["together_titles"][f"short_{self.kind}"].format(len(titles)) + end + filtered
        nouns = {noun for each in self.sides for names in each._nouns()[:1] for noun in names[:1]}
        yield from (f"{noun}: {short}" for noun in nouns if len(nouns) == 1)
        yield short


def _trimmed(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return as many names of columns as a title has room for."""
    left = len(names) - _LISTED_MAX + 1
    return names if left < 2 else (*names[: _LISTED_MAX - 1], f"{left} more columns")


def different(names: tuple[str, ...]) -> str:
    """Return what differs from row to row: "different values of country"."""
    return f"different {'values' if len(names) == 1 else 'combinations'} of {and_list(names)}"


def sentences(query: QueryWords, made: list[tuple[str, QueryWords]]) -> tuple[str, ...]:
    """Return the steps, each a sentence; first those of the queries of WITH, by their names."""
    first = (f"First makes {called(name)}: {'; '.join(each.steps())}." for name, each in made)
    return (*first, *(f"{step[:1].upper()}{step[1:]}." for step in query.steps()))
