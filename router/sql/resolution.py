"""Every name of a statement is resolved, as the database itself would; a name that stands for nothing is refused.

Why: in PostgreSQL `(expr).name` and `alias.name` mean `name(expr)` where there is no such column, and in Oracle
`package.name` or a bare `name` calls a function. What looks like a column must therefore be one.

The rule. A query sees the sources of its own FROM, then those of the queries around it.

- A table is a WITH query that is visible at its place, or a table of the scope. Functions in FROM have a list of their
  own (`functions.rows`).
- `q.x` may stand where q is a source of the nearest query that has one of this name, and x a column of this very
  source: a table's column, or an output of that subquery, WITH query or table function.
- A bare `x` is a column of a source, an alias where the dialect allows one, a parameter of a lambda, a whole row, or a
  listed pseudo-column.
- Attribute notation over anything else is refused.

Some sources are open, which means that any column is believed: tables whose columns nobody looked up, and subqueries
with columns that the database names by itself, where no name can call a function (not in PostgreSQL and Oracle).

Columns that may not be read are in no source. Where a table has such columns, `*` is written out, and what would read
a row as a whole (`SELECT t`, NATURAL JOIN, a list of new names, rowid, COLUMNS) is refused. A bare name that the
database would find among them is refused, too, whatever else it could mean. Nobody is told that they exist.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, cast

from sqlglot import exp

from router.sql import folding, patience, system
from router.sql.dialect import Name
from router.sql.functions import ALLOWED
from router.sql.functions.rows import OUTPUTS
from router.sql.scope import Scope

_CALLING = ("postgres", "oracle")
"""Dialects in which a name with a dot may call a function."""

_PSEUDO: dict[Name, frozenset[str]] = {
    "sqlite": frozenset(),
    "duckdb": frozenset(),
    "postgres": frozenset(),
    "oracle": frozenset(
        {"ROWNUM", "LEVEL", "CONNECT_BY_ISLEAF", "CONNECT_BY_ISCYCLE", "DBTIMEZONE", "SESSIONTIMEZONE"}
    ),
    "mysql": frozenset(),
    "tsql": frozenset(),
}
"""Names without a qualifier that mean something in every query."""

_ROW_PSEUDO: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"rowid", "oid", "_rowid_", "rank", "docid"}),  # the last two: of a full-text index
    "duckdb": frozenset({"rowid"}),
    "postgres": frozenset({"ctid", "tableoid"}),
    "oracle": frozenset({"ROWID", "ORA_ROWSCN"}),
    "mysql": frozenset(),
    "tsql": frozenset(),
}
"""What every row of a table has beside its columns; it may be a key that may not be read."""

_ALIASES_IN: dict[Name, frozenset[str]] = {
    "sqlite": frozenset({"expressions", "where", "group", "having", "order", "windows"}),
    "duckdb": frozenset({"expressions", "where", "group", "having", "qualify", "order", "windows", "distinct"}),
    "postgres": frozenset({"group", "order", "distinct"}),
    "oracle": frozenset({"order"}),
    "mysql": frozenset({"group", "having", "order"}),
    "tsql": frozenset({"order"}),
}
"""Clauses in which a query's own aliases are names."""

_UNNAMED_VALUES: dict[Name, str] = {"duckdb": "col{0}", "mysql": "column_{0}", "postgres": "column{1}"}
_DECLARING = (exp.TableAlias, exp.JSONSchema, exp.OpenJSONColumnDef, exp.Identifier)
"""Parts of a function in FROM that make names."""

_DATE_PARTS: Mapping[Name, frozenset[str]] = {
    "mysql": frozenset({"timestampadd", "timestampdiff"}),
    "tsql": frozenset({"datename", "datepart", "dateadd", "datediff", "datetrunc"}),
}
"""Functions whose first argument is a word, such as MONTH."""
_FUNCTION_NAMES: Mapping[type[exp.Expr], str] = {
    exp.ExplodingGenerateSeries: "generate_series",
    exp.JSONTable: "json_table",
    exp.OpenJSON: "openjson",
}
"""Functions that sqlglot calls otherwise than the databases."""


class Unresolved(Exception):
    """A name stands for nothing that may be read; the message is the sentence for people."""


_Columns = dict[str, exp.Identifier]
"""By the key under which the database finds it, a column and how it is written."""
_Own = tuple[str, list[exp.Identifier]]
"""The key of a WITH query's name, and the names that it gives to its columns."""


@dataclass(slots=True)
class _Source:
    """One thing that is read from; `alias` is how it is named in front of a dot, None where nobody can name it."""

    alias: exp.Identifier | None
    key: str
    columns: _Columns
    open: bool = False
    schema: str = ""
    """Of a table without an alias: the key of its schema."""
    table: bool = False
    hidden: frozenset[str] = frozenset()
    """Keys without case of columns that may not be read."""
    merged: frozenset[str] = frozenset()
    """Keys of columns that stand in a source to the left already, by USING."""


@dataclass(slots=True)
class _Output:
    """The columns of a query's rows."""

    columns: _Columns
    open: bool = False


@dataclass(slots=True)
class _Level:
    """The names of one query: its sources, its aliases where they count, and the queries around it.

    `apart` are sources of the same FROM that are not seen at this place: a name that fits one is refused, because the
    database would look for it elsewhere.
    """

    outer: "_Level | None" = None
    sources: list[_Source] = field(default_factory=list)
    apart: list[_Source] = field(default_factory=list)
    ctes: Mapping[str, _Output] = field(default_factory=dict)
    aliases: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    """Parameters of lambdas."""

    def chain(self) -> Iterator["_Level"]:
        level: _Level | None = self
        while level is not None:
            yield level
            level = level.outer


def resolve(tree: exp.Expr, dialect: Name, scope: Scope | None) -> str:
    """Return the sentence for a name that may not stand in the statement, or "".

    The tree is changed where that is needed: `*` over a table with hidden columns is written out, and for SQL Server,
    whose sessions know no default schema but the login's own, bare tables get the scope's.
    """
    resolver = _Resolver(dialect, scope)
    try:
        resolver.query(tree, _Level())
    except Unresolved as error:
        return str(error)
    missed = next((node for node in tree.find_all(exp.Table, exp.Column) if id(node) not in resolver.seen), None)
    return f"The name {missed.sql(dialect)[:60]} stands where no name is understood." if missed else ""


class _Resolver:
    def __init__(self, dialect: Name, scope: Scope | None) -> None:
        self.dialect, self.scope = dialect, scope
        tables: Iterable[tuple[str, str]] = scope.tables if scope else ()
        self.tables = {(folding.known(s, dialect), folding.known(t, dialect)): (s, t) for s, t in tables}
        self.seen: set[int] = set()
        """Tables and columns of the tree, by `id`, that were resolved."""

    # Queries

    def query(self, node: exp.Expr, outer: _Level, own: _Own | None = None) -> _Output:
        """Resolve a query and return the columns of its rows; `outer` is what it sees of the queries around it.

        `own` is the name of a recursive query, which only a UNION can be; any other that names itself means a table.
        """
        patience.demand_time()
        if outer.aliases and self.dialect != "sqlite":  # a query inside does not see them
            outer = replace(outer, aliases=frozenset())
        level = _Level(outer, ctes=self._ctes(node.args.get("with_"), outer))
        if isinstance(node, exp.Select):
            return self._select(node, level)
        if isinstance(node, exp.SetOperation):
            output = self._set_operation(node, level, own)
        elif isinstance(node, exp.Subquery):
            output = self.query(node.this, level)
        elif isinstance(node, exp.Values):
            output = self._values(node, level)
        elif isinstance(node, exp.Pivot):
            output = self._pivot_statement(node, level)
        else:
            raise Unresolved(f"Only queries can be read from, and {node.sql(self.dialect)[:60]} is none.")
        late = replace(level, aliases=frozenset(output.columns))
        if output.open:
            late = replace(level, sources=[_Source(None, "", {}, open=True)])
        for part in ("order", "limit", "offset"):
            if clause := node.args.get(part):
                self.visit(clause, late)
        return output

    def _ctes(self, with_: exp.Expr | None, outer: _Level) -> dict[str, _Output]:
        """Resolve the WITH queries in their order, each seeing those before it, a recursive one itself."""
        found: dict[str, _Output] = {}
        if with_ is None:
            return found
        recursive = with_.args.get("recursive") or self.dialect in ("oracle", "tsql", "sqlite")
        for cte in with_.expressions:
            own = (self._cte_key(cte.args["alias"].this), _names(cte.args["alias"]))
            output = self.query(cte.this, _Level(outer, ctes=found), own if recursive else None)
            found = {**found, own[0]: self._renamed(output, own[1])}
        if found and (search := with_.args.get("search")):  # SEARCH and CYCLE give columns to the last one
            last = next(reversed(found))
            made = [each for each in (search.args.get("expression"), search.args.get("using")) if each]
            found[last] = _Output({**found[last].columns, **{self._key(each): each for each in made}}, found[last].open)
        return found

    def _set_operation(self, node: exp.SetOperation, level: _Level, own: _Own | None) -> _Output:
        """Resolve the branches, of which all but the first see the query's own name."""
        branches: list[exp.Expr] = []
        left: exp.Expr = node
        while isinstance(left, exp.SetOperation):  # iteratively, as long chains lean to the left
            if left is not node and any(left.args.get(part) for part in ("with_", "order", "limit", "offset")):
                raise Unresolved("ORDER BY and LIMIT belong behind the last of the queries that are put together.")
            branches.insert(0, left.expression)
            left = left.this
        first = self.query(left, level)
        if own:
            level = replace(level, ctes={**level.ctes, own[0]: self._renamed(first, own[1])})
        for branch in branches:
            output = self.query(branch, level)
            if node.args.get("by_name"):
                first = _Output({**output.columns, **first.columns}, first.open or output.open)
        return first

    def _values(self, node: exp.Values, level: _Level) -> _Output:
        for row in node.expressions:
            self.visit(row, level)
        first = node.expressions[0]
        width = len(first.expressions) if isinstance(first, exp.Tuple) else 1
        pattern = _UNNAMED_VALUES.get(self.dialect, "column{1}")
        names = [exp.to_identifier(pattern.format(i, i + 1)) for i in range(width)]
        return _Output({self._key(name): name for name in names})

    def _pivot_statement(self, node: exp.Pivot, level: _Level) -> _Output:
        """DuckDB's PIVOT and UNPIVOT as statements: what comes out depends on the rows."""
        self._add(node.this, level, level)
        self._no_whole_rows(level.sources)
        for part in (*node.expressions, *(node.args.get("using") or ()), node.args.get("group")):
            if part is not None:
                self.visit(part, level)
        if into := node.args.get("into"):
            self._made_here(into)
        return _Output({}, open=True)

    def _select(self, node: exp.Select, level: _Level) -> _Output:
        if from_ := node.args.get("from_"):
            self._add(from_.this, level, level)
        self._joins(node.args.get("joins") or (), level)
        self._expand(node, level)
        aliases = frozenset(self._key(item.args["alias"]) for item in node.expressions if _is_named(item))
        in_clause = replace(level, aliases=aliases)
        allowed = _ALIASES_IN[self.dialect]
        for part, value in node.args.items():
            if part in ("with_", "from_", "joins", "hint") or not value:
                continue
            here = in_clause if part in allowed else level
            for item in value if isinstance(value, list) else (value,):
                if not isinstance(item, exp.Expr):
                    continue
                if part == "expressions" and _is_star(item):
                    self._changed(item, here)
                else:
                    self.visit(item, here)
        return self._output(node, level)

    def _output(self, node: exp.Select, level: _Level) -> _Output:
        columns: _Columns = {}
        open = unnamed = False
        for item in node.expressions:
            if _is_star(item):
                sources = self._starred(item, level)
                open = open or any(source.open for source in sources) or _modified(item)
                for source in sources:
                    columns.update((key, name) for key, name in source.columns.items() if key not in columns)
            elif name := self._named(item):
                columns.setdefault(self._key(name), name)
            else:
                unnamed = True
        return _Output(columns, open or (unnamed and self.dialect not in _CALLING))

    def _named(self, item: exp.Expr) -> exp.Identifier | None:
        """Return how the database names a column of the result, None where that is not known."""
        if isinstance(item, exp.Alias):
            return cast(exp.Identifier, item.args["alias"])
        if isinstance(item, exp.Column):
            return cast(exp.Identifier, item.this)
        if self.dialect != "postgres":
            return None
        if isinstance(item, (exp.Cast, exp.Paren, exp.Bracket)):
            return self._named(item.this)
        if isinstance(item, (exp.Filter, exp.Window, exp.WithinGroup)):
            return self._named(item.this)
        if isinstance(item, exp.Case):
            return exp.to_identifier("case")
        if isinstance(item, exp.Func) and not isinstance(item, exp.Binary):
            return exp.to_identifier((item.name if isinstance(item, exp.Anonymous) else item.sql_name()).lower())
        return None

    # What is read from

    def _joins(self, joins: Iterable[exp.Expr], level: _Level) -> None:
        """Add what is joined; a comma begins anew what an ON sees."""
        begin = 0
        for join in joins:
            applied = isinstance(join.this, exp.Lateral) and join.this.args.get("cross_apply") is not None
            if not applied and not any(join.args.get(part) for part in ("kind", "side", "method", "on", "using")):
                begin = len(level.sources)
            left = len(level.sources)
            self._add(join.this, level, level)
            new = level.sources[left:]
            if str(join.args.get("method") or "").upper() == "NATURAL":
                self._no_whole_rows(level.sources[begin:])
            names = [name for name in join.args.get("using") or () if isinstance(name, exp.Identifier)]
            for name in names:
                key = self._key(name)
                for side in (level.sources[begin:left], new):
                    hidden = any(name.name.casefold() in source.hidden for source in side)
                    if hidden or not any(self._has(source, key) for source in side):
                        raise self._unknown(name.name, _all(level))
            merged = frozenset(map(self._key, names))
            for source in new:
                source.merged = merged
            if on := join.args.get("on"):
                here = replace(level, sources=level.sources[begin:], apart=level.sources[:begin])
                self.visit(on, level if self.dialect == "sqlite" else here)

    def _add(self, node: exp.Expr, level: _Level, lateral: _Level) -> None:
        """Add one item of FROM, with all that is joined to it in parentheses."""
        alias = node.args.get("alias")
        if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
            sources = [self._table(node, level)]
        elif isinstance(node, exp.Subquery) and isinstance(node.this, (exp.Table, exp.Subquery, exp.Values)):
            inner = _Level(level.outer, ctes=level.ctes)
            self._add(node.this, inner, lateral)
            self._joins(node.args.get("joins") or (), inner)
            sources = inner.sources
            if alias:
                sources = [self._joined(sources)]
        elif isinstance(node, (exp.Subquery, exp.Select, exp.SetOperation)):
            around = _seen(lateral, level) if self.dialect == "duckdb" else _Level(level.outer, ctes=level.ctes)
            sources = [self._derived(self.query(node, around))]
        elif isinstance(node, exp.Values):
            sources = [self._derived(self._values(node, _seen(lateral, level)))]
        elif isinstance(node, exp.Lateral) and isinstance(node.this, exp.Subquery):
            sources = [self._derived(self.query(node.this, _seen(lateral, level)))]
        else:
            sources = [self._function(node, _seen(lateral, level))]
        for pivot in node.args.get("pivots") or ():
            sources = [self._pivoted(pivot, sources, level)]
            alias = pivot.args.get("alias") or alias
        if isinstance(alias, exp.TableAlias):
            sources = [self._aliased(source, alias) for source in sources]
        level.sources.extend(sources)
        if isinstance(node, exp.Table):
            self._joins(node.args.get("joins") or (), level)

    def _table(self, node: exp.Table, level: _Level) -> _Source:
        """Return a WITH query or a table of the scope; raises Unresolved where it may not be read."""
        name, schema = node.this, node.args.get("db")
        if node.args.get("catalog"):
            raise Unresolved(
                f"The table {_label(node)} is named with a database in front; "
                "only this connection's tables may be read."
            )
        if not (schema is None or isinstance(schema, exp.Identifier)):
            raise Unresolved(f"What is read from must be a table, and {node.sql(self.dialect)[:60]} is none.")
        if schema is None:
            wanted = self._cte_key(name)
            self.seen.add(id(node))
            if made := next((here.ctes[wanted] for here in level.chain() if wanted in here.ctes), None):
                return _Source(name, self._key(name), made.columns, made.open)
            if system.is_nowhere(name.name, self.dialect):
                return _Source(name, self._key(name), {"DUMMY": exp.to_identifier("DUMMY")})
        default = self.scope.default if self.scope else ""
        key = (self._key(schema) if schema else folding.known(default, self.dialect), self._key(name))
        # A bare name may mean the database's own table even where the scope has a table of that name.
        if not (schema and key in self.tables) and system.is_system(
            schema.name if schema else "", name.name, self.dialect
        ):
            raise Unresolved(f"The table {_label(node)} belongs to the database itself, so it may not be read.")
        self.seen.add(id(node))
        if self.scope is None:
            return _Source(name, key[1], {}, open=True, schema=key[0], table=True)
        if key not in self.tables:
            label = ".".join(part for part in key if part)[:120]
            raise Unresolved(
                f"The table {label} is not among those that this connection may read.{self._spelling(key)}"
            )
        if self.dialect == "tsql" and schema is None:
            node.set("db", exp.to_identifier(default, quoted=True))
        known = self.tables[key]
        names = self.scope.columns.get(known)
        hidden = frozenset(each.casefold() for each in self.scope.hidden.get(known, ()))
        columns = {folding.known(each, self.dialect): exp.to_identifier(each, quoted=True) for each in names or ()}
        return _Source(name, key[1], columns, open=names is None, schema=key[0], table=True, hidden=hidden)

    def _function(self, node: exp.Expr, level: _Level) -> _Source:
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
        outputs = OUTPUTS[self.dialect].get(name)
        if outputs is None:
            where = "stand in FROM" if name in ALLOWED[self.dialect] else "run"
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
        if isinstance(call, exp.Unnest) and len(call.expressions) > 1:
            names = names * len(call.expressions)
        offset = call.args.get("offset") or node.args.get("ordinality")
        if offset:
            names.append(offset if isinstance(offset, exp.Identifier) else exp.to_identifier("ordinality"))
        return _Source(own, self._key(own) if own else name, {self._key(each): each for each in names})

    def _pivoted(self, pivot: exp.Expr, sources: list[_Source], level: _Level) -> _Source:
        """Return what a PIVOT or UNPIVOT gives: the columns that it uses up are gone, others come."""
        self._no_whole_rows(sources)
        inner = _Level(level.outer, sources, ctes=level.ctes)
        unpivot, made = pivot.args.get("unpivot"), list(pivot.args.get("columns") or ())
        used: set[str] = set()
        for item in pivot.expressions:
            if unpivot:
                made += item.find_all(exp.Identifier)
            else:
                self.visit(item, inner)
                used |= {self._key(column.this) for column in item.find_all(exp.Column)}
        for item in pivot.args.get("fields") or ():
            if unpivot:
                made += item.this.find_all(exp.Identifier)
                for each in item.expressions:
                    for column in each.find_all(exp.Column):
                        self.visit(column, inner)
                        used.add(self._key(column.this))
            else:
                self.visit(item.this, inner)
                for each in item.expressions:
                    self._made_here(each)
                used |= {self._key(column.this) for column in item.this.find_all(exp.Column)}
                made += [each.args["alias"] for each in item.find_all(exp.PivotAlias) if _is_named(each)]
        if group := pivot.args.get("group"):
            self.visit(group, inner)
        columns = {key: name for source in sources for key, name in source.columns.items() if key not in used}
        columns |= {self._key(name): name for name in made if isinstance(name, exp.Identifier)}
        open = any(source.open for source in sources) or self.dialect not in _CALLING
        return _Source(None, sources[0].key if sources else "", columns, open)

    def _derived(self, output: _Output) -> _Source:
        return _Source(None, "", output.columns, output.open)

    def _joined(self, sources: list[_Source]) -> _Source:
        """Return tables that are joined in parentheses as one, which gets an alias."""
        columns: _Columns = {}
        for source in sources:
            columns.update((key, name) for key, name in source.columns.items() if key not in columns)
        hidden = frozenset().union(*(source.hidden for source in sources))
        if hidden:
            raise self._no_whole_row()
        return _Source(None, "", columns, any(source.open for source in sources))

    def _aliased(self, source: _Source, alias: exp.TableAlias) -> _Source:
        names = _names(alias)
        if names and source.hidden:
            raise self._no_whole_row()
        renamed = self._renamed(_Output(source.columns, source.open), names)
        own = alias.this if isinstance(alias.this, exp.Identifier) else None
        return replace(
            source,
            alias=own,
            key=self._key(own) if own else "",
            schema="",
            columns=renamed.columns,
            open=renamed.open,
        )

    def _renamed(self, output: _Output, names: list[exp.Identifier]) -> _Output:
        """Return the columns under new names, as far as there are some."""
        if not names:
            return output
        rest = list(output.columns.items())[len(names) :] if not output.open else list(output.columns.items())
        return _Output({**{self._key(name): name for name in names}, **dict(rest)}, output.open)

    # Stars

    def _starred(self, item: exp.Expr, level: _Level) -> list[_Source]:
        """Return the sources that `*` or `q.*` stands for."""
        self._left_out(item)
        qualifier = item.args.get("table") if isinstance(item, exp.Column) else None
        if qualifier is None:
            return level.sources
        key, schema = self._key(qualifier), item.args.get("db")
        for here in level.chain():
            found = [source for source in here.sources if source.key == key]
            if found and (schema is None or all(source.schema == self._key(schema) for source in found)):
                return found
            if any(source.key == key for source in here.apart):
                break
        if self.dialect == "duckdb":  # the fields of a struct
            self._bare(qualifier, level)
            return [_Source(None, "", {}, open=True)]
        raise Unresolved(f"The name {qualifier.name[:60]}.* stands for no table of this query.")

    def _made_here(self, node: exp.Expr) -> None:
        """Let the columns in a part of the tree that makes or leaves out names count as resolved."""
        self.seen.update(map(id, node.find_all(exp.Column)))

    def _left_out(self, item: exp.Expr) -> None:
        """Let the names after EXCLUDE and RENAME count as resolved: they read nothing."""
        star = item if isinstance(item, exp.Star) else item.this
        self.seen.add(id(item))
        for part in ("except_", "rename"):
            for each in star.args.get(part) or ():
                self._made_here(each)

    def _changed(self, item: exp.Expr, level: _Level) -> None:
        """Resolve what stands in `* REPLACE (x + 1 AS x)`."""
        star = item if isinstance(item, exp.Star) else item.this
        for each in star.args.get("replace") or ():
            self.visit(each, level)

    def _expand(self, node: exp.Select, level: _Level) -> None:
        """Write `*` out where it would read columns that may not be read."""
        if not any(source.hidden for here in level.chain() for source in here.sources):
            return
        items: list[exp.Expr] = []
        for item in node.expressions:
            sources = self._starred(item, level) if _is_star(item) else []
            if any(source.hidden for source in sources):
                items += self._written_out(item, sources)
            else:
                items.append(item)
        if not items:
            raise Unresolved("Nothing would be left of the columns that are selected.")
        node.set("expressions", items)

    def _written_out(self, item: exp.Expr, sources: list[_Source]) -> Iterator[exp.Expr]:
        star = item if isinstance(item, exp.Star) else item.this
        left_out = {self._key(each) for one in star.args.get("except_") or () for each in one.find_all(exp.Identifier)}
        changed = {self._key(each.args["alias"]): each for each in star.args.get("replace") or ()}
        if any(value for part, value in star.args.items() if part not in ("except_", "replace")):
            raise self._no_whole_row()
        single = item if isinstance(item, exp.Column) else None
        for source in sources:
            if source.open and not source.columns:
                yield self._made(exp.Star(), source)
                continue
            for key, name in source.columns.items():
                if key in left_out or (key in source.merged and single is None):
                    continue
                if key in changed:
                    yield changed[key].copy()
                else:
                    yield self._made(name.copy(), source)

    def _made(self, name: exp.Expr, source: _Source) -> exp.Column:
        column = exp.Column(this=name, table=source.alias.copy() if source.alias else None)
        self.seen.add(id(column))
        return column

    def _no_whole_rows(self, sources: list[_Source]) -> None:
        if any(source.hidden for source in sources):
            raise self._no_whole_row()

    def _no_whole_row(self) -> Unresolved:
        return Unresolved(
            "A row of this table cannot be read as a whole here; please name the columns that are wanted, one by one."
        )

    # Names

    def visit(self, root: exp.Expr, level: _Level) -> None:
        """Resolve all names below a node that stands in a query with these names."""
        waiting: list[exp.Expr] = [root]
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind in _NAMELESS:
                continue
            if resolve := _VISITORS.get(kind):
                resolve(self, node, level)
            else:
                waiting.extend(_parts(node))

    def _call(self, node: exp.Anonymous, level: _Level) -> None:
        arguments = node.expressions
        if (
            arguments
            and isinstance(arguments[0], exp.Column)
            and node.name.lower() in _DATE_PARTS.get(self.dialect, ())
        ):
            self.seen.add(id(arguments[0]))
            arguments = arguments[1:]
        for argument in arguments:
            self.visit(argument, level)

    def _word(self, node: exp.Var, level: _Level) -> None:
        """Refuse a word, such as the unit of an interval, that is the name of a hidden column."""
        for here in level.chain():
            self._demand_shown(node.name, here)

    def _star(self, node: exp.Star, level: _Level) -> None:
        if not isinstance(node.parent, exp.Count):
            self._no_whole_rows(level.sources)

    def _columns(self, node: exp.Expr, level: _Level) -> None:
        """Allow DuckDB's COLUMNS('…') and #1 only where no column is hidden."""
        self._no_whole_rows(level.sources)
        if isinstance(node.this, exp.Star):
            self._left_out(node.this)
            self._changed(node.this, level)
        else:
            self.visit(node.this, level)

    def _lambda(self, node: exp.Expr, level: _Level) -> None:
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        if self.dialect != "duckdb":  # an arrow is an operator
            for name in names:
                self.visit(name, level)
            self.visit(node.this, level)
            return
        bound = frozenset(self._key(each) for name in names for each in name.find_all(exp.Identifier))
        inner = replace(level, bound=level.bound | bound)
        if isinstance(node, exp.Comprehension):
            self.visit(node.args["iterator"], level)
            if condition := node.args.get("condition"):
                self.visit(condition, inner)
        self.visit(node.this, inner)

    def _attribute(self, node: exp.Dot, level: _Level) -> None:
        """Refuse what follows a dot behind an expression, but for the fields of DuckDB's structs and Oracle's JSON."""
        self.visit(node.this, level)
        inner = node.this
        while isinstance(inner, exp.Dot):
            inner = inner.this
        json = self.dialect == "oracle" and isinstance(inner, exp.Column) and len(inner.parts) > 2
        if (self.dialect == "duckdb" or json) and isinstance(node.expression, exp.Identifier):
            return
        if isinstance(node.expression, exp.Func):
            raise Unresolved(
                f"Functions of a schema, a package or an object may not run here (near {node.expression.name[:60]})."
            )
        raise Unresolved(
            f"A dot behind an expression (near .{node.expression.name[:60]}) can call a function, so it does not run; "
            "please name a table's column."
        )

    def _column(self, node: exp.Column, level: _Level) -> None:
        self.seen.add(id(node))
        if isinstance(node.this, exp.Star):
            sources = self._starred(node, level)
            if not isinstance(node.parent, exp.Count) or self.dialect in ("postgres", "duckdb"):
                self._no_whole_rows(sources)
            return
        parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
        if len(parts) != len(node.parts):
            raise Unresolved(f"The name {node.sql(self.dialect)[:60]} stands for no column.")
        if len(parts) == 1:
            self._bare(parts[0], level)
            return
        keys = [self._key(part) for part in parts]
        for here in level.chain():
            if keys[0] in here.bound or self._found(parts, keys, here):
                return
            if any(source.key == keys[0] for source in here.apart):
                break
        if self.dialect == "duckdb":  # the first part may be a column that holds structs
            self._bare(parts[0], level)
            return
        label = ".".join(part.name for part in parts)[:120]
        raise Unresolved(
            f"The column {label} could be a function, because {parts[0].name[:60]} is no table of this query."
        )

    def _found(self, parts: list[exp.Identifier], keys: list[str], here: _Level) -> bool:
        """Tell whether a name with dots is a column of one of these sources.

        Raises Unresolved where the source is there, and has no such column.
        """
        sources = [source for source in here.sources if source.key == keys[0]]
        if sources:
            if len(keys) > 2 and self.dialect not in ("duckdb", "oracle"):  # fields of structs, paths of JSON
                sources = []
            for source in sources:
                if not self._has(source, keys[1]):
                    raise self._unknown(parts[1].name, [source], parts[0].name)
            if sources:
                return True
        named = [source for source in here.sources if source.schema and [source.schema, source.key] == keys[:2]]
        if len(keys) == 3 and named:
            for source in named:
                if not self._has(source, keys[2]):
                    raise self._unknown(parts[2].name, [source], parts[1].name)
            return True
        return False

    def _has(self, source: _Source, key: str) -> bool:
        if key.casefold() in source.hidden:
            return False
        if key in source.columns or source.open:
            return True
        return (
            source.table
            and not source.hidden
            and (key in _ROW_PSEUDO[self.dialect] or (self.dialect == "sqlite" and key == source.key))
        )

    def _bare(self, name: exp.Identifier, level: _Level) -> None:
        key = self._key(name)
        for here in level.chain():
            if key in here.bound:
                return
            self._demand_shown(name.name, here)
            if key in here.aliases or any(self._has(source, key) for source in here.sources):
                return
            rows = [source for source in here.sources if source.key == key]
            if rows and self.dialect in ("postgres", "duckdb"):
                self._no_whole_rows(rows)
                return
            if any(self._has(source, key) or source.key == key for source in here.apart):
                break
        if key in _PSEUDO[self.dialect] and not name.args.get("quoted"):
            return
        raise self._unknown(name.name, _all(level), quoted=name)

    def _demand_shown(self, name: str, level: _Level) -> None:
        """Refuse a name that the database would find among the hidden columns of this query's sources."""
        if any(name.casefold() in source.hidden for source in (*level.sources, *level.apart)):
            raise self._unknown(name, _all(level))

    def _unknown(
        self, name: str, sources: Iterable[_Source], qualifier: str = "", quoted: exp.Identifier | None = None
    ) -> Unresolved:
        """Return the refusal of a column, which does not tell whether there is one that may not be read."""
        names = [each.name for source in sources for each in source.columns.values()]
        near = get_close_matches(name.lower(), [each.lower() for each in names], 1)
        advice = next((f" Did you mean {each}?" for each in names if near and each.lower() == near[0]), "")
        if self.dialect == "sqlite" and quoted is not None and quoted.args.get("quoted") and not advice:
            advice = " A text stands in single quotes."
        where = f"The table {qualifier[:60]} has" if qualifier else "The tables of this query have"
        return Unresolved(f"{where} no column {name[:80]} that may be read.{advice}")

    def _spelling(self, wanted: tuple[str, str]) -> str:
        """Return advice where only upper and lower case differ, because then quotes are missing."""
        for schema, name in sorted(self.tables.values()):
            if (folding.lower(schema), folding.lower(name)) == (folding.lower(wanted[0]), folding.lower(wanted[1])):
                return f' Its name has to be written as "{name}", with the quotes.'
        return ""

    def _key(self, identifier: exp.Identifier) -> str:
        return folding.key(identifier, self.dialect)

    def _cte_key(self, name: exp.Identifier) -> str:
        # Whether MySQL and SQL Server tell A from a depends on the server: only the same spelling is surely the same.
        return name.name if self.dialect in ("mysql", "tsql") else folding.key(name, self.dialect)


_NAMELESS = frozenset({exp.Literal, exp.DataType, exp.TableAlias, exp.Null, exp.Boolean})
_VISITORS: Mapping[type[exp.Expr], Callable[[_Resolver, Any, _Level], object]] = {
    **dict.fromkeys((exp.Column, exp.Pseudocolumn), _Resolver._column),
    **dict.fromkeys((exp.Select, exp.Subquery, exp.Values, exp.Union, exp.Except, exp.Intersect), _Resolver.query),
    **dict.fromkeys((exp.Lambda, exp.Comprehension), _Resolver._lambda),
    **dict.fromkeys((exp.Columns, exp.PositionalColumn), _Resolver._columns),
    exp.Anonymous: _Resolver._call,
    exp.Identifier: _Resolver._bare,
    exp.Dot: _Resolver._attribute,
    exp.Star: _Resolver._star,
    exp.Var: _Resolver._word,
}
_MAKING: Mapping[type[exp.Expr], tuple[str, ...]] = {
    exp.Alias: ("alias",),
    exp.Window: ("alias", "this"),
    exp.PropertyEQ: ("this",),
    exp.Kwarg: ("this",),
    exp.Collate: ("expression",),
}
"""Parts of a node that are names of their own."""


def _parts(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield what stands below a node and may hold names of columns; names that are made there are left out."""
    skipped = _MAKING.get(type(node), ())
    if isinstance(node, exp.Window) and not isinstance(node.this, exp.Identifier):
        skipped = ("alias",)
    for name, value in node.args.items():
        if name in skipped or not value:
            continue
        items = value if isinstance(value, list) else [value]
        yield from (item for item in items if isinstance(item, exp.Expr))


def _seen(lateral: _Level, level: _Level) -> _Level:
    """Return what an item of FROM sees of the others: those to its left, as they are now."""
    left = [] if lateral is level else lateral.sources
    return replace(level, sources=[*left, *level.sources])


def _open(level: _Level) -> _Level:
    return replace(level, sources=[_Source(None, "", {}, open=True)])


def _all(level: _Level) -> list[_Source]:
    """Return everything that can be named at a place."""
    return [source for here in level.chain() for source in here.sources]


def _names(alias: exp.Expr) -> list[exp.Identifier]:
    """Return the names that an alias gives to columns."""
    given = [each.this if isinstance(each, exp.ColumnDef) else each for each in alias.args.get("columns") or ()]
    return [each for each in given if isinstance(each, exp.Identifier)]


def _is_star(item: exp.Expr) -> bool:
    return isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star))


def _modified(item: exp.Expr) -> bool:
    star = item if isinstance(item, exp.Star) else item.this
    return any(star.args.get(part) for part in ("except_", "replace", "rename"))


def _is_named(item: exp.Expr) -> bool:
    return isinstance(item.args.get("alias"), exp.Identifier)


def _function_name(call: exp.Func) -> str:
    if isinstance(call, exp.Anonymous):
        return call.name.lower()
    if isinstance(call, exp.GenerateSeries):
        return "range" if call.args.get("is_end_exclusive") else "generate_series"
    return _FUNCTION_NAMES.get(type(call)) or call.sql_name().lower()


def _label(table: exp.Table) -> str:
    return ".".join(part.name for part in table.parts)[:120]
