"""Recognises wishes to have the result on show repeated: its time, its recipients and its condition; without a model.

A sentence with words that none of these explains is another one, unless it surely is about repeating: "how many orders
do we get every Monday" is a question.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from router.language.phrases import find_phrases, has_phrase, phrase_at, tokens_of
from router.memory.recurrence import Condition, To
from router.understanding.recurrences import Recurrence, recurrence_of
from router.understanding.values.forms import PATCH_UNUSED_WORDS_MAX, MailValues, take_mail
from router.understanding.values.people import ADDRESS
from router.understanding.values.sentence import Sentence

_CHANNEL = re.compile(r"#([\w.-]*\w)")
_AROUND = ("begin", "verb", "mail", "here", "also", "filler")
"""Lists of words that stand around what a wish says."""

SCHEDULE_WISH_MAX_CHARS = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class ScheduleWish:
    """A wished schedule; with `also`, its days are added to those before. `unread` is what was not understood."""

    when: Recurrence
    mail: MailValues
    to: To | None = None
    channel: str = ""
    condition: Condition | None = None
    also: bool = False
    unread: str = ""

    @property
    def unknown(self) -> bool:
        """True where something of it cannot be done, or was not understood."""
        return bool(self.when.undone or self.unread)

    def said(self) -> dict[str, Any]:
        """Return what it says, by the names of the fields of a Repeating."""
        values = {name: getattr(self.when, name) for name in ("every", "day", "date", "at", "zone")}
        values |= {"to": self.to, "channel": self.channel, "form": self.mail.form, "condition": self.condition}
        return {name: value for name, value in values.items() if value}


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def schedule_wish_of(text: str, *, asked: bool = False, known: tuple[str, ...] = ()) -> ScheduleWish | None:
    """Return what a sentence says about repeating; None where it is about something else.

    `asked`: the person was asked for it, so that "every day" alone is no question by days. `known` are the recipients
    so far, who may be named in short.
    """
    if not text.strip() or len(text) > SCHEDULE_WISH_MAX_CHARS:
        return None
    channel = _CHANNEL.search(text)
    left = _blanked(text, [channel.span()] if channel else [])
    when = recurrence_of(_blanked(left, [each.span() for each in re.finditer(ADDRESS, left)]))
    left = _blanked(left, when.places)
    conditions: tuple[Condition, ...] = ("rows", "changed")
    condition = next((kind for kind in conditions if _says(kind, left)), None)
    unmailed = has_phrase("schedules.unmailed", left)
    left = _without(left, "rows", "changed", "unmailed")
    sentence = Sentence(left)
    mail = take_mail(sentence, known)
    people = [each for each in mail.recipients() if "@" in each]
    nobody = [each for each in mail.recipients() if "@" not in each and each != "me"]
    mails = bool(people) or has_phrase("schedules.mail", left)
    here = _says("here", left) or (unmailed and asked)
    to: To | None = "me" if "me" in mail.recipients() else "thread" if here else None
    to = "email" if mails else "channel" if channel else to
    aside = ", ".join(filter(None, (mail.subject, mail.body, *nobody)))
    other = tokens_of(_without(f"{sentence.left}, {aside}", *_AROUND))
    unused = _without(f"{mail.unread.text}, {aside}", *_AROUND)
    begins, surely = _beginning(text)
    rhythm = bool(when.every or when.undone)
    verb = begins or mails or has_phrase("schedules.verb", left)
    says_when = rhythm and (verb or bool(when.at or channel))
    answers = asked and bool(rhythm or when.at or when.denied or when.zone or to or condition or mail)
    spare = (
        len(other)
        if surely and (rhythm or when.at)
        else PATCH_UNUSED_WORDS_MAX
        if asked and (people or mail.form)
        else 0
    )
    if len(other) > spare or not (says_when or begins or answers):
        return None
    also = bool(when.day) and has_phrase("schedules.also", left)
    unread = " ".join(unused[each.begin : each.end] for each in tokens_of(unused))
    return ScheduleWish(when, mail, to, channel[1] if channel else "", condition, also, unread)


def _beginning(text: str) -> tuple[bool, bool]:
    """Return whether a sentence begins with "repeat" or its kin, and with "repeat this"; "please" is no word."""
    tokens, place = tokens_of(text), 0
    while place < len(tokens) and not (begin := phrase_at("schedules.begin", tokens, place)):
        place += phrase_at("schedules.filler", tokens, place) or len(tokens)
    if place >= len(tokens):
        return False, False
    return True, phrase_at("schedules.this", tokens, place + begin) > 0


def _says(kind: str, text: str) -> bool:
    """Return whether a phrase of a list of schedules stands in a text, and is not denied."""
    sentence = Sentence(text)
    return any(not sentence.is_denied(*span) for span in sentence.spans(f"schedules.{kind}"))


def _without(text: str, *kinds: str) -> str:
    """Return a text with blanks in place of all phrases of these lists of schedules."""
    for kind in kinds:
        text = _blanked(text, [each.span for each in find_phrases(f"schedules.{kind}", tokens_of(text))])
    return text


def _blanked(text: str, places: list[tuple[int, int]] | tuple[tuple[int, int], ...]) -> str:
    for begin, end in places:
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
    return text
