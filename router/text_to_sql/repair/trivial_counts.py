"""Counts that are 1 in every group: of rows by the key of their own table, or of what the groups are made by."""

import re
from collections.abc import Iterable, Iterator

from sqlglot import exp

from router.catalog.sensitive_columns import split_words
from router.language.phrases import find_phrases, listed, tokens_of
from router.sql.explain.shape import group_keys
from router.text_to_sql.question import Question
from router.text_to_sql.repair.join_paths import Hop
from router.text_to_sql.repair.joins import add_joins
from router.text_to_sql.repair.multiplicity import edges_of, multiplying
from router.text_to_sql.repair.query import FromItem, Query, source_of, words

_FEW_WORDS = re.compile(r"(?:\s+[^\W\d]+){1,4}")


def always_one(query: Query, select: exp.Select) -> FromItem | None:
    """Return the table whose rows are counted one by one, as they are grouped by its key: every count is 1."""
    if not query.nodes(select, exp.Count):
        return None
    keys = _places(query, group_keys(select))
    edges = edges_of(query, select)
    sources = query.sources(select)
    if any(source.table is None for source in sources) or len(edges) < len(sources) - 1:
        return None
    for source in sources:
        own = {(source.alias.lower(), name.lower()) for name in source.table.primary_key} if source.table else set()
        if own and own <= keys and not multiplying(source, edges):
            return source
    return None


def counts_of_keys(query: Query, select: exp.Select) -> list[exp.Count]:
    """Return the counts of different values of what a SELECT groups by: each group has one, or NULL.

    Without ROLLUP, in a SELECT that shows what it groups by.
    """
    group = select.args.get("group")
    keys = _places(query, group_keys(select))
    shown = _places(query, [item.unalias() for item in select.expressions])
    if not keys & shown or (group and any(map(group.args.get, ("rollup", "cube", "grouping_sets")))):
        return []
    if not any(join.side for join in select.args.get("joins") or ()):
        for edge in edges_of(query, select) * 2:
            ends = {(end.alias.lower(), name) for end, name in zip((edge.left, edge.right), edge.pair, strict=True)}
            keys |= ends if keys & ends else set()
    counts = [node for node in query.nodes(select, exp.Count) if isinstance(node.this, exp.Distinct)]
    return [node for node in counts if all(_places(query, [each]) & keys for each in node.this.expressions)]


def _places(query: Query, nodes: Iterable[exp.Expr]) -> set[tuple[str, str]]:
    """Return the tables and names of columns, by their aliases, in lower case."""
    columns = [node for node in nodes if isinstance(node, exp.Column)]
    found = [(source_of(column, query.schema), column.name.lower()) for column in columns]
    return {(source.alias.lower(), name) for source, name in found if source}


def count_rows(query: Query, question: Question) -> None:
    """Count the rows of each group where a model counted the different values of what it groups by.

    Not where the question counts just these, nor where COUNT(*) would count rows that joins add or repeat.
    """
    for select in query.selects():
        edges, sources = edges_of(query, select), query.sources(select)
        whole = len(edges) >= len(sources) - 1 and any(each.table and not multiplying(each, edges) for each in sources)
        if not whole or any(join.side for join in select.args.get("joins") or ()):
            continue
        for node in counts_of_keys(query, select):
            name = node.this.expressions[0].name
            if not words(name) & set(_counted(question.text)):
                node.replace(exp.Count(this=exp.Star()))
                query.note(f"count {name}", f"Rows are counted: of different values of `{name}`, each group has one.")


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
    tokens, over = tokens_of(asked), 0
    than = {each.first for each in find_phrases("text_to_sql.counts_than", tokens)}
    found = [*find_phrases("text_to_sql.counts", tokens), *find_phrases("text_to_sql.counts_than", tokens)]
    for each in sorted(found, key=lambda each: (each.first, -each.end)):
        last = tokens[each.end - 1 + (each.first in than) : each.end + 1]  # a number follows "more than"
        behind = _FEW_WORDS.match(asked, last[0].end) if last else None
        if behind and tokens[each.first].begin >= over:
            over, said = behind.end(), behind[0].lower().split()
            end = next((at for at, word in enumerate(said) if word in listed("text_to_sql.count_ends")), len(said))
            yield from words(said[end - 1]) if end else ()
