"""Rows that are odd as the answer to a question: there are none, or something in them cannot be."""

import re
from itertools import permutations

from router.cards import Table
from router.catalog.sensitive_columns import words_of
from router.language.phrases import find_phrases, has_phrase, phrase_at, tokens_of

NO_ROWS = (
    "The query ran and found no rows: nothing in the data meets all of its conditions at once. Ask for fewer of them, "
    "or in other words."
)
NONE_JOINED = "The query ran and found no rows: none is left after its joins. What they leave out stands below."
NONE_OF_THEM = "The query ran and found no rows: there is nothing of which this holds."
ALL_EMPTY = "All of its values are empty: what you want to know may be kept elsewhere. Ask in other words."
ONE_FOR_EACH = "This is one row, and you asked for each {thing}: others may be left out. Ask in other words."
NO_SHARE = (
    "`{column}` is {value}, and no share can be: rows may be counted several times. Ask again, and say what is "
    "divided by what."
)
SMALL_TOTAL = (
    "In one row `{total}` is smaller than `{part}`: one of them may count something else. Compare the conditions."
)

TOTAL_WORDS = frozenset({"total", "all", "overall"})

_SHARE_COLUMN = frozenset({"share", "percentage", "percent", "pct", "proportion", "of", "total", "all"})
"""Words of a column that is a share and nothing else, as a price of shares is not."""
_PART = re.compile(r"(?:\w+ed|open|new|late|lost|won|paid|unpaid)", re.IGNORECASE)
"""A word that takes some of the things that a total counts."""


def odd(question: str, table: Table, compared: bool) -> str:
    """Return what is to be said of rows that tell nothing, or what cannot be; "" where they look right."""
    if not table.total and table.unmatched:
        return NONE_JOINED
    if not table.total:
        return (
            "There are no rows to show."
            if compared
            else NONE_OF_THEM
            if has_phrase("values.negated", question)
            else NO_ROWS
        )
    if compared or table.total != len(table.rows):
        return ""
    if all(cell is None for row in table.rows for cell in row):
        return "" if has_phrase("values.negated", question) else ALL_EMPTY
    each = "" if has_phrase("values.most", question) else _each_of(question)
    if each and table.total == 1:
        return ONE_FOR_EACH.format(thing=each)
    return _no_share(question, table) or _small_total(table)


def _each_of(question: str) -> str:
    """Return the thing that a question asks for one by one: "for each store"; empty where there is none."""
    tokens = tokens_of(question)
    behind = (each.end for each in find_phrases("values.for_each", tokens) if each.end < len(tokens))
    place = next((end for end in behind if not phrase_at("values.no_thing", tokens, end)), None)
    return "" if place is None else tokens[place].word


def _no_share(question: str, table: Table) -> str:
    """Find a share that is below nothing or above all; a change may be."""
    if not has_phrase("values.share", question) or has_phrase("values.change", question):
        return ""
    for place, head in enumerate(table.columns):
        if head.kind == "number" and words_of(head.name) <= _SHARE_COLUMN:
            for row in table.rows:
                value = _number(row[place])
                if value is not None and not 0 <= value <= 100.5:
                    return NO_SHARE.format(column=head.name, value=row[place])
    return ""


def _small_total(table: Table) -> str:
    """Find a total that is smaller than what is called as a part of it: `orders_total`, `orders_cancelled`."""
    numbers = [(n, head.name, words_of(head.name)) for n, head in enumerate(table.columns) if head.kind == "number"]
    for (whole, total, named), (part, other, words) in permutations(numbers, 2):
        what = named - TOTAL_WORDS
        extra = words - what
        if what == named or not what or not what < words or len(extra) > 1 or not _PART.fullmatch("".join(extra)):
            continue
        for row in table.rows:
            of_all, of_part = _number(row[whole]), _number(row[part])
            if of_all is not None and of_part is not None and 0 <= of_all < of_part:
                return SMALL_TOTAL.format(total=total, part=other)
    return ""


def _number(cell: str | None) -> float | None:
    try:
        return None if cell is None else float(cell.replace(",", ""))
    except ValueError:
        return None
