"""Reads when something is to be repeated: "every monday at 8", "am letzten Tag des Monats", "cada día menos el lunes".

The words are those of `language/times`; the rules are patterns over their kinds. What no schedule can do is returned
as it was typed, so that it can be said.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from router.language.phrases import find_phrases, tokens_of
from router.language.times import LETTERS, UNITS, Word, words_of
from router.memory.recurrence import DAYS, Every, time_of, zone_known
from router.understanding.values.people import ADDRESS
from router.understanding.values.sentence import blanked

_CLOCK = re.compile(r"(\d{1,2})(?:[:.h](\d{2})|h)?(am?|pm?)?", re.IGNORECASE)
_ZONE = re.compile(r"\b[A-Z][A-Za-z]+/[A-Z][A-Za-z_/]+\b")
_DATE = re.compile(r"L|[1-9]|[12]\d|3[01]|[a-z]{3}#[1-5L]")
_ALL_DAYS = (UNITS["day"], LETTERS["days"])
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
    "part": "every LEAD morrow|LEAD part",
    "once": "LEAD (NEXT|morrow)|in (number|count|at) (UNIT|hour|small)",
    "nth": "LEAD (first|last|ordinal|nth) weekday WHOLE|(every|in|article)+ (first|last) weekday",
    "monthday": "LEAD last day WHOLE?|LEAD monthday",
    "odd": "odd|every LEAD (other|ordinal|nth|count|number) of? (UNIT|hour|hours|small|weekday|part|days)"
    "|every (small|quarter|half|year|ordinal)",
    "date": "LEAD (nth|number) (JOIN LEAD (nth|number))* day? WHOLE|LEAD nth (JOIN LEAD nth)*|LEAD first day? WHOLE"
    "|(every|in|article)+ first day?|rhythm JOIN? (in|article)+ number",
    "rhythm": "rhythm|every LEAD (day|week|month|hour|hours)",
    "denied": "not AT* HOUR(?!UNIT|hour)",
    "clock": "TIME (and AT* (HOUR|clock) hours? meridiem?)* zone?",
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
    """The times of a schedule, as far as a text says them; `days` and `dates` as in `memory/recurrence`.

    `denied` are the days that it says no to. `undone` are the words that no schedule can do, `places` if all that
    was read stands.
    """

    every: Every | None
    day: str
    date: str
    at: str
    zone: str
    denied: frozenset[int]
    undone: tuple[str, ...]
    places: tuple[tuple[int, int], ...]


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def recurrence_of(text: str) -> Recurrence:
    """Return what a text says of repeating."""
    return _Reading(text).recurrence()


def _without_texts(text: str) -> str:
    """Return a text with blanks in place of addresses, of what is quoted, and of a subject up to its clause's end."""
    text = re.sub(ADDRESS, lambda address: " " * len(address[0]), blanked(text))
    for each in find_phrases("mailing.subject", tokens_of(text)):
        begin = each.span[1]
        end = begin + len(re.split("[,;]", text[begin:], maxsplit=1)[0])
        text = f"{text[:begin]}{' ' * (end - begin)}{text[end:]}"
    return text


def _letter(word: Word, text: str) -> str:
    """Return the letter of a word's kind, apart for those whose value matters to the rules."""
    typed = text[word.start : word.end]
    kind, value = word.letter, word.value
    if kind == "x" and not typed.isdigit() and _CLOCK.fullmatch(typed):
        return _KINDS["clock"]
    if kind in "Llp" and value in (-1, 0, 1):
        return _KINDS[{-1: "last", 0: "this", 1: "next"}[value]]
    if kind == "O" and not typed[0].isdigit():
        return _KINDS["first" if value == 1 else "ordinal"]
    return _KINDS["today"] if kind == "R" and value >= 0 else kind


def _values(words: list[Word], *kinds: str) -> list[str]:
    letters = [LETTERS.get(kind, kind) for kind in kinds]
    return [str(word.value) for word in words if word.letter in letters]


def _weekdays(words: list[Word]) -> set[int]:
    days = [int(each) for each in _values(words, "weekday", "weekdays", "short")]
    if len(days) == 2 and _values(words, "to", "at", "until", "-"):
        return {(days[0] + more) % 7 for more in range((days[1] - days[0]) % 7 + 1)}
    sets = {"workday": range(5), "weekend": range(5, 7)}
    return {*days, *(day for each in _values(words, "days") for day in sets[each])}


def _minutes_later(time: str, minutes: int) -> str:
    hours, rest = divmod((int(time[:2]) * 60 + int(time[3:]) + minutes) % (24 * 60), 60)
    return f"{hours:02}:{rest:02}"


class _Reading:
    """Reads a text from left to right, and gathers what its parts say."""

    def __init__(self, text: str) -> None:
        self._days, self._denied = set[int](), set[int]()
        self._dates, self._times, self._undone = list[str](), list[str](), list[str]()
        self._rhythm = self._part = self._zone = ""
        self._places = list[tuple[int, int]]()
        self._text = _without_texts(text)
        if named := _ZONE.search(self._text):
            self._zone = zone_known(named[0])
            self._places += [named.span()] if self._zone else []
        words = words_of(self._text, _ANY_DAY, ("times", "schedules"))
        letters = "".join(_letter(word, self._text) for word in words)
        place = 0
        while place < len(words):
            found = _rules().match(letters, place)
            end = found.end() if found else place + 1
            if found:
                # "not" in front, or "but" after "every day"
                but = letters[max(0, place - 2) : place] in (f"{each}{LETTERS['turn']}" for each in _ALL_DAYS)
                before = int(but or letters[place - 1 : place] == LETTERS["not"])
                self._take(found.lastgroup or "", words[place:end], denied=before > 0)
                self._places.append((words[place - before].start, words[end - 1].end))
            place = end

    def _take(self, rule: str, words: list[Word], *, denied: bool) -> None:
        """Take what one part says."""
        if denied:
            self._denied |= _weekdays(words) if rule == "days" else set()
            return
        match rule:
            case "days":
                self._days |= _weekdays(words)
            case "rhythm":
                self._rhythm = (_values(words, "rhythm", *UNITS.values()) or ["hour"])[0].rstrip("s")
            case "part":
                self._rhythm = self._rhythm or ("day" if _values(words, "every") else "")
                self._part = (_values(words, "part") or ["08:00"])[0]
            case "nth":
                nth = (_values(words, "O") or ["L"])[0]
                self._dates.append(f"{list(DAYS)[int(_values(words, 'weekday')[0])]}#{nth}")
            case "monthday":
                self._dates += _values(words, "monthday") or ["L"]
            case "date" if _values(words, "rhythm") in ([], ["month"]):
                self._dates += _values(words, "O", "N")
            case "clock" if not _values(words, "and") and (time := self._clock(words)):
                self._times.append(time)
                self._zone = self._zone or "".join(_values(words, "zone"))
            case "denied":
                pass
            case _:
                self._undone.append(self._text[words[0].start : words[-1].end])

    def _clock(self, words: list[Word]) -> str:
        """Return the time of day that words say; empty for what is none."""
        numbers = _values(words, "N", "C", "O")
        clock = next((found for word in words if (found := _CLOCK.fullmatch(self._text[word.start : word.end]))), None)
        hour, minute, half = clock.groups() if clock and not numbers[1:] else (numbers[0], "".join(numbers[1:2]), None)
        at = time_of(hour, minute or "0", (_values(words, "meridiem") or [half or ""])[0])
        return at and _minutes_later(at, sum(map(int, _values(words, "shift", "behind"))))

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
        undone = [*self._undone, *(each for each in self._dates if not _DATE.fullmatch(each))]
        other = self._rhythm not in ("", "day", "week", every)  # "every monday … monthly"
        if len(self._times) > 1 or (self._days and (self._dates or other)):
            undone.append(self._text.strip())
        return Recurrence(
            every,
            ",".join(list(DAYS)[each] for each in sorted(days)) if every == "week" else "",
            ",".join(dict.fromkeys(self._dates)) if len(undone) == len(self._undone) else "",
            self._time() if len(self._times) < 2 else "",
            self._zone,
            frozenset(self._denied),
            tuple(undone),
            tuple(sorted(self._places)),
        )

    def _time(self) -> str:
        """Return the time of day: an hour in the evening is after noon."""
        if not self._times or not self._part:
            return "".join(self._times) or self._part
        hour, part = int(self._times[0][:2]), int(self._part[:2])
        late = part > _NOON and hour < _NOON and not (part == 22 and hour < _MORNING_ENDS_NIGHT)
        return f"{hour + _NOON * late:02}{self._times[0][2:]}"
