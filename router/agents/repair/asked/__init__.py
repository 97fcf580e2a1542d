"""What a query that runs means, against the question: its rows, its columns, what it counts and how it is sorted."""

import re

from router.agents.repair.asked.both import mend_both
from router.agents.repair.asked.counted import mend_counted
from router.agents.repair.asked.extremes import mend_extremes
from router.agents.repair.asked.joined import drop_unasked
from router.agents.repair.asked.labels import show_labels
from router.agents.repair.asked.named import show_names
from router.agents.repair.asked.once import show_once
from router.agents.repair.asked.one_number import mend_one_number
from router.agents.repair.asked.order import order_columns, order_groups
from router.agents.repair.asked.ranked import show_rank
from router.agents.repair.asked.subject import mend_subject
from router.agents.repair.asked.tallies import add_tallies
from router.agents.repair.asked.unasked import drop_conditions
from router.agents.repair.query import Query

_STEPS = (
    mend_extremes,
    drop_conditions,
    mend_one_number,
    drop_unasked,
    mend_counted,
    mend_both,
    mend_subject,
    show_once,
    add_tallies,
    show_labels,
    show_names,
    show_rank,
    order_columns,
    order_groups,
)


_ENGLISH = frozenset(
    """
    a all and are average by count each find for from give has have how in is list many most much name names number of
    or per show that the their there top total was were what when where which who whose with
    """.split()  # noqa: SIM905 — a list of words is read as words
)


def fit(query: Query, asked: str) -> None:
    """Change what an English question does not ask for, where it leaves no doubt; the rules know no other language."""
    words = re.findall(r"[^\W_]+", asked.lower())
    if sum(word in _ENGLISH for word in words) * 5 >= len(words) > 0:
        for mend in _STEPS:
            mend(query, asked)
