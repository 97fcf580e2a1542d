"""The subject and the text of an e-mail: in quotes, or behind a word such as "subject", up to where another begins."""

import re
from typing import Final

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.understanding.values.people import ADDRESS
from router.understanding.values.sentence import QUOTED, TAKEN, Sentence

_KINDS: Final = ("subject", "body", "saying")
_QUOTE: Final = re.compile(rf"\s*(?:{QUOTED})")
_LEAD_CHARS: Final = 24
"""Characters between a quoted subject and the word behind it: "'Orders' as the subject"."""


def find_texts(sentence: Sentence) -> tuple[str | None, str | None]:
    """Take the subject and the text out of a sentence; None is what it does not say, "" a text that is left empty."""
    found: dict[str, str | None] = {"subject": None, "body": None}
    while marks := _marks(sentence):
        begin, end, kind = marks[0]
        # Of marks over one another, the longest: "title it".
        begin, end, kind = max((each for each in marks if each[0] < end), key=lambda each: each[1] - each[0])
        value = _value(sentence, begin, end, kind)
        name = "subject" if kind == "subject" else "body"
        if value is not None and not found[name]:
            found[name] = value
        sentence.take(begin, end)
    return found["subject"], found["body"]


def _marks(sentence: Sentence) -> list[tuple[int, int, str]]:
    """Return where such words stand, but for "in the text", which is about the rows."""
    others = sentence.spans("mailing.inline")
    found = sorted((*span, kind) for kind in _KINDS for span in sentence.spans(f"mailing.{kind}"))
    return [each for each in found if not any(begin <= each[0] and each[1] <= end for begin, end in others)]


def _value(sentence: Sentence, begin: int, end: int, kind: str) -> str | None:
    """Take the value that a mark at this place has; None where it has none."""
    text = sentence.left
    if kind == "body" and _is_emptied(sentence, begin, end):
        return ""
    comma = re.compile(r",?").match(text, end) if kind == "saying" else None
    place = sentence.behind("mailing.conjunction" if comma else "mailing.that", comma.end() if comma else end)
    if quoted := _QUOTE.match(text, place):
        return sentence.take(*quoted.span())
    for quoted in re.finditer(QUOTED, text[:begin]):
        if begin - quoted.end() <= _LEAD_CHARS and not re.search(r"[,;.]", text[quoted.end() : begin]):
            return sentence.take(*quoted.span())
    marked = bool(re.search(r"[:=]", text[end:place]))
    stop = _end(text, place, kind == "subject")
    value = text[place:stop].strip(" .,;:!?" if kind == "subject" else " ,;:")
    tokens = tokens_of(value)
    if not tokens or (not marked and kind != "saying" and phrase_at("mailing.no_value", tokens, 0)):
        return None
    if not marked and sentence.is_denied(begin, end):
        return None
    start = text.index(value, place)
    return sentence.take(start, start + len(value))


def _is_emptied(sentence: Sentence, begin: int, end: int) -> bool:
    """Return whether no text is wanted: "without the text", "leave the message empty"."""
    behind = tokens_of(re.split(r"[,;:.@]", sentence.left[end:])[0])
    if sentence.left[end:].lstrip().startswith((":", "=")):
        return False
    emptied = find_phrases("mailing.emptied", behind)
    if emptied:
        sentence.take(end + behind[emptied[0].first].begin, end + behind[emptied[0].end - 1].end)
    return bool(emptied) or sentence.is_denied(begin, end)


def _end(text: str, place: int, short: bool) -> int:
    """Return where a text without quotes ends: at another part of an e-mail, or at what was taken."""
    tail = text[place:]
    tokens = tokens_of(tail)
    ends = [len(tail)]
    if TAKEN in tail:
        ends.append(tail.index(TAKEN))
    kinds = ("subject", "body", "saying", "text_ends") if short else ("subject",)
    if short:
        ends += [each.start() for each in re.finditer(rf"{ADDRESS}|[.;] ", tail)]
    for kind in kinds:
        ends += [tokens[each.first].begin for each in find_phrases(f"mailing.{kind}", tokens) if each.first]
    stop = min(ends)
    if stop == len(tail):
        return len(text)
    before = tokens_of(tail[:stop])
    while before and phrase_at("mailing.joins", before, len(before) - 1):  # "and to bob@x.de" belongs to the address
        stop, before = before[-1].begin, before[:-1]
    return place + stop
