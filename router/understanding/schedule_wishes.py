"""Recognises wishes to have the result on show repeated, with their times and recipients; by rules, without a model.

Whatever is not about repeating makes it another sentence: "how many orders do we get every Monday" is a question.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from router.language.folding import unaccented
from router.memory.recurrence import Condition, Day, Every, To, time_of
from router.understanding.result_actions import ADDRESS, POLITE

# Parts of wishes, as regular expressions on text in lower case and without accents: English first, and the common ones
# of German, French and Spanish.


EACH = r"(?:every|each|on|jeden?|jede[sr]?|am|chaque|tous les|toutes les|cada|todos los|todas las|el|los|le|les)"
EACH_TIME = r"\b(?:every|each|jeden|jede|chaque|cada|tous|toutes|todos|todas|mornings|evenings|nights)\b"

HALF = r"(?P<half>a\.?m\.?|p\.?m\.?|o'?clock|uhr|h|heures?|hrs?)?"
AT_TIME = rf"(?:at|um|ab|gegen|a las|a la|a|around|@) ?(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>\d{{2}}))? ?{HALF}"
TIME_ALONE = r"(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2}))? ?(?P<half>a\.?m\.?|p\.?m\.?|uhr|o'?clock)"
TIME_BARE = r"(?P<hour>\d{1,2})[:.h](?P<minute>\d{2})(?P<half>)"

NO_MAIL = (
    r"(?:no|not|without|kein[e]?|ohne|nicht|pas(?: de| d')?|sans|sin|ningun) ?"
    r"(?:(?:by|via|per|an|a|any|par|por|sent by) )*(?:e-?mails?|mails?|courriels?|correos?)(?: please| bitte)?"
)
DENIED = (
    r"(?:not|no|instead of|rather than|nicht|statt|anstatt|pas|au lieu du?|en vez del?) "
    r"(?:(?:to|on|at|every|each|am|an|um|jeden|le|les|a|el|los) )*"
)
"""Stands before what somebody does not want: "tuesday, not monday"."""
UNWELCOME = (
    r" (?:is|ist|est|es|was|war) (?:(?:too|zu|trop|demasiado) (?:early|late|fruh|spat|tot|tard|temprano|tarde"
    r"|often|oft)|doof|blod|schlecht|ungunstig|bad|wrong|falsch|stupid|no good|not good|mauvais|malo)"
)
"""Stands behind it."""

UNKNOWN = (
    r"(?:(?:every|each|alle|cada|tou(?:te)?s les) (?:other |second |third |\d+(?:st|nd|rd|th)? |two |three |few )"
    r"(?:seconds?|minutes?|minuten|hours?|stunden|days?|tage|weeks?|wochen|months?)"
    r"|(?:every|each|jede) (?:second|minute|quarter|year)|quarterly|yearly|annually|minutely|constantly"
    r"|(?:on )?(?:the )?(?:\d+(?:st|nd|rd|th)|last(?: day)?) of (?:the|each|every) month(?<!1st of the month)"
    r"(?<!1st of each month)(?<!1st of every month))"
)
DAYS = {
    day: rf"(?:(?:{EACH} )?(?:{names})s?(?: (?:vor|nach)mittags?)?)"
    for day, names in {
        "mon": "mon(?:day)?|montag|lundi|lunes",
        "tue": "tue(?:s(?:day)?)?|dienstag|mardi|martes",
        "wed": "wed(?:nesday)?|mittwoch|mercredi|miercoles",
        "thu": "thu(?:r(?:s(?:day)?)?)?|donnerstag|jeudi|jueves",
        "fri": "fri(?:day)?|freitag|vendredi|viernes",
        "sat": "sat(?:urday)?|samstag|sonnabend|samedi|sabado",
        "sun": "sun(?:day)?|sonntag|dimanche|domingo",
    }.items()
}
EVERY = {
    "workday": r"(?:(?:(?:every|each|on|all|jeden|an) )?(?:working ?days?|work ?days?|week ?days?|business days?"
    r"|werktag(?:en)?|arbeitstag)|(?:on )?(?:mon(?:day)?|montag) ?(?:to|-|through|bis) ?(?:fri(?:day)?|freitag)"
    r"|werktags|(?:chaque|les) jours? ouvres?|en semaine|(?:cada|los) dias? laborables?|entre semana)",
    "hour": r"(?:hourly|(?:every|each|jede|chaque|cada) (?:hour|stunde|heure|hora)|once an hour|stundlich"
    r"|toutes les heures)",
    "day": r"(?:daily|(?:every|each) (?:single )?day|once a day|taglich|jeden tag|chaque jour|tous les jours|cada dia"
    r"|todos los dias|diariamente)",
    "week": r"(?:weekly|(?:every|each) week|once a week|wochentlich|jede woche|chaque semaine|toutes les semaines"
    r"|cada semana|semanalmente)",
    "month": r"(?:(?:monthly |each month |every month )?on the (?:first|1st)(?: of the month)?"
    r"|(?:am |jeden )?ersten? (?:jedes|des|jeden|im) monats?|le premier (?:jour )?(?:du|de chaque) mois"
    r"|el primer(?:o)?(?: dia)? (?:del|de cada) mes|monthly|(?:every|each) month|once a month"
    r"|(?:on )?(?:the )?(?:first|1st)(?: day)? of"
    r" (?:the|each|every) month|monatlich|jeden monat|chaque mois|tous les mois|cada mes|mensualmente)",
}
PARTS = {
    "08:00": rf"(?:(?:(?:in|on) the |{EACH} |la )?(?:mornings?|morgens?|fruh|matins?|mananas?))",
    "12:00": rf"(?:(?:at |{EACH} )?(?:noon|midday|mittags?|midi|mediodia))",
    "18:00": rf"(?:(?:in the |{EACH} )?(?:evenings?|abends?|soirs?|tardes?))",
    "22:00": rf"(?:(?:at |{EACH} )?(?:nights?|nachts?|nuits?|noches?))",
    "00:00": r"(?:(?:at )?(?:midnight|mitternacht|minuit|medianoche))",
}
THEY = r"(?:it|they|this|that|there|the (?:rows?|result|data|numbers|values)|something|anything|rows?|sich|es|was)"
CONDITIONS = {
    "changed": rf"(?:(?:but )?(?:only |just |nur )?(?:if|when|whenever|wenn|falls|si) (?:{THEY} )*"
    r"(?:has |have |is |are )?(?:changed?|changes|different|new|andert|geandert(?: hat| haben)?|change|cambian?)"
    r"|on changes?(?: only)?|only (?:the )?changes)",
    "rows": r"(?:(?:but )?(?:only |just |nur )?(?:if|when|wenn|falls|si) (?:it is not empty|it's not empty"
    r"|it isn't empty|not empty|there (?:are|is) (?:any |some )?(?:rows?|results?|something|anything|data|any)"
    r"|it has (?:any )?rows|(?:any|some) rows|there's (?:something|anything)|es (?:etwas|zeilen) gibt)"
    r"|unless (?:it is |it's )?empty|(?:if )?(?:only )?not empty)",
}
FORMS = {
    "csv": r"(?:(?:as|in|als|en) )?(?:a )?csv(?: file)?",
    "xlsx": r"(?:(?:as|in|als|en) )?(?:an? )?(?:excel|xlsx)(?: file| sheet)?",
}
MAILS = r"(?:(?:by|via|per|in an?|as an?|par|por) )?(?:e-?mail|mail|courriel|correo)(?: (?:to )?me)?"
TO = {
    "me": r"(?:(?:just |only )?(?:to )?me(?: alone| only)?|privately|in (?:a )?(?:dm|direct message|private)"
    r"|nur (?:an )?mich|mir|a mi|moi)",
    "thread": r"(?:(?:right )?here|(?:in|into|to) (?:this|the) (?:thread|channel|chat|conversation)|hier|ici|aqui)",
}
CHANNEL = (
    r"(?:(?:just |only )?(?:in|into|to|nach|in den|dans|en|a|al) )(?:the |den |le |el )?"
    r"(?:(?:channel|kanal|canal) )?#(?P<name>[\w.-]*\w)(?: (?:channel|instead))?"
)
SCHEDULES = rf"(?:{POLITE})?(?:repeat|schedule|wiederhol\w*|repete[rz]?|repite|repetir|programa[rz]?)\b"
THIS = rf"{SCHEDULES} (?:this|it|that|these|them|das|dies|cela|ca|esto|lo)\b"
"""The beginning of a sentence that is about repeating if it also speaks of time, whatever else it says."""
TIMELY = r"\b(?:\d+(?:st|nd|rd|th)|tomorrow|tonight|later|(?:minute|hour|day|week|month|quarter|year)s?)\b"
VERBS = (
    r"(?:repeat(?:ing)?|schedule|re-?run|run|execute|send|post|show|share|give|tell|bring|deliver|report"
    r"|update|refresh|put"
    r"|do|keep|wiederhol\w*|schick[et]*|sende?|zeig[et]*|fuhre?|mach[et]*|repete[rz]?|envoie[rz]?|montre[rz]?"
    r"|repite|repetir|envia(?:me)?|manda(?:me)?|muestra(?:me)?|programa[rz]?)"
)
FILLING = (
    r"(?:this|that|it|these|them|those|the|same|again|query|question|result|results|rows?|data|table|report"
    r"|list|answer"
    r"|numbers|sql|to|and|us|me|please|pls|on|in|at|a|an|for|with|as|from now on|automatically|regularly|sharp|bitte"
    r"|das|es|dies|diese|die|den|abfrage|ergebnis|aus|noch einmal|s'il (?:te|vous) plait|cela|ca|le|la|les"
    r"|requete|esto"
    r"|lo|los|consulta|por favor|uhr|o'?clock|schedule|timer|once|also|up|only|just|nur|solo|seulement|no"
    r"|nope|nein|non"
    r"|but|aber|mais|pero|make|change|switch|set|move|would|wd|same time|(?:die )?gleiche (?:uhr)?zeit"
    r"|meme heure|misma hora|start|que sea|sea|mejor|besser|lieber|rather|better|say|let'?s|und|et|y"
    r"|an|i|want|would|like|'?d|be|should|it's|instead|then|dann|alors|entonces|der|les?|el|mach|ander[e]?"
    r"|auf|plutot|mets"
    r"|ponlo|pon|cambialo|lieber doch|doch|sorry|actually|yes|ja|oui|si|ok)"
)


SCHEDULE_WISH_MAX_CHARS = 300
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class ScheduleWish:
    """A wished schedule; fields that the sentence does not state are empty.

    `unknown`: it wants another rhythm than there is, or says something else that was not understood. `no_time` is what
    stands where a time of day should.
    """

    every: Every | None = None
    day: Day | None = None
    at: str = ""
    to: To | None = None
    people: str = ""
    channel: str = ""
    form: str = ""
    condition: Condition | None = None
    unknown: bool = False
    no_time: str = ""

    def said(self) -> dict[str, Any]:
        """Return what it says, by the names of the fields of a Repeating."""
        names = ("every", "day", "at", "to", "people", "channel", "form", "condition")
        return {name: getattr(self, name) for name in names if getattr(self, name)}


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def schedule_wish_of(text: str, *, asked: bool = False) -> ScheduleWish | None:
    """Return what a sentence says about repeating; None where it is about something else.

    `asked`: the person was asked for it, so that "every day" alone is no question by days.
    """
    typed = unaccented(text)
    if not typed or len(typed) > SCHEDULE_WISH_MAX_CHARS:
        return None
    rest = _Rest(_with_figures(re.sub(rf"^{POLITE}", " ", typed)))
    channel = found["name"] if (found := rest.match(CHANNEL)) else ""
    mailless = bool(rest.all(NO_MAIL))
    rest.denied()
    people = ", ".join(rest.all(ADDRESS))
    condition, form = rest.first(CONDITIONS), rest.first(FORMS)
    unknown = bool(rest.all(UNKNOWN))
    day = rest.first(DAYS)
    every = rest.first(EVERY) or ("week" if day else None)
    part = rest.first(PARTS) or ""
    if part and re.search(EACH_TIME, typed):
        every = every or "day"
    at, no_time = _clock(rest)
    at = at or part
    mails = bool(rest.all(MAILS)) or bool(people)
    to = rest.first(TO)
    people = f"me, {people}" if people and to == "me" else people
    to = "email" if mails else "channel" if channel else "thread" if mailless and asked else to
    verb = rest.all(VERBS) or mails
    begins = bool(re.match(SCHEDULES, typed))
    rest.all(FILLING)
    says_when = bool(every or unknown) and bool(verb or at or begins or channel)
    answers = asked and (every or unknown or at or to or condition)
    surely = bool(re.match(THIS, typed)) and bool(every or at or no_time or unknown or re.search(TIMELY, typed))
    if (rest.left and not surely) or not (says_when or begins or answers):
        return None
    unknown = unknown or bool(rest.left)
    where = to, people, channel, form or ""
    return ScheduleWish(every, day, at, *where, condition, unknown, no_time)  # type: ignore[arg-type]


NOON = 12
_LATE = re.compile(
    r"(?P<hour>\d{1,2})(?P<rest>[:.h]\d{2})?(?: ?(?:uhr|h|heures?))? (?:de la (?:tarde|noche)"
    r"|in the (?:afternoon|evening)|nachmittags?|am nachmittag|abends|am abend|du soir|de l'apres-midi)"
)


def _with_figures(text: str) -> str:
    """Return the text with hours in words as figures: "half past six" is 6:30, "halb sieben" too, "um sieben" um 7."""

    def late(found: re.Match[str]) -> str:
        hours = int(found["hour"])
        return f"{hours + 12 if hours < NOON else hours}{(found['rest'] or ':00').replace('h', ':')}"

    def hour(word: str) -> int:
        return _HOUR_OF[word] if word in _HOUR_OF else int(word)

    number = rf"(?P<hour>{'|'.join(_HOUR_OF)}|\d{{1,2}})"
    if "half past" in text or "quarter" in text or "halb" in text:
        text = re.sub(rf"\bhalf past {number}\b", lambda found: f"at {hour(found['hour'])}:30", text)
        text = re.sub(rf"\bquarter past {number}\b", lambda found: f"at {hour(found['hour'])}:15", text)
        text = re.sub(rf"\bquarter to {number}\b", lambda found: f"at {(hour(found['hour']) - 1) % 24}:45", text)
        text = re.sub(rf"\bhalb {number}\b", lambda found: f"um {(hour(found['hour']) - 1) % 24}:30", text)
        text = re.sub(r"\b(?:at|um|gegen) (?=at |um )", "", text)
    text = _LATE.sub(late, text)
    words = rf"\b(?P<before>at|um|gegen|ab|a las|a la|a) (?P<hour>{'|'.join(_HOUR_OF)})\b(?! (?:times|mal|fois|veces))"
    return re.sub(words, lambda found: f"{found['before']} {hour(found['hour'])}", text)


_HOUR_OF = {
    word: number
    for number, names in enumerate(
        (
            "one ein eins une una",
            "two zwei deux dos",
            "three drei trois tres",
            "four vier quatre cuatro",
            "five funf cinq cinco",
            "six sechs seis",
            "seven sieben sept siete",
            "eight acht huit ocho",
            "nine neun neuf nueve",
            "ten zehn dix diez",
            "eleven elf onze once",
            "twelve zwolf douze doce",
        ),
        1,
    )
    for word in names.split()
}


class _Rest:
    """The part of a sentence that is still to be read."""

    def __init__(self, text: str) -> None:
        self._text = f" {text} "

    @property
    def left(self) -> str:
        return re.sub(r"[\s,.;:!&()'-]+", " ", self._text).strip()

    def all(self, pattern: str) -> list[str]:
        """Take away, and return, everything that fits."""
        found = [each[0] for each in re.finditer(rf"(?<![\w@.]){pattern}(?!\w)", self._text)]
        self._text = re.sub(rf"(?<![\w@.]){pattern}(?!\w)", " , ", self._text)
        return found

    def denied(self) -> None:
        """Take away what is denied: a day, a rhythm, a time, an address or the person."""
        for what in (
            *DAYS.values(),
            *EVERY.values(),
            ADDRESS,
            TIME_ALONE,
            TIME_BARE,
            r"\d{1,2}",
            "me",
            "mich",
            "moi",
            "mi",
        ):
            plain = re.sub("[?]P<[a-z]+>", "?:", what)
            self.all(rf"{DENIED}{plain}")
            self.all(rf"(?:{plain}){UNWELCOME}")

    def first(self, patterns: dict[str, str]) -> str | None:
        """Take away the first that fits, and return its name."""
        return next((name for name, pattern in patterns.items() if self.all(pattern)), None)

    def match(self, pattern: str) -> re.Match[str] | None:
        """Take away the first place that fits, and return it."""
        found = re.search(rf"(?<![\w@.]){pattern}(?!\w)", self._text)
        if found:
            self._text = f"{self._text[: found.start()]} , {self._text[found.end() :]}"
        return found


def _clock(rest: _Rest) -> tuple[str, str]:
    """Return the time of day that is named, and what is none where one should stand."""
    found = rest.match(AT_TIME) or rest.match(TIME_ALONE) or rest.match(TIME_BARE)
    if found is None:
        return "", ""
    at = time_of(found["hour"], found["minute"], found["half"])
    return at, "" if at else found[0].strip()
