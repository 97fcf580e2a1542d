"""Questions for one number: a count for each of something is counted as a whole where nobody asked for each."""

import re

from sqlglot import exp

from router.agents.repair.query import Query

_ONE = re.compile(
    r"^(?:how many|count"
    r"|(?:what is|what's|find|give|show|tell me|calculate) (?:me )?the (?:total )?(?:number|count) of)\b"
)
_MORE = re.compile(
    r"\b(?:each|every|per|(?<!ed )(?<!en )(?<!wn )(?<!de )by|respective(?:ly)?|different|their|list|group(?:ed)?|along"
    r"|both|vs|versus|for all|names?|and (?:the|their|list|show))\b"
)
"""What tells that more than one number is asked for; "made by" does not."""


def mend_one_number(query: Query, asked: str) -> None:
    """Leave out the groups of a count where the question asks how many there are, and for nothing else."""
    tree, text = query.tree, asked.strip().lower()
    if not isinstance(tree, exp.Select) or not _ONE.match(text) or _MORE.search(text):
        return
    group, items = tree.args.get("group"), tree.expressions
    counts = [item for item in items if isinstance(item.unalias(), exp.Count)]
    rest = [item.unalias() for item in items if item not in counts]
    if not group or len(counts) != 1 or not rest or tree.args.get("having") or tree.args.get("limit"):
        return
    if not all(isinstance(item, exp.Column) for item in rest):
        return
    tree.set("expressions", counts)
    tree.set("group", None)
    tree.set("order", None)
    query.note("one number", "The rows were counted as a whole, as the question asks for one number.")
