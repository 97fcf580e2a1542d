"""Messages that are one of a few fixed forms as a whole: "how many is that?", "the other way round"."""

import re

from router.catalog.stems import stem
from router.intents.following.asked import Asked, Kind, Understood
from router.intents.following.groups import groups_in, ungrouped
from router.intents.following.leads import Said
from router.intents.following.measures import aggregated, is_aggregate, remeasured
from router.intents.following.order import reversed_of, reverses, unlimited, without_limit
from router.intents.following.sentence import closed, in_language, opened
from router.intents.following.totals import counted, counts, extreme_in, extreme_of

_WHO = re.compile(
    r"(?:wer|welche[rs]?|qui|quel(?:le)?|cuál|quién|which|who|what)\b(?: (?:ist|hat|est|es|tiene)\b)? ?", re.IGNORECASE
)
_SUM = re.compile(
    r"(?:sum|add|total) (?:them|it|that|those|these|everything)(?: (?:all|up))*"
    r"|how much is (?:that|it|this)(?: (?:in total|altogether|overall))?|what is (?:that|it|this) in total",
    re.IGNORECASE,
)
_THAT_MANY = re.compile(r"(?P<many>how many [\w -]+?) (?:is|was|were) (?:that|this|it|those)", re.IGNORECASE)
_ASKS = re.compile(r"(?:who|what|which|how)\b", re.IGNORECASE)


def fixed_form(said: Said, asked: Asked) -> Understood | None:
    """Return what becomes of the question where the message is one of the fixed forms."""
    body, mark = opened(asked.question)
    if word := extreme_in(said.rest, body, asks=bool(_WHO.match(said.rest))):
        full, *others = extreme_of(body, word, _WHO.sub("", said.rest, count=1), asked)
        asks = "?" if _ASKS.match(full) else mark
        return Understood(closed(full, asks), 0.6 if others else 0.85, "extreme", tuple(f"{o}?" for o in others))
    full, kind = _made(said, body, asked)
    return Understood(closed(full, "?" if _ASKS.match(full) else mark), 0.85, kind) if full else None


def _made(said: Said, body: str, asked: Asked) -> tuple[str, Kind]:
    rest = said.rest
    if reverses(rest):
        return reversed_of(body, rest), "reverse"
    if counts(rest):
        return counted(body, asked), "count"
    if _SUM.fullmatch(rest):
        return aggregated(ungrouped(body), "total", also=False), "measure"
    that = _THAT_MANY.fullmatch(rest)
    if that and any(stem(group.names) == stem(that["many"].split()[-1]) for group in groups_in(body)):
        return f"{in_language('rows', body)}: {body}", "count"
    if that:
        return remeasured(body, that["many"]), "measure"
    if unlimited(rest):
        return without_limit(body), "limit"
    if is_aggregate(rest) and not (said.shows and said.verb != "make"):
        return aggregated(body, rest, said.also), "measure"
    return "", "measure"
