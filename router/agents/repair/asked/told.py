"""What a question says that nothing in the query accounts for."""

import re

from sqlglot import exp

from router.agents.repair.query import Query
from router.catalog.personal import split_words

_PLAIN = frozenset(
    """
    a about above across after ago all along alphabetical also among amount an and any are as asc ascending at
    average avg be been before below between bigger both but by calculate can case could count current currently
    data database date day desc descending did different distinct do does each earliest either every fewest find
    first following for from get give given greater greatest had has have he her high higher highest his how i
    id identifier ids if in into is it its just larger largest last latest least less list long longest low
    lower lowest many matching max maximum me mean min minimum month more most much my name named names no not
    number of older oldest on one only or order ordered our over overall part people per please ratio respective
    respectively return same she show shown smaller smallest sort sorted sum than that the their them there
    these they this those time to together top total under up us using value was we were what when where which
    who whole whose will with within year years you younger youngest your
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Words that say how to count, sort and show, or nothing."""

_HAVING = frozenset(
    """
    associat belong buil built compos conduct consist contain correspond create creat design develop hold involv located
    made maintain make manag offer own perform plac play presented produc provid publish receiv record regist releas run
    """.split()  # noqa: SIM905
)
"""Beginnings of words that say no more than that one thing has another."""


def untold(query: Query, select: exp.Select, asked: str) -> frozenset[str]:
    """Return the words of the question that neither a table, nor a column, nor a value of the query has."""
    names = [node.name for node in select.find_all(exp.Table, exp.Column, exp.Literal)]
    told = {word.lower() for name in names for word in split_words(name)}
    words = (word.lower() for word in re.findall(r"[^\W\d_]+", asked))
    return frozenset(
        word
        for word in words
        if len(word) > 2
        and word not in _PLAIN
        and not any(word.startswith(each) for each in _HAVING)
        and not any(_akin(word, each) for each in told)
    )


def _akin(word: str, other: str) -> bool:
    short = min(len(word), len(other), 4)
    return word[:short] == other[:short] and short > 2
