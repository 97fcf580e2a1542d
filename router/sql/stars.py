"""`*` in a list of what is selected: what it stands for, and how it is written out where columns may not be read."""

from collections.abc import Iterator

from sqlglot import exp

from router.sql.from_clause import FromClause
from router.sql.name_levels import Level, NamedSource, Unresolved

SELECTED_MAX = 5_000
"""Columns of one query, where `*` is written out."""


class Stars(FromClause):
    """Knows the columns that a star stands for."""

    def starred(self, item: exp.Expr, level: Level) -> list[NamedSource]:
        """Return the sources that `*` or `q.*` stands for."""
        self._left_out(item)
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
            return [NamedSource(None, "", {}, open=True)]
        raise Unresolved(f"The name {qualifier.name[:60]}.* stands for no table of this query.")

    def _left_out(self, item: exp.Expr) -> None:
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

    def expand(self, node: exp.Select, level: Level) -> None:
        """Write `*` out where it would read columns that may not be read."""
        if not any(source.hidden for here in level.chain() for source in here.sources):
            return
        items: list[exp.Expr] = []
        for item in node.expressions:
            sources = self.starred(item, level) if is_star(item) else []
            if any(source.hidden for source in sources):
                items += self._written_out(item, sources)
            else:
                items.append(item)
            if len(items) > SELECTED_MAX:
                raise Unresolved(f"A query can select {SELECTED_MAX:,} columns at most.")
        if not items:
            raise Unresolved("Nothing would be left of the columns that are selected.")
        node.set("expressions", items)

    def _written_out(self, item: exp.Expr, sources: list[NamedSource]) -> Iterator[exp.Expr]:
        star = star_of(item)
        left_out = {self.key(each) for one in star.args.get("except_") or () for each in one.find_all(exp.Identifier)}
        changed = {self.key(each.args["alias"]): each for each in star.args.get("replace") or ()}
        if any(value for part, value in star.args.items() if part not in ("except_", "replace")):
            raise self.no_whole_row()
        merged: frozenset[str] = frozenset()
        if isinstance(item, exp.Star):  # what is joined by USING has no table's name, and stands there once
            merged = frozenset().union(*(source.merged for source in sources))
        columns = [(key, name, source) for source in sources for key, name in source.columns.items()]
        if self.dialect not in ("sqlite", "duckdb"):  # the others put it first
            columns.sort(key=lambda column: column[0] not in merged)
        done = set(left_out)
        for key, name, source in columns:
            self.look_at_the_clock()
            if key in done:
                continue
            if key in merged:
                done.add(key)
            if key in changed:
                yield changed[key].copy()
            else:
                yield self._made(name.copy(), None if key in merged else source)
        for source in sources:
            if source.open and not source.columns:
                yield self._made(exp.Star(), source)

    def _made(self, name: exp.Expr, source: NamedSource | None) -> exp.Column:
        column = exp.Column(this=name, table=source.alias.copy() if source and source.alias else None)
        self.seen.add(id(column))
        return column


def is_star(item: exp.Expr) -> bool:
    """Tell whether something that is selected is `*` or `q.*`."""
    return isinstance(star_of(item), exp.Star)


def star_of(item: exp.Expr) -> exp.Expr:
    """Return the star itself of `*` or `q.*`."""
    return item.this if isinstance(item, exp.Column) else item


def is_modified(item: exp.Expr) -> bool:
    """Tell whether a star leaves out, changes or renames columns."""
    return any(star_of(item).args.get(part) for part in ("except_", "replace", "rename"))
