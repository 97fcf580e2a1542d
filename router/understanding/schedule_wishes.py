"""Recognises wishes to have the result on show repeated: its time, its recipients and its condition; without a model.

A sentence with words that none of these explains is another one, unless it surely is about repeating: "how many orders
do we get every Monday" is a question.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from router.language.phrases import Token, begins_with, has_phrase, tokens_of, unlisted, without_beginning
from router.memory.recurrence import Condition, To
from router.understanding.recurrences import Recurrence, recurrence_of
from router.understanding.values.forms import PATCH_UNUSED_WORDS_MAX, MailValues, take_mail
from router.understanding.values.sentence import TAKEN_MARK, Sentence

_CHANNEL = re.compile(r"#([\w.-]*\w)")
_AROUND = (
    *(f"schedules.{each}" for each in ("begin", "verb", "mail", "here", "also", "filler")),
    "steps.repeat",
)
"""Lists of words that stand around what a wish says."""
_CONDITIONS: tuple[Condition, ...] = ("rows", "changed")

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
    mails: bool = False
    """True if it says that an e-mail is sent."""
    unread: tuple[str, ...] = ()

    @property
    def unknown(self) -> bool:
        """True if something of it cannot be done, or was not understood."""
        return bool(self.when.undone or self.unread)

    def said(self) -> dict[str, Any]:
        """Return what it says, by the names of the fields of a Repeating."""
        values = {name: getattr(self.when, name) for name in ("every", "day", "date", "at", "zone")}
        values |= {"to": self.to, "channel": self.channel, "form": self.mail.form, "condition": self.condition}
        return {name: value for name, value in values.items() if value}


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def read_schedule(text: str, known: tuple[str, ...] = ()) -> ScheduleWish:
    """Return what a sentence says of repeating, whatever else it says.

    `known` are the recipients so far, who may be named in short.
    """
    sentence, channel = Sentence(text), ""
    if found := _CHANNEL.search(sentence.left):
        channel = sentence.take(*found.span()).removeprefix("#")
    when = recurrence_of(sentence.left.replace(TAKEN_MARK, " "))
    for place in when.places:
        sentence.take(*place)
    condition = next((kind for kind in _CONDITIONS if _takes(sentence, kind)), None)
    unmailed = _takes(sentence, "unmailed")
    here, left = _says(sentence, "here"), sentence.left
    mail = take_mail(sentence, known)
    who = mail.recipients()
    mails = any("@" in each for each in who) or has_phrase("schedules.mail", left)
    to: To | None = "me" if "me" in who else "thread" if here or unmailed else None
    to = "email" if mails else "channel" if channel else to
    aside = (mail.subject, mail.body, *(each for each in who if "@" not in each and each != "me"))
    unread = (clause.strip() for clause in (*sentence.clauses(), *aside) if _distinctive_tokens(clause))
    also = bool(when.day) and has_phrase("schedules.also", left)
    return ScheduleWish(when, mail, to, channel, condition, also, mails, tuple(unread))


def schedule_wish_of(text: str, *, asked: bool = False, known: tuple[str, ...] = ()) -> ScheduleWish | None:
    """Return what a sentence says about repeating; None if it is about something else.

    `asked`: the person was asked for it, so that "every day" alone is no question by days.
    """
    if not text.strip() or len(text) > SCHEDULE_WISH_MAX_CHARS:
        return None
    behind = without_beginning("schedules.filler", text)
    begins = begins_with("schedules.begin", behind)
    when = recurrence_of(text)
    if not (asked or begins or when.every or when.undone or when.at):
        return None
    wish = read_schedule(text, known)
    when, rhythm = wish.when, bool(wish.when.every or wish.when.undone)
    surely = begins and begins_with("schedules.this", without_beginning("schedules.begin", behind))
    verb = begins or wish.mails or has_phrase("schedules.verb", text)
    says_when = rhythm and (verb or bool(when.at or wish.channel))
    mail, said = wish.mail, rhythm or when.at or when.denied or when.zone or wish.to or wish.condition
    answers = asked and bool(said or mail.form or mail.recipients() or mail.dropped)
    mailed = any("@" in each for each in mail.recipients()) or mail.form
    spare = PATCH_UNUSED_WORDS_MAX if asked and mailed else 0
    if surely and (rhythm or when.at):
        return wish
    other = sum(len(_distinctive_tokens(clause)) for clause in wish.unread)
    return wish if other <= spare and (says_when or begins or answers) else None


def _says(sentence: Sentence, kind: str) -> bool:
    """Return whether a phrase of a list of schedules is left in a sentence, and not denied."""
    return any(not sentence.is_denied(*span) for span in sentence.spans(f"schedules.{kind}"))


def _takes(sentence: Sentence, kind: str) -> bool:
    """Take the phrases of a list of schedules; return whether one of them is not denied."""
    says = _says(sentence, kind)
    for span in sentence.spans(f"schedules.{kind}"):
        sentence.take(*span)
    return says


def _distinctive_tokens(text: str) -> list[Token]:
    """Return the words that do not only stand around what a wish says."""
    return unlisted(tokens_of(text), *_AROUND)
