"""Cuts off greetings, thanks and the like around a sentence: exact phrases of `language/words`, at both ends.

"Good morning all! Could you please send it to ana@firma.de? Thanks in advance" is "send it to ana@firma.de?". What is
left is what was typed, letter by letter.
"""

import re
from dataclasses import dataclass
from typing import Final

from router.language.phrases import find_phrases, listed, phrase_at, tokens_of
from router.understanding.clauses import clauses_of, is_courtesy

COURTESY_MAX_CHARS: Final = 4_000
"""Characters of a message that is looked at; longer ones are left as they are."""

CLAUSES_MAX: Final = 12
"""Clauses of a message that are looked at."""

PHRASE_MAX_WORDS: Final = 8

_FRONT: Final = ("greeting", "salutation", "asks", "wants", "please", "thanks", "opening", "filler")
_CLOSED: Final = ("salutation", "thanks", "opening", "filler")
"""Kinds of phrases that are courtesies only if a mark stands behind them: no "morning orders"."""

_MARK: Final = re.compile(r"\s*(?:[,.!?:;…–—\n-]|\Z)")
_DICTATED: Final = re.compile(r"\s*[:=\"“„«]")
_TO_SOMEBODY: Final = re.compile(r"@\S+\s*:")
_NAME: Final = re.compile(r"(?<=[\w.,!])[\s,]+[A-ZÄÖÜÉ][\w'.-]+(?: [A-ZÄÖÜÉ][\w'.-]+)?\s*\Z")
_ENDS_BY_MARK: Final = re.compile(r"[.!?,\n]\s*\Z")
_OPEN: Final = re.compile(r"[\w@'-]\Z")
_AROUND: Final = " \t\n,;–—.!…-"


@dataclass(frozen=True, slots=True)
class Peeled:
    """A message without its courtesies; `text` is empty if it was nothing else."""

    text: str
    greets: bool = False


def peeled(text: str, names: frozenset[str] = frozenset()) -> Peeled:
    """Return a message without its courtesies; code in fences and long texts are left as they are.

    `names` are words of tables and columns, which are no courtesies.
    """
    typed = text.strip()
    if len(typed) > COURTESY_MAX_CHARS or "```" in typed:
        return Peeled(typed)
    found = set[str]()
    rest = _front(typed, found)
    if not _is_dictated(rest):
        rest = without_closing(_front(_wish_in(without_closing(rest), names, bool(found)), found))
    return Peeled(rest if re.search(r"\w", rest) else "", not found.isdisjoint(("greeting", "salutation")))


def _is_dictated(text: str) -> bool:
    """Return whether a text has words for somebody else behind a colon or in quotes, a hint or a definition."""
    tokens = tokens_of(text)
    return (
        " = " in text
        or _TO_SOMEBODY.search(text) is not None
        or any(_DICTATED.match(text, each.span[1]) for each in find_phrases("courtesy.said", tokens))
    )


def _front(text: str, found: set[str]) -> str:
    """Return a text without the set phrases before it; adds which they were to `found`."""
    while tokens := tokens_of(text):
        if text[: tokens[0].begin].strip(f"{_AROUND}¡¿@"):
            return text
        kind = next((each for each in _FRONT if phrase_at(f"courtesy.{each}", tokens, 0)), "")
        length = phrase_at(f"courtesy.{kind}", tokens, 0) if kind else 0
        while kind in ("greeting", "salutation") and (more := phrase_at("courtesy.greeted", tokens, length)):
            length += more
        if not kind or (kind in _CLOSED and not _MARK.match(text, tokens[length - 1].end)):
            return text
        if kind == "asks" and not phrase_at("courtesy.asked", tokens, length):
            return text  # "can you see my password?" asks about the bot
        found.add(kind)
        text = text[tokens[length - 1].end :].lstrip(f"{_AROUND}?:)")
    return ""


def _wish_in(text: str, names: frozenset[str], polite: bool) -> str:
    """Return a text without the clauses before and behind its wish, such as "my boss is waiting".

    Behind a courtesy (`polite`), nothing is left of a text without any wish: "thanks, that helped".
    """
    clauses = clauses_of(text)
    kept = [span for span in clauses if not is_courtesy(text[slice(*span)], names)]
    if not kept or len(clauses) > CLAUSES_MAX:
        return "" if polite and not kept and "?" not in text else text
    end = len(text) if kept[-1] == clauses[-1] else kept[-1][1]
    return text[kept[0][0] : end].rstrip(" \n\t,;:–—-(")


def without_closing(text: str) -> str:
    """Return a text without the set phrases behind it, and a name behind them; its own question mark stays."""
    while len(text) <= COURTESY_MAX_CHARS:
        unsigned = _NAME.sub("", text)
        begins = (_closing_at(each) for each in (text, unsigned))
        begin = next((each for each in begins if each is not None), None)
        if begin is None:
            break
        head = text[:begin].rstrip(f"{_AROUND}(")
        asks = text.rstrip().endswith("?") and head and not head.endswith("?")
        text = f"{head}?" if asks else head
    return text


def _closing_at(text: str) -> int | None:
    """Return where the set phrase begins that a text ends with; None if it ends with none."""
    tokens = tokens_of(text)
    for at in range(max(0, len(tokens) - PHRASE_MAX_WORDS), len(tokens)):
        before = text[: tokens[at].begin]
        if _OPEN.search(before) or (at and tokens[at - 1].word in listed("courtesy.open_end")):
            continue
        kinds = ("thanks", "please", "closing") if _ENDS_BY_MARK.search(before) else ("thanks", "please")
        if any(phrase_at(f"courtesy.{kind}", tokens, at) == len(tokens) - at for kind in kinds):
            return tokens[at].begin
    return None
