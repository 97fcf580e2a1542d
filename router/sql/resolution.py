"""Every name of a statement is resolved, as the database itself would; a name that stands for nothing is refused.

Why: in PostgreSQL `(expr).name` and `alias.name` mean `name(expr)` if there is no such column, and in Oracle
`package.name` or a bare `name` calls a function. What looks like a column must therefore be one.

The rule. A query sees the sources of its own FROM, then those of the queries around it.

- A table is a WITH query that is visible at its place, or a table of the scope. Functions in FROM have a list of their
  own (`Dialect.rows`).
- `q.x` may stand if q is a source of the nearest query that has one of this name, and x a column of this very
  source: a table's column, or an output of that subquery, WITH query or table function.
- A bare `x` is a column of a source, an alias if the dialect allows one, a parameter of a lambda, a whole row, or a
  listed pseudo-column.
- Attribute notation over anything else is refused.

Some sources are open, which means that any column is believed: tables whose columns nobody looked up, and subqueries
with columns that the database names by itself, if no name can call a function (not in PostgreSQL and Oracle).

Columns that may not be read are in no source, and the database does not see them either: a table that has such columns
is read through a query of the others, whatever is typed. So nobody is told that they exist.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, cast

from sqlglot import exp

from router.sql import step_limit
from router.sql.dialect import DIALECTS, Name
from router.sql.from_clause import FromClause
from router.sql.names import (
    Columns,
    Level,
    NamedSource,
    Own,
    Unresolved,
    all_of,
    is_modified,
    is_named,
    is_star,
    names_of,
    unknown_column,
)
from router.sql.scope import Scope

_FUNCTION = re.compile(r"(\w+)(?:\(|$)")


def resolve(tree: exp.Expr, dialect: Name, scope: Scope | None) -> str:
    """Return the sentence for a name that may not stand in the statement, or "".

    The tree is changed if that is needed: `*` over a table with hidden columns is written out, and for SQL Server,
    whose sessions know no default schema but the login's own, bare tables get the scope's.
    """
    resolver = _Resolver(dialect, scope)
    try:
        resolver.query(tree, Level())
    except Unresolved as error:
        return str(error)
    resolver.cover_tables()
    missed = next((node for node in tree.find_all(exp.Table, exp.Column) if id(node) not in resolver.seen), None)
    return f"The name {missed.sql(dialect)[:60]} stands where no name is understood." if missed else ""


class _Resolver(FromClause):
    # Queries

    def query(self, node: exp.Expr, outer: Level, own: Own | None = None) -> NamedSource:
        """Resolve a query and return the columns of its rows; `outer` is what it sees of the queries around it.

        `own` is the name of a recursive query, which only a UNION can be; any other that names itself means a table.
        """
        step_limit.require_time()
        if outer.aliases and self.dialect != "sqlite":  # a query inside does not see them
            outer = replace(outer, aliases=frozenset())
        level = Level(outer, ctes=self._ctes(node.args.get("with_"), outer))
        if isinstance(node, exp.Select):
            return self._select(node, level)
        if isinstance(node, exp.SetOperation):
            output = self._set_operation(node, level, own)
        elif isinstance(node, exp.Subquery):
            output = self.query(node.this, level)
        elif isinstance(node, exp.Values):
            output = self.values(node, level)
        elif isinstance(node, exp.Pivot):
            output = self._pivot_statement(node, level)
        else:
            raise Unresolved(f"Only queries can be read from, and {node.sql(self.dialect)[:60]} is none.")
        late = replace(level, aliases=frozenset(output.columns))
        if output.open:
            late = replace(level, sources=[NamedSource({}, open=True)])
        for part in ("order", "limit", "offset"):
            if clause := node.args.get(part):
                self.visit(clause, late)
        return output

    def _ctes(self, with_: exp.Expr | None, outer: Level) -> dict[str, NamedSource]:
        """Resolve the WITH queries in their order, each seeing those before it, a recursive one itself."""
        found: dict[str, NamedSource] = {}
        if with_ is None:
            return found
        recursive = with_.args.get("recursive") or self.dialect in ("oracle", "tsql", "sqlite")
        for cte in with_.expressions:
            own = (self.cte_key(cte.args["alias"].this), names_of(cte.args["alias"]))
            output = self.query(cte.this, Level(outer, ctes=found), own if recursive else None)
            found = {**found, own[0]: self.renamed(output, own[1])}
        if found and (search := with_.args.get("search")):  # SEARCH and CYCLE give columns to the last one
            last = next(reversed(found))
            made = [each for each in (search.args.get("expression"), search.args.get("using")) if each]
            found[last] = NamedSource(
                {**found[last].columns, **{self.key(each): each for each in made}}, found[last].open
            )
        return found

    def _set_operation(self, node: exp.SetOperation, level: Level, own: Own | None) -> NamedSource:
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
            level = replace(level, ctes={**level.ctes, own[0]: self.renamed(first, own[1])})
        for branch in branches:
            output = self.query(branch, level)
            if node.args.get("by_name"):
                first = NamedSource({**output.columns, **first.columns}, first.open or output.open)
        return first

    def _pivot_statement(self, node: exp.Pivot, level: Level) -> NamedSource:
        """DuckDB's PIVOT and UNPIVOT as statements: what comes out depends on the rows."""
        self.add(node.this, level, level)
        for part in (*node.expressions, *(node.args.get("using") or ()), node.args.get("group")):
            if part is not None:
                self.visit(part, level)
        if into := node.args.get("into"):
            self.made_here(into)
        return NamedSource({}, open=True)

    def _select(self, node: exp.Select, level: Level) -> NamedSource:
        if self.dialect == "sqlite":
            level.later = []
        if from_ := node.args.get("from_"):
            self.add(from_.this, level, level)
        self.joins(node.args.get("joins") or (), level)
        if self.dialect == "sqlite":
            self._see_all(node, level)
        aliases = frozenset(self.key(item.args["alias"]) for item in node.expressions if is_named(item))
        in_clause = replace(level, aliases=aliases)
        allowed = DIALECTS[self.dialect].aliases_in
        for part, value in node.args.items():
            if part in ("with_", "from_", "joins", "hint") or not value:
                continue
            here = in_clause if part in allowed else level
            for item in value if isinstance(value, list) else (value,):
                if not isinstance(item, exp.Expr):
                    continue
                if part == "expressions" and is_star(item):
                    self.changed(item, here)
                else:
                    self.visit(item, here)
        return self._output(node, level)

    def _see_all(self, node: exp.Select, level: Level) -> None:
        """Resolve what SQLite lets see the whole FROM: conditions of joins, and arguments of functions once more."""
        for on in level.later or ():
            self.visit(on, level)
        from_, joins = node.args.get("from_"), node.args.get("joins") or ()
        for item in (*((from_.this,) if from_ else ()), *(join.this for join in joins)):
            if isinstance(item, exp.Table) and isinstance(item.this, exp.Func):
                self.visit(item.this, level)

    def _output(self, node: exp.Select, level: Level) -> NamedSource:
        columns: Columns = {}
        open = unnamed = False
        for item in node.expressions:
            if is_star(item):
                sources = self.starred(item, level)
                open = open or any(source.open for source in sources) or is_modified(item)
                for source in sources:
                    columns.update((key, name) for key, name in source.columns.items() if key not in columns)
            elif name := self._named(item):
                columns.setdefault(self.key(name), name)
            else:
                unnamed = True
        return NamedSource(columns, open or (unnamed and not DIALECTS[self.dialect].calls_by_dot))

    def _named(self, item: exp.Expr) -> exp.Identifier | None:
        """Return how the database names a column of the result, None if that is not known."""
        if isinstance(item, exp.Alias):
            return cast(exp.Identifier, item.args["alias"])
        if isinstance(item, exp.Column):
            return cast(exp.Identifier, item.this)
        if self.dialect != "postgres":
            return None
        if isinstance(item, (exp.Cast, exp.Paren, exp.Bracket, exp.Filter, exp.Window, exp.WithinGroup)):
            return self._named(item.this)
        if isinstance(item, exp.Subquery) and isinstance(item.this, exp.Select):
            return self._named(item.this.expressions[0])
        if isinstance(item, exp.Case):
            return exp.to_identifier("case")
        if isinstance(item, exp.Func) and not isinstance(item, exp.Binary):
            written = _FUNCTION.match(item.sql(self.dialect))
            return exp.to_identifier(written[1].lower()) if written else None
        return None

    # Names

    def visit(self, root: exp.Expr, level: Level) -> None:
        """Resolve all names below a node that stands in a query with these names."""
        waiting: list[exp.Expr] = [root]
        while waiting:
            self.look_at_the_clock()
            node = waiting.pop()
            kind = type(node)
            if kind in _NAMELESS:
                continue
            if resolve := _VISITORS.get(kind):
                resolve(self, node, level)
            else:
                waiting.extend(_parts(node))

    def _call(self, node: exp.Anonymous, level: Level) -> None:
        arguments = node.expressions
        if self.dialect == "duckdb" and node.name.lower() == "columns":
            self._columns(node, level)
            return
        if (
            arguments
            and isinstance(arguments[0], exp.Column)
            and node.name.lower() in DIALECTS[self.dialect].date_parts
        ):
            self.seen.add(id(arguments[0]))
            arguments = arguments[1:]
        for argument in arguments:
            self.visit(argument, level)

    def _columns(self, node: exp.Expr, level: Level) -> None:
        """Resolve DuckDB's COLUMNS('…')."""
        for argument in node.expressions:
            if isinstance(argument, exp.Star):
                self.left_out(argument)
                self.changed(argument, level)
            else:
                self.visit(argument, level)

    def _lambda(self, node: exp.Expr, level: Level) -> None:
        names = node.expressions if isinstance(node, exp.Lambda) else [node.expression]
        if self.dialect != "duckdb":  # an arrow is an operator
            for name in names:
                self.visit(name, level)
            self.visit(node.this, level)
            return
        bound = frozenset(self.key(each) for name in names for each in name.find_all(exp.Identifier))
        inner = replace(level, bound=level.bound | bound)
        if isinstance(node, exp.Comprehension):
            self.visit(node.args["iterator"], level)
            if condition := node.args.get("condition"):
                self.visit(condition, inner)
        self.visit(node.this, inner)

    def _attribute(self, node: exp.Dot, level: Level) -> None:
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

    def _column(self, node: exp.Column, level: Level) -> None:
        self.seen.add(id(node))
        if isinstance(node.this, exp.Star):
            self.starred(node, level)
            return
        parts = [part for part in node.parts if isinstance(part, exp.Identifier)]
        if len(parts) != len(node.parts):
            raise Unresolved(f"The name {node.sql(self.dialect)[:60]} stands for no column.")
        if len(parts) == 1:
            self._bare(parts[0], level)
        else:
            self._dotted(parts, level)

    def _dotted(self, parts: list[exp.Identifier], level: Level) -> None:
        """Resolve a name with dots."""
        keys = [self.key(part) for part in parts]
        for here in level.chain():
            if self._found(parts, keys, here):
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

    def _found(self, parts: list[exp.Identifier], keys: list[str], here: Level) -> bool:
        """Return whether a name with dots is a column of one of these sources, or may be one of an open source.

        Raises Unresolved if the source is there, and has no such column.
        """
        if keys[0] in here.bound:
            return True
        named = [source for source in here.sources if source.schema and [source.schema, source.key] == keys[:2]]
        sources = self.of_name(parts[0], here)
        if sources and (len(keys) == 2 or self.dialect in ("duckdb", "oracle")):  # fields of structs, paths of JSON
            name, key, of = parts[1], keys[1], parts[0]
        elif len(keys) == 3 and named:
            sources, name, key, of = named, parts[2], keys[2], parts[1]
        else:
            return False
        for source in sources:
            if not self.has(source, key):
                raise unknown_column(name.name, [source], of.name)
        self._spell(name, key, sources)
        return True

    def _spell(self, name: exp.Identifier, key: str, sources: list[NamedSource]) -> None:
        """Write a column of SQL Server as the table does, if its server may tell A from a."""
        spelled = next((source.columns[key].name for source in sources if key in source.columns), name.name)
        if self.dialect == "tsql" and spelled != name.name:
            name.set("this", spelled)

    def _bare(self, name: exp.Identifier, level: Level) -> None:
        """Resolve a name without a dot: a column, an alias, a lambda's parameter, or a whole row."""
        key, found = self.key(name), False
        for here in level.chain():
            if any(key in source.columns for source in here.sources):
                self._spell(name, key, here.sources)
                return
            found = found or key in here.bound or key in here.aliases
            found = found or any(self.has(source, key) for source in here.sources)
            if self.dialect in ("postgres", "duckdb"):
                found = found or any(source.key == key for source in here.sources)
            if not found and any(self.has(source, key) or source.key == key for source in here.apart):
                break
        quoted = name.args.get("quoted")
        if found or (key in DIALECTS[self.dialect].pseudo_columns and not quoted):
            return
        if self.dialect == "sqlite" and quoted and isinstance(name.parent, exp.Column):
            name.parent.replace(exp.Literal.string(name.name))  # what SQLite reads in a quoted name of nothing
        else:
            raise unknown_column(name.name, all_of(level))


_NAMELESS = frozenset({exp.Literal, exp.DataType, exp.TableAlias, exp.Null, exp.Boolean})
_VISITORS: Mapping[type[exp.Expr], Callable[[_Resolver, Any, Level], object]] = {
    **dict.fromkeys((exp.Column, exp.Pseudocolumn), _Resolver._column),
    **dict.fromkeys((exp.Select, exp.Subquery, exp.Values, exp.Union, exp.Except, exp.Intersect), _Resolver.query),
    **dict.fromkeys((exp.Lambda, exp.Comprehension), _Resolver._lambda),
    exp.Anonymous: _Resolver._call,
    exp.Identifier: _Resolver._bare,
    exp.Dot: _Resolver._attribute,
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
