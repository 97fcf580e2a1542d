"""The critic: what speaks against a statement that runs as the answer to its question, without a model.

It reads the statement's tree, the schema's keys, and the numbers and values of the question. A sign is no proof:
`confidence` says what all of them are worth together.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import dropwhile
from typing import Literal

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Schema
from router.catalog.values import names_in
from router.language.folding import fold
from router.language.phrases import find_phrases, listed, tokens_of
from router.text_to_sql.question import Question
from router.text_to_sql.repair.join_order import unlinked
from router.text_to_sql.repair.join_paths import hops
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import Query, conjuncts, source_of, words
from router.text_to_sql.repair.trivial_counts import always_one

Kind = Literal[
    "ungrouped",
    "unlinked",
    "multiplied",
    "itself",
    "contradiction",
    "value",
    "number",
    "always_one",
]


@dataclass(frozen=True, slots=True)
class Sign:
    """One thing that speaks against a statement: `spot` tells the person of it, `advice` is more for the model."""

    kind: Kind
    spot: str
    advice: str = ""

    @property
    def reason(self) -> str:
        """Return the reason that the model gets when it is asked once more; empty if the sign is none."""
        return f"{self.spot} {self.advice}".rstrip() if self.kind in _ASKED_AGAIN else ""


_ASKED_AGAIN = frozenset[Kind](("ungrouped", "unlinked", "itself", "contradiction", "always_one"))
"""Kinds of signs that are hardly ever wrong; asked again for others, a small model mends nothing."""


def signs_of(question: Question, sql: str, schema: Schema) -> tuple[Sign, ...]:
    """Return what speaks against a statement; nothing if it cannot be read."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ()
    query = Query(tree, schema, hops(schema))
    found = [sign for judge in _ON_STRUCTURE for select in query.selects() for sign in judge(query, select)]
    found += [*_ungrouped(question, query), *_numbers(question, query), *_values(question, query)]
    return tuple(dict.fromkeys(found))


# What the tree and the keys tell.


def _unlinked(query: Query, select: exp.Select) -> Iterator[Sign]:
    for names in unlinked(query, select):
        yield Sign("unlinked", f"Nothing links {names} with the other tables, so every row meets every other.")


def _multiplied(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find sums and averages over rows that a join gives several times."""
    edges = edges_of(query, select)
    for node in query.sums(select):
        column = node.find(exp.Column)
        source = source_of(column, query.schema) if column and not node.find(exp.Distinct) else None
        if source and source.table and (other := multiplying(source, edges)):
            table = query.quoted(source.table.name)
            yield Sign(
                "multiplied",
                f"A row of {table} is counted once for each of its rows in {query.quoted(other)}: "
                f"`{node.sql(dialect=query.dialect)}` may be too large.",
            )


def _itself(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find what is compared with itself, or taken away from itself."""
    for node in query.nodes(select, exp.EQ, exp.NEQ, exp.GT, exp.LT, exp.GTE, exp.LTE, exp.Sub, exp.Div):
        if node.this == node.expression and node.find(exp.Column):
            yield Sign("itself", f"`{node.sql(dialect=query.dialect)}` holds one column against itself.")


def _contradiction(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find one column of one row that should have two values at once, or none and one."""
    wanted: dict[str, str] = {}
    parts = conjuncts(select.args.get("where"))
    for part in parts:
        if isinstance(part, exp.EQ) and isinstance(part.this, exp.Column) and isinstance(part.expression, exp.Literal):
            name, value = part.this.sql().lower(), part.expression.sql()
            if wanted.setdefault(name, value) != value:
                column = part.this.sql(dialect=query.dialect)
                yield Sign("contradiction", f"No row can have `{column}` = {wanted[name]} and = {value} at once.")
    nulls = (part for part in parts if isinstance(part, exp.Is) and isinstance(part.expression, exp.Null))
    empty = {part.this for part in nulls if not part.args.get("negate")}  # PostgreSQL's IS NOT NULL is one node
    for part in parts:
        if isinstance(part, exp.Predicate) and not isinstance(part, exp.Is) and part.this in empty:
            column = part.this.sql(dialect=query.dialect)
            yield Sign("contradiction", f"`{column}` has to be empty, and is compared as well: no row is found.")


def _always_one(query: Query, select: exp.Select) -> Iterator[Sign]:
    """Find a count of rows that are told apart by what they are grouped by."""
    if source := always_one(query, select):
        table = query.quoted(source.table.name if source.table else source.alias)
        yield Sign(
            "always_one",
            f"Each count is 1, as each group is one row of {table}.",
            "Count the rows of the table that refers to it.",
        )


_ON_STRUCTURE: tuple[Callable[[Query, exp.Select], Iterable[Sign]], ...] = (
    _unlinked,
    _multiplied,
    _itself,
    _contradiction,
    _always_one,
)


# Groups, numbers and values of the question that the statement does not have.


def _ungrouped(question: Question, query: Query) -> Iterator[Sign]:
    """Find one figure if the question wants one of each: "per channel", "by month"; an average of groups is one."""
    tree, said = query.tree, tokens_of(question.text)
    grouping = find_phrases("text_to_sql.grouping", said)
    if not grouping or not isinstance(tree, exp.Select) or tree.find(exp.Group, exp.Window, exp.Div):
        return
    if not all(item.find(exp.AggFunc) for item in tree.expressions):
        return
    known = names_in(query.schema).union(*(listed(f"times.unit {unit}") for unit in _TIME_UNITS))
    chosen = _chosen(query, tree)
    for found in grouping:
        behind = [token.word for token in said[found.end :]]
        wanted = next(dropwhile(listed("text_to_sql.passed_over").__contains__, behind), "")
        if wanted in known and words(wanted).isdisjoint(chosen):
            spot = f"It gives one figure, but the question asks for one of each {wanted}."
            yield Sign("ungrouped", spot, f"Select the {wanted} and group by it.")


def _chosen(query: Query, select: exp.Select) -> frozenset[str]:
    """Return the words of the columns, and of their tables, that one value is asked of: "by the customer Grace"."""
    columns = [part.this for part in conjuncts(select.args.get("where")) if isinstance(part, exp.EQ)]
    sources = [source_of(column, query.schema) for column in columns if isinstance(column, exp.Column)]
    names = [column.name for column in columns] + [each.table.name for each in sources if each and each.table]
    return words(" ".join(names))


_TIME_UNITS = ("day", "week", "month", "quarter", "year")
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?:[.,]\d+)?(?![\w:/-]|[.,]\d)")


def _numbers(question: Question, query: Query) -> Iterator[Sign]:
    """Find numbers of the question that the statement does not have."""
    text = question.text
    for time in question.times:
        text = text.replace(time.typed, " ")
    has = query.tree.sql(dialect=query.dialect)
    for match in _NUMBER.finditer(text):
        number = match[0].replace(",", "")
        if not (re.search(rf"(?<!\d){re.escape(number)}(?!\d)", has) or _is_next_to(number, has)):
            yield Sign("number", f"“{match[0]}” of the question is not in the SQL.")


def _is_next_to(number: str, sql: str) -> bool:
    """Return whether SQL has a limit that comes to the same for whole numbers: at least 1 is more than 0."""
    limits = rf"> {int(number) - 1}(?!\d)|< {int(number) + 1}(?!\d)" if number.isdecimal() else "(?!)"
    return re.search(limits, sql) is not None


def _values(question: Question, query: Query) -> Iterator[Sign]:
    """Find values that the question names as the database writes them, and the statement does not have."""
    has = fold(query.tree.sql(dialect=query.dialect))
    for named in question.named:
        if len(fold(named.words)) > 2 and not any(fold(value.text) in has for value in named.values):
            yield Sign("value", f"“{named.words}” is a value of `{named.values[0].column}`, and not in the SQL.")
