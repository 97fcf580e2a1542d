"""Recognises wishes to have the result on show repeated, with their times and recipients; without a model.

What a sentence says is taken out of it part by part; what is left makes it another sentence, unless it surely is about
repeating: "how many orders do we get every Monday" is a question.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.memory.recurrence import Condition, Every, To
from router.understanding.recurrences import recurrence_of
from router.understanding.values.people import ADDRESS

_CHANNEL = re.compile(r"#([\w.-]*\w)")

SCHEDULE_WISH_MAX_CHARS = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class ScheduleWish:
    """A wished schedule; fields that the sentence does not state are empty.

    `denied` are the days of a week that it says no to, as numbers; with `also`, its days are added. `undone` is what no
    schedule can do, `unread` what else was not understood, and `no_time` what stands where a time of day should.
    """

    every: Every | None = None
    day: str = ""
    date: str = ""
    at: str = ""
    zone: str = ""
    to: To | None = None
    people: str = ""
    channel: str = ""
    form: str = ""
    condition: Condition | None = None
    denied: frozenset[int] = frozenset()
    also: bool = False
    undone: tuple[str, ...] = ()
    unread: str = ""
    no_time: str = ""

    @property
    def unknown(self) -> bool:
        """True where something of it cannot be done, or was not understood."""
        return bool(self.undone or self.unread)

    def said(self) -> dict[str, Any]:
        """Return what it says, by the names of the fields of a Repeating."""
        names = ("every", "day", "date", "at", "zone", "to", "people", "channel", "form", "condition")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def schedule_wish_of(text: str, *, asked: bool = False) -> ScheduleWish | None:
    """Return what a sentence says about repeating; None where it is about something else.

    `asked`: the person was asked for it, so that "every day" alone is no question by days.
    """
    if not text.strip() or len(text) > SCHEDULE_WISH_MAX_CHARS:
        return None
    rest = _Rest(text)
    people, channel = rest.addresses(), rest.channel()
    when = recurrence_of(rest.plain)
    rest.take_places(when.places)
    begins, begins_surely = rest.beginning
    condition: Condition | None = "rows" if rest.take("rows") else "changed" if rest.take("changed") else None
    form = "csv" if rest.take("csv") else "xlsx" if rest.take("xlsx") else ""
    mailless = rest.take("unmailed")
    mails = rest.take("mail") or bool(people)
    to: To | None = "me" if rest.take("me") else "thread" if rest.take("here") else None
    people = ["me", *people] if people and to == "me" else people
    to = "email" if mails else "channel" if channel else "thread" if mailless and asked else to
    also = bool(when.day) and rest.take("also")
    verb = rest.take("begin") | rest.take("verb") or mails
    rest.take("filler")
    rhythm = bool(when.every or when.undone)
    says_when = rhythm and bool(verb or when.at or begins or channel)
    answers = asked and bool(rhythm or when.at or when.denied or when.zone or to or condition)
    surely = begins_surely and (bool(when.at or when.no_time or when.every) or when.is_timely)
    if (rest.left and not surely) or not (says_when or begins or answers):
        return None
    return ScheduleWish(
        every=when.every,
        day=when.day,
        date=when.date,
        at=when.at,
        zone=when.zone,
        to=to,
        people=", ".join(people),
        channel=channel,
        form=form,
        condition=condition,
        denied=when.denied,
        also=also,
        undone=when.undone,
        unread=rest.left,
        no_time=when.no_time,
    )


class _Rest:
    """The words of a sentence that are still to be read."""

    def __init__(self, text: str) -> None:
        self._text, self._tokens = text, tokens_of(text)
        self._taken = [False] * len(self._tokens)
        self.plain = text
        """The text with blanks in place of addresses and channels, which say no times."""

    @property
    def beginning(self) -> tuple[bool, bool]:
        """Return whether the sentence begins with "repeat" or its kin, and with "repeat this"; "please" is no word."""
        place, count = 0, len(self._tokens)
        while place < count and not (begin := phrase_at("schedules.begin", self._tokens, place)):
            place += phrase_at("schedules.filler", self._tokens, place) or count
        if place >= count:
            return False, False
        return True, place + begin < count and phrase_at("schedules.this", self._tokens, place + begin) > 0

    @property
    def left(self) -> str:
        """The words that were not taken, as they were typed."""
        taken = zip(self._tokens, self._taken, strict=True)
        return " ".join(self._text[token.begin : token.end] for token, is_taken in taken if not is_taken)

    def take_places(self, places: Iterable[tuple[int, int]]) -> None:
        """Take the words of these places in the text."""
        for start, end in places:
            for place, token in enumerate(self._tokens):
                self._taken[place] |= start <= token.begin < end

    def take(self, kind: str) -> bool:
        """Take the phrases of a list, and return whether there were any."""
        places = [range(found.first, found.end) for found in find_phrases(f"schedules.{kind}", self._tokens)]
        free = [place for each in places if not any(map(self._taken.__getitem__, each)) for place in each]
        for place in free:
            self._taken[place] = True
        return bool(free)

    def addresses(self) -> list[str]:
        """Take the addresses, and return those that are not denied."""
        places = [each.span() for each in re.finditer(ADDRESS, self._text)]
        named = [self._text[start:end] for start, end in places if not self._is_denied(start)]
        self._blank(places)
        return named

    def channel(self) -> str:
        """Take the channel that is named, and return its name."""
        found = _CHANNEL.search(self._text)
        self._blank([found.span()] if found else [])
        return found[1] if found else ""

    def _is_denied(self, start: int) -> bool:
        """Return whether "not", "not to" or its kin stands in front of a place."""
        ahead = [place for place, token in enumerate(self._tokens) if token.begin < start][-2:]
        return any(phrase_at("denial.before", self._tokens, place) for place in ahead)

    def _blank(self, places: list[tuple[int, int]]) -> None:
        self.take_places(places)
        for start, end in places:
            self.plain = f"{self.plain[:start]}{' ' * (end - start)}{self.plain[end:]}"
