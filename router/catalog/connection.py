"""A database that people may ask, and the set of all of them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from router.catalog.channels import Channels
from router.errors import JobFailed
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

    @property
    def knows_values(self) -> bool:
        """Whether values are remembered in this process, to find what a question names."""
        return self.samples if self.values is None else self.values


class Connections(Mapping[str, Connection]):
    """The connections by name, compared without case, in the file's order; `default` holds until another is picked."""

    def __init__(
        self,
        connections: Iterable[Connection],
        default: str = "",
        channels: Channels = Channels(),  # noqa: B008
    ) -> None:
        self._by_name = {connection.name.casefold(): connection for connection in connections}
        self.channels = channels
        self.default: Connection | None = self._by_name.get(default.casefold())

    def __getitem__(self, name: str) -> Connection:
        return self._by_name[name.casefold()]

    def __iter__(self) -> Iterator[str]:
        return (connection.name for connection in self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def renew(self, other: "Connections") -> None:
        """Take over everything from another set, at once for whoever looks now."""
        self._by_name, self.channels, self.default = other._by_name, other.channels, other.default

    def by_id(self, id: int) -> Connection:
        """Return the connection of this number; raises JobFailed where there is none."""
        for connection in self.values():
            if connection.id == id:
                return connection
        raise JobFailed(f"There is no connection number {id} (any more). Choose another one.")

    def demand(self, name: str) -> Connection:
        """Return the connection of this name; raises JobFailed where there is none, as after a change of the file."""
        try:
            return self[name]
        except KeyError:
            raise JobFailed(f'There is no connection "{name}" (any more). Choose another one.') from None
