"""Values that a column does not have: spelt as it has them, or looked for in the column that does."""

from sqlglot import exp

from router.catalog.samples import SAMPLES_PER_COLUMN
from router.catalog.schema import Column, SchemaTable
from router.language.folding import caseless, folds
from router.text_to_sql.repair.join_paths import nearest_chain
from router.text_to_sql.repair.joins import add_joins
from router.text_to_sql.repair.query import Query, exact, near
from router.text_to_sql.repair.sources import Source, column_of, owner

# Values: spelt as the database spells them, of the type they are compared with, and not mistaken for names.


_WIDTHS = {"%Y": 4, "%m": 2, "%d": 2, "%H": 2, "%w": 1}


def mend_literals(query: Query) -> None:
    """Put values right where the samples, or what they are compared with, leave no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.In)):
        others = node.expressions if isinstance(node, exp.In) else [node.args["expression"]]
        for literal in others:
            _spell(query, node.this, literal)
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between)):
        _match_type(query, node)
    for select in query.selects():
        _unquote_names(query, select)


def mend_division(query: Query) -> None:
    """Divide counts as decimals where the database would cut the share to a whole number."""
    if query.dialect not in ("sqlite", "postgres", "tsql"):
        return
    for node in list(query.tree.find_all(exp.Div)):
        if _counts(node.this) and _counts(node.expression) and not isinstance(node.expression, exp.Literal):
            left = node.this
            node.set("this", exp.Mul(this=exp.Literal.number("1.0"), expression=left.copy()))
            query.note(
                "division", "The counts are divided as decimals, so that the share is not cut to a whole number."
            )


def _spell(query: Query, side: exp.Expr, literal: exp.Expr) -> None:
    """Write a value as the only sample is written that differs from it in case alone."""
    if not isinstance(side, exp.Column) or not isinstance(literal, exp.Literal) or not literal.is_string:
        return
    column = column_of(side, query.schema)
    value = literal.name
    if column is None or value in column.samples or len(column.samples) >= SAMPLES_PER_COLUMN:
        return  # where not every value is known, this one may exist as it is written
    same = [sample for sample in column.samples if sample.strip().casefold() == value.strip().casefold()]
    if len(same) == 1:
        literal.replace(exp.Literal.string(same[0]))
        query.note(value, f"“{value}” is spelt “{same[0]}” in `{column.name}`.")


def _match_type(query: Query, node: exp.Expr) -> None:
    """Compare a part of a date, which SQLite gives as text, with text."""
    side = node.this
    if query.dialect != "sqlite" or not isinstance(side, exp.TimeToStr):
        return
    width = _WIDTHS.get(side.text("format"), 0)
    for key in ("expression", "low", "high", "expressions"):
        values = node.args.get(key)
        for value in values if isinstance(values, list) else [values]:
            if isinstance(value, exp.Literal) and not value.is_string and width:
                value.replace(exp.Literal.string(value.name.zfill(width)))
                query.note(value.name, f"{value.name} is compared as text, as SQLite gives parts of a date.")


def _unquote_names(query: Query, select: exp.Select) -> None:
    """Read 'name' as the column where a mere value would make no sense: as a result, in GROUP BY, in ORDER BY."""
    group, order = select.args.get("group"), select.args.get("order")
    places = list(select.expressions) + (list(group.expressions) if group else [])
    places += [each.this for each in order.expressions] if order else []
    for node in places:
        if isinstance(node, exp.Literal) and node.is_string:
            names = [name for source in query.sources(select) for name in source.columns or ()]
            names += [item.alias for item in select.expressions if item.alias]
            found = exact(node.name, names)
            if found:
                node.replace(exp.Column(this=query.identifier(found)))
                query.note(found, f"'{node.name}' was read as the column `{found}`.")


def _counts(node: exp.Expr) -> bool:
    """Tell whether a value is surely a whole number that counts something."""
    match node:
        case exp.Paren():
            return _counts(node.this)
        case exp.Count():
            return True
        case exp.Sum():
            case = node.this
            return isinstance(case, exp.Case | exp.If) and all(_whole(value) for value in _results(case))
        case exp.Mul():
            sides = (node.this, node.expression)
            return any(_counts(side) for side in sides) and all(_counts(side) or _whole(side) for side in sides)
    return False


def _results(case: exp.Expr) -> list[exp.Expr]:
    branches = case.args.get("ifs") or [case]
    default = case.args.get("default") or case.args.get("false")
    return [branch.args["true"] for branch in branches] + ([default] if default else [])


def _whole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Literal) and bool(node.is_int)


def mend_values(query: Query) -> None:
    """Compare each column with a value that it has, where what is known of the values leaves no doubt."""
    for node in list(query.tree.find_all(exp.EQ, exp.NEQ)):
        literal = node.expression
        if isinstance(node.this, exp.Column) and isinstance(literal, exp.Literal) and literal.is_string:
            _mend(query, node.this, literal)


def _mend(query: Query, side: exp.Column, literal: exp.Literal) -> None:
    column, value = column_of(side, query.schema), literal.name
    if column is None or value in column.values or not value.strip():
        return
    if spelt := _spelt(value, column) or _accented(value, column):
        _respell(query, literal, column, spelt)
    elif column.whole or (column.is_number and not _numeric(value)):
        _look_elsewhere(query, side, literal, column)


def _spelt(value: str, column: Column) -> str:
    """Return the only value of the column that differs in case and blanks alone, or ""."""
    found = [each for each in column.values if caseless(each) == caseless(value)]
    return found[0] if len(found) == 1 else ""


def _accented(value: str, column: Column) -> str:
    """Return the only value of the column that differs in accents, hyphens and points as well, or ""."""
    typed = set(folds(value)) - {""}
    found = [each for each in column.values if typed.intersection(folds(each))]
    return found[0] if len(found) == 1 else ""


def _respell(query: Query, literal: exp.Literal, column: Column, spelt: str) -> None:
    query.note(literal.name, f"“{literal.name}” is spelt “{spelt}” in `{column.name}`.")
    literal.replace(exp.Literal.string(spelt))


def _numeric(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _look_elsewhere(query: Query, side: exp.Column, literal: exp.Literal, column: Column) -> None:
    """Take the column that has the value: of the same table, of the query's others, or of one that is to be joined."""
    select = owner(side)
    if not isinstance(select, exp.Select):
        return
    sources = [source for source in query.sources(select) if source.table]
    own = next((source for source in sources if source.alias.lower() == side.table.lower()), None)
    own = own or (sources[0] if len(sources) == 1 else None)
    if own is None:
        return
    for group in ([own], [source for source in sources if source is not own]):
        found = [(source, *pair) for source in group for pair in _holding(source.table, literal.name)]
        if len(found) == 1:
            source, name, spelt = found[0]
            _take(query, side, literal, source.label, name, spelt)
            return
        if found:
            return
    if _join(query, select, side, literal, sources):
        return
    if column.whole and (nearest_chain := near(literal.name, column.values)):
        _respell(query, literal, column, nearest_chain)


def _join(query: Query, select: exp.Select, side: exp.Column, literal: exp.Literal, sources: list[Source]) -> bool:
    starts = {source.table.name: source for source in sources if source.table}
    if len(starts) != len(sources):
        return False
    homes = [(t.name, pair) for t in query.schema.tables if t.name not in starts for pair in _holding(t, literal.name)]
    found = nearest_chain(query.hops, starts, homes, fans=False)
    if found is None:
        return False
    chain, (name, spelt) = found
    label = add_joins(query, select, chain, starts[chain[0].near])
    _take(query, side, literal, label, name, spelt)
    return True


def _holding(table: SchemaTable | None, value: str) -> list[tuple[str, str]]:
    """Return the columns of a table that have the value, each with its spelling."""
    columns = table.columns if table else ()
    return [(column.name, spelt) for column in columns if (spelt := _spelt(value, column))]


def _take(query: Query, side: exp.Column, literal: exp.Literal, label: exp.Identifier, name: str, spelt: str) -> None:
    query.note(f"{literal.name}+{name}", f"“{spelt}” is a value of `{name}`, not of `{side.name}`.")
    query.redirect(side, label, name)
    literal.replace(exp.Literal.string(spelt))
