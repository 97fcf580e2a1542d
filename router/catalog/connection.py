"""A database that people may ask, and the set of all of them."""

from collections.abc import Callable, ItemsView, Iterable, Iterator, Mapping, ValuesView
from dataclasses import dataclass, field, replace

from router.catalog.channels import Channels
from router.errors import NotThere
from router.sql.dialect import Dialect


@dataclass(frozen=True, slots=True)
class Connection:
    """One database with its limits and rights; the two URLs are resolved, hold secrets and are never shown or logged.

    `schemas` and `tables` are patterns (see `router.catalog.allowed`); empty means the default schema and every table.
    `write_schemas` are patterns too: of the readable schemas, only these are written to; empty means all of them.
    `timeout` is in seconds. `readers`, `approvers`, `writers` and `teachers` hold e-mail addresses in lower case, ids
    such as "slack:U123", or "*" for everybody; None where the file does not say (see `router.policy` for what holds
    then).
    """

    name: str
    id: int
    label: str
    dialect: Dialect
    url: str = field(repr=False)
    write_url: str | None = field(default=None, repr=False)
    schemas: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    write_schemas: tuple[str, ...] = ()
    samples: bool = True
    """Whether a model may see values."""
    values: bool | None = None
    """Whether the bot remembers values, to find what a question names; None: where a model may see them."""
    values_hidden: tuple[str, ...] = ()
    """Patterns of columns whose values the bot never collects, for models or to find them in questions.

    "table.column", or a column of any table. A query may read them all the same.
    """
    columns_hidden: tuple[str, ...] = ()
    """Patterns of columns that nobody reads: they are not in the schema, and no query may name them."""
    max_rows: int = 10_000
    max_result_mb: int = 50
    """MB that one answer may take on the bot's disk."""
    max_compared_rows: int = 1_000_000
    """Of the rows of a comparison, so many are kept."""
    timeout: float = 60.0
    readers: frozenset[str] | None = None
    approvers: frozenset[str] | None = None
    writers: frozenset[str] | None = None
    teachers: frozenset[str] | None = None
    """Who may teach the bot: change the glossary, and keep answers as examples. None: nobody does from a chat."""
    private: bool = False
    """Whether results are for the asker alone, also where others read the thread."""
    examples: tuple[str, ...] = ()
    """Questions that people may begin with."""
    sensitivity: str = ""
    """How rows and SQL of this database are labelled, such as "Confidential"; empty: not at all."""
    away: str = ""
    """Why its URL cannot be used, for whoever runs the bot; empty where it can."""

    @property
    def max_result_bytes(self) -> int:
        """Bytes that one answer may take on the bot's disk."""
        return self.max_result_mb * 1_000_000

    @property
    def knows_values(self) -> bool:
        """Whether values are remembered in this process, to find what a question names."""
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
            private=False,
            examples=(),
            sensitivity="",
        )


@dataclass(frozen=True, slots=True)
class Held:
    """All connections at one moment, by their names in lower case."""

    by_name: Mapping[str, Connection]
    channels: Channels
    default: Connection | None


class Connections(Mapping[str, Connection]):
    """The connections by name, compared without case, in the file's order; `default` holds until another is picked."""

    def __init__(
        self,
        connections: Iterable[Connection],
        default: str = "",
        channels: Channels = Channels(),  # noqa: B008
    ) -> None:
        by_name = {connection.name.casefold(): connection for connection in connections}
        self._held = Held(by_name, channels, by_name.get(default.casefold()))
        self._listeners: list[Callable[[], None]] = []

    @property
    def channels(self) -> Channels:
        """Where the bot answers."""
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
        """Take over everything from another set, at once for whoever looks now."""
        self._held = other._held
        for listener in self._listeners:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Have something done whenever the connections are others than before."""
        self._listeners.append(listener)

    def by_id(self, id: int) -> Connection:
        """Return the connection of this number; raises NotThere where there is none."""
        for connection in self.values():
            if connection.id == id:
                return connection
        raise no_connection(id)

    def demand(self, name: str) -> Connection:
        """Return the connection of this name; raises NotThere where there is none, as after a change of the file."""
        try:
            return self[name]
        except KeyError:
            raise no_connection(name) from None

    def _now(self) -> Held:
        return self._held


def no_connection(name: str | int) -> NotThere:
    """Return what is said of a connection that is not there, and of one that the person may not use, word for word."""
    called = f"number {name}" if isinstance(name, int) else f'"{name}"'
    return NotThere(
        f"There is no connection {called} that you may use (any more). Nothing was done. Choose another one, or ask "
        "whoever runs this bot to add you."
    )
