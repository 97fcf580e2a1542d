"""Excess rights: what a reading role could do if the guard failed, and the statements that take it away.

`rights/<dialect>.sql` has a query for each kind, to be pasted by an administrator as well. Before it stand its
head, in comments: `about`, what is looked at; `says`, which follows "The reading user" and has {names}; `grave`,
`outside` or `alone`; `since`, the first version of the server that has what is asked for.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MayRead = Callable[[str, str], bool]
"""Return whether a connection lets people read a table, by schema and name."""

Run = Callable[[str], Sequence[Sequence[Any]]]
"""Runs a query and returns its rows."""

NAMED_MAX = 4
"""So many things are named in a sentence; the statements below it name all."""


@dataclass(frozen=True, slots=True)
class Excess:
    """One kind of thing that the role could do; `grave` if it reaches beyond reading the connection's database."""

    sentence: str
    remedies: tuple[str, ...] = ()
    grave: bool = False


@dataclass(frozen=True, slots=True)
class ExcessQuery:
    """One query of the server's dictionary: its rows are a name and the statement that takes it away ("" for none)."""

    about: str
    says: str
    query: str
    flags: frozenset[str]
    """`outside`: a schema and a table stand in the place of the name, and those that people may read are left out; a
    view and a table below it, where people may read the view and not the table. `alone`: of a role that has this,
    nothing else is said.
    """
    since: int

    def judge(self, rows: Iterable[Sequence[Any]], may_read: MayRead) -> Iterator[Excess]:
        """Yield what the rows say; nothing if there are none."""
        if "outside" in self.flags:
            rows = [
                (f"{schema}.{table}", remedy)
                for schema, table, *below, remedy in rows
                if not may_read(*(below or (schema, table))) and (not below or may_read(schema, table))
            ]
        rows = list(rows)
        if rows:
            sentence = f"The reading user {self.says.format(names=named(str(row[0]) for row in rows))}."
            remedies = dict.fromkeys(str(row[1]) for row in rows if row[1])
            yield Excess(sentence, tuple(remedies), "grave" in self.flags)


_QUERY = re.compile(r"((?:^-- .*\n)+)(SELECT\b[\s\S]*?);$", re.MULTILINE)


@cache
def excess_queries(dialect: str) -> tuple[ExcessQuery, ...]:
    """Return the queries of a dialect's file."""
    text = (Path(__file__).parent / "rights" / f"{dialect}.sql").read_text(encoding="utf-8")
    return tuple(_query_of(head, query) for head, query in _QUERY.findall(text))


def _query_of(head: str, query: str) -> ExcessQuery:
    lines = [line.removeprefix("-- ").partition(": ") for line in head.splitlines()]
    told = {name: value for name, colon, value in lines if colon}
    flags = frozenset(name for name, colon, _ in lines if not colon)
    return ExcessQuery(told["about"], told["says"], query, flags, int(told.get("since", 0)))


def excess_of(
    dialect: str,
    run: Run,
    refused: Callable[[Exception], str],
    errors: type[Exception],
    may_read: MayRead,
    version: int = 0,
) -> Iterator[Excess]:
    """Yield what the role could do; what the server does not show is said, by `refused`."""
    for look in excess_queries(dialect):
        if look.since > version:
            continue
        try:
            rows = run(look.query)
        except errors as error:
            yield not_seen(look.about, refused(error))
            continue
        yield from look.judge(rows, may_read)
        if rows and "alone" in look.flags:
            return


def named(names: Iterable[str]) -> str:
    """Return the first of the names, each once, and how many there are besides."""
    different = list(dict.fromkeys(names))
    more = len(different) - NAMED_MAX
    return ", ".join(different[:NAMED_MAX]) + (f" and {more:,} more" if more > 0 else "")


def not_seen(about: str, reason: str) -> Excess:
    """Return what is said if the server does not show something."""
    return Excess(f"could not look at {about}: {reason.rstrip('.')}.")
