"""Explains a query in a sentence or two for a business reader; from its syntax tree, not by a model."""

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.language.wording import and_list
from router.sql import parsing
from router.sql.dialect import Name
from router.sql.phrases import Terms, condition, count_phrase, phrase, spoken


def only_table(sql: str, dialect: Name) -> str:
    """Return the name of the only table that a query reads, "" where there are several, or none."""
    names = tables_of(sql, dialect)
    return next(iter(names)) if len(names) == 1 else ""


def tables_of(sql: str, dialect: Name) -> frozenset[str]:
    """Return the names of the tables that a query reads; none where it cannot be read."""
    try:
        tree = parsing.statement(sql, dialect)
    except (SqlglotError, RecursionError):
        return frozenset()
    if isinstance(tree, str):
        return frozenset()
    made = {each.alias for each in tree.find_all(exp.CTE)}
    return frozenset({each.name for each in tree.find_all(exp.Table)} - made - {""})


# The parts of a query that the words cover; a query with anything beyond is said to hold more.

_SELECT = {"expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "distinct", "with_"}
_SET = {"this", "expression", "distinct", "order", "limit", "offset", "with_"}
_COVERED: dict[type[exp.Expr], set[str]] = {
    exp.Select: _SELECT,
    exp.Union: _SET,
    exp.Intersect: _SET,
    exp.Except: _SET,
    exp.Subquery: {"this", "alias"},
    exp.Table: {"this", "db", "catalog", "alias"},
    exp.Join: {"this", "on", "using", "side", "kind"},
    exp.With: {"expressions", "recursive"},
    exp.CTE: {"this", "alias"},
    exp.Group: {"expressions"},
    exp.Distinct: {"expressions"},
    exp.Limit: {"expression", "limit_options"},
    exp.Fetch: {"direction", "count", "limit_options"},
    exp.LimitOptions: {"rows"},
    exp.Offset: {"expression"},
    exp.Star: set(),
}
_KINDS = {"", "INNER", "OUTER", "CROSS"}


def _covered(node: exp.Expr, tree: exp.Expr) -> bool:
    """Tell whether the words for a query leave nothing of this node out that changes its rows."""
    known = _COVERED.get(type(node))
    if known is None:
        return not isinstance(node, exp.Query | exp.Rollup | exp.Cube | exp.GroupingSets)
    if isinstance(node, exp.Join) and node.kind.upper() not in _KINDS:
        return False
    inner_with = node is not tree and "with_" in known and bool(node.args.get("with_"))
    return not inner_with and not any(value and key not in known for key, value in node.args.items())


UNSPOKEN = "This query is too unusual to be put into words; please read the SQL itself."
MORE = "It does more than these words tell; please read the SQL."
_VERBS: dict[type[exp.Expr], str] = {
    exp.Sum: "adds up {}",
    exp.Avg: "averages {}",
    exp.Max: "finds the highest {}",
    exp.Min: "finds the lowest {}",
}


def explain(sql: str, dialect: Name) -> str:
    """Return what the query does in plain words; every table that it reads is named. Never raises."""
    try:
        tree = parse_one(sql, read=dialect)
        first = tree.args.get("with_") or exp.With()
        said = [f"First works out {cte.alias}: it {_query(cte.this, dialect)}." for cte in first.expressions]
        main = _query(tree, dialect)
    except (SqlglotError, RecursionError, KeyError, AttributeError):
        return UNSPOKEN
    more = [] if all(_covered(node, tree) for node in tree.walk()) else [MORE]
    text = " ".join([*said, f"{main[0].upper()}{main[1:]}.", *more])
    missing = [name for name in _tables(tree) if name.lower() not in text.lower()]
    return f"{text} It also reads {and_list(missing)}." if missing else text


def _query(node: exp.Expr, dialect: Name) -> str:
    """Return what a query does as a clause without its subject: "counts the rows of orders"."""
    match node:
        case exp.Subquery() | exp.Paren():
            return _query(node.this, dialect)
        case exp.Union() | exp.Intersect() | exp.Except():
            return _together(node, dialect)
        case exp.Select():
            return _select(node, dialect)
    return f"gives {_terms(dialect, {}).code(node)}"


def _terms(dialect: Name, tables: dict[str, str]) -> Terms:
    return Terms(dialect, tables, lambda query: _query(query, dialect))


def _together(node: exp.SetOperation, dialect: Name) -> str:
    left, right = _query(node.left, dialect), _query(node.right, dialect)
    ways = {
        exp.Union: ("puts the rows of two queries together", " and "),
        exp.Intersect: ("keeps the rows that two queries have in common", " and "),
        exp.Except: ("takes the rows of one query that another does not have", " without "),
    }
    what, between = ways[type(node)]
    once = ", each once" if isinstance(node, exp.Union) and node.args.get("distinct") else ""
    return f"{what}{once}: one {left}{between.rstrip()} one {right}" + _tail(node, _terms(dialect, {}), frozenset())


def _select(select: exp.Select, dialect: Name) -> str:
    terms = _terms(dialect, _aliases(select))
    keys = _keys(select)
    said = _head(select, terms, keys) + _sources(select, terms)
    if keys:
        said += "," if select.args.get("joins") else ""
        said += f" for each {and_list([phrase(key, terms).removeprefix('the ') for key in keys])}"
    where, having = select.args.get("where"), select.args.get("having")
    said += f", only where {condition(where.this, terms)}" if where else ""
    said += f", keeping only results where {condition(having.this, terms)}" if having else ""
    sums = frozenset(item.alias.lower() for item in select.expressions if item.alias and _sums(item))
    return said + _tail(select, terms, sums)


def _keys(select: exp.Select) -> list[exp.Expr]:
    """Return what a query groups by, with the results that numbers and names there stand for."""
    group = select.args.get("group")
    return [_referred(select, key) for key in group.expressions] if group else []


def _head(select: exp.Select, terms: Terms, keys: list[exp.Expr]) -> str:
    """Return the verbs and their objects; what the query groups by is said later."""
    items = select.expressions
    summed = [_verb(item, terms) for item in items if _sums(item)]
    plain = [item for item in items if not _sums(item) and not (summed and _is_key(item, keys))]
    shown = ["all columns" if item.is_star else phrase(item, terms) for item in plain]
    shown = shown if len(shown) <= 8 else [*shown[:7], f"{len(shown) - 7} more columns"]
    once = select.args.get("distinct") is not None and not summed
    first = [f"lists each different {and_list(shown)} once" if once else f"shows {and_list(shown)}"] if shown else []
    return and_list([*first, *summed])


def _is_key(item: exp.Expr, keys: list[exp.Expr]) -> bool:
    named = any(isinstance(key, exp.Column) and key.name.lower() == item.alias.lower() for key in keys if item.alias)
    return named or item.unalias() in keys


def _verb(item: exp.Expr, terms: Terms) -> str:
    node, name = item.unalias(), spoken(item.alias)
    if isinstance(node, exp.Round | exp.Coalesce) and type(node.this) in _VERBS:
        node = node.this
    if isinstance(node, exp.Count):
        return f"counts the {count_phrase(node, terms)}"
    if type(node) in _VERBS and not isinstance(node.this, exp.Distinct):
        what = phrase(node.this, terms)
        return _VERBS[type(node)].format(what) + (f" ({name})" if name and name != what else "")
    return f"works out {name}, which is {phrase(node, terms)}" if name else f"works out {phrase(node, terms)}"


def _sources(select: exp.Select, terms: Terms) -> str:
    start = select.args.get("from_")
    if start is None:
        return ""
    said = f" of {_source(start.this, terms)}"
    joins = select.args.get("joins") or ()
    parts = [_joined(join, terms) for join in joins]
    loose = [join for join in joins if not (join.args.get("on") or join.args.get("using") or join.method)]
    where = select.args.get("where")
    tied = where is not None and any(_equates(equality) for equality in where.find_all(exp.EQ))
    each = " (every row with every row)" if loose and not tied else ""
    return f"{said}, joined with {and_list(parts)}{each}" if parts else said


def _joined(join: exp.Join, terms: Terms) -> str:
    """Return the table of a join, what becomes of rows without a match, and conditions beyond equal keys."""
    kept = {"LEFT": " where there is a match", "RIGHT": " (all of its rows)", "FULL": " (all rows of both)"}
    on = join.args.get("on")
    more = [part for part in on.flatten() if not _equates(part)] if isinstance(on, exp.And) else [on] if on else []
    extra = [condition(part, terms) for part in more if not _equates(part)]
    said = _source(join.this, terms) + kept.get(join.side, "")
    return f"{said} (matched where {' and '.join(extra)})" if extra else said


def _equates(node: exp.Expr) -> bool:
    """Tell whether a join's condition only says that two columns are equal, or both empty, or everything matches."""
    node = node.unnest()
    if isinstance(node, exp.Or) and isinstance(node.expression.unnest(), exp.And):
        parts = node.expression.unnest().flatten()
        empty = [each.this for each in parts if isinstance(each, exp.Is) and isinstance(each.expression, exp.Null)]
        return _equates(node.this) and empty == [node.this.this, node.this.expression]
    columns = isinstance(node, exp.EQ | exp.NullSafeEQ | exp.Is) and all(
        isinstance(side, exp.Column) for side in (node.this, node.expression)
    )
    return columns or isinstance(node, exp.Boolean)


def _source(node: exp.Expr, terms: Terms) -> str:
    if isinstance(node, exp.Subquery):
        return f"an inner query ({terms.inner(node.this)})"
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Identifier):
        return node.name
    return terms.code(node)


def _tail(query: exp.Query, terms: Terms, sums: frozenset[str]) -> str:
    """Return the order and the limit as words."""
    order, limit = query.args.get("order"), query.args.get("limit")
    keys = order.expressions if order else []
    count = limit.args.get("expression") or limit.args.get("count") if limit else None
    skipped = query.args.get("offset")
    said = ""
    if keys:
        said = f", sorted by {and_list([_sorted(query, key, terms, sums) for key in keys])}"
    if count is not None:
        said += (
            f", and shows the first {phrase(count, terms)}"
            if keys
            else f", and shows only {phrase(count, terms)} of them"
        )
    if skipped is not None:
        said += f" after the first {phrase(skipped.expression, terms)}"
    return said


def _sorted(query: exp.Query, key: exp.Expr, terms: Terms, sums: frozenset[str]) -> str:
    node = _referred(query, key.this)
    number = _sums(node) or (isinstance(node, exp.Column) and node.name.lower() in sums)
    down = " (highest first)" if number else " (descending)"
    return phrase(node, terms) + (down if key.args.get("desc") else "")


def _referred(query: exp.Query, key: exp.Expr) -> exp.Expr:
    """Return the result that a number in GROUP BY or ORDER BY stands for, or the key itself."""
    if isinstance(key, exp.Literal) and key.is_int and isinstance(query, exp.Select):
        place = int(key.this)
        if 0 < place <= len(query.expressions):
            item: exp.Expr = query.expressions[place - 1].unalias()
            return item
    if isinstance(key, exp.Column) and not key.table and isinstance(query, exp.Select):
        # The name of a result may stand for it, unless a table could have a column of that name.
        found = [item.unalias() for item in query.expressions if item.alias.lower() == key.name.lower()]
        return found[0] if found and not isinstance(found[0], exp.Column) and not _sums(found[0]) else key
    return key


def _sums(item: exp.Expr) -> bool:
    """Tell whether a result is taken over many rows, not counting windows and inner queries."""
    found = item.find_all(exp.AggFunc)
    return any(not node.find_ancestor(exp.Window) and _owner(node) is _owner(item) for node in found)


def _owner(node: exp.Expr) -> exp.Expr | None:
    return node.find_ancestor(exp.Select)


def _aliases(select: exp.Select) -> dict[str, str]:
    start = select.args.get("from_")
    nodes = ([start.this] if start else []) + [join.this for join in select.args.get("joins") or ()]
    named = {node.alias_or_name.lower(): node.name if isinstance(node, exp.Table) else "" for node in nodes}
    # Columns of the first table need no qualifier: the sentence begins with it.
    return named | {node.alias_or_name.lower(): "" for node in nodes[:1]}


def _tables(tree: exp.Expr) -> list[str]:
    """Return the names of the tables that are read, each once."""
    named = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    names = [t.name for t in tree.find_all(exp.Table) if isinstance(t.this, exp.Identifier)]
    return list(dict.fromkeys(name for name in names if name.lower() not in named))
