"""Two questions in one message: where the second begins. In doubt it is one.

"customers and how many orders they placed" is one question; "revenue by region and how many customers do we have?" are
two: the second is whole, points at nothing of the first one, and speaks of other things.
"""

import re
from collections.abc import Callable
from typing import Final

from router.language.inflection import stem
from router.language.phrases import Token, find_phrases, has_phrase, phrase_at, tokens_of
from router.understanding.step_parts import longest, skip

_SENTENCE: Final = re.compile(r"(?<=\w)(?P<mark>[?!;]|\.(?!\w))\s+(?=\S)")
WHOLE_MIN_WORDS: Final = 4
"""Words that a question of its own has at least."""


def further_in(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return what stands before the second question of a message, and from there on; None where it has only one.

    `is_step` says what is wished for a result, and may stand before it in place of a question.
    """
    for cut in _SENTENCE.finditer(text):
        first, second = text[: cut.start()], _without_join(text[cut.end() :])
        if (_is_whole(first) or is_step(first)) and _is_next(first, second):
            return first, second
    tokens = tokens_of(text)
    for at in range(1, len(tokens)):
        behind = at + phrase_at("steps.join", tokens, at)
        if behind in range(at + 1, len(tokens)) and longest(tokens, behind, "asks"):
            first, second = text[: tokens[at].begin].rstrip(" ,"), text[tokens[behind].begin :]
            if (_is_whole(first) or is_step(first)) and _stands_alone(first, second):
                return first, second
    return None


def _without_join(text: str) -> str:
    tokens = tokens_of(text)
    begin = skip(tokens, 0, "join")
    return text[tokens[begin].begin :] if 0 < begin < len(tokens) else text


def _own(text: str) -> tuple[Token, ...]:
    """Return the words of the last sentence of a text, without the polite ones in front."""
    tokens = tokens_of(re.split(r"[.!?;]\s+", text.strip())[-1])
    return tokens[skip(tokens, 0, "courtesy") :]


def _is_whole(text: str) -> bool:
    """Return whether a text ends with a question for the data."""
    tokens = _own(text)
    if len(tokens) < 2 or has_phrase("steps.to_bot", text):
        return False
    if longest(tokens, 0, "asks"):
        return len(tokens) > 2
    return bool(longest(tokens, 0, "orders") or find_phrases("steps.counts", tokens[1:]))


def _is_next(first: str, second: str) -> bool:
    """Return whether a sentence asks for something else than to change the one before it.

    "Which …? Show name and price." says what of it is shown.
    """
    tokens = _own(re.split(r"[.!?;]\s+", second)[0])
    if len(tokens) < 3 or has_phrase("steps.to_bot", second):
        return False
    if longest(tokens, 0, "asks"):
        return True
    return (
        bool(longest(tokens, 0, "orders"))
        and not longest(_own(first), 0, "asks")
        and not _nouns(first) & _nouns(second)
    )


def _stands_alone(first: str, second: str) -> bool:
    """Return whether what stands behind "and" shares nothing with the question before it."""
    own = re.split(r"[.!?;,]\s+", second)[0]
    tokens = tokens_of(own)
    if len(tokens) < WHOLE_MIN_WORDS or find_phrases("steps.refers", tokens):
        return False
    grouped = find_phrases("steps.counts", tokens) and not has_phrase("steps.counts", first)
    return not grouped and not _nouns(first) & _nouns(own)


def _nouns(text: str) -> frozenset[str]:
    """Return what a text speaks of, by the beginnings of words: "approved" and "approval" are one."""
    small = ("common", "asks", "verbs")
    tokens = tokens_of(text)
    words = (token.word for at, token in enumerate(tokens) if not longest(tokens, at, *small))
    return frozenset(stem(word)[:5] for word in words if len(word) > 2 and word.isalpha())
