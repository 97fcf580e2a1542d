"""Whether a question asks for several results that are put together; rules decide, and in doubt it does not."""

import re
from itertools import pairwise

from router.agents.periods import periods
from router.agents.question import Question
from router.agents.repair.names import alike
from router.agents.tree.operation import Operation
from router.catalog.schema import Schema

_RATIO = re.compile(r"\bratio (?:of|between)\b.+\b(?:to|and)\b", re.IGNORECASE)
_DIFFERENCE = re.compile(r"\bdifference (?:between|in\b.+\bbetween)\b.+\band\b", re.IGNORECASE)
_COMPARISON = re.compile(
    r"\bcompar(?:e|es|ed|ing|ison)\b.+\b(?:and|with|to|against|versus|vs)\b|\b(?:versus|vs\.?)\s", re.IGNORECASE
)
_BETWEEN = re.compile(r"\s*,?\s*(?:and|with|than|versus|vs\.?|against)\s+(?:the\s+)?", re.IGNORECASE)
_ORDERED = re.compile(
    r"\b(?:top|highest|lowest|most|least|largest|smallest|biggest|best|worst|maximum|minimum|max|min|rank\w*|order(?:ed)?"
    r" by|sort\w*|but not|and not|without|more than|less than|earliest|latest|list all)\b",
    re.IGNORECASE,
)
"""What one statement does better: the extremes of one column, an order over all rows, or what is in one set alone."""
_BOTH = re.compile(r"\b(?:who|whose|which|that|both)\b", re.IGNORECASE)
"""What makes two times a condition of one and the same row: "customers who ordered this year and last year"."""

_SUM = re.compile(
    r"\b(?:(?:number|count|sum|amount) of|how many|total(?! number)|average)\s+(?:the\s+)?", re.IGNORECASE
)
_WORD = re.compile(r"\w+")
_SENTENCES = re.compile(r"[.?!;]\s+\S")
LONGEST = 300
"""Characters of a question that is divided: a longer one says more than its parts would."""


def operation_of(question: Question, schema: Schema) -> Operation | None:
    """Return what puts the results of the question's parts together, None where it is not to be divided."""
    text = question.text.strip()
    if len(text) > LONGEST or _SENTENCES.search(text) or _ORDERED.search(text):
        return None
    if _RATIO.search(text):
        return "ratio"
    if _DIFFERENCE.search(text):
        return "difference"
    if _COMPARISON.search(text) or _times(question) or _tables(text, schema):
        return "beside"
    return None


def _times(question: Question) -> bool:
    """Tell whether two times stand side by side: "this month and last month"."""
    if _BOTH.search(question.text):
        return False
    times = periods(question.text, question.today)
    text = " ".join(question.text.lower().split())
    return any(
        _BETWEEN.fullmatch(text[text.find(first.words) + len(first.words) : text.find(second.words)])
        for first, second in pairwise(times)
    )


def _tables(text: str, schema: Schema) -> bool:
    """Tell whether two numbers from different tables are asked for: a join would multiply one by the other."""
    sums = list(_SUM.finditer(text))
    counted = [_table(text[match.end() :], schema) for match in sums] if len(sums) > 1 else [""]
    return "" not in counted and len(set(counted)) == len(counted)


def _table(text: str, schema: Schema) -> str:
    """Return the only table that the first or the second word names, "" where there is none."""
    names = [table.name for table in schema.tables]
    found = (alike(word, names) for word in _WORD.findall(text)[:2])
    return next((same[0] for same in found if len(same) == 1), "")
