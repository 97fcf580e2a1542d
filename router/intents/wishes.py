"""Several wishes in one sentence: a question, and what is to become of its result; told by rules, without a model.

"revenue by region, then mail it to Ana" and "email revenue by region to ana@company.example" ask for the same.
"""

import re
from dataclasses import dataclass
from typing import Literal

from router.intents.errand_words import ADDRESS, NAME, POLITE
from router.intents.errands import errand_of
from router.intents.repetitions import repetition_of

Step = Literal["write", "email", "csv", "xlsx", "chart", "repeat"]
"""What can become of a result, by the words of its buttons."""

LONGEST = 500
MOST = 4
"""Steps of a plan."""


@dataclass(frozen=True, slots=True)
class Wished:
    """A step, and the words that ask for it, as if they were typed under the result."""

    step: Step
    text: str


_AND = re.compile(
    r"\s*(?:[,;.!?]\s*|\s)(?:(?:and|then|und|dann|et|puis|ensuite|y|luego|also|afterwards|after that|finally)\s+)+"
    r"|\s*[,;.!?]\s+",
    re.IGNORECASE,
)
_IT = r"(?:it|this|that|them|these|those|the (?:result|rows|data|table)|everything|es|das|le|la|les|lo|los)"
_FILE = (
    r"(?:as|in|into|to|als|en|como|im)\s+(?:an?\s+|eine?\s+)?(?P<form>csv|excel|xlsx)(?:[\s-]*(?:file|sheet|datei))?"
)
_CHARTED = (
    r"(?:as|in|als|en|como)\s+(?:an?\s+|einem?\s+|un\s+)?(?:(?:bar|line|column|nice)\s+)?"
    r"(?:chart|graph|diagramm?e?|plot)"
)
_DRAW = re.compile(
    rf"{POLITE}(?:(?:draw|plot|chart|graph|show|make|give me|zeig\w*|montre\w*)\s+)?(?:{_IT}\s+)?"
    rf"(?:{_CHARTED}|(?:an?\s+)?(?:(?:bar|line)\s+)?(?:chart|graph)(?:\s+of\s+{_IT})?)|{POLITE}(?:draw|plot|chart|graph)\s+{_IT}",
    re.IGNORECASE,
)
_EXPORT = re.compile(
    rf"{POLITE}(?:(?:export|download|give|get|save|send|make|exportier\w*|exporte\w*|exporta\w*)\s+)?(?:me\s+)?(?:{_IT}\s+)?"
    rf"(?:for me\s+)?{_FILE}",
    re.IGNORECASE,
)
_BEHIND = (
    ("file", re.compile(rf"(?P<head>.+?),?\s+{_FILE}", re.IGNORECASE | re.DOTALL)),
    ("chart", re.compile(rf"(?P<head>.+?),?\s+{_CHARTED}", re.IGNORECASE | re.DOTALL)),
)
_PEOPLE = rf"(?P<people>(?:{ADDRESS}|{NAME}|me|us)(?:\s*(?:,|and|,\s*and|und|et|y)\s*(?:{ADDRESS}|{NAME}|me))*)"
_MAILED = re.compile(
    rf"{POLITE}(?:e-?mail|mail|send|forward|schick\w*|sende?|envoie\w*|envia\w*)\s+(?P<head>\S+\s.+?)\s+(?:to|an|a|à)\s+{_PEOPLE}",
    re.IGNORECASE | re.DOTALL,
)
_MAILED_TO = re.compile(
    rf"{POLITE}(?:e-?mail|mail)\s+(?P<people>me|us|{ADDRESS})\s+(?P<head>\S+\s.+)", re.IGNORECASE | re.DOTALL
)
_SAVED = re.compile(
    rf"{POLITE}(?:save|store|write|put)\s+(?P<head>\S+\s.+?)\s+(?:in|into|to|as)\s+(?:the\s+|a\s+|new\s+)*table\s+(?:called\s+|named\s+)?"
    r"(?P<table>[\w.\"]+)",
    re.IGNORECASE | re.DOTALL,
)
_WHEN = (
    r"(?P<when>(?:every|each|jeden|jede|chaque|cada)\s+(?:\w+\s+)?(?:day|morning|evening|week|month|(?:mon|tues|wednes|thurs|fri"
    r"|satur|sun)day|tag|woche|monat|montag|jour|semaine|mois|lundi|día|dia|semana|mes|lunes)"
    r"(?:\s+(?:at|um|à|a las)\s+\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?|uhr|h)?)?|daily|weekly|monthly)"
)
_GIVE = r"(?:send|show|give|tell|post|bring|report|schick\w*|zeig\w*|envoie\w*|montre\w*|envia\w*|manda\w*)"
_REPEATED = (
    re.compile(
        rf"{POLITE}{_WHEN}\s*[,:]?\s+{_GIVE}\s+(?:me\s+|us\s+|mir\s+)?(?P<head>\S+\s.+)", re.IGNORECASE | re.DOTALL
    ),
    re.compile(rf"{POLITE}{_GIVE}\s+(?:me\s+|us\s+|mir\s+)(?P<head>\S+\s.+?),?\s+{_WHEN}", re.IGNORECASE | re.DOTALL),
)
_NO_OBJECT = re.compile(
    rf"{_IT}(?:\s.*)?|.*\b(?:sent|shipped|delivered|sold|paid|made|addressed)", re.IGNORECASE | re.DOTALL
)
_POINTS = re.compile(rf"{_IT}(?:\s.*)?", re.IGNORECASE | re.DOTALL)


def wishes_of(text: str) -> tuple[str, tuple[Wished, ...]]:
    """Return the question of a sentence ("" where it has none), and what is to become of its result, in their order."""
    rest, found = text.strip().rstrip("?.! "), list[Wished]()
    if not rest or len(rest) > LONGEST or "\n\n" in rest:
        return text, ()
    while (parted := _last(rest)) and len(found) < MOST:
        rest, wish = parted
        found.insert(0, wish)
    if alone := step_of(rest):
        return ("", (alone, *found)) if found else (text, ())
    head, inside = _inside(rest)
    if inside and len(found) < MOST:
        rest, found = head, [inside, *found]
    return (rest.strip(" ,;:") if found else text), tuple(found)


def step_of(text: str) -> Wished | None:
    """Return the step that a sentence typed under a result asks for; None where it is something else."""
    typed = text.strip().rstrip("?.! ")
    if errand := errand_of(typed):
        exported = _EXPORT.fullmatch(typed)
        return Wished(_form(exported), typed) if exported else Wished(errand, typed)
    if found := _EXPORT.fullmatch(typed):
        return Wished(_form(found), typed)
    if _DRAW.fullmatch(typed):
        return Wished("chart", typed)
    return Wished("repeat", typed) if repetition_of(typed) else None


def _last(text: str) -> tuple[str, Wished] | None:
    """Return what stands before the last wish, and the wish; None where the sentence ends otherwise."""
    for cut in reversed(list(_AND.finditer(text))):
        head, tail = text[: cut.start()].strip(" ,;"), text[cut.end() :]
        if head and len(tail) > 3 and (wish := step_of(tail)):
            return head, wish
    return None


def _inside(text: str) -> tuple[str, Wished | None]:
    """Return the question in a sentence such as "mail revenue by region to Ana", and its wish."""
    for pattern in _REPEATED:
        if found := pattern.fullmatch(text):
            return found["head"], Wished("repeat", f"repeat it {found['when']}")
    if (found := _SAVED.fullmatch(text)) and not _POINTS.fullmatch(found["head"]):
        return found["head"], Wished("write", f"save it into table {found['table']}")
    for pattern in (_MAILED, _MAILED_TO):
        found = pattern.fullmatch(text)
        if found and not _NO_OBJECT.fullmatch(found["head"]) and _somebody(found["people"]):
            return found["head"], Wished("email", f"email it to {found['people']}")
    for kind, pattern in _BEHIND:
        if (found := pattern.fullmatch(text)) and not _POINTS.fullmatch(found["head"]) and " " in found["head"]:
            step = _form(found) if kind == "file" else "chart"
            return _asked(found["head"]), Wished(
                step, "draw it as a chart" if step == "chart" else f"export it as {step}"
            )
    return text, None


def _somebody(people: str) -> bool:
    """Tell people from what else stands behind "to": an address, "me", or a name with a capital."""
    first = people.split()[0].strip("\"'`“„«,")
    return "@" in first or first.lower() in ("me", "us") or (first[:1].isupper() and not first.isupper())


def _asked(head: str) -> str:
    return re.sub(r"^(?:export|download)\s+", "", head.strip(), flags=re.IGNORECASE)


def _form(found: re.Match[str]) -> Literal["csv", "xlsx"]:
    return "csv" if found["form"].lower() == "csv" else "xlsx"
