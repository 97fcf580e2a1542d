"""The authorizer of a reading session: SQLite asks it what a statement may do while it compiles it.

SQLite tells the authorizer of each table a statement reads, with the innermost view on whose behalf it is read.
That last word cannot be trusted alone: a WITH may carry a view's name. But a table that only a view may read need
never be written in the statement, so one that is written there is refused. The hidden columns of a readable table are
held to the same rule: a view of the scope may read them, in a statement that does not name the table.

Of the columns that NATURAL and USING compare, SQLite tells nothing: there, what may not be read may not be written.
"""

import re
import sqlite3
from collections.abc import Iterable, Mapping

from router.sql.scope import Scope, mentions

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


def folded(name: str) -> str:
    """Return a name as SQLite compares it: only ASCII letters lose their case."""
    return name.translate({upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)})


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
        """Return why tables may not be joined by the names of columns, "" where they may or are not."""
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
        """Say whether a name can only be that of a WITH query: the engine asks for recursive ones as for tables."""
        return name not in self._known and not name.startswith(("sqlite_", "pragma_"))

    def _lends(self, view: str) -> bool:
        """Say whether a view is of the scope, or used by one that is."""
        return view in self._tables or not mentions(self._sql, view)


class Record:
    """An authorizer that allows everything and keeps which view reads which tables; `looked_at` is being compiled."""

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
