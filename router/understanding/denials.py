"""Tells what a sentence denies of what it names: "not as csv", "bob@firma.de must not get it", "anything but tmp_open".

Whatever a card would take from such a sentence is asked about instead: a wrong recipient or table costs more than that.
"""

import re
from collections.abc import Sequence
from typing import Final

from router.language.phrases import Token, find_phrases, is_all, phrase_at, tokens_of

DENIED_WORDS_MAX: Final = 4
"""Words that may stand between a denial and what it denies."""

_ANSWER: Final = re.compile(r"\s*\w*\s*\?\s*")
_NOTHING: Final = Token("", 0, 0)
_CLAUSE_END: Final = re.compile(r"[,;!?\n]|\.\s")


def is_denied(text: str, begin: int, end: int) -> bool:
    """Return whether a sentence denies what stands at this place of it."""
    answered = _ANSWER.match(text, end)  # "replace it? no"
    if answered and phrase_at("denial.no", tokens_of(text[answered.end() :]) or (_NOTHING,), 0):
        return True
    behind = _CLAUSE_END.split(text[end:], maxsplit=1)[0]
    tokens = tokens_of(behind)
    while tokens and (between := phrase_at("denial.between", tokens, 0)):
        tokens, behind = tokens[between:], behind[tokens[between - 1].end :]
        tokens = tokens_of(behind)
    negated = phrase_at("denial.behind", tokens, 0) if tokens else 0
    # "bob, not eve" denies eve; "not only bob" denies nobody.
    alone = negated == 1 and is_all("values.plain", f"it {behind[tokens[0].end :]}")
    only = negated < len(tokens) and phrase_at("denial.only", tokens, negated)
    if (negated > 1 or alone) and not only:
        return True
    before = text[:begin]
    all_but = find_phrases("denial.all_but", tokens_of(before))
    clause = before if all_but else _CLAUSE_END.split(before)[-1]
    return _ends_denying(tokens_of(clause))


def denies(text: str, value: str) -> bool:
    """Return whether a sentence denies something that it names; `value` is a pattern for that."""
    return any(is_denied(text, *found.span()) for found in re.finditer(value, text, re.IGNORECASE))


def _ends_denying(tokens: Sequence[Token]) -> bool:
    """Return whether a denial stands near the end of a clause, with nothing behind it that turns it round."""
    denials = find_phrases("denial.before", tokens)
    if not denials or len(tokens) - denials[-1].end > DENIED_WORDS_MAX:
        return False
    behind = tokens[denials[-1].end :]
    return not find_phrases("denial.turn", behind) and not (behind and phrase_at("denial.only", behind, 0))
