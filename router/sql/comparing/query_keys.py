"""The columns that tell a query's rows apart, as its text says: a table's primary key, or what it groups by."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.sql import parsing
from router.sql.dialect import Name
from router.sql.explain.references import group_keys

_SEVERAL_TABLES = ("with_", "joins", "laterals", "connect", "pivots")
_SEVERAL_GROUPS = ("grouping_sets", "cube", "rollup")


@dataclass(frozen=True, slots=True)
class KeyProposal:
    """Places that seem to be a key, and why: "" with no places where none was found."""

    places: tuple[int, ...]
    reason: Literal["primary key", "what is grouped by", "unique in the first rows", ""]


NO_KEY = KeyProposal((), "")


def declared_key(
    sql: str, dialect: Name, names: Sequence[str], primary_key: Callable[[exp.Table], Sequence[str]]
) -> KeyProposal:
    """Return where a query with columns called `names` has those that tell its rows apart.

    `primary_key` gives that of the table that it reads row by row.
    """
    try:
        query = parsing.statement(sql, dialect)
    except SqlglotError:
        return NO_KEY
    if not isinstance(query, exp.Select):
        return NO_KEY
    shown, group = [each.unalias() for each in query.expressions], query.args.get("group")
    if len(shown) == 1 and shown[0].is_star:
        shown = [exp.column(name) for name in names]
    if len(shown) != len(names):
        return NO_KEY
    if group:
        is_one = not any(group.args.get(part) for part in _SEVERAL_GROUPS)
        return KeyProposal(_places(group_keys(query), shown) if is_one else (), "what is grouped by")
    source = query.args.get("from_")
    is_plain = not any(query.args.get(part) for part in _SEVERAL_TABLES) and not query.find(exp.Unnest)
    if not is_plain or not source or not isinstance(source.this, exp.Table):
        return NO_KEY
    columns = [each.name.casefold() if isinstance(each, exp.Column) else "" for each in shown]
    return KeyProposal(_places([each.casefold() for each in primary_key(source.this)], columns), "primary key")


def _places(key: Sequence[Any], shown: Sequence[Any]) -> tuple[int, ...]:
    """Return where the columns of a key are shown; empty if one of them is not."""
    return tuple(map(shown.index, key)) if all(each in shown for each in key) else ()
