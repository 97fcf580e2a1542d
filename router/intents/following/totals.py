"""How many there are, and which of them is the greatest: questions that need no word of their own."""

import re
from dataclasses import replace

from router.catalog.stems import stem
from router.intents.following.asked import Asked
from router.intents.following.groups import groups_in, ungrouped
from router.intents.following.measures import MEASURES
from router.intents.following.numerals import NUMBER
from router.intents.following.sentence import in_language
from router.intents.following.things import thing_of
from router.intents.language import language_of

_COUNT = re.compile(
    r"(?:how many (?:is|are|was|were) (?:that|there|those|these|they|it)(?: in total| altogether| in all| overall|"
    r" now)?"
    r"|how many(?: (?:rows|results|entries|records|lines))?(?: (?:is that|are there|are these|are those))?(?: in"
    r" total| altogether| in all)?"
    r"|(?:please )?count (?:them|it|those|these)(?: all)?|count|(?:just |only )?(?:the |their )(?:count|number)(?:"
    r" of (?:them|those|rows))?"
    r"|wie viele (?:sind das|sind es|gibt es)(?: insgesamt)?|wie viele|combien (?:y en a-t-il|sont-ils|sont-elles"
    r"|ça fait|en tout)?|combien|cuánt[oa]s(?: (?:son|hay))?(?: en total)?)",
    re.IGNORECASE,
)
_BIG = (
    "biggest|largest|highest|greatest|best|top|first|leading|most|number one|in front|ahead|on top"
    "|größte|höchste|beste|premier|meilleur|mayor|mejor"
)
_SMALL = "smallest|lowest|worst|last|least|fewest|kleinste|niedrigste|schlechteste|dernier|pire|menor|peor"
_OTHERS = (
    "oldest|newest|latest|earliest|youngest|cheapest|most expensive|longest|shortest|heaviest|most recent|fastest"
    "|slowest"
)
_EXTREME = re.compile(
    rf"(?:(?:and |so )?(?:who|which(?: one)?|what|wer|welcher|welche|welches|qui|quién|cuál)(?:'s| is| was| are|"
    rf" has| had| comes| came| ist| hat| est| es| tiene)? )?"
    rf"(?:the |der |die |das |le |la |el )?(?P<word>{_BIG}|{_SMALL}|{_OTHERS})(?: (?:one|of (?:them|all|those)"
    rf"|among them))?",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"cancellations?|refunds?|complaints?|absences?|errors?|delays?|failures?|defects?|accidents?|costs?|expenses?"
    r"|debts?|churn|sickness",
    re.IGNORECASE,
)
"""What is the worse the more there is of it."""
_BADLY = re.compile(
    r"\b(?:late|lost|cancel\w*|returned|refunded|delayed|overdue|failed|missing|missed|sick|rejected|unpaid|absent)\b",
    re.IGNORECASE,
)
"""What makes it worse to have more of anything."""
_EITHER = re.compile(r"returns?|times?|durations?|days|hours|prices?|age|weight|distance", re.IGNORECASE)
"""What is better for one the more there is of it, and worse for another: returns of goods, and of funds."""
_COUNTED = re.compile(
    r"(?:(?:the|our|total|average|mean|median|(?:sum|amount|number|count|share|percentage) of) )+", re.IGNORECASE
)
_CLOSES = re.compile(
    r",| (?:in|for|from|with|without|of|per|by|on|at|since|last|this|that|who|which|during|between|over|only)\b"
    r"| \w+ed\b",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?<=\w) (?:rate|ratio|count|number|quota|share|amount|total|value)s?$", re.IGNORECASE)
_BY = re.compile(r"(?:by|per|for each)$", re.IGNORECASE)
_NO_MEASURE = re.compile(
    r"(?:how|which|what|list|show|who|give|find|highest|lowest|top|bottom)\b|.*\b(?:is|are|was|were|did|do)\b|.*,",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"^(?:which|what|list|show|give|display|find|get)(?: (?:me|us))?(?: all)?(?: of)?(?: the)? (?P<rest>.+)$",
    re.IGNORECASE,
)


def counts(text: str) -> bool:
    """Tell whether a message asks how many there are."""
    return bool(_COUNT.fullmatch(text))


def counted(body: str, asked: Asked) -> str:
    """Return the question for the number of what another lists, or "" where it asks for a number already."""
    if re.match(r"(?i)(?:how many|number of|count|wie viele|anzahl|combien|nombre|cuánt)", body):
        return ""
    which = re.match(r"(?i)(?:which|what) (?P<rest>.+)$", body)
    if which:
        return f"How many {re.sub(rf'(?i)^{NUMBER} ', '', which['rest'])}"
    thing = thing_of(asked)
    if _LISTS.match(body) and thing:
        what, comma, more = thing.removeprefix("the ").partition(",")
        return f"How many {what} are there{comma}{more}"
    noun = re.match(r"(?i)(?:the )?(?P<noun>\w+s)\b", body)
    if thing and noun and not groups_in(body) and stem(noun["noun"]) not in MEASURES and language_of(body) == "en":
        return f"How many {thing.removeprefix('the ')} are there"
    return f"{in_language('rows', body)}: {body}"


def extreme_in(text: str, body: str, asks: bool) -> str:
    """Return the word for the greatest or the least that a message asks for; `asks`: with "who" or "which".

    A noun between is one of the question before: "which region has the most?"
    """
    noun = re.match(r"(?i)(?:which|what) (?P<noun>[\w-]+) (?=is|was|has|had|comes|are|were)", text)
    if noun and re.search(rf"(?i)\b{re.escape(stem(noun['noun']))}", body):
        text = f"which {text[noun.end() :]}"
    match = _EXTREME.fullmatch(text)
    if match is None or (not asks and " " not in text):
        return ""
    return match["word"].lower()


def extreme_of(body: str, word: str, said: str, asked: Asked) -> tuple[str, ...]:
    """Return the question for the greatest of what another lists: "Which carrier has the highest revenue".

    There are two where "the best" may be the highest or the lowest.
    """
    if language_of(body) != "en":
        return (f"{body}, {in_language('only', body)} {said}",)
    how = "lowest" if re.fullmatch(_SMALL, word, re.IGNORECASE) else "highest"
    groups = [group for group in groups_in(body) if _BY.match(group.by)]
    if len(groups) == 1 and not re.fullmatch(_OTHERS, word) and (measure := _measure(body, asked)):
        bad = _is_bad(measure) if word in ("best", "worst") else False
        other = "highest" if how == "lowest" else "lowest"
        hows = (how, other) if bad is None else (other,) if bad else (how,)
        return tuple(f"Which {groups[0].names} has the {each} {measure}" for each in hows)
    if word in ("most", "least", "first", "last"):
        return (f"{body}, only the one with the {how} value",)
    return (f"{body}, only the {word} one",)


def _is_bad(measure: str) -> bool | None:
    """Tell by its head noun whether more of a measure is worse; None where it may be either."""
    counted = _COUNTED.match(measure)
    whole = measure[counted.end() :] if counted else measure
    head = _RATE.sub("", _CLOSES.split(whole, maxsplit=1)[0])
    noun = head.rpartition(" ")[2]
    if _BAD.fullmatch(noun) or _BADLY.search(head):
        return True
    return None if _EITHER.fullmatch(noun) or _BADLY.search(whole) else False


def _measure(body: str, asked: Asked) -> str:
    """Return what a grouped question measures, without its grouping: "revenue in 2025", "number of orders"."""
    bare = ungrouped(body)
    if many := re.match(r"(?i)how many ", bare):
        things = thing_of(replace(asked, question=bare)).removeprefix("the ")
        return f"number of {things}" if things and many else ""
    noun = re.sub(r"(?i)^(?:what (?:is|was|are|were) )?(?:the )?", "", bare)
    if _NO_MEASURE.match(noun):
        return ""
    return f"{noun[:1].lower()}{noun[1:]}"
