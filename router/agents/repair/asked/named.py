"""What has a name is shown by it: "for each conference" means its name, not its number."""

import re

from sqlglot import exp

from router.agents.repair.asked.labels import name_of
from router.agents.repair.joins import add_joins
from router.agents.repair.paths import Hop
from router.agents.repair.query import Query
from router.agents.repair.sources import Source
from router.catalog.personal import split_words
from router.catalog.stems import stem

_NUMBERS = re.compile(r"\b(?:ids?|keys?|codes?|numbers? (?!of)|identifiers?)\b", re.IGNORECASE)


def show_names(query: Query, asked: str) -> None:
    """Show the name of what a foreign key points to beside a number for each, where the question names the thing."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or not tree.args.get("group") or _NUMBERS.search(asked):
        return
    said = {stem(word) for word in re.findall(r"[^\W_]+", asked)}
    sources = {source.alias.lower(): source for source in query.sources(tree)}
    for item in list(tree.expressions):
        column = item.unalias()
        if isinstance(item, exp.Column) and column in tree.args["group"].expressions:
            source = sources.get(column.table.lower()) or (next(iter(sources.values())) if len(sources) == 1 else None)
            target = _target(query, source, column, said, sources) if source else None
            if source and target:
                _name(query, tree, source, item, *target)


def _target(
    query: Query, source: Source, column: exp.Column, said: set[str], sources: dict[str, Source]
) -> tuple[Hop, str] | None:
    """Return the way to the table that a column points to and the name there, if the question speaks of it."""
    present = {each.table.name for each in sources.values() if each.table}
    ways = [
        hop
        for hop in query.hops
        if source.table
        and hop.near == source.table.name
        and not hop.fans
        and hop.far not in present
        and [near.lower() for near, _ in hop.pairs] == [column.name.lower()]
    ]
    table = query.schema.table(ways[0].far) if len(ways) == 1 else None
    if table is None or not {stem(word) for word in split_words(table.name)} <= said:
        return None
    name = name_of(table)
    return (ways[0], name) if name and column.name.lower() not in said else None


def _name(query: Query, tree: exp.Select, source: Source, item: exp.Column, way: Hop, name: str) -> None:
    label = add_joins(query, tree, (way,), source)
    shown = exp.Column(this=query.identifier(name), table=label.copy())
    item.replace(shown)
    tree.args["group"].append("expressions", shown.copy())
    query.note(f"name {name}", f"`{way.far}` is shown by its `{name}`.")
