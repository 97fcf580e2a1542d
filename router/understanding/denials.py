"""Denials in a sentence: "not as csv", "bob@firma.de must not get it", "anything but tmp_open".

A value that a card would take from such a sentence is asked about instead: a wrong recipient costs more than that.
"""

import re
from collections.abc import Iterable
from typing import Final

from router.language.phrases import find_phrases, is_all, phrase_at, tokens_of

DENIED_WORDS_MAX: Final = 4
"""Words that may stand between a denial and what it denies."""

_CLAUSE_END: Final = re.compile(r"[,;!?\n]|\.\s")


def is_denied(text: str, begin: int, end: int) -> bool:
    """Return whether a sentence denies what stands at this place of it."""
    before = text[:begin] if find_phrases("denial.all_but", tokens_of(text[:begin])) else _clauses(text[:begin])[-1]
    return _is_denied_before(before) or is_denied_behind(text[end:])


def denies(text: str, *kinds: str, names: Iterable[str] = ()) -> bool:
    """Return whether a sentence denies something that it says: phrases of these lists, or names as they stand in it."""
    spans = [each.span for kind in kinds for each in find_phrases(kind, tokens_of(text))]
    for name in names:
        spans += [found.span() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)]
    return any(is_denied(text, *span) for span in spans)


def _clauses(text: str) -> list[str]:
    return _CLAUSE_END.split(text)


def _is_denied_before(clause: str) -> bool:
    """Return whether a denial stands near the end of a clause, with nothing behind it that turns it round."""
    tokens = tokens_of(clause)
    denials = find_phrases("denial.before", tokens)
    behind = tokens[denials[-1].end :] if denials else ()
    if not denials or len(behind) > DENIED_WORDS_MAX:
        return False
    return not find_phrases("denial.turn", behind) and not phrase_at("denial.only", behind, 0)


def is_denied_behind(text: str) -> bool:
    """Return whether a denial stands right behind a value, or answers it as a question: "replace it? no"."""
    clause, *answer = _clauses(text)[:2]
    tokens = tokens_of(clause)
    while length := phrase_at("denial.between", tokens, 0):
        tokens = tokens[length:]
    if not tokens:
        return text[len(clause) :].startswith("?") and phrase_at("denial.no", tokens_of(answer[0]), 0) > 0
    length = phrase_at("denial.behind", tokens, 0)
    # "bob, not eve" denies eve; "not only bob" denies nobody.
    alone = length == 1 and (len(tokens) == 1 or is_all("values.plain", clause[tokens[1].begin :]))
    return (length > 1 or alone) and not phrase_at("denial.only", tokens, length)
