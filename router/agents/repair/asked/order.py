"""The order of a result: its columns as the question names them, its groups as people read them."""

import re

from sqlglot import exp

from router.agents.repair.query import Query, counts_places
from router.agents.repair.sources import column_of
from router.catalog.personal import split_words
from router.catalog.stems import stem

LARGEST = "The largest come first, as no order was asked for."
TIMELY = "They are shown in the order of time, as no other was asked for."
"""What the person is told of an order that nobody asked for."""

_SENTENCE = re.compile(r"[.?!;]\s+")
_EACH = re.compile(r"\b(?:each|every|per|by|for all)(?: the| different)* (?:\w+ )?$")
"""Before a name: it tells what there is a number for, not where that stands."""
_WORD = re.compile(r"[^\W_]+")
_TIMES = frozenset(("year", "month", "quarter", "week", "day", "date", "hour"))
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALLED: dict[type[exp.Expr], str] = {
    exp.Count: r"how many|numbers?|counts?|total (?:number|count)|how often|amount of",
    exp.Avg: r"averages?|mean|avg",
    exp.Max: r"max(?:imum)?|highest|largest|greatest|biggest|oldest|latest|most|longest|top",
    exp.Min: r"min(?:imum)?|lowest|smallest|least|youngest|earliest|shortest|fewest",
    exp.Sum: r"totals?|sums?|overall|how much|combined",
}


def order_columns(query: Query, asked: str) -> None:
    """Put the columns into the order in which the question names them, where it names every one of them."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or len(tree.expressions) < 2 or counts_places(tree):
        return
    for text in (_SENTENCE.split(asked.lower().rstrip(" .?!"))[-1], asked.lower()):
        places = [_place(item, text) for item in tree.expressions]
        if None not in places and len(set(places)) == len(places):
            break
    else:
        _order_keys(tree)
        return
    ordered = [item for _, item in sorted(zip(places, tree.expressions, strict=True), key=lambda pair: pair[0] or 0)]
    if ordered != list(tree.expressions):
        tree.set("expressions", ordered)


def _order_keys(tree: exp.Select) -> None:
    keys = [item for item in tree.expressions if not item.find(exp.AggFunc)]
    numbers = [item for item in tree.expressions if item.find(exp.AggFunc)]
    if tree.args.get("group") and keys and numbers and tree.expressions[0] is not keys[0]:
        tree.set("expressions", [*keys, *numbers])


def order_groups(query: Query, asked: str) -> None:
    """Sort groups that nobody sorted: those of a time by it, others by their number, the largest first."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or any(tree.args.get(part) for part in ("order", "limit", "distinct")):
        return
    if not tree.args.get("group"):
        return
    numbers = [item.unalias() for item in tree.expressions if item.find(exp.AggFunc)]
    keys = [item.unalias() for item in tree.expressions if not item.find(exp.AggFunc)]
    times = [key for key in keys if _is_time(query, key)]
    if times and len(times) == len(keys):
        tree.set("order", exp.Order(expressions=[exp.Ordered(this=key.copy(), nulls_first=True) for key in times]))
        query.note("order", TIMELY)
    elif len(numbers) == 1 and keys and not times:
        down = exp.Ordered(this=numbers[0].copy(), desc=True, nulls_first=False)
        query.note("order", LARGEST)
        tree.set("order", exp.Order(expressions=[down]))


def _is_time(query: Query, key: exp.Expr) -> bool:
    """Tell whether a column is a date, or a year, a month and the like of one."""
    if isinstance(key, exp.Column):
        column = column_of(key, query.schema)
        words = {word.lower() for word in split_words(key.name)}
        samples = column.samples if column else ()
        named = bool(words & _TIMES) and all(sample[:1].isdigit() for sample in samples)  # not Friday before Monday
        return named or (column is not None and "DATE" in column.type.upper())
    return isinstance(key, exp.Func) and any(_is_time(query, column) for column in key.find_all(exp.Column))


def _place(item: exp.Expr, asked: str) -> int | None:
    """Return where the question names a column, as far as that is clear."""
    node = item.this if isinstance(item, exp.Alias) else item
    called = _CALLED.get(type(node))
    if called:
        found = [match.start() for match in re.finditer(rf"\b(?:{called})\b", asked)]
        return found[0] if found else None
    if not isinstance(node, exp.Column):
        return None
    words = [stem(word) for word in _WORD.findall(_CAMEL.sub(" ", node.name).lower())]
    spots = [(match.start(), stem(match[0])) for match in _WORD.finditer(asked)]
    names = [word for _, word in spots]
    for at in range(len(names)):
        if names[at : at + len(words)] == words and not _EACH.search(asked[: spots[at][0]]):
            return spots[at][0]
    return None
