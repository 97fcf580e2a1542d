"""The description of a query: its parts in words, and the sentences that they make."""

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from router.language.wording import and_list
from router.sql.explain.names import WORDS

_SHORT_MAX_CHARS = 60
_SHOWN_MAX = 8
"""Columns that are named in a sentence."""


def is_short(text: str) -> bool:
    """Return whether words can stand in a title: without code, and without the steps of an inner query."""
    return 0 < len(text) <= _SHORT_MAX_CHARS and not set("`;") & set(text)


def different(names: tuple[str, ...]) -> str:
    """Return what differs from row to row: "different values of country"."""
    return f"different {'values' if len(names) == 1 else 'combinations'} of {and_list(names)}"


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
    is_open: bool = False
    """True if words beside its own could be taken for a part of it: "price plus tax"."""

    @property
    def full(self) -> str:
        """The words for a sentence: with the name that it is given."""
        is_same = self.alias.strip("“”").lower() == self.text.lower()
        return f"{self.text} as {self.alias}" if self.alias and not is_same else self.text


@dataclass(frozen=True, slots=True)
class Source:
    """A table or an inner query that is read."""

    text: str
    """Its name, as it is written, or the words for the inner query."""
    noun: str
    """The noun that its columns belong to: "order"."""
    rows: str = "rows"
    """The noun for its rows: "orders"; "rows" if that is unknown."""
    side: str = ""
    """The side whose rows its join keeps without a match: "LEFT"; "" if none."""
    on: exp.Expr | None = None
    """The condition of its join."""
    is_tied: bool = False
    """True if its join has a condition."""
    is_optional: bool = False
    """True if rows without a match are kept, by its join or by a later one."""
    is_once: bool = False
    """True if no row of it comes twice."""
    table: str = ""
    """Its name if it is a table of the database."""
    query: "Description | None" = None


@dataclass(frozen=True, slots=True)
class Description:
    """A description of a query: a SELECT, queries that are put together, or one of another kind in `code`."""

    code: str = ""
    kind: str = ""
    """The word for how the queries of `sides` are put together: "union"."""
    sides: "tuple[Description, ...]" = ()
    sources: tuple[Source, ...] = ()
    reads: tuple[str, ...] = ()
    rows: str = "rows"
    """The noun for the rows of the joined sources: "orders"; "rows" if that is unknown."""
    results: tuple[Result, ...] = ()
    groups: tuple[str, ...] = ()
    filters: tuple[str, ...] = ()
    having: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    cut: str = ""
    """The rows that come out: "the first 5 rows", "any 5 rows"."""
    is_distinct: bool = False
    is_partial: bool = False
    """True if the condition of a join leaves out rows of what is counted."""

    @property
    def measures(self) -> tuple[Result, ...]:
        """The results that are taken over many rows."""
        return tuple(each for each in self.results if each.is_measure)

    @property
    def is_simple(self) -> bool:
        """True if nothing but rows of one table are read and kept by conditions."""
        is_alone = len(self.sources) == 1 and bool(self.sources[0].table)
        return is_alone and not (self.groups or self.having or self.cut or self.is_distinct)

    @property
    def rows_out(self) -> str:
        """Return the words for the rows that come out: "different values of country"; "rows" if that is unknown."""
        if not self.kind and (self.groups or self.is_distinct):
            return different(self.groups or tuple(each.text for each in self.results))
        return "rows" if self.measures else self.rows

    def conditions(self) -> tuple[tuple[str, ...], bool]:
        """Return the conditions on what comes out, inner ones too, and whether there are any that are not told."""
        told, is_partial = (*self.filters, *self.having), self.is_partial or bool(self.kind)
        for query in (each.query for each in self.sources if each.query):
            inner, more = query.conditions()
            is_alone = len(self.sources) == 1
            told += inner if is_alone else ()
            is_partial |= more or bool(query.cut) or (bool(inner) and not is_alone)
        return told, is_partial

    def steps(self) -> list[str]:
        """Return what is done, as clauses without a subject: "reads orders"."""
        if self.code:
            return [f"gives {self.code}"]
        steps = [f"query {place}: {'; '.join(each.steps())}" for place, each in enumerate(self.sides, 1)]
        if self.kind:
            steps.append(WORDS["together"][self.kind] + ", each once" * self.is_distinct)
        else:
            steps += self._select_steps()
        if self.order:
            steps.append(f"sorts by {and_list(self.order)}")
        if self.cut:
            steps.append(f"keeps {self.cut}")
        return steps

    def _select_steps(self) -> Iterator[str]:
        yield from self.reads
        if self.filters:
            yield f"keeps only rows with {and_list(self.filters)}"
        if self.groups:
            yield f"makes one row for each {and_list(self.groups)}"
        elif self.measures:
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
        return f"the {text}{self.origin(text)}{self.where()}"

    def where(self) -> str:
        """Return the conditions as they follow rows: " with status “open”", or ""."""
        return f" with {and_list(self.filters)}" if self.filters else ""

    def origin(self, noun: str) -> str:
        """Return where the rows come from if the words do not tell: " of orders", " per country", " from a and b"."""
        if len(self.sources) != 1:
            tables = [each.text for each in self.sources]
            return f" from {and_list(tables)}" if tables and noun.endswith(("rows", "all columns")) else ""
        query = self.sources[0].query
        if f"of {self.rows}" in noun or self.rows == "rows":
            return ""
        if query and query.groups:
            return f" per {and_list(query.groups)}" if self.measures else ""
        return f" of {self.rows.removeprefix('rows of ')}"
