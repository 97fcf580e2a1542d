"""The kinds of database that the bot knows: one file each, `dialects/<name>.toml`, which says all that differs.

A new kind is one more such file, besides its driver; an optional `databases/rights/<backend>.sql` lets the doctor look
at what its reading user could do.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Literal

Name = str
"""sqlglot's name of a kind of database, which is the project's too."""

Words = frozenset[str]

EVERY_DIALECT: Mapping[str, Mapping[str, Any]] = tomllib.loads(
    (files("router.sql") / "every_dialect.toml").read_text(encoding="utf-8")
)
"""Settings that are the same in every database that has them."""


@dataclass(frozen=True, slots=True)
class ServerDialect:
    """The statements and arguments by which one kind of server is read through its DBAPI driver.

    `{ms}` is the time-out in milliseconds, `{name}` a quoted schema, `{text}` the statement as it stands within quotes,
    `{id}` the number of the session to stop. `begin` comes before each statement; a ROLLBACK ends it. `check` is the
    dry run, "" if the cursor has `parse`. `kill` stops a statement from a second connection, "" if the driver has
    `cancel` (or nothing).
    """

    label: str
    driver: str
    quote: str
    ping: str
    begin: tuple[str, ...]
    schema: str = ""
    check: str = ""
    connect: Mapping[str, object] = field(default_factory=dict)
    settings: tuple[str, ...] = ()
    """Sent on each new connection that reads or writes: what SQL and the texts of values mean, whatever the site has.

    The time zone stays the site's, since it says when a day begins.
    """
    execute: Mapping[str, object] = field(default_factory=dict)
    cursor: str = ""
    timeouts: int = 1
    """The time-outs that `begin` gives a statement: a server whose clock runs on while the reader looks at the rows
    gets several, and is told by `kill` when one is over."""
    whoami: str = ""
    """Asks for the number of the session and the version of the server."""
    kill: str = ""
    escape: str = ""
    """A character that is doubled in a text, as a quote is."""
    wait_argument: str = ""
    """The connection argument for the driver's own time-out, in seconds."""
    errors: Mapping[str, str] = field(default_factory=dict)
    """The meaning of the numbers of errors of the server and its driver."""
    statement_errors: str = ""
    """A pattern of the numbers of errors about the statement: its grammar, and names in it."""
    kin: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Differences of servers that take the same driver, by a word in their version."""


@dataclass(frozen=True, eq=False, repr=False)
class Dialect:
    """One kind of database; there is one object of each kind."""

    name: Name
    label: str
    """Its name for people."""
    backends: tuple[str, ...]
    """Its names in SQLAlchemy's URLs."""
    driver: str
    folds: Literal["lower", "upper", "none"]
    """The case that a name without quotes is folded to; "none": names compare without case, but keep theirs."""
    reads: str = ""
    """The class that opens it to read, as `module:Class`."""
    install: str = ""
    is_file: bool = False
    """True if the database is a file on this computer; such ones know no users."""
    compares_freely: bool = False
    """True if a number is compared with a text; in others, such columns cannot be joined as they are."""
    calls_by_dot: bool = False
    """True if a name with a dot may call a function."""
    braces: bool = False
    nowhere: str = ""
    """A table of one row that everybody has."""
    unnamed_values: str = "column{1}"
    """The names of the columns of VALUES."""
    system_schemas: str = ""
    system_tables: str = ""
    """Patterns of the database's own schemas and tables, compared with lowered names from first letter to last."""
    string: str = "'(?:[^']|'')*+'"
    quoted_name: str = r'"(?:[^"]|"")++"'
    word: str = r"[^\W\d]\w*"
    signs: str = "(?!)"
    """Patterns of the pieces of its texts, besides what is common to all."""
    kept: tuple[str, ...] = ("'(?:[^']|'')*'",)
    """Patterns of its texts and quoted names, as people type them, besides names in double quotes and comments."""
    harmless_pairs: tuple[tuple[str, str], ...] = ()
    """Neighbours of which one would be forbidden alone."""
    spellings: str = ""
    """Words and signs that sqlglot writes otherwise: `typed written, …`."""
    formats: Mapping[str, int] = field(default_factory=dict)
    """Functions with a pattern that says how wide a value gets, and the pattern's place."""
    prefixes: Words = frozenset()
    """Letters that may stand directly before a string."""
    starts: Words = frozenset()
    """Words with which a query may begin besides SELECT, WITH and VALUES."""
    forbidden: Words = frozenset()
    """Words that, without quotes, begin another statement or ask who is connected."""
    calls_with_syntax: Words = frozenset()
    """Functions whose arguments have words of their own, as in TRIM(BOTH 'x' FROM name): sqlglot has to read them."""
    aliases_in: Words = frozenset()
    """Clauses in which a query's own aliases are names."""
    date_parts: Words = frozenset()
    """Functions whose first argument is a word, such as MONTH."""
    pseudo_columns: Words = frozenset()
    """Names without a qualifier that mean something in every query."""
    row_columns: Words = frozenset()
    """The hidden number that every row of a table has beside its columns; it may be a key that may not be read."""
    functions: Words = frozenset()
    """The functions that may run: whatever is not on the list is refused.

    The names are as the database calls them, because the guard compares them with the text that will run. To allow a
    function, put its name into the list, after making sure that it only computes: it reads no file, no network, no
    setting, no table by name, changes nothing and does not wait. What its list is called is for readers alone.
    """
    single_floats: Words = frozenset()
    """Its names for the type of floats of 4 bytes."""
    columns: Mapping[str, str] = field(default_factory=dict)
    """By the kind of a field, the type that a column of a new table gets; what is not there becomes a text."""
    held: Mapping[str, Words] = field(default_factory=dict)
    """Values beyond Python's types that columns hold, by the name of their type or else by their kind."""
    own_kinds: Mapping[str, str] = field(default_factory=dict)
    """The kinds of its types that are of another one elsewhere; a type of so many digits stands before any other."""
    default_decimal: tuple[int, int] = (0, 0)
    """The digits, and those behind the point, of a decimal whose type has none; 0 if it keeps all."""
    largest_decimal: tuple[str, int, int] = ("", 0, 0)
    """The type of decimals, with the most digits and the most behind the point that it takes."""
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Functions that may stand in FROM, with the columns of their rows.

    "" is one that is called as the function's alias, or as the function if it has none; without columns, those are
    the ones that the statement itself declares.
    """
    catalog: Mapping[str, str] = field(default_factory=dict)
    """For the reader of its tables: `rows` and `types` are queries of a schema's tables, the others the names of the
    driver's arguments for the seconds of a login and of an answer."""
    write: Mapping[str, Any] = field(default_factory=dict)
    """Settings of writing: see `router.sql.writing.dialects`."""
    server: ServerDialect | None = None
    """Set if it is read through its DBAPI driver by the statements there."""

    def reader(self) -> Any:
        """Return the class that opens it to read, with its driver."""
        module, _, name = self.reads.partition(":")
        return getattr(import_module(module), name)


def _read(text: str) -> Dialect:
    """Return the kind of database that the text of a file describes."""
    said = tomllib.loads(text)
    words: dict[str, Any] = {key: frozenset(value.split()) for key, value in said.pop("words", {}).items()}
    words["forbidden"] = words.get("forbidden", frozenset()) | frozenset(EVERY_DIALECT["words"]["forbidden"].split())
    lists = (*said.pop("functions", {}).values(), *EVERY_DIALECT["functions"].values())
    words["functions"] = frozenset(" ".join(lists).split())
    held = {name: frozenset(what.split()) for names, what in said.pop("held", {}).items() for name in names.split()}
    server = said.pop("server", None)
    return Dialect(**_frozen(said), **words, held=held, server=_server(server) if server else None)


def _server(said: dict[str, Any]) -> ServerDialect:
    errors = {number: meaning for meaning, numbers in said.pop("errors", {}).items() for number in numbers.split()}
    return ServerDialect(**_frozen(said), errors=errors)


def _frozen(value: Any) -> Any:
    """Return a value of a file with its lists as tuples."""
    if isinstance(value, dict):
        return {key: _frozen(each) for key, each in value.items()}
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def dialects_in(folder: Traversable) -> dict[Name, Dialect]:
    """Return the kinds of database whose files are in a folder, by their names."""
    described = [file.read_text(encoding="utf-8") for file in folder.iterdir() if file.name.endswith(".toml")]
    return {dialect.name: dialect for dialect in sorted(map(_read, described), key=lambda dialect: dialect.name)}


DIALECTS = dialects_in(files("router.sql") / "dialects")

UNKNOWN_DIALECT = Dialect("sqlite", "a database that is away", (), "", "none")
"""Stands for the dialect of a connection whose URL cannot be read; nothing is ever asked of it."""


def known_backends() -> str:
    """Return the backends that the bot knows, as a list in a sentence has them."""
    return ", ".join(row.backends[0] for row in DIALECTS.values())


def by_backend(backend: str) -> Dialect | None:
    """Return the dialect of an SQLAlchemy URL's backend ("postgresql"), or None if the bot does not know it."""
    return next((d for d in DIALECTS.values() if backend in d.backends), None)
