"""What is counted: rows of the table that the question speaks of, not of one that was joined to count them by."""

from sqlglot import exp

from router.agents.repair.asked.joined import spoken_of
from router.agents.repair.asked.told import untold
from router.agents.repair.needless import drop
from router.agents.repair.query import Query
from router.agents.repair.sources import Source


def mend_counted(query: Query, asked: str) -> None:
    """Drop tables of which the question does not speak, where only their key to another table is used.

    "How many models does each maker have?" counts models, though `cars.model` has the same names: once for each car.
    """
    said = f"{asked} {query.hints}"
    for select in query.selects():
        if untold(query, select, said):
            continue  # what a joined table is there for
        for source in query.sources(select):
            if source.table and not spoken_of(source, query.sources(select), said):
                _count_the_parent(query, select, source)


def _count_the_parent(query: Query, select: exp.Select, child: Source) -> None:
    links = [pair for join in select.args.get("joins") or () if (pair := _link(query, select, join, child))]
    if len(links) != 1:
        return
    own, parents = links[0]
    key = child.table.primary_key if child.table else ()
    used = [each for each in query.columns(select) if each.table.lower() == child.alias.lower() and each is not own]
    if not used or not all(_stands_for_rows(each, own, key) for each in used):
        return
    swapped = [(each.replace(parents.copy()), each) for each in used]
    if not drop(query, select, child.alias):
        for new, old in swapped:
            new.replace(old)


def _stands_for_rows(column: exp.Column, link: exp.Column, key: tuple[str, ...]) -> bool:
    """Tell whether a column is the link itself, or the key of rows that are counted."""
    counted = isinstance(column.parent, exp.Count)
    return column.name.lower() == link.name.lower() or (counted and [column.name.lower()] == [k.lower() for k in key])


def _link(query: Query, select: exp.Select, join: exp.Join, child: Source) -> tuple[exp.Column, exp.Column] | None:
    """Return the child's and the parent's column of a join along a foreign key of the child."""
    on = join.args.get("on")
    if join.side or not isinstance(on, exp.EQ):
        return None
    sides = [side for side in (on.this, on.expression) if isinstance(side, exp.Column)]
    own = [side for side in sides if side.table.lower() == child.alias.lower()]
    others = [side for side in sides if side.table.lower() != child.alias.lower()]
    if len(own) != 1 or len(others) != 1 or child.table is None:
        return None
    parents = [each for each in query.sources(select) if each.alias.lower() == others[0].table.lower() and each.table]
    for parent in parents:
        for hop in query.hops:
            pairs = [(near.lower(), far.lower()) for near, far in hop.pairs]
            if (
                parent.table
                and (hop.near, hop.far) == (child.table.name, parent.table.name)
                and not hop.fans
                and pairs == [(own[0].name.lower(), others[0].name.lower())]
            ):
                return own[0], others[0]
    return None
