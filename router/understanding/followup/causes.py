"""Questions that look for the cause of a result: "why is 2023 empty?", "why is that so high?".

What the data can show is where there are rows, how many they are and how large; why the world is so, it does not say.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp

from router.language.detection import language_of
from router.language.inflection import singular
from router.understanding.followup.filters import subject_of
from router.understanding.followup.full_question import FOLLOWUP_MAX_CHARS, full_question
from router.understanding.followup.measures import head_of
from router.understanding.followup.previous import (
    PreviousQuestion,
    Understood,
    closed,
    compared,
    opened,
    plain,
    tables_of,
    tree_of,
    unmarked,
)
from router.understanding.followup.rows import groups_in
from router.understanding.followup.times import times_in

_WHY = re.compile(
    r"(?:(?:and|but|so|hm+|und|aber|et|mais|y|pero)[, ]+)*(?:why|how come|how can it be|what is the reason|what's"
    r" the reason"
    r"|wieso|weshalb|warum|pourquoi|(?:¿ ?)?por qu[eé])\b",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"\b(?:empty|zero|0|null|missing|blank|nothing|none|no (?:rows?|results?|data|values?|numbers?|entries|records"
    r"|\w+s)|not (?:there|shown|listed|in)"
    r"|(?:do|does|did)(?: not|n't) (?:\w+ )?(?:see|show|appear|exist|have)|leer|nichts|keine?|fehl\w+|vides?|rien"
    r"|aucune?|vac[ií][oa]s?|nada|ning[uú]n\w*)\b",
    re.IGNORECASE,
)
_EXTENT = re.compile(
    r"\b(?:(?:so|that|too|this|very|much) (?:high|low|big|small|large|little|few|many|much)|higher|lower|larger"
    r"|smaller|drop\w*|jump\w*|spik\w*|fall\w*|fell"
    r"|rise\w*|rose|grow\w*|grew|decreas\w*|increas\w*|declin\w*|dip\w*|peak\w*|hoch|niedrig|gestiegen|gesunken"
    r"|gefallen|élevée?s?|bass?e?s?|alt[oa]s?|baj[oa]s?)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:for|in|from|at|by|of) (?P<name>(?:[A-ZÀ-Þ][\w&.-]*)(?: [A-ZÀ-Þ][\w&.-]*)*)")
_YEARLY = re.compile(r"(?:19|20)\d\d|\byears?\b|\bjahr|\bann?ée|\baño", re.IGNORECASE)
_COUNTS = {
    "en": "How many {things} are there for each {what}?",
    "de": "Wie viele {things} gibt es pro {what}?",
    "fr": "Combien de {things} y a-t-il par {what} ?",
    "es": "¿Cuántos {things} hay por {what}?",
}
_UNITS = {"en": ("year", "month"), "de": ("Jahr", "Monat"), "fr": ("année", "mois"), "es": ("año", "mes")}
WHERE_NOTE = "This shows where there are rows. Why there are none elsewhere, the data does not say."
WHEN_NOTE = "This shows when it changed. Why it did, the data does not say."
HIGH_NUMBER_NOTE = (
    "A number is high because there are many rows, or large ones: this shows both. Why that is so, it does not say."
)


def checks(message: str, previous: Sequence[PreviousQuestion]) -> Understood | None:
    """Return the question that looks for the cause of the newest result, as far as data can show it.

    None where no cause is asked for, or none can be looked for. Its `problem` says what the answer does not tell.
    """
    text = unmarked(plain(message))
    if not previous or len(text) > FOLLOWUP_MAX_CHARS or not _WHY.match(text):
        return None
    asked = previous[0]
    if _EMPTY.search(text):
        return _where(text, asked)
    return _what(text, asked) if _EXTENT.search(text) else None


def _where(text: str, asked: PreviousQuestion) -> Understood | None:
    """Return how many rows there are for each value of what leaves a result empty."""
    body, _ = opened(plain(asked.question))
    things = subject_of(body, asked) or next((f"{name}s" for name in tables_of(asked.sql, asked.dialect)), "")
    if not things:
        return None
    language = language_of(body)
    year, month = _UNITS[language]
    times = times_in(text) or times_in(body)
    by = [_words(column) for column, value in compared(asked.sql, asked.dialect) if value.lower() in text.lower()]
    if times:
        by.append(year if _YEARLY.search(times[0].core) else month)
    by += [_words(column) for column, _ in compared(asked.sql, asked.dialect)]
    full = [_COUNTS[language].format(things=things, what=what) for what in dict.fromkeys(by)]
    return Understood(full[0], 0.75, tuple(full[1:3]), WHERE_NOTE) if full else None


def _what(text: str, asked: PreviousQuestion) -> Understood | None:
    """Return of how many rows a number is made, and how large they are; what it is grouped by stays.

    Where a month is named, all of them stay beside it: what is low is low beside others.
    """
    times, (body, mark) = times_in(text), opened(plain(asked.question))
    if times and _YEARLY.search(times[0].core):
        return _closer(f"only {times[0].core} by month", text, asked)
    tree = tree_of(asked.sql, asked.dialect)
    number = next((found for found in tree.find_all(exp.Sum, exp.Avg)), None) if tree else None
    column = number.find(exp.Column) if number else None
    head, rest = head_of(body)
    things = next((f"{name}s" for name in tables_of(asked.sql, asked.dialect)), "")
    beside = any(group.of_time for group in groups_in(body))
    if column is None or not things or not head:
        if beside:
            return _closer(f"only {times[0].core} by day", text, asked) if times else None
        return _closer("also by month" if times or times_in(body) else "also by year", text, asked)
    if times and not beside:
        rest = opened(closer.question)[0][len(head) :] if (closer := full_question("also by month", [asked])) else rest
    name = _words(column.name)
    return Understood(
        closed(f"Number of {things}, sum and average of the {name}{rest}", mark if not rest else ""),
        0.7,
        problem=HIGH_NUMBER_NOTE,
    )


def _closer(message: str, text: str, asked: PreviousQuestion) -> Understood | None:
    """Return the question looked at more closely in time, and only for whom the message names."""
    closer = full_question(message, [asked])
    named = _NAMED.search(text)
    if closer and named and not times_in(named[0]) and named["name"] not in closer.question:
        closer = full_question(f"only {named[0]}", [replace(asked, question=closer.question)]) or closer
    return Understood(closer.question, 0.65, problem=WHEN_NOTE) if closer else None


def _words(column: str) -> str:
    """Return the name of a column, or of its table where it is no more than its name, as words."""
    table, _, name = column.rpartition(".")
    named = re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s]+", " ", name).strip().lower()
    if named in ("name", "code", "id") and table:
        return singular(re.sub(r"[_\s]+", " ", table).lower())
    return named
