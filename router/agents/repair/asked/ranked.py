"""The best of something are shown with what makes them the best."""

import re

from sqlglot import exp

from router.agents.repair.query import Query

_TOP = re.compile(r"^(?:what|who|which|show|list|give|find)\b[^.?]*?\btop (?:\d+|[a-z]+)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:names?|titles?|ids?|only|just) (?:and \w+ )?of (?:all )?(?:the )?top\b|\btop \w+ (?:names|titles|ids)\b",
    re.IGNORECASE,
)


def show_rank(query: Query, asked: str) -> None:
    """Show the number that a list of the top ones is sorted by, where the question does not ask for names alone."""
    tree = query.tree
    if not isinstance(tree, exp.Select) or not _TOP.search(asked) or _ONLY.search(asked):
        return
    order, limit = tree.args.get("order"), tree.args.get("limit") or tree.args.get("fetch")
    if not order or not limit or len(order.expressions) != 1 or tree.args.get("distinct"):
        return
    number = order.expressions[0].this
    shown = [item.unalias() for item in tree.expressions]
    named = isinstance(number, exp.Column) and number.name.lower() in {
        item.output_name.lower() for item in tree.expressions
    }
    if number in shown or named or isinstance(number, exp.Literal) or any(item.is_star for item in shown):
        return
    if any(item.find(exp.AggFunc) for item in shown):
        return
    tree.append("expressions", number.copy())
    query.note("rank", "What they are sorted by is shown beside them.")
