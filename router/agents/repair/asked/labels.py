"""Rows are told apart by a name: numbers for each of something are shown beside it, the name first."""

import re

from sqlglot import exp

from router.agents.repair.query import Query, counts_places
from router.agents.repair.sources import Source
from router.catalog.personal import split_words
from router.catalog.schema import Table
from router.catalog.stems import stem

_NAMES = ("name", "title", "label")
_EACH = re.compile(r"\b(?:for|of|in|by|per)? ?(?:each|every|per) ([a-z]+)", re.IGNORECASE)
_BEST = re.compile(r"\b(?:what|which) (?:are|is) the \w+est ([a-z]+)", re.IGNORECASE)


def name_of(table: Table) -> str:
    """Return the column that names the rows of a table, "" where none surely does."""
    words = [stem(word) for word in split_words(table.name)]
    wanted = {*_NAMES, *("_".join([*words, name]) for name in _NAMES), *("".join([*words, name]) for name in _NAMES)}
    found = [column.name for column in table.columns if column.name.lower() in wanted]
    return found[0] if len(found) == 1 else ""


def show_labels(query: Query, asked: str) -> None:
    """Show the name beside numbers for each row of a table, where the question wants a number for each of them."""
    tree = query.tree
    if (
        not isinstance(tree, exp.Select)
        or tree.args.get("group")
        or tree.args.get("distinct")
        or tree.find(exp.AggFunc)
    ):
        return
    words = {stem(match[1]) for pattern in (_EACH, _BEST) for match in pattern.finditer(asked)}
    sources = query.sources(tree)
    wanted = [source for source in sources if source.table and _is_called(source.table, words)]
    if len(wanted) != 1 or len(sources) != 1 or any(item.is_star for item in tree.expressions) or counts_places(tree):
        return
    label = name_of(wanted[0].table) if wanted[0].table else ""
    if label and all(_is_number(item, wanted[0]) for item in tree.expressions):
        column = exp.Column(this=query.identifier(label), table=None)
        tree.set("expressions", [column, *tree.expressions])
        query.note(f"label {label}", f"`{label}` is shown beside the numbers.")


def _is_called(table: Table, words: set[str]) -> bool:
    return {stem(word) for word in split_words(table.name)} <= words


def _is_number(item: exp.Expr, source: Source) -> bool:
    """Tell whether a result is computed, or a column that holds numbers."""
    node = item.unalias()
    if not isinstance(node, exp.Column):
        return node.find(exp.Column) is not None and isinstance(node, exp.Binary)
    types = (
        [column.type.upper() for column in source.table.columns if column.name.lower() == node.name.lower()]
        if source.table
        else []
    )
    keys = source.table.primary_key if source.table else ()
    return bool(types and re.search(r"INT|NUM|DEC|REAL|DOUB|FLOA", types[0])) and node.name not in keys
