"""What a question measures, and what becomes of it when another number is asked for."""

import re

from router.catalog.stems import stem
from router.intents.following.groups import groups_in
from router.intents.following.times import times_in
from router.intents.following.vocabulary import words
from router.intents.language import language_of

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
    if language_of(body) != "en" or re.match(r"(?i)(?:list|show|which|who|give|find|get|display)\b", body):
        return (
            f"{body}, {text}"
            if word not in ("average", "total") or language_of(body) != "en"
            else f"{body}, the {word}"
        )
    the = _THE.match(body)
    if the:
        return f"{body[: the.end()]}{word} {body[the.end() :]}"
    head, rest = head_of(body)
    counted = re.match(r"(?i)(?:how many|number of|count|anzahl|wie viele)\b", body)
    if head and not counted and not _VERB.search(head):
        return f"{word.capitalize()} {head[:1].lower()}{head[1:]}{rest}"
    return f"{body}, the {word}"


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
