"""Two questions in one message: where the second begins; told by rules, without a model.

"customers and how many orders they placed" is one question; "revenue by region and how many customers do we have?" are
two. In doubt it is one.
"""

import re
from collections.abc import Callable

from router.language.inflection import stem
from router.understanding.word_lists import words

_SENTENCES = re.compile(
    r"(?<=\w)(?P<mark>[?!;]|\.(?!\w))\s+(?:(?:and|also|then|then also|plus|und|et|y)\b,?\s+)?(?=\S)", re.I
)
_CLAUSES = re.compile(r"(?<!\s),?\s+(?:and|plus|as well as|und|et|y)\s+(?:also\s+|then\s+)?(?=\S)", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:(?:in|at|from|to|for|by|on) (?=which|what|how many))?"
    r"(?:who|what|which|whose|when|where|how (?:many|much|long|old|often)|is there|are there|do we|did we|have we|wer"
    r"|was|welche[rsn]?|wie viele?|qui|quels?|quelles?|combien|cuánt[oa]s|cuáles|qué|quién)\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(r"(?:list|show|give me|get|find|count|display|zeig\w*|montre\w*|muestra\w*)\b", re.IGNORECASE)
_TO_THE_BOT = re.compile(r"\b(?:you|your|yourself|help)\b", re.IGNORECASE)
_POLITE = re.compile(r"(?:(?:can|could|would) you |please )+", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|do|does|did|has|have|had|can|will|ordered|bought|sold|brought|made|paid"
    r"|left|came|cost|spent|earn\w*"
    r"|gab|gibt|haben|hat|sind|ist|waren|war|avons|ont|a-t-il|sont|tenemos|hay|hubo|tienen)\b",
    re.IGNORECASE,
)
_REFERS = re.compile(
    r"\b(?:they|them|their|theirs|it|its|he|she|his|her|each|these|those|that|this|same|ones?"
    r"|(?<!are )(?<!is )(?<!were )(?<!was )there|sie|ihnen|davon|deren|ils|elles|leurs?|ellos)\b",
    re.IGNORECASE,
)
_SHORT = re.compile(r"\b(?:\w{1,5}|approx)$", re.IGNORECASE)
"""A possible abbreviation: no sentence ends with it, unless a question begins behind it."""
_BEGINS = re.compile(rf"{_ASKS.pattern}|{_ORDERS.pattern}", re.IGNORECASE)
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")
WHOLE_MIN_WORDS, LONG_MIN_WORDS = 4, 5
"""Words that a question of its own has at least behind an "and", with a known verb and without one."""

_GROUPS = re.compile(r"\b(?:(?<!sorted )(?<!ordered )by|per|for each|pro|je|par|por)\s+\w", re.IGNORECASE)
_COMMON = words("asking")


def further_in(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return what stands before the second question of a message, and from there on; None where it has only one.

    `is_step` tells what is wished for a result, and may stand before it in place of a question.
    """
    for cut in _SENTENCES.finditer(text):
        first, second = text[: cut.start("mark")], text[cut.end() :]
        if cut["mark"] == "." and _SHORT.search(first) and not _BEGINS.match(_POLITE.sub("", second)):
            continue  # "St. Gallen", "Co. KG"
        if (_is_whole(first, cut["mark"]) or is_step(first)) and _is_next(first, second):
            return first, second
    for cut in _CLAUSES.finditer(text):
        first, second = text[: cut.start()], text[cut.end() :]
        if (_is_whole(first, "") or is_step(first)) and _stands_alone(first, second):
            return first, second
    return None


def _is_whole(text: str, mark: str) -> bool:
    """Tell whether a text is a question for the data."""
    last = re.split(r"[.!?;]\s+", text.strip())[-1]
    bare = _POLITE.sub("", last)
    if _TO_THE_BOT.search(bare) or len(bare.split()) < 2:
        return False
    if _ASKS.match(bare):
        return len(bare.split()) > 2 and (bool(_VERB.search(bare)) or mark == "?")
    return bool(_ORDERS.match(bare) or _GROUPS.search(bare))


def _is_next(first: str, second: str) -> bool:
    """Tell whether a sentence asks for something else than to change the one before it."""
    own = re.split(r"[.!?;]\s+", second)[0].rstrip("?.! ")
    if _TO_THE_BOT.search(_POLITE.sub("", own)) or len(own.split()) < 3:
        return False
    if _ASKS.match(own):
        return True
    ordered = _ORDERS.match(_POLITE.sub("", own)) or _GROUPS.search(own, 3)
    # "Which …? Show name and price." says what of it is shown.
    return bool(ordered) and not _ASKS.match(_POLITE.sub("", first)) and not _nouns(first) & _nouns(own)


def _stands_alone(first: str, second: str) -> bool:
    """Tell whether what stands behind "and" shares nothing with the question before it."""
    own = re.split(r"[.!?;,]\s+|\s+(?:and|then)\s+", second)[0].rstrip("?.! ")
    count = len(own.split())
    asks = _ASKS.match(own) and count >= (WHOLE_MIN_WORDS if _VERB.search(own) else LONG_MIN_WORDS)
    if not asks or _REFERS.search(own):
        return False
    if _GROUPS.search(own) and not _GROUPS.search(first):
        return False
    return not _nouns(first) & _nouns(own)


def _nouns(text: str) -> frozenset[str]:
    """Return what a text speaks of, by the beginnings of words: "approved" and "approval" are one."""
    return frozenset(stem(word.lower())[:5] for word in _LONG_WORD.findall(text) if word.lower() not in _COMMON)
