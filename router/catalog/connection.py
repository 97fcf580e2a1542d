"""A database that people may ask, and the set of all of them."""

import re
from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, Set, ValuesView
from dataclasses import dataclass, field, replace
from typing import Annotated

from annotated_types import MinLen
from pydantic import AllowInfNan, PositiveFloat, PositiveInt

from router.errors import NotFound
from router.memory.thread import ThreadKey
from router.sql.dialect import Dialect

# Patterns of schemas and tables that a connection lets people read.


def matches(pattern: str, name: str) -> bool:
    """Return whether a name fits a pattern in which "*" stands for any text; upper and lower case are the same."""
    expression = ".*".join(re.escape(part) for part in pattern.split("*"))
    return re.fullmatch(expression, name, re.IGNORECASE | re.DOTALL) is not None


def allows_table(patterns: Iterable[str], schema: str, table: str) -> bool:
    """Return whether a pattern fits: with a dot "schema.table", without one the table alone; no patterns allow all."""
    patterns = tuple(patterns)
    return not patterns or any(matches(p, f"{schema}.{table}" if "." in p else table) for p in patterns)


def names_column(patterns: Iterable[str], schema: str, table: str, column: str) -> bool:
    """Return whether a pattern fits: "schema.table.column", "table.column", or without a dot the column alone."""
    parts = (schema, table, column)
    return any(matches(pattern, ".".join(parts[-min(pattern.count("."), 2) - 1 :])) for pattern in patterns)


# Lists of people as connections.toml writes them: e-mail addresses, ids, groups and everybody.


EVERYBODY = "*"


class WrongPerson(ValueError):
    """An entry that names nobody, and what to write instead."""


def expand_people(entries: Iterable[str], groups: Mapping[str, Set[str]]) -> frozenset[str]:
    """Return ids, e-mail addresses in lower case and "*", with "@group" replaced by its people; raises WrongPerson."""
    people: set[str] = set()
    for entry in (entry.strip() for entry in entries):
        if entry.startswith("@"):
            if entry[1:] not in groups:
                raise WrongPerson(f'"{entry}" is no group; add it under [groups], or correct its name.')
            people |= groups[entry[1:]]
        else:
            people.add(_person(entry))
    return frozenset(people)


def _person(entry: str) -> str:
    if entry == EVERYBODY:
        return entry
    platform, colon, id = entry.partition(":")
    if colon and platform and id:
        return entry
    name, at, host = entry.partition("@")
    if at and name and host:
        return entry.casefold()
    raise WrongPerson(f'"{entry}" is nobody; write an e-mail address, an id such as "slack:U123", "@group" or "*".')


# Channels: where the bot answers, and where results are for the asker alone.


@dataclass(frozen=True, slots=True)
class Channels:
    """Channels by platform and id, such as "slack:C0123ABCD", or "*" for all.

    `allowed` is None if the file does not say: then the bot answers wherever it was invited.
    """

    allowed: frozenset[str] | None = None
    private: frozenset[str] = frozenset()

    def allows(self, key: ThreadKey) -> bool:
        """Return whether the bot answers in the channel of this thread."""
        return self.allowed is None or _is_listed(key, self.allowed)

    def keeps_private(self, key: ThreadKey) -> bool:
        """Return whether results in the channel of this thread are for the asker alone."""
        return _is_listed(key, self.private)


def _is_listed(key: ThreadKey, names: frozenset[str]) -> bool:
    return EVERYBODY in names or f"{key.platform}:{key.channel}" in names


@dataclass(frozen=True, slots=True)
class Connection:
    """One database with its limits and rights; the two URLs are resolved, hold secrets and are never shown or logged.

    The types say what connections.toml may hold.

    `schemas` and `tables` are patterns; empty means the default schema and every table.
    `write_schemas` are patterns too: of the readable schemas, only these are written to; empty means all of them.
    `timeout` is in seconds. `readers`, `approvers`, `writers` and `teachers` hold e-mail addresses in lower case, ids
    such as "slack:U123", or "*" for everybody; None if the file does not say (see `router.policy` for what holds
    then).
    """

    name: str
    id: PositiveInt
    label: Annotated[str, MinLen(1)]
    dialect: Dialect
    url: str = field(repr=False)
    write_url: str | None = field(default=None, repr=False)
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    write_schemas: tuple[str, ...] = ()
    samples: bool = True
    """True if a model may see values."""
    values: bool | None = None
    """True if the bot remembers values, to find what a question names; None: if a model may see them."""
    values_hidden: tuple[str, ...] = ()
    """Patterns of columns whose values the bot never collects, for models or to find them in questions.

    "table.column", or a column of any table. A query may read them all the same.
    """
    columns_hidden: tuple[str, ...] = ()
    """Patterns of columns that nobody reads: they are not in the schema, and no query may name them."""
    keys: tuple[str, ...] = ()
    """Foreign keys that a person confirms, as "orders.customer = customers.id", or denies, as "orders.no != …"."""
    descriptions: tuple[tuple[str, str], ...] = ()
    """Descriptions by "table" or "table.column", if the database itself has none."""
    max_rows: PositiveInt = 10_000
    max_result_mb: PositiveInt = 50
    """MB that one answer may take on the bot's disk."""
    max_compared_rows: PositiveInt = 1_000_000
    """Of the rows of a comparison, so many are kept."""
    timeout: Annotated[PositiveFloat, AllowInfNan(False)] = 60.0
    readers: frozenset[str] | None = None
    approvers: frozenset[str] | None = None
    writers: frozenset[str] | None = None
    teachers: frozenset[str] | None = None
    """People who may change the glossary and keep answers as examples. None: nobody does from a chat."""
    guests: bool = False
    """True if guests of the workspace or tenant have the rights that the lists above give them; else they have none."""
    private: bool = False
    """True if results are for the asker alone, also if others read the thread."""
    examples: tuple[str, ...] = ()
    """Questions that people may begin with."""
    sensitivity: str = ""
    """The label of rows and SQL of this database, such as "Confidential"; empty: none."""
    away: str = ""
    """The reason why its URL cannot be used, for administrators; empty if it can."""

    @property
    def max_result_bytes(self) -> int:
        """Bytes that one answer may take on the bot's disk."""
        return self.max_result_mb * 1_000_000

    @property
    def knows_values(self) -> bool:
        """True if values are remembered in this process, to find what a question names."""
        return self.samples if self.values is None else self.values

    @property
    def way(self) -> "Connection":
        """The connection without its people and words: two that are equal in this read the same in the same way."""
        return replace(
            self,
            label=self.name,
            write_url=None,
            write_schemas=(),
            readers=None,
            approvers=None,
            writers=None,
            teachers=None,
            guests=False,
            private=False,
            examples=(),
            sensitivity="",
        )


@dataclass(frozen=True, slots=True)
class ConnectionsSnapshot:
    """All connections at one moment, by their names in lower case."""

    by_name: Mapping[str, Connection]
    channels: Channels
    default: Connection | None


class Connections(Mapping[str, Connection]):
    """The connections by name, compared without case, in the file's order; `default` holds until another is picked.

    `notice` stands on every card, as when all data is invented.
    """

    def __init__(
        self,
        connections: Iterable[Connection],
        default: str = "",
        channels: Channels = Channels(),
        notice: str = "",
    ) -> None:
        self.notice = notice
        by_name = {connection.name.casefold(): connection for connection in connections}
        self._held = ConnectionsSnapshot(by_name, channels, by_name.get(default.casefold()))
        self._listeners: list[Callable[[], None]] = []

    @property
    def channels(self) -> Channels:
        """The channels where the bot answers."""
        return self._now().channels

    @property
    def default(self) -> Connection | None:
        """The connection that holds until another is picked."""
        return self._now().default

    def __getitem__(self, name: str) -> Connection:
        return self._now().by_name[name.casefold()]

    def __iter__(self) -> Iterator[str]:
        return (connection.name for connection in self._now().by_name.values())

    def __len__(self) -> int:
        return len(self._now().by_name)

    # Of one moment: what is inherited looks again for each name, which may be gone by then.
    def values(self) -> ValuesView[Connection]:
        """Return all connections."""
        return self._now().by_name.values()

    def items(self) -> ItemsView[str, Connection]:
        """Return all connections with their names."""
        return {connection.name: connection for connection in self.values()}.items()

    def renew(self, other: "Connections") -> None:
        """Take over everything from another set, in one step for all readers."""
        self._held = other._held
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have something done whenever the connections are others than before."""
        self._listeners.append(listener)

    def by_id(self, id: int) -> Connection:
        """Return the connection of this number; raises NotFound if there is none."""
        for connection in self.values():
            if connection.id == id:
                return connection
        raise no_connection(id)

    def require(self, name: str) -> Connection:
        """Return the connection of this name; raises NotFound if there is none, as after a change of the file."""
        try:
            return self[name]
        except KeyError:
            raise no_connection(name) from None

    def _now(self) -> ConnectionsSnapshot:
        return self._held


def no_connection(name: str | int) -> NotFound:
    """Return the same error for an unknown connection and for a forbidden one, so that neither can be told apart."""
    called = f"number {name}" if isinstance(name, int) else f'"{name}"'
    return NotFound(
        f"There is no connection {called} that you may use (any more). Nothing was done. Choose another one, or ask "
        "your administrator to add you."
    )
