"""Rows that a join gives several times, though they are shown to be seen once."""

from collections.abc import Iterable

from sqlglot import exp

from router.agents.repair.query import Query
from router.agents.repair.sources import Source


def show_once(query: Query, asked: str) -> None:
    """Show each row of a table once where its key is shown, and other tables were joined to filter it only."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or tree.args.get("distinct") or tree.args.get("group"):
        return
    items = [item.unalias() for item in tree.expressions]
    if not all(isinstance(item, exp.Column) for item in items) or not tree.args.get("joins"):
        return
    sources = {source.alias.lower(): source for source in query.sources(tree)}
    shown = {item.table.lower() for item in items if isinstance(item, exp.Column)}
    source = sources.get(next(iter(shown))) if len(shown) == 1 else None
    if source is None or source.table is None:
        return
    names = {item.name.lower() for item in items}
    key = {name.lower() for name in source.table.primary_key}
    order = tree.args.get("order")
    sorted_by = [each.this for each in order.expressions] if order else []
    named = {item.alias.lower() for item in tree.expressions if item.alias}
    known = all(each in items or (not each.args.get("table") and each.name.lower() in named) for each in sorted_by)
    if key and key <= names and known and _is_multiplied(query, source, sources.values()):
        tree.set("distinct", exp.Distinct())
        query.note("once", f"Each row of `{source.table.name}` is shown once.")


def _is_multiplied(query: Query, source: Source, sources: Iterable[Source]) -> bool:
    """Tell whether a row of the table may meet several rows of those that it is joined with."""
    present = {each.table.name for each in sources if each.table}
    reached = {source.table.name} if source.table else set()
    while further := [hop for hop in query.hops if hop.near in reached and hop.far in present - reached]:
        if any(hop.fans for hop in further):
            return True
        reached |= {hop.far for hop in further}
    return False
