"""Comparisons in one query: the same figure of several periods, or of several values, side by side."""

from sqlglot import exp

from router.language.wording import and_list
from router.sql.measures import Measures, date_part
from router.sql.query_shape import QueryShape, conditions, group_keys, is_key, sums_up
from router.sql.short_filters import spans, value


def side_by_side(shape: QueryShape, measures: Measures) -> str:
    """Return "revenue of March 2026 and February 2026 side by side for each region", "" where nothing is compared."""
    return _joined(shape, measures) or _pivoted(shape, measures)


def _pivoted(shape: QueryShape, measures: Measures) -> str:
    """Return the words for SUM(CASE WHEN … THEN … END) of several values of one column."""
    found = [(_case(item.unalias())) for item in shape.select.expressions if sums_up(item)]
    cases = [each for each in found if each is not None]
    if len(cases) < 2 or len({kind for kind, _, _ in cases}) != 1 or len(cases) != len(found):
        return ""
    labels = [_label(condition) for _, _, condition in cases]
    columns = {_subject(condition) for _, _, condition in cases}
    thens = {then.sql() if then is not None else "" for _, then, _ in cases}
    if not all(labels) or len(set(labels)) != len(labels) or len(columns) != 1 or "" in columns or len(thens) != 1:
        return ""
    kind, then, condition = cases[0]
    if then is None or (kind is exp.Count or isinstance(then, exp.Literal)):
        figure = f"numbers of {measures.entity()}"
    else:
        figure = measures.of(kind(this=then.copy())) if isinstance(then, exp.Column) else ""
    column = next((c for c in condition.find_all(exp.Column)), None)
    by = f" {measures.column(column)}" if column is not None and "“" in labels[0] else ""
    return _said(f"{figure} with{by}" if by and figure else figure, labels, _groups(shape, measures))


def _said(figure: str, labels: list[str], groups: str) -> str:
    named = and_list(labels)
    start = f"{figure} {'' if figure.split()[-1:] and 'with' in figure else 'of '}{named}" if figure else named
    return f"{start} side by side" + (f" for each {groups}" if groups else "")


def _groups(shape: QueryShape, measures: Measures) -> str:
    names = [measures.column(key) if isinstance(key, exp.Column) else date_part(key) for key in shape.keys]
    return and_list(names) if all(names) else ""


def _case(node: exp.Expr) -> tuple[type[exp.Expr], exp.Expr | None, exp.Expr] | None:
    """Return the kind of sum, what is summed up, and the condition, of a sum with a condition; None of any other."""
    while isinstance(node, exp.Round | exp.Coalesce):
        node = node.this
    if isinstance(node, exp.Filter) and isinstance(node.this, exp.Sum | exp.Count | exp.Avg):
        inner = node.this.this
        return type(node.this), None if isinstance(inner, exp.Star) else inner, node.expression.this
    if not isinstance(node, exp.Sum | exp.Count | exp.Avg) or not isinstance(node.this, exp.Case):
        return None
    case = node.this
    if case.this is not None or len(case.args["ifs"]) != 1:
        return None
    default = case.args.get("default")
    zero = isinstance(default, exp.Literal) and default.name in ("0", "0.0")
    if default is not None and not isinstance(default, exp.Null) and not (zero and isinstance(node, exp.Sum)):
        return None
    branch = case.args["ifs"][0]
    then = branch.args["true"]
    if isinstance(node, exp.Sum) and isinstance(then, exp.Literal) and then.name != "1":
        return None
    kind = exp.Count if isinstance(then, exp.Literal) and isinstance(node, exp.Sum) else type(node)
    return kind, then, branch.this


def _label(condition: exp.Expr) -> str:
    """Return the period or the value that a condition asks for, and nothing else."""
    periods, rest = spans(conditions(condition))
    if len(periods) == 1 and not rest:
        return periods[0]
    if len(rest) == 1 and not periods and isinstance(rest[0], exp.EQ):
        said = value(rest[0].args["expression"])
        return said.strip("“”") if date_part(rest[0].this) == "year" else said if "“" in said else ""
    return ""


def _subject(condition: exp.Expr) -> str:
    names = {each.sql() for each in condition.find_all(exp.Column)}
    return names.pop() if len(names) == 1 else ""


def _joined(shape: QueryShape, measures: Measures) -> str:
    """Return the words for inner queries that differ by their periods alone, joined by what they group by."""
    if shape.keys or any(sums_up(item) for item in shape.select.expressions):
        return ""
    parts = {alias: each.query for alias, each in shape.sources.items() if isinstance(each.query, exp.Select)}
    figures = [each for item in shape.select.expressions if (each := _figure(item, parts)) is not None]
    used = {alias for alias, _ in figures}
    if len(figures) < 2 or len(used) != len(figures):
        return ""
    shapes = [QueryShape(parts[alias], shape.made) for alias, _ in figures]
    said = [Measures(each, kept=measures.kept).of(item) for each, (_, item) in zip(shapes, figures, strict=True)]
    groups = [_groups(each, Measures(each, kept=measures.kept)) for each in shapes]
    labels = [_time(parts[alias]) for alias, _ in figures]
    if not all(labels) or len(set(labels)) != len(labels):
        return ""
    same = len({_without_where(parts[alias]) for alias, _ in figures}) == 1 or len(set(said)) == 1
    if not same or len(set(groups)) != 1:
        return ""
    return _said(said[0], labels, groups[0])


def _figure(item: exp.Expr, parts: dict[str, exp.Select]) -> tuple[str, exp.Expr] | None:
    """Return the inner query, and its result, that a result of the outer one is taken from."""
    node = item.unalias()
    while isinstance(node, exp.Coalesce | exp.Round | exp.Paren):
        node = node.this
    if not isinstance(node, exp.Column):
        return None
    inner = parts.get(node.table.lower())
    if inner is None:
        return None
    found = [each for each in _results(inner) if each[0] == node.name.lower()]
    if len(found) != 1 or not sums_up(found[0][1]) or is_key(found[0][1], group_keys(inner)):
        return None
    return node.table.lower(), found[0][1]


def _results(query: exp.Select) -> list[tuple[str, exp.Expr]]:
    """Return the results of an inner query by the names that the outer query knows them by."""
    above = query.parent.args.get("alias") if query.parent is not None else None
    columns = above.columns if isinstance(above, exp.TableAlias) else []
    names = [each.name for each in columns] or [each.alias_or_name for each in query.expressions]
    return [(name.lower(), item) for name, item in zip(names, query.expressions, strict=False)]


def _time(query: exp.Select) -> str:
    """Return the only period that a query asks for, where it has no other condition."""
    parts = conditions(query.args.get("where"))
    periods, rest = spans(parts)
    years = [label for each in rest if (label := _label(each)) and "“" not in label]
    return periods[0] if len(periods) == 1 and not rest else years[0] if len(years) == 1 == len(parts) else ""


def _without_where(query: exp.Select) -> str:
    bare = query.copy()
    bare.set("where", None)
    return bare.sql()
