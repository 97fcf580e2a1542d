"""Rows that a join gives several times, though they are shown to be seen once."""

from sqlglot import exp

from router.agents.repair.query import Query


def show_once(query: Query) -> None:
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
    sorted_by = {column.name.lower() for column in order.find_all(exp.Column)} if order else set()
    if key and key <= names and sorted_by <= names:
        tree.set("distinct", exp.Distinct())
        query.note("once", f"Each row of `{source.table.name}` is shown once.")
