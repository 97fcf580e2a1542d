"""The measure of a question: another number, the count of rows, the greatest of them."""

import re
from dataclasses import replace

from router.language.detection import language_of
from router.language.inflection import stem
from router.understanding.followup.previous import PreviousQuestion, in_language, words
from router.understanding.followup.rows import NUMBER, groups_in, ungrouped
from router.understanding.followup.subject import thing_of
from router.understanding.followup.times import times_in

_ADJECTIVES = {
    "average": "average|mean|avg|on average|in average|durchschnitt(?:lich\\w*)?|im durchschnitt|mittelwert"
    "|moyen(?:ne)?s?|en moyenne|media|promedio|medi[oa]",
    "median": "median|médiane?|mediana?",
    "total": "totals?|sum|overall|in total|sum of|summe|gesamt\\w*|insgesamt|somme|total[es]*|au total|suma|en total",
    "maximum": "maximum|max|maximal\\w*|máxim[oa]|maximale?s?",
    "minimum": "minimum|min|minimal\\w*|mínim[oa]|minimale?s?",
    "highest": "highest|largest|biggest|höchste\\w*|größte\\w*|plus (?:haut|élevée?|grande?)s?|más alt[oa]",
    "lowest": "lowest|smallest|niedrigste\\w*|kleinste\\w*|plus (?:bas|basse|petite?)s?|más baj[oa]",
}
_AGGREGATE = "|".join(_ADJECTIVES.values())
_ALONE = re.compile(
    rf"(?:what(?:'s| is| are| was| were| would be)? )?(?:the |die |das |der |den |la |le |el"
    rf" )?(?P<what>{_AGGREGATE})(?: (?:value|number|one|amount|be))?(?: of (?:that|this|these|those|them|it|all"
    rf"|everything))?",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    rf"(?:the )?(?P<what>(?:{_AGGREGATE})(?:(?:, (?:and )?| and | und | et | y )(?:the )?(?:{_AGGREGATE}))+)",
    re.IGNORECASE,
)
_WITH_NOUN = re.compile(
    rf"(?:what(?:'s| is| are| was| were) )?(?P<np>(?:the |our )?(?:(?:{_AGGREGATE}) )?(?:number of |amount of "
    rf"|count of |sum of )?[^\W\d][\w' -]*)",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"(?:how many|how much|wie viele?|combien de|cuánt[oa]s) [^\W\d][\w' -]*", re.IGNORECASE)
_IN_BODY = re.compile(rf"(?<![\w-])(?:{_AGGREGATE})(?![\w-])", re.IGNORECASE)
_THE = re.compile(r"^(?:what (?:is|was|were|are) )?(?:the|our) (?=\w)", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|did|do|does|has|have|had|brought|ordered|sold|made|left|cost|hat|haben|gab|gibt|ist|sind"
    r"|war|waren|avons|ont|a|hubo|hay|tenemos)\b",
    re.IGNORECASE,
)
_ASKED_NOUN = re.compile(
    r"^(?:(?:what|how much) (?:is|was|are|were) (?:(?:the|our) )?(?P<what>.+)"
    r"|(?:how many|wie viele|combien de|cuánt[oa]s) (?P<many>[\w' -]+?)(?: (?:were there|are there|did we (?:have"
    r"|get)|do we have|have we|there (?:are|were)|gab es|gibt es|haben wir|hubo|hay|avons-nous|y a-t-il))?)$",
    re.IGNORECASE,
)
_SLOT = re.compile(
    r",| (?:in|for|from|with|without|who|that|which|whose|excluding|of the year|on|at|since|only|where|im|aus|für"
    r"|mit|ohne|en|pour|avec|sans|para|con|sin) ",
    re.IGNORECASE,
)
MEASURES = words("measures")
"""Nouns for what is measured, in the singular."""


def is_aggregate(text: str) -> bool:
    """Tell whether a text is "the average", "total" and the like, and nothing else."""
    return bool(_ALONE.fullmatch(text) or _SEVERAL.fullmatch(text))


def is_measure(text: str, names: frozenset[str]) -> bool:
    """Tell whether a text names something that can be measured or counted: by a noun of measures, or of the tables."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    if not words or len(words) > 6:
        return False
    if re.match(r"(?i)(?:the )?(?:number|count|amount|sum|share) of ", text):
        return True
    return (
        _HOW_MANY.match(text) is not None
        or stem(words[-1]) in MEASURES
        or bool(_IN_BODY.match(re.sub(r"(?i)^the ", "", text)) and {words[-1], stem(words[-1])} & names)
    )


def aggregated(body: str, text: str, also: bool) -> str:
    """Return the question for another aggregate: "total cost" becomes "average cost"; with `also`, both."""
    match = _ALONE.fullmatch(text) or _SEVERAL.fullmatch(text)
    word = _adjective(match["what"]) if match else text
    old = _IN_BODY.search(body)
    if old:
        new = f"{old[0]} and {word}" if also else word
        return f"{body[: old.start()]}{_as(old[0], new)}{body[old.end() :]}"
    if also:
        return f"{body}, with the {word}"
    return f"{body}, the {word}" if language_of(body) == "en" else f"{body}, {text}"


def remeasured(body: str, text: str) -> str:
    """Return the question with this measure in place of its own, or "" where its own cannot be told apart.

    "the average order value" after "Number of orders by channel" is "The average order value by channel".
    """
    head, rest = head_of(body)
    if not head or not rest:
        return ""
    asked = _ASKED_NOUN.match(head)
    if not asked and _VERB.search(head):
        return ""
    noun = _HOW_MANY.fullmatch(text) or _WITH_NOUN.fullmatch(text)
    if noun is None:
        return ""
    if "np" not in noun.groupdict():
        return f"{text} were there{rest}" if re.match(r"(?i)how many", text) else f"{text}{rest}"
    what = re.match(r"(?i)what (?:is|was|are|were) ", head)
    return f"{what[0] if what else ''}{noun['np']}{rest}"


def head_of(body: str) -> tuple[str, str]:
    """Return what a question measures, and the rest of it: groupings, times, conditions."""
    spots = [group.start for group in groups_in(body)] + [time.start for time in times_in(body)]
    spots += [match.start() for match in [_SLOT.search(body)] if match]
    at = min(spots, default=len(body))
    head = body[:at].rstrip()
    return head, body[len(head) :]


def _adjective(word: str) -> str:
    low = word.lower()
    names = [name for name, pattern in _ADJECTIVES.items() if re.fullmatch(pattern, low)]
    english = re.fullmatch(
        r"(?i)average|mean|avg|on average|in average|totals?|sum|sum of|overall|in total|max|min", low
    )
    return names[0] if names and english else low


def _as(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


# Counts and extremes ("how many is that?", "which is the greatest?"), which need no measure of their own.


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
    "biggest|largest|highest|greatest|top|first|leading|most|number one|in front|ahead|on top"
    "|größte|höchste|beste|premier|meilleur|mayor|mejor"
)
_SMALL = "smallest|lowest|last|least|fewest|kleinste|niedrigste|schlechteste|dernier|pire|menor|peor"
_OTHERS = (
    "best|worst|oldest|newest|latest|earliest|youngest|cheapest|most expensive|longest|shortest|heaviest|most recent"
    "|fastest|slowest"
)
_EXTREME = re.compile(
    rf"(?:(?:and |so )?(?:who|which(?: one)?|what|wer|welcher|welche|welches|qui|quién|cuál)(?:'s| is| was| are|"
    rf" has| had| comes| came| ist| hat| est| es| tiene)? )?"
    rf"(?:the |der |die |das |le |la |el )?(?P<word>{_BIG}|{_SMALL}|{_OTHERS})(?: (?:one|of (?:them|all|those)"
    rf"|among them))?",
    re.IGNORECASE,
)
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


def counted(body: str, asked: PreviousQuestion) -> str:
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


def extreme_of(body: str, word: str, said: str, asked: PreviousQuestion) -> str:
    """Return the question for the greatest of what another lists: "Which carrier has the highest revenue".

    "The best" and "the worst" stay as they are: whether they are the highest or the lowest depends on the measure.
    """
    if language_of(body) != "en":
        return f"{body}, {in_language('only', body)} {said}"
    how = "lowest" if re.fullmatch(_SMALL, word, re.IGNORECASE) else "highest"
    groups = [group for group in groups_in(body) if _BY.match(group.by)]
    if len(groups) == 1 and not re.fullmatch(_OTHERS, word) and (measure := _measure(body, asked)):
        return f"Which {groups[0].names} has the {how} {measure}"
    if word in ("most", "least", "first", "last"):
        return f"{body}, only the one with the {how} value"
    return f"{body}, only the {word} one"


def _measure(body: str, asked: PreviousQuestion) -> str:
    """Return what a grouped question measures, without its grouping: "revenue in 2025", "number of orders"."""
    bare = ungrouped(body)
    if many := re.match(r"(?i)how many ", bare):
        things = thing_of(replace(asked, question=bare)).removeprefix("the ")
        return f"number of {things}" if things and many else ""
    noun = re.sub(r"(?i)^(?:what (?:is|was|are|were) )?(?:the )?", "", bare)
    if _NO_MEASURE.match(noun):
        return ""
    return f"{noun[:1].lower()}{noun[1:]}"
