"""SQLite in the child: a file opened read-only, and an authorizer inside the engine."""

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from router.sql.readers.batches import Batches
from router.sql.readers.wire import ReaderRefusal
from router.sql.scope import Scope, mentions

# The schema of an SQLite file, through its own pragmas: exact types, and one query for all columns.

TABLES_SQL = """SELECT name, type, wr FROM pragma_table_list
    WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"""
COLUMNS_SQL = 'SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid'
FOREIGN_KEYS_SQL = 'SELECT id, "table", "from", "to" FROM pragma_foreign_key_list(?) ORDER BY id DESC, seq'

VIEWS = "SELECT name, sql FROM sqlite_master WHERE type = 'view'"

Described = tuple[list[tuple[str, str, int, int]] | None, list[tuple[int, str, str, str | None]], int | None]
"""A table's columns (name, type, not null, place in the primary key), keys, and rows; None for what is not known."""


def described(file: sqlite3.Connection, names: Sequence[tuple[str, str, int]]) -> list[Described]:
    """Return what is known of each table; no columns for a view on a table that is gone."""
    analysed = _analysed_rows(file)
    (size,) = file.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
    found: list[Described] = []
    for name, kind, without_rowid in names:
        try:
            columns = file.execute(COLUMNS_SQL, (name,)).fetchall()
        except sqlite3.OperationalError:
            found.append((None, [], None))
            continue
        rows = None
        if kind == "table":
            rows = _estimated_rows(file, name, bool(without_rowid), analysed.get(name), size // ROW_MIN_BYTES)
        found.append((columns, file.execute(FOREIGN_KEYS_SQL, (name,)).fetchall(), rows))
    return found


def _analysed_rows(file: sqlite3.Connection) -> dict[str, int]:
    """Return the rows that ANALYZE counted, if it was run."""
    try:
        rows = file.execute("SELECT tbl, max(CAST(stat AS INTEGER)) FROM sqlite_stat1 GROUP BY tbl").fetchall()
    except sqlite3.OperationalError:
        return {}
    return {table: rows for table, rows in rows if rows is not None}


COUNTED_ROWS_MAX = 1000
"""Fewer rows than these are counted; to count more would read the whole table."""

ROW_MIN_BYTES = 6
"""A row takes as much of a file at least, so that a file tells how many rows it cannot have."""


def _estimated_rows(
    file: sqlite3.Connection, table: str, without_rowid: bool, analysed: int | None, most: int
) -> int | None:
    """Return about how many rows a table has, at most `most`; None if nothing tells that."""
    name = table.replace('"', '""')
    number = "0" if without_rowid else "_rowid_"
    first = f'SELECT {number} AS n FROM "{name}"{"" if without_rowid else " ORDER BY n"} LIMIT {COUNTED_ROWS_MAX}'
    try:
        counted, lowest, last = file.execute(f"SELECT count(*), min(n), max(n) FROM ({first})").fetchone()
        if counted < COUNTED_ROWS_MAX:
            return int(counted)
        if analysed is not None and counted <= analysed <= most:
            return analysed
        if without_rowid or not isinstance(last, int) or last - lowest > 2 * COUNTED_ROWS_MAX:
            return None  # numbers with large holes, such as those of a time or a machine, count nothing
        (highest,) = file.execute(f'SELECT max(_rowid_) FROM "{name}"').fetchone()
    except sqlite3.OperationalError:
        return None
    return int(highest - lowest + 1) if highest - lowest < most else None


VALUE_MAX_BYTES = 64 * 2**20
"""Bytes; keeps one value from filling the memory."""

HEAP_MAX_BYTES = 200 * 2**20
"""Of all that SQLite holds at a time."""

EFFECTIVE = os.access in os.supports_effective_ids

NO_ROWS = "This session only reads tables: a statement that returns no rows was refused."


class SqliteReader:
    """At most one open SQLite file, and at most one statement on it."""

    errors = (sqlite3.Error, sqlite3.Warning, UnicodeError)
    memory_errors = (MemoryError,)
    threads = 1

    def __init__(self) -> None:
        self._connection: sqlite3.Connection | None = None
        self._cursor: sqlite3.Cursor | None = None
        self._rules: SqliteAuthorizer | None = None
        self._batches: Batches | None = None

    def open(self, path: str, scope: Scope | None) -> None:
        """Open the file, to read the tables and columns of `scope` only; everything for None."""
        self.close()
        self._connection = opened(Path(path))
        self._connection.execute(f"PRAGMA hard_heap_limit = {HEAP_MAX_BYTES}").close()
        self._rules = rules_for(self._connection, scope)
        self._connection.set_authorizer(self._rules)

    def check(self, sql: str) -> tuple[int | None, str]:
        """Compile `sql`; no rows are estimated, as SQLite's planner counts nothing."""
        program = self._start(f"EXPLAIN {sql}").fetchall()
        self._end()
        if not any(opcode == "ResultRow" for _, opcode, *_ in program):
            raise ReaderRefusal(NO_ROWS)
        return None, ""

    def stream(self, sql: str, cuts: bool = False) -> list[tuple[str, str]]:
        """Start `sql` and return its columns; all kinds are "text", as SQLite types values and not columns.

        See `Batches` for `cuts`.
        """
        cursor = self._start(sql)
        if cursor.description is None:
            self._end()
            raise ReaderRefusal(NO_ROWS)
        self._batches = Batches(lambda count: self._fetch(cursor, count), cuts=cuts)
        return [(column[0], "text") for column in cursor.description]

    def rows(self, most: int) -> tuple[list[bytes], bool]:
        """Return packed lists of the next rows, and whether more may follow."""
        assert self._batches is not None
        return self._batches.next(most)

    def tables(self) -> list[tuple[Any, ...]]:
        """Return the tables: name, type (table, view, virtual or shadow), whether it has no row numbers."""
        with self._past_the_scope() as file:
            return file.execute(TABLES_SQL).fetchall()

    def describe(self, names: Sequence[tuple[str, str, int]]) -> list[Any]:
        """Return what the file says about these tables, in their order."""
        with self._past_the_scope() as file:
            return described(file, names)

    def views(self) -> list[tuple[str, str]]:
        """Return the views, each with its text."""
        with self._past_the_scope() as file:
            return file.execute(VIEWS).fetchall()

    @contextmanager
    def _past_the_scope(self) -> Iterator[sqlite3.Connection]:
        """Lend the file without the rules of the scope, for what the bot itself asks."""
        assert self._connection is not None
        self._connection.set_authorizer(None)
        try:
            yield self._connection
        finally:
            self._connection.set_authorizer(self._rules)

    def close(self) -> None:
        """Close the file."""
        self._end()
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _start(self, sql: str) -> sqlite3.Cursor:
        assert self._connection is not None
        assert self._rules is not None
        self._end()
        self._rules.begin(sql)
        try:
            self._cursor = self._connection.execute(sql)
        except sqlite3.Error:
            self._refuse()
            raise
        return self._cursor

    def _fetch(self, cursor: sqlite3.Cursor, count: int) -> list[tuple[Any, ...]]:
        try:
            return cursor.fetchmany(count)
        except sqlite3.Error:
            self._refuse()
            raise

    def _refuse(self) -> None:
        if self._rules and self._rules.refusal:
            raise ReaderRefusal(self._rules.refusal) from None

    def _end(self) -> None:
        self._batches = None
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None


def opened(path: Path) -> sqlite3.Connection:
    """Open a file that is only read."""
    try:
        return _connected(path, "mode=ro")
    except sqlite3.Error:
        # A database in WAL mode needs a file beside it, which a folder without write access refuses. Without a log
        # nobody is writing. A file is opened again for each session, so nothing is missed for long.
        if path.with_name(path.name + "-wal").exists() or os.access(path.parent, os.W_OK, effective_ids=EFFECTIVE):
            raise
        return _connected(path, "mode=ro&immutable=1")


def _connected(path: Path, how: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.as_uri()}?{how}",
        uri=True,
        timeout=5,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=0,
    )
    try:
        connection.text_factory = _text
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, VALUE_MAX_BYTES)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000)  # LIKE is not interrupted
        connection.execute("PRAGMA query_only = ON")
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with suppress(sqlite3.OperationalError):  # sets up these two tables; absent if SQLite has no JSON
            connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]')").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _text(data: bytes) -> str:
    """Return a text, whatever was stored as one; bytes that are no UTF-8 stay apart, as half characters."""
    return data.decode("utf-8", "surrogateescape")


# The authorizer of a reading session: SQLite asks it what a statement may do while it compiles it.


FUNCTIONS = frozenset(
    (  # noqa: SIM905 — a list of words is read as words
        "-> ->> abs acos acosh asin asinh atan atan2 atanh avg bm25 ceil ceiling char coalesce concat concat_ws "
        "cos cosh count cume_dist current_date current_time current_timestamp date datetime degrees dense_rank exp "
        "first_value floor format glob group_concat hex highlight if ifnull iif instr json json_array "
        "json_array_length json_extract json_group_array json_group_object json_insert json_object json_patch "
        "json_pretty json_quote json_remove json_replace json_set json_type json_valid julianday lag last_value "
        "lead length like likelihood likely ln log log10 log2 lower ltrim match max median min mod nth_value ntile "
        "nullif octet_length percent_rank percentile percentile_cont percentile_disc pi pow power printf quote "
        "radians random rank replace round row_number rtrim sign sin sinh snippet soundex sqrt strftime string_agg "
        "substr substring sum tan tanh time timediff total trim trunc typeof unhex unicode unixepoch unlikely "
        "upper "
    ).split()
)
"""Functions that cannot reach a file, the connection or much memory; SQLite's others, and unknown ones, are refused."""

GENERATORS = frozenset({"json_each", "json_tree"})
"""Tables that are made of their own arguments."""

Refusal = str

QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
"""Texts, quoted names and comments, in which no word is a keyword."""


_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def folded(name: str) -> str:
    """Return a name as SQLite compares it: only ASCII letters lose their case."""
    return name.translate(_LOWER)


class SqliteAuthorizer:
    """The authorizer of one session.

    `tables` (and views) may be read. `behind` says which tables each view reads, one step down: those may be read
    through it. `views` are all views of the database, `known` is every name that stands for something in the engine.
    `shown` are the readable columns of the tables that have others, too, and `secret` are those.
    """

    def __init__(
        self,
        tables: Iterable[str],
        behind: dict[str, frozenset[str]],
        views: frozenset[str],
        known: frozenset[str],
        shown: Mapping[str, frozenset[str]],
        secret: Mapping[str, frozenset[str]],
    ) -> None:
        self._known = known
        self._tables = frozenset(folded(name) for name in tables) | GENERATORS
        self._behind, self._views, self._shown, self._secret = behind, views, shown, secret
        self._sql, self._joining = "", ""
        self._entered: set[str] = set()
        self.refusal: Refusal = ""

    def begin(self, sql: str) -> None:
        """Be ready to judge `sql`."""
        self._sql, self.refusal = sql, ""
        self._entered = set()
        self._joining = self._joined(sql)

    def __call__(self, action: int, first: str | None, second: str | None, _schema: str | None, via: str | None) -> int:
        """Answer the engine; the first refusal is kept as a sentence."""
        refusal = self._judge(action, first or "", second or "", via)
        self.refusal = self.refusal or refusal
        return sqlite3.SQLITE_DENY if refusal else sqlite3.SQLITE_OK

    def _judge(self, action: int, first: str, second: str, via: str | None) -> Refusal:
        if via is not None:
            self._entered.add(folded(via))
        if action in (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_RECURSIVE):
            return self._joining
        if action == sqlite3.SQLITE_READ:
            if self._readable(first, second, via):
                return ""
            if folded(first) in self._tables:
                return f"The column {second} of {first} may not be read here."
            return f"The table {first} may not be read here."
        if action == sqlite3.SQLITE_FUNCTION:
            return "" if folded(second) in FUNCTIONS else f"The function {second} may not be used here."
        if action == sqlite3.SQLITE_PRAGMA and (first, second) == ("data_version", ""):
            return ""  # the full-text index asks this of itself
        return "This session only reads tables: the statement was refused."

    def _readable(self, table: str, column: str, via: str | None) -> bool:
        name = folded(table)
        if (name in self._tables and self._shows(name, column)) or (not column and self._is_own(name)):
            return True
        if mentions(self._sql, table):
            return False
        if via is None and not column:  # a table of which only the rows count: the engine does not say on whose behalf
            through = self._entered
            if any(view in self._views and not self._lends(view) for view in through):
                return False
        else:
            through = {folded(via)} if via else set()
        return any(name in self._behind.get(view, ()) and self._lends(view) for view in through)

    def _joined(self, sql: str) -> Refusal:
        """Return why tables may not be joined by the names of columns, "" if they may or are not."""
        words = {word.lower() for word in re.findall(r"\w+", QUOTED.sub(" ", sql))}
        if not words & {"natural", "using"}:
            return ""
        for table in sorted(self._known - self._tables - GENERATORS):
            if mentions(sql, table):
                return f"The table {table} may not be read here."
        for table, columns in self._secret.items():
            if mentions(sql, table) and ("natural" in words or any(mentions(sql, column) for column in columns)):
                return f"The columns by which {table} is joined may not be read here: say which ones, with ON."
        return ""

    def _shows(self, table: str, column: str) -> bool:
        return not column or table not in self._shown or folded(column) in self._shown[table]

    def _is_own(self, name: str) -> bool:
        """Return whether a name can only be that of a WITH query: the engine asks for recursive ones as for tables."""
        return name not in self._known and not name.startswith(("sqlite_", "pragma_"))

    def _lends(self, view: str) -> bool:
        """Return whether a view is of the scope, or used by one that is."""
        return view in self._tables or not mentions(self._sql, view)


class Record:
    """An authorizer that allows everything and notes the tables that each view reads; `looked_at` is being compiled."""

    def __init__(self) -> None:
        self.behind: dict[str, set[str]] = {}
        self.looked_at = ""

    def __call__(
        self, action: int, first: str | None, _second: str | None, _schema: str | None, via: str | None
    ) -> int:
        """Note one read."""
        if action == sqlite3.SQLITE_READ:
            self.behind.setdefault(folded(via or self.looked_at), set()).add(folded(first or ""))
        return sqlite3.SQLITE_OK


def rules_for(connection: sqlite3.Connection, scope: Scope | None) -> SqliteAuthorizer:
    """Return the authorizer for the tables and columns of `scope` (all for None), as the database defines them now."""
    rows = connection.execute("SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    names = {folded(name): (name, kind, str(sql)) for name, kind, sql in rows if not name.lower().startswith("sqlite_")}
    chosen = {folded(name) for _, name in scope.tables} & set(names) if scope else set(names)
    record = Record()
    for key in sorted(chosen):
        name, kind, sql = names[key]
        virtual = re.match(r"\s*create\s+virtual\s", sql, re.IGNORECASE)
        if virtual:  # it keeps its own data in tables that carry its name
            chosen |= {other for other in names if other.startswith(key + "_")}
        if virtual or kind == "view":
            _look(connection, name, record)
    behind = {view: frozenset(tables - {view}) for view, tables in record.behind.items()}
    modules = {folded(module) for (module,) in connection.execute("PRAGMA module_list")}
    views = frozenset(key for key, (_, kind, _) in names.items() if kind == "view")
    shown: dict[str, frozenset[str]] = {}
    secret: dict[str, frozenset[str]] = {}
    bounds = scope or Scope.of("", ())
    for place, hidden in bounds.hidden.items():
        table = folded(place[1])
        columns = _columns(connection, table)
        known = bounds.columns.get(place)
        listed = columns if known is None else known
        shown[table] = frozenset(map(folded, listed)) - frozenset(map(folded, hidden))
        secret[table] = columns - shown[table]
    return SqliteAuthorizer(chosen, behind, views, frozenset(names) | modules, shown, secret)


def _columns(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    return frozenset(folded(name) for (name,) in connection.execute("SELECT name FROM pragma_table_xinfo(?)", (table,)))


def _look(connection: sqlite3.Connection, name: str, record: Record) -> None:
    """Compile a query of everything in `name`, so that `record` sees it and virtual tables are set up."""
    quoted = name.replace('"', '""')
    record.looked_at = name
    connection.set_authorizer(record)
    try:
        connection.execute(f'EXPLAIN SELECT * FROM "{quoted}"').close()
    except sqlite3.Error:
        pass  # a view on a table that is gone: reading it will say so
    finally:
        connection.set_authorizer(None)
