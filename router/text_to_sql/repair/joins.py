"""Joins: missing ones are added along the foreign keys, those on wrong columns follow them, unused ones are dropped."""

from collections.abc import Iterable

from sqlglot import exp

from router.text_to_sql.repair.join_paths import Hop, direct, route
from router.text_to_sql.repair.query import FromItem, Query, alike, entries, is_output, source_of

# Before a table is joined: names that mean one thing now must not mean two afterwards.


def pin(query: Query, select: exp.Select) -> None:
    """Qualify what is bare in this SELECT and the queries within it; its star means the tables there are now."""
    own = query.sources(select)
    for column in list(select.find_all(exp.Column)):
        bare = not column.table and not isinstance(column.this, exp.Star)
        holder = source_of(column, query.schema) if bare else None
        # The clause that the column stands in may take it for the name of a result.
        clause = column.find_ancestor(exp.Order, exp.Group, exp.Having, exp.Select)
        result = is_output(select, column) and clause is not select
        if holder and any(holder.label is source.label for source in own) and not result:
            column.set("table", holder.label.copy())
    items = []
    for item in select.expressions:
        if isinstance(item, exp.Star) and not item.args.get("except_"):
            items += [exp.Column(this=exp.Star(), table=source.label.copy()) for source in own]
        else:
            items.append(item)
    select.set("expressions", items)


def mend_joins(query: Query) -> None:
    """Let every join follow the foreign key between its tables if it names a missing column or equates two keys."""
    for select in query.selects():
        for join in list(select.args.get("joins") or ()):
            _mend(query, select, join)
        where = select.args.get("where")
        for equal in list(where.find_all(exp.EQ)) if where else []:
            if equal.find_ancestor(exp.Select) is select:
                _mend_equality(query, select, equal)


def add_joins(query: Query, select: exp.Select, chain: tuple[Hop, ...], start: FromItem) -> exp.Identifier:
    """Append one JOIN for each hop, beginning at `start`, and return the label of the last table."""
    pin(query, select)
    label = start.label
    for hop in chain:
        far = _label(query, select, hop.far)
        select.append("joins", _join(query, hop, label, far))
        label = far
    return label


def _mend(query: Query, select: exp.Select, join: exp.Join) -> None:
    """Mend the equalities of a join; one by columns that are not there is left to be linked like one without any."""
    if named := [identifier.name for identifier in join.args.get("using") or ()]:
        found = _joined(query, select, join)
        if found and not all(found[0].has(name) and any(each.has(name) for each in found[1]) for name in named):
            join.set("using", None)
    elif join.args.get("on"):
        for equal in list(join.args["on"].find_all(exp.EQ)):
            _mend_equality(query, select, equal, join)


def link_by_key(query: Query, select: exp.Select, here: FromItem, others: Iterable[FromItem]) -> bool:
    """Link a table with the only one of the others that a foreign key links it with; returns whether there was one."""
    assert here.table is not None
    links = [(s, hop) for s in others if s.table and (hop := direct(query.hops, s.table.name, here.table.name))]
    if len(links) != 1:
        return False
    source, hop = links[0]
    names = [str(join.this.alias_or_name).lower() for join in select.args["joins"]]
    # The condition stands with whichever of the two comes last.
    at = max(names.index(each.alias.lower()) for each in (here, source) if each.alias.lower() in names)
    join = select.args["joins"][at]
    condition, before = _condition(query, hop, source.label, here.label), join.args.get("on")
    always = before is None or before == exp.true() or (isinstance(before, exp.EQ) and before.this == before.expression)
    join.set("on", condition if always else exp.and_(before, condition, copy=False))
    if join.kind == "CROSS":
        join.set("kind", None)
    _tell(query, hop.near, hop.far, f"by {_told(hop)}")
    return True


def _joined(query: Query, select: exp.Select, join: exp.Join) -> tuple[FromItem, tuple[FromItem, ...]] | None:
    """Return the table that a join adds, and those before it; None if it stands within parentheses."""
    at = next((at for at, node in enumerate(entries(select)) if node is join.this), None)
    sources = query.sources(select)
    return None if at is None else (sources[at], sources[:at])


def _mend_equality(query: Query, select: exp.Select, equal: exp.EQ, join: exp.Join | None = None) -> None:
    left, right = equal.this, equal.expression
    if not isinstance(left, exp.Column) or not isinstance(right, exp.Column):
        return
    sources = {source.alias.lower(): source for source in query.sources(select)}
    a, b = sources.get(left.table.lower()), sources.get(right.table.lower())
    if a is None or b is None or a is b or a.table is None or b.table is None:
        return
    if _is_sound(query, a, left.name, b, right.name):
        return
    hop = direct(query.hops, a.table.name, b.table.name)
    if hop is not None:
        equal.replace(_condition(query, hop, a.label, b.label))
        _tell(query, hop.near, hop.far, f"by {_told(hop)}")
    elif join is not None and not any(way.near == a.table.name and way.far == b.table.name for way in query.hops):
        _mend_far(query, select, equal, join)


def _mend_far(query: Query, select: exp.Select, equal: exp.EQ, join: exp.Join) -> None:
    """Lead a join between tables that have no link through those that link them."""
    found = _joined(query, select, join)
    if found is None or equal.parent is not join:
        return
    here, before = found[0], {s.table.name: s for s in found[1] if s.table}
    chain = route(query.hops, before, here.table.name) if here.table else None
    if chain is None or len(before) < len(found[1]) or _is_trap(query, select, chain):
        return
    pin(query, select)
    label = before[chain[0].near].label
    added = []
    for hop in chain[:-1]:
        far = _label(query, select, hop.far)
        added.append(_join(query, hop, label, far))
        label = far
    join.set("on", _condition(query, chain[-1], label, here.label))
    joins = list(select.args["joins"])
    place = next(index for index, each in enumerate(joins) if each is join)
    select.set("joins", [*joins[:place], *added, *joins[place:]])
    _tell(query, chain[0].near, chain[-1].far, through(chain).removeprefix("joined "))


def _is_trap(query: Query, select: exp.Select, chain: tuple[Hop, ...]) -> bool:
    """Return whether a chain leads through a table that is there already, or would count a sum's rows several times."""
    present = {source.table.name for source in query.sources(select) if source.table}
    turns = len({hop.fans for hop in chain}) > 1
    return any(hop.far in present for hop in chain[:-1]) or (turns and bool(query.sums(select)))


def through(chain: tuple[Hop, ...]) -> str:
    """Return "joined through a and b" for the tables between the ends of a chain, or ""."""
    between = [f"`{hop.far}`" for hop in chain[:-1]]
    return f"joined through {' and '.join(between)}" if between else ""


def _is_sound(query: Query, a: FromItem, left: str, b: FromItem, right: str) -> bool:
    """Return whether a join's equality is to be left as it is."""
    assert a.table is not None
    assert b.table is not None
    if not (a.has(left) and b.has(right)):
        # a mere misspelling is mended with the other columns
        return bool(alike(left, a.columns or ()) and alike(right, b.columns or ()))
    ways = [hop for hop in query.hops if hop.near == a.table.name and hop.far == b.table.name]
    equated = left.lower(), right.lower()
    if any(equated == (near.lower(), far.lower()) for hop in ways for near, far in hop.pairs):
        return True
    if _leads_elsewhere(query, a, left, b, right) or _leads_elsewhere(query, b, right, a, left):
        return False
    keys = ((a.table.primary_key, left), (b.table.primary_key, right))
    if not all(len(key) == 1 and key[0].lower() == name.lower() for key, name in keys):
        return True
    return not ways and left.lower() == right.lower() != "id"


def _leads_elsewhere(query: Query, a: FromItem, left: str, b: FromItem, right: str) -> bool:
    """Return whether a column is a foreign key to another table, or to another column, than it is joined with."""
    targets = _targets(query, a, left)
    return bool(targets) and not targets & {
        (b.table.name if b.table else "", right.lower()),
        *_targets(query, b, right),
    }


def _targets(query: Query, source: FromItem, column: str) -> set[tuple[str, str]]:
    """Return the tables and columns that a column is a foreign key to."""
    return {
        (hop.far, far.lower())
        for hop in query.hops
        if source.table and hop.near == source.table.name and not hop.fans and len(hop.pairs) == 1
        for near, far in hop.pairs
        if near.lower() == column.lower()
    }


def _join(query: Query, hop: Hop, near: exp.Identifier, far: exp.Identifier) -> exp.Join:
    alias = exp.TableAlias(this=far.copy()) if far.this != hop.far else None
    table = exp.Table(this=query.identifier(hop.far), alias=alias)
    return exp.Join(this=table, on=_condition(query, hop, near, far))


def _condition(query: Query, hop: Hop, near: exp.Identifier, far: exp.Identifier) -> exp.Expr:
    equal = [
        exp.EQ(
            this=exp.Column(this=query.identifier(a), table=near.copy()),
            expression=exp.Column(this=query.identifier(b), table=far.copy()),
        )
        for a, b in hop.pairs
    ]
    return exp.and_(*equal, copy=False) if len(equal) > 1 else equal[0]


def _label(query: Query, select: exp.Select, table: str) -> exp.Identifier:
    """Return the table's name, or one with a number if the query uses that name already."""
    taken = {source.alias.lower() for source in query.sources(select)}
    taken |= {entry.alias.lower() for entry in query.tree.find_all(exp.CTE)}
    if table.lower() not in taken:
        return query.identifier(table)
    return query.identifier(next(f"{table}_{n}" for n in range(2, 1000) if f"{table}_{n}".lower() not in taken))


def _tell(query: Query, near: str, far: str, how: str) -> None:
    query.note(f"{near}+{far}", f"`{near}` and `{far}` were joined {how}.")


def _told(hop: Hop) -> str:
    return " and ".join(f"`{hop.near}.{a} = {hop.far}.{b}`" for a, b in hop.pairs)
