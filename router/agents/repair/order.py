"""The order of a result's columns: as the question names them."""

import re

from sqlglot import exp

from router.agents.repair.query import Query
from router.catalog.stems import stem

_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_CALLED: dict[type[exp.Expr], str] = {
    exp.Count: r"how many|numbers? of|counts?|total (?:number|count)|how often|amount of",
    exp.Avg: r"averages?|mean|avg",
    exp.Max: r"max(?:imum)?|highest|largest|greatest|biggest|oldest|latest|most|longest|top",
    exp.Min: r"min(?:imum)?|lowest|smallest|least|youngest|earliest|shortest|fewest",
    exp.Sum: r"totals?|sums?|overall|how much|combined",
}


def order_columns(query: Query, asked: str) -> None:
    """Put the columns into the order in which the question names them, where it names every one of them."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or len(tree.expressions) < 2 or _by_place(tree):
        return
    places = [_place(item, asked.lower()) for item in tree.expressions]
    if None in places or len(set(places)) < len(places):
        return
    ordered = [item for _, item in sorted(zip(places, tree.expressions, strict=True), key=lambda pair: pair[0] or 0)]
    if ordered != list(tree.expressions):
        tree.set("expressions", ordered)


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
        if names[at : at + len(words)] == words:
            return spots[at][0]
    return None


def _by_place(tree: exp.Select) -> bool:
    """Tell whether a part of the query counts the columns."""
    parts = [tree.args.get("group"), tree.args.get("order")]
    nodes = [node for part in parts if part for node in part.expressions]
    return any(isinstance(node.this if isinstance(node, exp.Ordered) else node, exp.Literal) for node in nodes)
