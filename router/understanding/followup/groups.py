"""By what a question is grouped, and what becomes of it when another grouping is asked for."""

import re
from dataclasses import dataclass

from router.understanding.followup.order import NUMBER

_BY = (
    r"(?:(?:grouped|group|broken down|split(?: up)?|divided|summarized|aggregated) (?:by|per|into)|by|per|for"
    r" (?:each|every)|each|every|across(?: the| all)?"
    r"|pro|je|nach|(?:gruppiert|aufgeteilt|aufgeschlüsselt) nach|par|por|según)"
)
_STOP = (
    r"(?:in|for|from|with|without|where|who|that|which|only|just|sorted|ordered|sort|ranked|order(?= by)|rank|top|first"
    r"|last|descending"
    r"|ascending|instead|too|also|please|pls|excluding|including|except|as|is|are|was|were|did|do|does|have|has|had"
    r"|between"
    r"|since|before|after|during|than|now|vs|versus|compared|but|then|and|or|at|on|to|this|we|you|it|them|far"
    r"|rather|not"
    r"|im|für|von|mit|ohne|nur|und|statt|stattdessen|sortiert|absteigend|aufsteigend|bitte|seit|letzt\w+|dies\w+"
    r"|haben|wir"
    r"|en|pour|avec|sans|seulement|et|ou|au|plutôt|depuis|cette|y|para|con|sin|solo|sólo|desde|hay|hasta"
    rf"|(?:19|20)\d\d|{NUMBER}|q[1-4])"
)
_GROUP_WORD = rf"(?!{_STOP}\b)[^\W\d][\w'-]*"
_GROUP_NAME = rf"(?:(?:the|a|their|its|our) )?{_GROUP_WORD}(?: {_GROUP_WORD}){{0,4}}"
_GROUP_NAMES = (
    rf"{_GROUP_NAME}(?:(?:, | ?/ ?)(?!{_BY} |the |total |average |number |list ){_GROUP_NAME})*"
    rf"(?:,? (?:and|und|et|y|&) (?:(?:by|per) )?{_GROUP_NAME})?"
)
_GROUP = re.compile(rf"(?<![\w'-])(?P<by>{_BY}) (?P<names>{_GROUP_NAMES})(?![\w@])", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:\w+(?:ed|wn)|spent|made|paid|sold|sent|bought|built|run|kept|led|taken|sort|order|rank|sortiert|geordnet"
    r"|trié[es]*|ordenad[oa]s?"
    r"|followed|filter|filtern|divide|multiply|multiplied|one|more|less|by|close|step|line|day|month|year)$",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\b(?:grouped|broken down|split(?: up)?|divided|summarized|aggregated)$", re.IGNORECASE)
_ADVERBS = {
    "daily": "by day",
    "weekly": "by week",
    "monthly": "by month",
    "quarterly": "by quarter",
    "yearly": "by year",
    "annually": "by year",
    "täglich": "pro Tag",
    "wöchentlich": "pro Woche",
    "monatlich": "pro Monat",
    "quartalsweise": "pro Quartal",
    "jährlich": "pro Jahr",
    "mensuellement": "par mois",
    "mensualmente": "por mes",
}
_ADVERB = re.compile(rf"\b(?:on a )?(?P<adverb>{'|'.join(_ADVERBS)})(?: basis)?\b", re.IGNORECASE)
_EACH = re.compile(r"(?P<unit>day|week|month|quarter|year) (?:by|for|after) (?P=unit)", re.IGNORECASE)
_TIME = re.compile(
    r"(?:the )?(?:calendar |fiscal )?(?:day|week|weekday|month|quarter|year|date|hour|tag|woche|monat|quartal|jahr"
    r"|mois|semaine|jour|trimestre"
    r"|année|an|mes|semana|día|año)s?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Group:
    """A grouping in a text from `start` to `end`: "by", and what it is by."""

    start: int
    end: int
    by: str
    names: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.by} {self.names}"

    @property
    def of_time(self) -> bool:
        """True for groups by days, months and the like."""
        return bool(_TIME.match(self.names))


def groups_in(text: str) -> tuple[Group, ...]:
    """Return the groupings of a text; "sorted by" and "paid by" are none."""
    found = []
    for match in _GROUP.finditer(text):
        if match["by"].lower() == "every":
            continue  # that is how often, not by what
        before = text[: match.start()].rstrip()
        if (
            not _DONE.search(before)
            or _GROUPED.search(before)
            or match["by"].lower() in ("per", "for each", "pro", "je")
        ):
            found.append(Group(match.start(), match.end(), match["by"], match["names"]))
    return tuple(found)


def plainly(text: str) -> str:
    """Return a text in which "monthly", or "month by month", alone is "by month"."""
    text = text.strip()
    if each := _EACH.fullmatch(text):
        return f"by {each['unit']}"
    match = _ADVERB.fullmatch(text)
    return _ADVERBS[match["adverb"].lower()] if match else text


def grouped(body: str, new: Group, adds: bool) -> tuple[str, str]:
    """Return the question with this grouping, and the same with the other reading where there is one.

    A time takes the place of a time. Otherwise `adds` decides whether it stands beside what there is, or in its place.
    """
    old = [group for group in groups_in(body) if not group.by.lower().startswith(("each", "every"))]
    if not old:
        return "", ""
    last = old[-1]
    if any(name.lower() in new.names.lower() for name in (last.names,)):
        return f"{body[: last.start]}{new.text}{body[last.end :]}", ""
    of_one_kind = next((group for group in old if group.of_time and new.of_time), None)
    beside = f"{body[: last.end]} {_and(last.by)} {new.names}{body[last.end :]}"
    at = of_one_kind or last
    instead = f"{body[: at.start]}{_short(new, at)}{body[at.end :]}"
    return (beside, instead) if adds and of_one_kind is None else (instead, beside if of_one_kind is None else "")


def ungrouped(body: str) -> str:
    """Return the question without what it is grouped by."""
    for group in reversed(groups_in(body)):
        body = f"{body[: group.start].rstrip()}{body[group.end :]}"
    return body


def _short(new: Group, old: Group) -> str:
    """Return a grouping with the shorter word for "by"."""
    return new.text if " " not in new.by or " " in old.by else f"{old.by} {new.names}"


def _and(by: str) -> str:
    return {"pro": "und", "je": "und", "nach": "und", "par": "et", "por": "y", "según": "y"}.get(by.lower(), "and")
