"""Reads when something is to be repeated: "every monday at 8", "am letzten Tag des Monats", "cada día menos el lunes".

The words are those of `language/times`; the rules are patterns over their kinds. What no schedule can do is returned
as it was typed, so that it can be said.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from router.language.phrases import find_phrases, lists_of, tokens_of
from router.language.times import LETTERS, UNITS, Word, words_of
from router.memory.recurrence import DAYS, Every, time_of, zone_known, zone_of_city

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2})|h)?(am?|pm?)?", re.IGNORECASE)
_ZONE = re.compile(r"\b[A-Z][A-Za-z]+/[A-Z][A-Za-z_/]+\b")
_SHORT_ZONE = re.compile(r" ([A-Z]{3,4})\b")
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»')
_ANY_DAY = date(2000, 1, 1)
_NOON, _MORNING_ENDS_NIGHT = 12, 6
"""In hours; "at 8" of an evening is after noon, "at 2" of a night is not."""

_APART = {
    kind: chr(0xF000 + n) for n, kind in enumerate(("clock", "first", "last", "next", "this", "today", "ordinal"))
}
"""Kinds of words that are told apart here beyond those of the lists, by what they stand for."""
_KINDS = {
    **LETTERS,
    **UNITS,
    **_APART,
    **dict(zip(("nth", "number", "word", "comma", "dash"), "ONw,-", strict=True)),
    **dict(
        zip(("figures", "name", "feast", "UNIT", "HOUR"), ("[Ii]", "[Mm]", "[EG]", "[160742V]", "[NC]"), strict=True)
    ),
}
_PARTS = {
    "LEAD": "(every|in|article|of)*",
    "WHOLE": "((every|in|article|of)+ month)",
    "JOIN": "(comma|and)+",
    "DAY": "(weekday|weekdays|short)",
    "NEXT": "(next (UNIT|weekday)|(UNIT|weekday) next|this weekday|today|(nth|number) of? name|name (nth|number)"
    "|figures)",
    "AT": "(at|since)",
    "TIME": "(AT* shift HOUR hours? meridiem?|AT* HOUR hours number? behind?|AT+ HOUR behind? meridiem?"
    "|AT* HOUR meridiem|AT* clock hours? meridiem?|AT+ nth)",
}
_RULES = {  # the first that fits is taken
    "days": "(every|in|article|of|from|since)* DAY (to|at|until|dash) article? DAY"
    "|LEAD (weekday|weekdays) (JOIN LEAD (weekday|weekdays))*(?!next)"
    "|LEAD short (JOIN LEAD short)+|every short|LEAD days",
    "limit": "(since|until|from|after|before) article* (NEXT|weekday|morrow|name|feast) (in|onward)?",
    "part": "every LEAD morrow|LEAD part behind?",
    "once": "LEAD (NEXT|morrow)|in (number|count|at) (UNIT|hour|small)",
    "nth": "LEAD (first|last|ordinal|nth) weekday WHOLE|(every|in|article)+ (first|last) weekday",
    "monthday": "LEAD last day WHOLE?|LEAD monthday",
    "odd": "odd|every LEAD (other|ordinal|nth|count|number) of? (UNIT|hour|hours|small|weekday|part|days)"
    "|every (small|quarter|half|year|ordinal)",
    "date": "LEAD (nth|number) (JOIN LEAD (nth|number))* day? WHOLE|LEAD nth (JOIN LEAD nth)*|LEAD first day? WHOLE"
    "|(every|in|article)+ first day?|rhythm JOIN? (in|article)+ number",
    "rhythm": "rhythm|every LEAD (day|week|month|hour|hours)",
    "denied": "not AT* HOUR(?!UNIT|hour)|HOUR unwelcome",
    "clock": "TIME (and AT* (HOUR|clock) hours? meridiem?)*",
    "city": "LEAD (zone_of word|word zone_time)",
}


@cache
def _rules() -> re.Pattern[str]:
    """Return the rules as patterns over letters; made at the first sentence, as it takes long."""
    compiled = []
    for rule, pattern in _RULES.items():
        for _ in range(2):  # a part may have parts
            pattern = re.sub("[A-Z]{2,}", lambda part: _PARTS.get(part[0], part[0]), pattern)
        letters = re.sub("[A-Za-z_]+", lambda kind: _KINDS[kind[0]], pattern)
        compiled.append(f"(?P<{rule}>{re.sub(r'[(](?![?])', '(?:', letters.replace(' ', ''))})")
    return re.compile("|".join(compiled))


@dataclass(frozen=True, slots=True)
class Recurrence:
    """When something is repeated, as far as a text says it; `days` and `dates` as in `memory/recurrence`.

    `denied` are the days that it says no to. `undone` are the words that no schedule can do, `no_time` those that
    should be a time of day and are none, `places` where all that was read stands. `is_timely` is true where any word
    is one of times.
    """

    every: Every | None
    day: str
    date: str
    at: str
    zone: str
    denied: frozenset[int]
    undone: tuple[str, ...]
    no_time: str
    places: tuple[tuple[int, int], ...]
    is_timely: bool


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def recurrence_of(text: str) -> Recurrence:
    """Return what a text says of repeating."""
    return _Reading(text).recurrence()


def _without_texts(text: str) -> str:
    """Return a text with blanks in place of what is quoted, and of a subject up to the end of its clause."""
    tokens = tokens_of(text)
    marks = (tokens[each.end - 1].end for each in find_phrases("mailing.subject", tokens))
    spans = [each.span() for each in _QUOTED.finditer(text)]
    spans += [(mark, mark + len(re.split("[,;]", text[mark:], maxsplit=1)[0])) for mark in marks]
    for begin, end in spans:
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
    return text


class _Reading:
    """Reads a text from left to right, and gathers what its parts say."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._days, self._denied = set[int](), set[int]()
        self._dates, self._times, self._undone = list[str](), list[str](), list[str]()
        self._rhythm = self._part = self._no_time = self._zone = ""
        self._places = list[tuple[int, int]]()
        named = _ZONE.search(text)
        if named and zone_known(named[0]):
            self._zone = zone_known(named[0])
            self._places.append(named.span())
            text = text.replace(named[0], " " * len(named[0]))
        text = _without_texts(text)
        self._words = words_of(text, _ANY_DAY, ("times", "schedules"))
        self._letters = "".join(self._letter(word) for word in self._words)
        self._read()
        self._read_zone()

    def _letter(self, word: Word) -> str:
        """Return the letter of a word's kind, apart for those whose value matters to the rules."""
        typed = self._text[word.start : word.end]
        kind, value = word.letter, word.value
        if kind == "x" and not typed.isdigit() and _CLOCK.fullmatch(typed):
            return _KINDS["clock"]
        if kind in "Llp" and value in (-1, 0, 1):
            return _KINDS[{-1: "last", 0: "this", 1: "next"}[value]]
        if kind == "O" and not typed[0].isdigit():
            return _KINDS["first" if value == 1 else "ordinal"]
        return _KINDS["today"] if kind == "R" and value >= 0 else kind

    def _read(self) -> None:
        place = 0
        while place < len(self._words):
            found = _rules().match(self._letters, place)
            if not found:
                place += 1
                continue
            words, rule = self._words[place : found.end()], found.lastgroup or ""
            before, behind = self._denials(place, found.end())
            start, end = self._words[place - before].start, self._words[found.end() - 1 + behind].end
            typed = self._text[words[0].start : words[-1].end]
            if before or behind:
                self._denied |= self._weekdays(words) if rule == "days" else set()
            if before or behind or getattr(self, f"_read_{rule}")(words, typed):
                self._places.append((start, end))
            place = found.end() + behind

    def _denials(self, place: int, end: int) -> tuple[int, int]:
        """Return how many words deny those in front of them, and behind: "not", "but" after "every day", "is bad"."""
        before, letters = self._letters[max(0, place - 2) : place], self._letters
        but = len(before) == 2 and before[1] == LETTERS["turn"] and before[0] in (UNITS["day"], LETTERS["days"])
        return int(before[-1:] == LETTERS["not"] or but), int(letters[end : end + 1] == LETTERS["unwelcome"])

    def _values(self, words: list[Word], *kinds: str) -> list[str]:
        letters = [LETTERS.get(kind, kind) for kind in kinds]
        return [str(word.value) for word in words if word.letter in letters]

    def _weekdays(self, words: list[Word]) -> set[int]:
        days = [int(each) for each in self._values(words, "weekday", "weekdays", "short")]
        if len(days) == 2 and self._values(words, "to", "at", "until", "-"):
            return {(days[0] + more) % 7 for more in range((days[1] - days[0]) % 7 + 1)}
        sets = {"workday": range(5), "weekend": range(5, 7)}
        return {*days, *(day for each in self._values(words, "days") for day in sets[each])}

    def _read_days(self, words: list[Word], typed: str) -> bool:
        self._days |= self._weekdays(words)
        return True

    def _read_undone(self, words: list[Word], typed: str) -> bool:
        self._undone.append(typed)
        return True

    _read_limit = _read_once = _read_odd = _read_undone

    def _read_nth(self, words: list[Word], typed: str) -> bool:
        nth = self._values(words, "O") or ["L"]
        if not "1" <= nth[0] <= "5" and nth[0] != "L":
            return self._read_undone(words, typed)
        self._dates.append(f"{list(DAYS)[int(self._values(words, 'weekday')[0])]}#{nth[0]}")
        return True

    def _read_monthday(self, words: list[Word], typed: str) -> bool:
        self._dates += self._values(words, "monthday") or ["L"]
        return True

    def _read_date(self, words: list[Word], typed: str) -> bool:
        dates = self._values(words, "O", "N")
        monthly = self._values(words, "rhythm") in ([], ["month"])
        if not monthly or not all(1 <= int(each) <= 31 for each in dates):
            return self._read_undone(words, typed)
        self._dates += dates
        return True

    def _read_denied(self, words: list[Word], typed: str) -> bool:
        return True

    def _read_rhythm(self, words: list[Word], typed: str) -> bool:
        rhythm = self._values(words, "rhythm", *UNITS.values()) or ["hour"]
        self._rhythm = rhythm[0].rstrip("s")
        return True

    def _read_part(self, words: list[Word], typed: str) -> bool:
        if self._values(words, "every"):
            self._rhythm = self._rhythm or "day"
        hour, _, minute = (self._values(words, "part") or ["08:00"])[0].partition(":")
        self._part = f"{hour}:{int(minute) + sum(map(int, self._values(words, 'behind'))):02}"
        return True

    def _read_clock(self, words: list[Word], typed: str) -> bool:
        if self._values(words, "and"):
            return self._read_undone(words, typed)
        numbers = self._values(words, "N", "C", "O")
        clock = next((found for word in words if (found := _CLOCK.fullmatch(self._text[word.start : word.end]))), None)
        hour, minute, half = clock.groups() if clock and not numbers[1:] else (numbers[0], "".join(numbers[1:2]), None)
        at = time_of(hour, minute or "0", (self._values(words, "meridiem") or [half or ""])[0])
        if moved := sum(map(int, self._values(words, "shift", "behind"))):
            minutes = (int(at[:2] or 0) * 60 + moved) % (24 * 60)
            at = at and f"{minutes // 60:02}:{minutes % 60:02}"
        self._times += [at] if at else []
        self._no_time = self._no_time or ("" if at else typed)
        return True

    def _read_city(self, words: list[Word], typed: str) -> bool:
        named = [self._text[word.start : word.end] for word in words if word.letter == "w"]
        self._zone = self._zone or zone_of_city(named[0])
        return bool(self._zone)

    def _read_zone(self) -> None:
        """Take a zone's short name that is in capitals, or directly behind a time; one that is not known is undone."""
        tokens, ends = tokens_of(self._text), {end for _, end in self._places}
        for zones in (each for each in lists_of("schedules") if each.startswith("schedules.zone ")):
            for found in find_phrases(zones, tokens):
                start, end = tokens[found.first].begin, tokens[found.end - 1].end
                behind = any(0 <= start - each and not self._text[each:start].strip(" (") for each in ends)
                if behind or (self._text[start:end].isupper() and not self._text.isupper()):
                    self._zone = zones.removeprefix("schedules.zone ")
                    self._places.append((start, end))

        for unknown in _SHORT_ZONE.finditer(self._text):
            if unknown.start(1) - 1 in ends and not self._zone:
                self._undone.append(unknown[1])
                self._places.append(unknown.span(1))

    def recurrence(self) -> Recurrence:
        """Return what was read."""
        days = self._days - self._denied
        if self._denied and not self._days and self._rhythm == "day":
            days = set(range(7)) - self._denied
        every: Every | None = self._rhythm or None  # type: ignore[assignment]
        if self._dates:
            every = "month"
        elif days:
            every = "workday" if days == set(range(5)) else "day" if len(days) == 7 else "week"
        other = self._rhythm not in ("", "day", "week", every)  # "every monday … monthly"
        if (self._dates and self._days) or (self._days and other) or (self._rhythm == "hour" and every != "hour"):
            self._undone.append(self._text.strip())
        if len(self._times) > 1:
            self._undone.append(" and ".join(self._times))
        return Recurrence(
            every,
            ",".join(list(DAYS)[each] for each in sorted(days)) if every == "week" else "",
            ",".join(dict.fromkeys(self._dates)),
            self._time() if len(self._times) < 2 else "",
            self._zone,
            frozenset(self._denied),
            tuple(self._undone),
            self._no_time,
            tuple(sorted(self._places)),
            bool(
                {*UNITS.values(), *"DEGO", *map(_KINDS.get, ("first", "ordinal", "today", "next", "later"))}
                & {*self._letters}
            ),
        )

    def _time(self) -> str:
        """Return the time of day: an hour in the evening is after noon."""
        if not self._times or not self._part:
            return "".join(self._times) or ("" if self._no_time else self._part)
        hour, part = int(self._times[0][:2]), int(self._part[:2])
        late = part > _NOON and hour < _NOON and not (part == 22 and hour < _MORNING_ENDS_NIGHT)
        return f"{hour + _NOON * late:02}{self._times[0][2:]}"
