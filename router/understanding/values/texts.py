"""The subject and the text of an e-mail: in quotes, or behind a word such as "subject", up to where another begins."""

import re
from typing import Final

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.understanding.values.people import ADDRESS
from router.understanding.values.sentence import QUOTED, TAKEN_MARK, Sentence

_QUOTE: Final = re.compile(rf"\s*(?:{QUOTED})")
_ENDS: Final = {
    "subject": ("subject", "body", "saying", "text_ends"),
    "body": ("subject",),
    "saying": ("subject",),
}
"""The lists of words before which a text without quotes ends."""


def find_texts(sentence: Sentence) -> tuple[str, str]:
    """Take the subject and the text out of a sentence; "" is what it does not say."""
    found: dict[str, str] = {}
    while mark := _first_mark(sentence):
        begin, end, kind = mark
        value = _value(sentence, begin, end, kind)
        name = "subject" if kind == "subject" else "body"
        if value:
            found.setdefault(name, value)
        sentence.take(begin, end)
    return found.get("subject", ""), found.get("body", "")


def _first_mark(sentence: Sentence) -> tuple[int, int, str] | None:
    """Return where the first such word stands, but for "in the text", which is about the rows."""
    others = sentence.spans("mailing.inline")
    marks = [(*span, kind) for kind in _ENDS for span in sentence.spans(f"mailing.{kind}")]
    marks = [each for each in marks if not any(begin <= each[0] and each[1] <= end for begin, end in others)]
    return min(marks, key=lambda mark: (mark[0], -mark[1]), default=None)


def _value(sentence: Sentence, begin: int, end: int, kind: str) -> str:
    """Take the value behind a mark at this place; "" if there is none."""
    text = sentence.left
    if kind == "saying":
        place = sentence.behind("mailing.conjunction", end + text[end : end + 1].count(","))
    else:
        place = sentence.behind("mailing.that", end)
    if quoted := _QUOTE.match(text, place):
        return sentence.take(*quoted.span())
    marked = kind == "saying" or bool(re.search(r"[:=]", text[end:place]))
    stop = _end(text, place, kind)
    value = text[place:stop].strip(" .,;:!?" if kind == "subject" else " ,;:")
    tokens = tokens_of(value)
    if not tokens or (not marked and (phrase_at("mailing.no_value", tokens, 0) or sentence.is_denied(begin, end))):
        return ""
    start = text.index(value, place)
    return sentence.take(start, start + len(value))


def _end(text: str, place: int, kind: str) -> int:
    """Return where a text without quotes ends: at another part of an e-mail, or at what was taken."""
    tail = text[place:].partition(TAKEN_MARK)[0]
    tokens = tokens_of(tail)
    ends = [each.first for end in _ENDS[kind] for each in find_phrases(f"mailing.{end}", tokens) if each.first]
    stop = tokens[min(ends)].begin if ends else len(tail)
    if kind == "subject" and (found := re.search(rf"{ADDRESS}|[.;] ", tail[:stop])):
        stop = found.start()
    before = tokens_of(tail[:stop])
    while stop < len(text) - place and before and phrase_at("mailing.joins", before, len(before) - 1):
        stop, before = before[-1].begin, before[:-1]  # "and to bob@x.de" belongs to the address
    return place + stop
