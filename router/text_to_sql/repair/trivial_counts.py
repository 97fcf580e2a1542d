"""Rows counted by the key of their own table, one by one: "the number of orders of each customer", without orders."""

import re
from collections.abc import Iterator

from sqlglot import exp

from router.catalog.sensitive_columns import split_words
from router.text_to_sql.question import Question
from router.text_to_sql.repair.join_paths import Hop
from router.text_to_sql.repair.joins import add_joins
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import FromItem, Query, source_of, words

_COUNTED = re.compile(
    r"\b(?:how many|(?:number|count)s? of|most|fewest|least|(?:more|fewer|less) than \w+|at (?:least|most) \w+)"
    r"((?:\s+[a-z_]+){1,4})",
    re.IGNORECASE,
)
_PHRASE_ENDS = frozenset(
    """
    and are by do does each for from had has have in is of on or per that the was were which who with
    """.split()  # noqa: SIM905 — a list of words is read as words
)


def always_one(query: Query, select: exp.Select) -> FromItem | None:
    """Return the table whose rows are counted one by one, as they are grouped by its key: every count is 1."""
    group = select.args.get("group")
    if not group or not query.nodes(select, exp.Count):
        return None
    keys = {
        (source.alias.lower(), key.name.lower())
        for key in group.expressions
        if isinstance(key, exp.Column) and (source := source_of(key, query.schema))
    }
    edges = edges_of(query, select)
    sources = query.sources(select)
    if any(source.table is None for source in sources) or len(edges) < len(sources) - 1:
        return None
    for source in sources:
        own = {(source.alias.lower(), name.lower()) for name in source.table.primary_key} if source.table else set()
        if own and own <= keys and not multiplying(source, edges):
            return source
    return None


def count_children(query: Query, question: Question) -> None:
    """Count the rows that lead to a table where its own were counted by their key, and the question names those."""
    for select in query.selects():
        sources = query.sources(select)
        if len(sources) != 1 or sources[0].table is None or always_one(query, select) is None:
            continue
        counts = query.nodes(select, exp.AggFunc)
        hop = _counted_child(query, sources[0], question)
        plain = all(isinstance(node, exp.Count) and isinstance(node.this, exp.Star | exp.Column) for node in counts)
        if hop is None or not plain:
            continue
        for node in counts:
            node.replace(exp.Count(this=exp.Star()))
        add_joins(query, select, (hop,), sources[0])
        query.note(f"count {hop.far}", f"Rows of `{hop.far}` are counted: of `{hop.near}`, each has one.")


def _counted_child(query: Query, source: FromItem, question: Question) -> Hop | None:
    """Return the only link from a table that the question counts the rows of, of which several belong to one of these.

    The last word of what is counted has to be that of the table's name: "transactions" are financial_transactions.
    Where nothing that is counted leads there, it is what the question names elsewhere, as in "the method that is used
    most in all the invoices".
    """
    name = source.table.name if source.table else ""
    leading = [hop for hop in query.hops if hop.near == name != hop.far and hop.fans and len(hop.pairs) == 1]
    said = set(_counted(question.text)), words(question.text)
    named = [[hop for hop in leading if (each - _head(name)) & _head(hop.far)] for each in said]
    found = next(filter(None, named), [])
    return found[0] if len(found) == 1 else None


def _head(name: str) -> frozenset[str]:
    """Return the last word of a table's name, which says what its rows are."""
    return words(next(reversed(split_words(name)), ""))


def _counted(asked: str) -> Iterator[str]:
    """Yield the things that a question counts: orders in "the number of canceled orders"."""
    for match in _COUNTED.finditer(asked):
        said = match[1].split()
        end = next((at for at, word in enumerate(said) if word.lower() in _PHRASE_ENDS), len(said))
        yield from words(said[end - 1]) if end else ()
