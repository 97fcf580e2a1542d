"""Resolves what a query reads from: tables, WITH queries, subqueries, functions, joins, pivots; what `*` stands for."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import replace

from sqlglot import exp

from router.sql import step_limit
from router.sql.dialect import DIALECTS, Name
from router.sql.names import (
    Columns,
    Level,
    NamedSource,
    Unresolved,
    all_of,
    ascii_lower,
    is_named,
    is_nowhere,
    is_system,
    known_key,
    name_key,
    names_of,
    star_of,
    unknown_column,
)
from router.sql.scope import Scope

_LISTING = frozenset({"expressions", "from_"})
"""The parts of a query that only lists columns."""
_AROUND = ("alias", "joins", "pivots")
"""The parts of a table in FROM that stay outside if a query takes its place."""
_DECLARING = (exp.TableAlias, exp.JSONSchema, exp.OpenJSONColumnDef, exp.Identifier)
"""Parts of a function in FROM that make names."""

_FUNCTION_NAMES: Mapping[type[exp.Expr], str] = {
    exp.JSONTable: "json_table",
    exp.OpenJSON: "openjson",
}
"""Functions that sqlglot calls otherwise than the databases."""


class FromClause(ABC):
    """Adds the items of a FROM to a level, one after another; `query` and `visit` resolve what stands in them."""

    def __init__(self, dialect: Name, scope: Scope | None) -> None:
        self.dialect, self.scope = dialect, scope
        tables: Iterable[tuple[str, str]] = scope.tables if scope else ()
        self.tables = {(known_key(s, dialect), known_key(t, dialect)): (s, t) for s, t in tables}
        self.seen: set[int] = set()
        """Tables and columns of the tree, by `id`, that were resolved."""
        self._uncovered: list[tuple[exp.Table, Columns]] = []
        """Tables that are read with their hidden columns, as the tree is now, and the columns that may be read."""
        self._steps = 0

    def look_at_the_clock(self) -> None:
        """Raise StepLimitExceeded, now and then, if the time of the judgement is over."""
        self._steps += 1
        if self._steps % 64 == 0:
            step_limit.require_time()

    @abstractmethod
    def query(self, node: exp.Expr, outer: Level) -> NamedSource:
        """Resolve a query and return the columns of its rows."""

    @abstractmethod
    def visit(self, root: exp.Expr, level: Level) -> None:
        """Resolve all names below a node."""

    def joins(self, joins: Iterable[exp.Expr], level: Level) -> None:
        """Add what is joined; a comma begins again what an ON sees."""
        begin = 0
        for join in joins:
            step_limit.require_time()
            applied = isinstance(join.this, exp.Lateral) and join.this.args.get("cross_apply") is not None
            if not applied and not any(join.args.get(part) for part in ("kind", "side", "method", "on", "using")):
                begin = len(level.sources)
            left = len(level.sources)
            self.add(join.this, level, level)
            new = level.sources[left:]
            for name in join.args.get("using") or ():
                for side in (level.sources[begin:left], new):
                    if isinstance(name, exp.Identifier) and not any(self.has(each, self.key(name)) for each in side):
                        raise unknown_column(name.name, all_of(level))
            if on := join.args.get("on"):
                if level.later is not None:
                    level.later.append(on)
                else:
                    self.visit(on, replace(level, sources=level.sources[begin:], apart=level.sources[:begin]))

    def add(self, node: exp.Expr, level: Level, lateral: Level) -> None:
        """Add one item of FROM, with all that is joined to it in parentheses."""
        alias = node.args.get("alias")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            sources = [self._table(node, level)]
        elif isinstance(node, exp.Subquery) and isinstance(node.this, (exp.Table, exp.Subquery, exp.Values)):
            inner = Level(level.outer, ctes=level.ctes)
            self.add(node.this, inner, lateral)
            self.joins(node.args.get("joins") or (), inner)
            sources = inner.sources
            if alias:
                sources = [self._joined(sources)]
        elif isinstance(node, (exp.Subquery, exp.Select, exp.SetOperation)):
            around = level.seeing(lateral) if self.dialect == "duckdb" else Level(level.outer, ctes=level.ctes)
            sources = [self.query(node, around)]
        elif isinstance(node, exp.Values):
            sources = [self.values(node, level.seeing(lateral))]
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            sources = [self.query(node.this, level.seeing(lateral))]
        else:
            sources = [self._function(node, level.seeing(lateral))]
        for pivot in node.args.get("pivots") or ():
            sources = [self.pivoted(pivot, sources, level)]
            alias = pivot.args.get("alias") or alias
        if isinstance(alias, exp.TableAlias):
            sources = [self.aliased(source, alias) for source in sources]
        level.sources.extend(sources)
        if not isinstance(node.this, (exp.Table, exp.Subquery, exp.Values)):  # those have joined theirs
            self.joins(node.args.get("joins") or (), level)

    def _table(self, node: exp.Table, level: Level) -> NamedSource:
        """Return a WITH query or a table of the scope; raises Unresolved if it may not be read."""
        name, schema = node.this, node.args.get("db")
        if node.args.get("catalog"):
            raise Unresolved(
                f"The table {_label(node)} is named with a database in front; "
                "only this connection's tables may be read."
            )
        if not (schema is None or isinstance(schema, exp.Identifier)):
            raise Unresolved(f"What is read from must be a table, and {node.sql(self.dialect)[:60]} is none.")
        self.seen.add(id(node))
        if isinstance(index := node.args.get("indexed"), exp.Expr):  # SQLite's hint names an index, which is no table
            self.seen.update(map(id, index.find_all(exp.Table, exp.Column)))
        if schema is None:
            wanted = self.cte_key(name)
            if made := next((here.ctes[wanted] for here in level.chain() if wanted in here.ctes), None):
                return NamedSource(made.columns, made.open, name, self.key(name))
            if is_nowhere(name.name, self.dialect):
                return NamedSource({"DUMMY": exp.to_identifier("DUMMY")}, False, name, self.key(name))
        default = self.scope.default if self.scope else ""
        key = (self.key(schema) if schema else known_key(default, self.dialect), self.key(name))
        if is_system(schema.name if schema else "", name.name, self.dialect):
            if key not in self.tables:
                raise Unresolved(f"The table {_label(node)} belongs to the database itself, so it may not be read.")
            if schema is None:  # a bare name could mean the database's own table, or a file
                node.set("db", exp.to_identifier(self.tables[key][0], quoted=True))
        return self._of_scope(node, key)

    def _of_scope(self, node: exp.Table, key: tuple[str, str]) -> NamedSource:
        """Return a table of the scope, spelled in the statement as its server needs it."""
        name = node.this
        if self.scope is None:
            return NamedSource({}, True, name, key[1], key[0], table=True)
        if key not in self.tables:
            label = ".".join(part for part in key if part)[:120]
            raise Unresolved(
                f"The table {label} is not among those that this connection may read.{self._spelling(key)}"
            )
        if self.dialect == "tsql" and not node.args.get("db"):
            node.set("db", exp.to_identifier(self.scope.default, quoted=True))
        known = self.tables[key]
        if self.dialect == "mysql" and name.name != known[1]:  # a server on Linux tells Orders from orders
            node.set("this", exp.to_identifier(known[1], quoted=True))
            if not node.args.get("alias"):
                node.set("alias", exp.TableAlias(this=name.copy()))
        names = self.scope.columns.get(known)
        columns = {known_key(each, self.dialect): exp.to_identifier(each, quoted=True) for each in names or ()}
        if not self.scope.hidden.get(known):
            return NamedSource(columns, names is None, name, key[1], key[0], table=True)
        if not self._is_projected(node, columns):
            self._uncovered.append((node, columns))
        return NamedSource(columns, False, name, key[1])

    def _is_projected(self, table: exp.Table, columns: Columns) -> bool:
        """Return whether a query around a table does nothing but list columns of it that may be read."""
        query = table.parent and table.parent.parent
        if not isinstance(query, exp.Select):
            return False
        listed = [each for each in query.expressions if isinstance(each, exp.Column) and len(each.parts) == 1]
        return (
            len(listed) == len(query.expressions)
            and all(isinstance(each.this, exp.Identifier) and self.key(each.this) in columns for each in listed)
            and {part for part, value in query.args.items() if value} <= _LISTING
            and not any(table.args.get(part) for part in _AROUND)
        )

    def cover_tables(self) -> None:
        """Read each table that has hidden columns through a query of the others."""
        for table, columns in self._uncovered:
            query = exp.Select(expressions=[exp.Column(this=name.copy()) for name in columns.values()])
            self.made_here(query)
            alias = table.args.get("alias") or exp.TableAlias(this=table.this.copy())
            cover = exp.Subquery(this=query, alias=alias)
            table.replace(cover)
            for part in _AROUND:
                value = table.args.pop(part, None)
                if value and part != "alias":
                    cover.set(part, value)
            query.set("from_", exp.From(this=table))

    def _function(self, node: exp.Expr, level: Level) -> NamedSource:
        """Return what a function gives that stands in FROM; raises Unresolved for one that is not on the list."""
        call = node.this if isinstance(node, (exp.Table, exp.Lateral)) else node
        self.seen.add(id(node))
        if not isinstance(call, exp.Func):
            raise Unresolved(f"What is read from must be a table, and {node.sql(self.dialect)[:60]} is none.")
        if isinstance(node, exp.Table) and node.args.get("db"):
            raise Unresolved(
                f"Functions of a schema, a package or an object may not run here (near {call.sql(self.dialect)[:60]})."
            )
        name = _function_name(call)
        outputs = DIALECTS[self.dialect].rows.get(name)
        if outputs is None:
            where = "stand in FROM" if name in DIALECTS[self.dialect].functions else "run"
            raise Unresolved(f"The function {name[:60]} is not on the list of functions that may {where}.")
        for argument in call.args.values():
            for item in argument if isinstance(argument, list) else (argument,):
                if isinstance(item, exp.Expr) and not isinstance(item, _DECLARING):
                    self.visit(item, level)
        alias = node.args.get("alias")
        own = alias.this if isinstance(alias, exp.TableAlias) else None
        names = [exp.to_identifier(each) if each else own or exp.to_identifier(name) for each in outputs]
        declared = [
            each.this
            for each in call.find_all(exp.JSONColumnDef, exp.OpenJSONColumnDef)
            if isinstance(each.this, exp.Identifier)
        ]
        names = declared or names
        if self.dialect == "postgres" and isinstance(call, exp.Unnest):
            names = self._unnested(node, call, own)
        offset = call.args.get("offset") or node.args.get("ordinality")
        if offset:
            names.append(offset if isinstance(offset, exp.Identifier) else exp.to_identifier("ordinality"))
        return NamedSource({self.key(each): each for each in names}, False, own, self.key(own) if own else name)

    def _unnested(self, node: exp.Expr, call: exp.Unnest, own: exp.Identifier | None) -> list[exp.Identifier]:
        """Return the columns of PostgreSQL's unnest, which for an array of rows are those of the rows.

        Then `alias.alias` would call a function: a list of one name makes it a column whatever the array holds.
        """
        unnest = exp.to_identifier("unnest")
        if len(call.expressions) > 1:
            return [unnest for _ in call.expressions]
        own = own or unnest
        alias = node.args.get("alias")
        if alias is None:
            node.set("alias", exp.TableAlias(this=own.copy(), columns=[own.copy()]))
        elif not alias.args.get("columns"):
            alias.set("columns", [own.copy()])
        return [own]

    def pivoted(self, pivot: exp.Expr, sources: list[NamedSource], level: Level) -> NamedSource:
        """Return what a PIVOT or UNPIVOT gives: the columns that it uses up are gone, others come."""
        inner = Level(level.outer, sources, ctes=level.ctes)
        unpivot, made = pivot.args.get("unpivot"), list(pivot.args.get("columns") or ())
        used: set[str] = set()
        for item in pivot.expressions:
            if unpivot:
                made += item.find_all(exp.Identifier)
            else:
                self.visit(item, inner)
                used |= {self.key(column.this) for column in item.find_all(exp.Column)}
        for item in pivot.args.get("fields") or ():
            if unpivot:
                made += item.this.find_all(exp.Identifier)
                for each in item.expressions:
                    for column in each.find_all(exp.Column):
                        self.visit(column, inner)
                        used.add(self.key(column.this))
            else:
                self.visit(item.this, inner)
                for each in item.expressions:
                    self.made_here(each)
                used |= {self.key(column.this) for column in item.this.find_all(exp.Column)}
                made += [each.args["alias"] for each in item.find_all(exp.PivotAlias) if is_named(each)]
        if group := pivot.args.get("group"):
            self.visit(group, inner)
        columns = {key: name for source in sources for key, name in source.columns.items() if key not in used}
        columns |= {self.key(name): name for name in made if isinstance(name, exp.Identifier)}
        open = any(source.open for source in sources) or not DIALECTS[self.dialect].calls_by_dot
        return NamedSource(columns, open, key=sources[0].key if sources else "")

    def _joined(self, sources: list[NamedSource]) -> NamedSource:
        """Return tables that are joined in parentheses as one, which gets an alias."""
        columns: Columns = {}
        for source in sources:
            columns.update((key, name) for key, name in source.columns.items() if key not in columns)
        return NamedSource(columns, any(source.open for source in sources))

    def aliased(self, source: NamedSource, alias: exp.TableAlias) -> NamedSource:
        own = alias.this if isinstance(alias.this, exp.Identifier) else None
        columns = self.renamed(source, names_of(alias)).columns
        return NamedSource(columns, source.open, own, self.key(own) if own else "", table=source.table)

    def renamed(self, source: NamedSource, names: list[exp.Identifier]) -> NamedSource:
        """Return the columns under new names, as far as there are some."""
        rest = list(source.columns.items())[0 if source.open else len(names) :]
        return NamedSource({**{self.key(name): name for name in names}, **dict(rest)}, source.open)

    def values(self, node: exp.Values, level: Level) -> NamedSource:
        for row in node.expressions:
            self.visit(row, level)
        first = node.expressions[0]
        width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
        pattern = DIALECTS[self.dialect].unnamed_values
        names = [exp.to_identifier(pattern.format(i, i + 1)) for i in range(width)]
        return NamedSource({self.key(name): name for name in names})

    # `*` in a list of what is selected: what it stands for.

    def starred(self, item: exp.Expr, level: Level) -> list[NamedSource]:
        """Return the sources that `*` or `q.*` stands for."""
        self.left_out(item)
        qualifier = item.args.get("table") if isinstance(item, exp.Column) else None
        if qualifier is None:
            return level.sources
        key, schema = self.key(qualifier), item.args.get("db")
        for here in level.chain():
            found = self.of_name(qualifier, here)
            if found and (schema is None or all(source.schema == self.key(schema) for source in found)):
                return found
            if any(source.key == key for source in here.apart):
                break
        if self.dialect == "duckdb":  # the fields of a struct
            self.visit(qualifier, level)
            return [NamedSource({}, open=True)]
        raise Unresolved(f"The name {qualifier.name[:60]}.* stands for no table of this query.")

    def left_out(self, item: exp.Expr) -> None:
        """Let the names after EXCLUDE and RENAME count as resolved: they read nothing."""
        star = star_of(item)
        self.seen.add(id(item))
        for part in ("except_", "rename"):
            for each in star.args.get(part) or ():
                self.made_here(each)

    def changed(self, item: exp.Expr, level: Level) -> None:
        """Resolve what stands in `* REPLACE (x + 1 AS x)`."""
        star = star_of(item)
        for each in star.args.get("replace") or ():
            self.visit(each, level)

    # Names

    def made_here(self, node: exp.Expr) -> None:
        """Let the columns in a part of the tree that makes or leaves out names count as resolved."""
        self.seen.update(map(id, node.find_all(exp.Column)))

    def has(self, source: NamedSource, key: str) -> bool:
        """Return whether a source has a column that may be read, or something like one."""
        if key in source.columns or source.open:
            return True
        return source.table and (
            key in DIALECTS[self.dialect].row_columns or (self.dialect == "sqlite" and key == source.key)
        )

    def of_name(self, name: exp.Identifier, here: Level) -> list[NamedSource]:
        """Return the sources that a name in front of a dot stands for, spelled as they are."""
        sources = [source for source in here.sources if source.key == self.key(name)]
        if self.dialect not in ("mysql", "tsql") or not sources:
            return sources
        # Whether these servers tell P from p depends on their settings: what was judged must be what is read.
        exact = [source for source in sources if source.alias is not None and source.alias.name == name.name]
        if not exact and len(sources) > 1:
            raise Unresolved(f"The name {name.name[:60]} stands for several tables of this query.")
        if not exact and sources[0].alias is not None:
            name.set("this", sources[0].alias.name)
        return exact or sources

    def _spelling(self, wanted: tuple[str, str]) -> str:
        """Return advice if only upper and lower case differ, because then quotes are missing."""
        for schema, name in sorted(self.tables.values()):
            if (ascii_lower(schema), ascii_lower(name)) == (ascii_lower(wanted[0]), ascii_lower(wanted[1])):
                return f' Its name has to be written as "{name}", with the quotes.'
        return ""

    def key(self, identifier: exp.Identifier) -> str:
        """Return what the database looks for when it meets this name."""
        return name_key(identifier, self.dialect)

    def cte_key(self, name: exp.Identifier) -> str:
        """Return what stands for the name of a WITH query."""
        # Whether MySQL and SQL Server tell A from a depends on the server: only the same spelling is surely the same.
        return name.name if self.dialect in ("mysql", "tsql") else name_key(name, self.dialect)


def _function_name(call: exp.Func) -> str:
    if isinstance(call, exp.Anonymous):
        return call.name.lower()
    return _FUNCTION_NAMES.get(type(call)) or call.sql_name().lower()


def _label(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)[:120]
