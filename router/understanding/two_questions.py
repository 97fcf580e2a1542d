"""Two questions in one message: where the second begins. In doubt it is one.

"customers and how many orders they placed" is one question; "revenue by region and how many customers do we have?" are
two: the second is whole, points at nothing of the first one, and speaks of other things.
"""

import re
from collections.abc import Callable
from typing import Final

from router.language.inflection import stem
from router.language.phrases import has_phrase, tokens_of
from router.understanding.step_parts import has, longest, skip

_ENDS: Final = re.compile(r"[?!;.]\s+$")
_SENTENCE: Final = re.compile(r"[.!?;]\s+")
WHOLE_MIN_WORDS: Final = 4
"""Words that a question of its own has at least."""


def further_in(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return what stands before the second question of a message, and from there on; None where it has only one.

    `is_step` says what is wished for a result, and may stand before it in place of a question.
    """
    tokens = tokens_of(text)
    for at in range(1, len(tokens)):
        begin = skip(tokens, at, "join")
        ends = _ENDS.search(text[tokens[at - 1].end : tokens[at].begin]) is not None
        if not (ends or begin > at) or not longest(tokens, begin, "asks"):
            continue
        first, second = text[: tokens[at - 1].end], text[tokens[begin].begin :]
        own = _SENTENCE.split(second)[0]
        if len(tokens_of(own)) < WHOLE_MIN_WORDS or has_phrase("steps.to_bot", f"{first} {second}"):
            continue
        if (_is_whole(first) or is_step(first)) and (ends or _shares_nothing(first, own)):
            return first, second
    return None


def _is_whole(text: str) -> bool:
    """Return whether a text ends with a question for the data."""
    tokens = tokens_of(_SENTENCE.split(text.strip())[-1])
    tokens = tokens[skip(tokens, 0, "courtesy") :]
    asks = longest(tokens, 0, "asks")
    return len(tokens) > 2 if asks else bool(longest(tokens, 0, "orders") or has(tokens[1:], "counts"))


def _shares_nothing(first: str, second: str) -> bool:
    """Return whether what stands behind "and" shares nothing with the question before it."""
    grouped = has_phrase("steps.counts", second) and not has_phrase("steps.counts", first)
    return not grouped and not has_phrase("steps.refers", second) and not _nouns(first) & _nouns(second)


def _nouns(text: str) -> frozenset[str]:
    """Return what a text speaks of, by the beginnings of words: "approved" and "approval" are one."""
    tokens = tokens_of(text)
    words = (token.word for at, token in enumerate(tokens) if not longest(tokens, at, "common", "asks", "verbs"))
    return frozenset(stem(word)[:5] for word in words if len(word) > 2 and word.isalpha())
