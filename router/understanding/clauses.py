"""The clauses of a message, and which of them say nothing of what is wanted, such as "my boss is waiting"."""

import re
from datetime import date
from typing import Final

from router.language.phrases import phrase_at, tokens_of
from router.text_to_sql.periods import periods
from router.understanding.button_words import means_button, word_of
from router.understanding.categories import Category
from router.understanding.scorer import bare, shipped_scorer

COURTESY: Final = "courtesy"
"""The label of clauses that only stand around a wish."""

COURTESY_SHARE_MIN = 0.6
"""The share from which a clause stands around a wish."""

_LABELS: Final = frozenset({COURTESY, *Category})
_KEPT_BUTTONS: Final = ("cancel", "no", "back", "again", "edit")
_MARK: Final = re.compile(
    r"(?<=[.!?…;)])\s+|\n+|(?<=[\w)\"]),\s+|(?<=\w)\s?:\s+(?=\S)|\s+[–—-]+\s+|(?<=\w)\.\.+\s*"
    r"|(?<=[\U0001f300-\U0001faff☀-➿])\s+"
)
_SOME_DAY: Final = date(2026, 1, 1)
_VALUE: Final = re.compile(r"[@\d_\"“„«]")
_CAPITAL: Final = re.compile(r"(?<!^)(?<![.!?] )\b[A-ZÄÖÜÉÁÍÓÚÑ]\w+")


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return where each clause of a text begins, and where it ends: at a mark, or before a word that begins one."""
    tokens = tokens_of(text)
    begins = (each.begin for at, each in enumerate(tokens) if at and phrase_at("courtesy.clause", tokens, at))
    cuts = sorted({*(cut.span() for cut in _MARK.finditer(text)), *((begin, begin) for begin in begins)})
    starts, ends = [0, *(end for _, end in cuts)], [*(start for start, _ in cuts), len(text)]
    spans = ((start, start + len(text[start:end].rstrip())) for start, end in zip(starts, ends, strict=True))
    return [(start, end) for start, end in spans if re.search(r"\w", text[start:end])]


def is_courtesy(clause: str, names: frozenset[str] = frozenset()) -> bool:
    """Return whether a clause says nothing of what is wanted; `names` are words of tables and columns."""
    words = [each.word for each in tokens_of(clause)]
    # A number, a name, a time or an address may be the one thing that the question is about, and so may a single word.
    if len(words) < 2 or _VALUE.search(clause) or not names.isdisjoint(words) or _has_new_name(clause):
        return False
    if periods(clause, _SOME_DAY):
        return False
    if means_button(clause) or word_of(clause, _KEPT_BUTTONS):
        return False
    shares = shipped_scorer().shares(clause, _LABELS)
    return shares[COURTESY] + shares[Category.SMALL_TALK] >= COURTESY_SHARE_MIN


def _has_new_name(clause: str) -> bool:
    """Return whether a clause has a word with a capital letter that no sentence of the classifier has."""
    return not all(shipped_scorer().knows(bare(name)) for name in _CAPITAL.findall(clause))
