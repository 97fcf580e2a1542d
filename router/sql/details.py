"""The steps of a query as short sentences: what it reads, keeps, groups, shows, sorts and cuts off."""

from sqlglot import exp

from router.language.wording import and_list
from router.sql.dialect import Name
from router.sql.phrases import Terms, condition, phrase, spoken
from router.sql.query_names import harmless
from router.sql.query_shape import QueryShape, group_keys, is_join_condition, referred, sums_up

_SHOWN_MAX = 8


def details(tree: exp.Expr, dialect: Name) -> tuple[str, ...]:
    """Return the steps, each a sentence; first those of WITH, by their names."""
    first = tree.args.get("with_")
    made = [
        f"First makes “{harmless(spoken(cte.alias))}”: {'; '.join(_steps(cte.this, dialect))}."
        for cte in (first.expressions if first else ())
    ]
    return (*made, *(f"{step[:1].upper()}{step[1:]}." for step in _steps(tree, dialect)))


def _steps(node: exp.Expr, dialect: Name) -> list[str]:
    """Return the steps as clauses without a subject: "reads orders"."""
    match node:
        case exp.Subquery() | exp.Paren():
            return _steps(node.this, dialect)
        case exp.Union() | exp.Intersect() | exp.Except():
            return _together(node, dialect)
        case exp.Select():
            return _select(node, dialect)
    return [f"gives {_terms(dialect, {}).code(node)}"]


def _terms(dialect: Name, tables: dict[str, str]) -> Terms:
    return Terms(dialect, tables, lambda query: inline(query, dialect))


def inline(query: exp.Expr, dialect: Name) -> str:
    """Return an inner query within a sentence: "the average price of products", where it is plain enough."""
    bare = query.this if isinstance(query, exp.Subquery) else query
    steps = _steps(bare, dialect)
    if isinstance(bare, exp.Select) and bare.args.get("from_") is not None:
        terms, known = _terms(dialect, _aliases(bare)), {"expressions", "from_", "where"}
        if len(bare.expressions) == 1 and all(key in known for key, found in bare.args.items() if found):
            where = bare.args.get("where")
            item = bare.expressions[0]
            said = "the rows" if isinstance(item, exp.Literal) else _shown(item, terms)
            source = _source(bare.args["from_"].this, terms)
            return f"{said} of {source}" + (f" where {condition(where.this, terms)}" if where else "")
    return "; ".join(steps)


def _together(node: exp.SetOperation, dialect: Name) -> list[str]:
    sides = _sides(node)
    steps = [f"query {place}: {'; '.join(_steps(side, dialect))}" for place, side in enumerate(sides, 1)]
    match node:
        case exp.Union():
            which = "both" if len(sides) == 2 else f"all {len(sides)}"
            done = f"puts the rows of {which} together{', each once' if node.args.get('distinct') else ''}"
        case exp.Intersect():
            done = "keeps the rows that are in both"
        case _:
            done = "keeps the rows of query 1 that are not in query 2"
    return [*steps, done, *_tail(node, _terms(dialect, {}))]


def _sides(node: exp.SetOperation) -> list[exp.Expr]:
    """Return the queries of a UNION, in a row if each is put together with the others in the same way."""
    left = node.left
    bare = not any(left.args.get(key) for key in ("order", "limit", "offset", "with_"))
    same = bool(left.args.get("distinct")) == bool(node.args.get("distinct"))
    if isinstance(node, exp.Union) and isinstance(left, exp.Union) and bare and same:
        return [*_sides(left), node.right]
    return [left, node.right]


def _select(select: exp.Select, dialect: Name) -> list[str]:
    terms = _terms(dialect, _aliases(select))
    keys, where, having = group_keys(select), select.args.get("where"), select.args.get("having")
    named = {item.alias.lower(): item.unalias() for item in select.expressions if item.alias}
    if having is not None:
        having = having.this.transform(lambda node: _meant(node, named))
    steps = _reads(select, terms)
    steps += [f"keeps only rows where {condition(where.this, terms)}"] if where else []
    if keys:
        steps.append(f"makes one row for each {and_list([_bare(phrase(key, terms)) for key in keys])}")
    elif any(sums_up(item) for item in select.expressions):
        steps.append("takes all of them together")
    steps += [f"keeps only results where {condition(having, terms)}"] if having is not None else []
    shown = ["all columns" if item.is_star else _shown(item, terms) for item in select.expressions]
    shown = shown if len(shown) <= _SHOWN_MAX else [*shown[: _SHOWN_MAX - 1], f"{len(shown) - _SHOWN_MAX + 1} more"]
    once = ", each different one once" if select.args.get("distinct") is not None else ""
    return [*steps, f"shows {and_list(shown)}{once}", *_tail(select, terms)]


def _meant(node: exp.Expr, named: dict[str, exp.Expr]) -> exp.Expr:
    """Return what a name in HAVING stands for, where it is that of a result taken over many rows."""
    if isinstance(node, exp.Column) and not node.table:
        found = named.get(node.name.lower())
        return found.copy() if found is not None and sums_up(found) else node
    return node


def _bare(text: str) -> str:
    return text.removeprefix("the ")


def _shown(item: exp.Expr, terms: Terms) -> str:
    """Return a result, and its name where that says something else: "revenue (the total of order total)"."""
    said, name = phrase(item, terms), harmless(spoken(item.alias))
    if not item.alias or name.lower() in (said.lower(), _bare(said).lower()):
        return said
    return f"{said} as “{name}”"


def _reads(select: exp.Select, terms: Terms) -> list[str]:
    start = select.args.get("from_")
    if start is None:
        return []
    said = f"reads {_source(start.this, terms)}"
    joins = select.args.get("joins") or ()
    parts = [_joined(join, terms) for join in joins]
    if not parts:
        return [said]
    loose = [join for join in joins if not (join.args.get("on") or join.args.get("using") or join.method)]
    where = select.args.get("where")
    tied = where is not None and any(_equates(equality) for equality in where.find_all(exp.EQ))
    each = " (every row with every row)" if loose and not tied else ""
    kept = [_kept(join, start.this) for join in joins]
    return [f"{said}, joined with {and_list(parts)}{each}", *filter(None, kept)]


def _kept(join: exp.Join, first: exp.Expr) -> str:
    """Return which rows without a match stay."""
    name = harmless(spoken(join.this.alias_or_name if not isinstance(join.this, exp.Table) else join.this.name))
    match join.side:
        case "LEFT":
            return f"keeps rows without a match in {name or 'the inner query'} too"
        case "RIGHT":
            return f"keeps all rows of {name or 'the inner query'}, with or without a match"
        case "FULL":
            return "keeps rows of both sides without a match too"
    return ""


def _joined(join: exp.Join, terms: Terms) -> str:
    """Return the table of a join, and its conditions beyond equal keys."""
    on = join.args.get("on")
    parts = [on] if on is not None and not isinstance(on, exp.And) else list(on.flatten()) if on is not None else []
    extra = [part.copy() for part in parts if not _equates(part)]
    said, called = _source(join.this, terms), terms.tables.get(join.this.alias_or_name.lower(), "")
    if isinstance(join.this, exp.Table) and called not in ("", join.this.name):
        said = f"{said} as {called}"
    return f"{said} (matched where {condition(exp.and_(*extra), terms)})" if extra else said


def _equates(node: exp.Expr) -> bool:
    """Tell whether a join's condition only says that two columns are equal, or both empty, or everything matches."""
    node = node.unnest()
    if isinstance(node, exp.Or) and isinstance(node.expression.unnest(), exp.And):
        parts = node.expression.unnest().flatten()
        empty = [each.this for each in parts if isinstance(each, exp.Is) and isinstance(each.expression, exp.Null)]
        return _equates(node.this) and empty == [node.this.this, node.this.expression]
    return isinstance(node, exp.Boolean) or (
        isinstance(node, exp.EQ | exp.NullSafeEQ | exp.Is) and is_join_condition(node)
    )


def _source(node: exp.Expr, terms: Terms) -> str:
    if isinstance(node, exp.Subquery):
        return f"an inner query ({terms.inner(node.this)})"
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return harmless(node.name)
    return terms.code(node)


def _tail(query: exp.Query, terms: Terms) -> list[str]:
    """Return the order and the limit, each a step."""
    order, limit = query.args.get("order"), query.args.get("limit")
    keys = order.expressions if order else []
    count = limit.args.get("expression") or limit.args.get("count") if limit else None
    skipped = query.args.get("offset")
    steps = [f"sorts by {and_list([_sorted(query, key, terms) for key in keys])}"] if keys else []
    after = f" after the first {phrase(skipped.expression, terms)}" if skipped is not None else ""
    if count is not None:
        some = phrase(count, terms)
        first = "only the first row" if some == "1" else f"the first {some} rows"
        steps.append(f"keeps {some} rows{after}" if after else f"keeps {first}" if keys else f"keeps any {some} rows")
    elif after:
        steps.append(f"keeps what comes{after}")
    return steps


def _sorted(query: exp.Query, key: exp.Expr, terms: Terms) -> str:
    named = key.this if isinstance(key.this, exp.Column) else None
    node = referred(query, key.this)
    number = sums_up(node) or any(
        isinstance(node, exp.Column) and item.alias.lower() == node.name.lower() and sums_up(item)
        for item in (query.expressions if isinstance(query, exp.Select) else [])
    )
    down = (", highest first" if number else ", descending") if key.args.get("desc") else ""
    said = harmless(spoken(named.name)) if named is not None and node is not named else _bare(phrase(node, terms))
    return f"{said}{down}"


def _aliases(select: exp.Select) -> dict[str, str]:
    start = select.args.get("from_")
    nodes = ([start.this] if start else []) + [join.this for join in select.args.get("joins") or ()]
    named = {node.alias_or_name.lower(): node.name if isinstance(node, exp.Table) else "" for node in nodes}
    tables = [node.name.lower() for node in nodes if isinstance(node, exp.Table)]
    shape = QueryShape(select, {}) if len(set(tables)) < len(tables) else None
    if shape is not None:  # of a table that is read twice, the columns are told apart by what points there
        for alias in named:
            named[alias] = shape.role(alias) if tables.count(named[alias].lower()) > 1 else named[alias]
    # Columns of the first table need no qualifier: the sentence begins with it.
    return named | {node.alias_or_name.lower(): "" for node in nodes[:1]}
