"""Whom "they" are: a question about what the question before was about."""

import re

from router.catalog.stems import stem
from router.intents.following.asked import Asked, Understood
from router.intents.following.queried import tables_of
from router.intents.following.sentence import closed, opened
from router.intents.following.things import AUXILIARY, thing_of
from router.intents.following.vocabulary import words

_SMALL = words("small")
"""Words that nothing can refer to."""

_THEY = re.compile(
    rf"^(?:what|which|how|when|where|who|why)\b(?: [\w-]+){{0,4}}? {AUXILIARY} (?P<they>they|he|she)\b", re.IGNORECASE
)
_ARE_THEY = re.compile(r"^(?:are|were|do|did|have|had|can|is|was|does|has) (?P<they>they|he|she)\b", re.IGNORECASE)
_OF_THEM = re.compile(
    r"\b(?P<they>(?:of|for|to|by|from|with|about|behind|in|at|on) (?:them|him|her|(?:those|these)(?! (?!is "
    r"|was |has |does )\w+s\b))|them|him)\b(?! (?:that|who"
    r"|which|with|above|below|over|under|from|in)\b)",
    re.IGNORECASE,
)
_THEIR = re.compile(
    rf"\b(?:their|its|his|whose)\s+(?P<what>(?:(?!{AUXILIARY}\b|(?:in|by|per|for|on|at|from|when|where|that|who|which"
    rf"|and|or|cost|too|please|sorted)\b)[\w'-]+\s*)+"
    rf"(?:(?:,|and|&)\s+(?:their\s+|its\s+)?(?:(?!{AUXILIARY}\b|(?:in|by|per|for|on|at|when|where|how|what|who|which"
    rf"|sort)\b)[\w'-]+\s*)+)*)",
    re.IGNORECASE,
)
_IT = re.compile(
    r"^(?!what (?:time|day|date) )(?:(?:what|which|when|where|who|why|how much|how many)\b(?: [\w-]+){0,3}?"
    r" (?:does|did|is|was|has|had|will) (?P<it>it)\b(?! (?:take|rain|snow|going|mean|matter|possible|true|look"
    r"|work|sense|like|time|that))"
    r"|who (?:\w+) (?P<it2>it))",
    re.IGNORECASE,
)
_THAT = re.compile(
    r"\b(?:that|this|these|those|the same|said) (?!(?:is|are|was|were|has|have|had|do|does|did|can|will)\b)"
    r"(?P<noun>[a-z][\w-]*?)(?P<of>'s|s')?(?= |$)",
    re.IGNORECASE,
)
_TIMES = frozenset(("year", "month", "week", "quarter", "day", "time", "morning")) | {
    "season",
    "spring",
    "summer",
    "autumn",
    "winter",
    "semester",
    "term",
    "weekend",
}
_PLACES = frozenset(("in", "from", "for", "of", "at", "with", "by", "per", "on", "who", "which", "where"))
_ELLIPSIS = re.compile(
    rf"^(?:(?P<ask>which(?: ones?)?|who) (?P<rest>(?:{AUXILIARY}\b|\w+(?:ed|n't) ).*)"
    r"|(?P<many>how many)(?: ones)? (?P<rest2>(?:are|were|have|had|did|do|can|will)\b.*))",
    re.IGNORECASE,
)
_ABROAD = re.compile(
    r"\b(?:davon|darunter|von (?:ihnen|denen|diesen)|(?<!, )deren|ihre[nrs]? \w+|d'entre (?:eux|elles)"
    r"|parmi (?:eux|elles|ceux-ci)|lesquel(?:le)?s|leurs?|de (?:ellos|ellas|estos|estas)|sus \w+)\b"
    r"|^(?:welche|wie viele|combien|cuáles|cuánt[oa]s) (?:sind|haben|wurden|waren|kommen|sont|ont|viennent|son|tienen"
    r"|están|no|vienen) (?!das|es|wir|sie|ça|nos|l[oa]s|el|la|les?|die|der)",
    re.IGNORECASE,
)
_ASKS_OF = re.compile(
    r"who (?:\w+ )?\w+ |who (?:is|are|was|were) the \w+ |(?:which|what) (?:(?!and |or )\w+ ){1,3}(?:most|all"
    r"|any|some|none|many|much|half|both|one|each) ",
    re.IGNORECASE,
)
"""What may stand before "them", and is not what they are: "which doctor treated most of them"."""


def about_them(message: str, asked: Asked) -> Understood | None:
    """Return the question in which "they", "their" or "that customer" is said in full, or None."""
    body, mark = opened(message)
    what = thing_of(asked)
    for rule in (_their, _they, _it, _of_them, _that, _elided):
        full = rule(body, what, asked)
        if full:
            return Understood(closed(full, mark or ("?" if _asks(full) else "")), 0.85 if what else 0.6, "subject")
    if (abroad := _ABROAD.search(body)) and len(body[: abroad.start()].split()) < 4:
        return Understood(closed(f"{body} ({opened(asked.question)[0]})", mark), 0.7, "subject")
    return None


def _their(body: str, what: str, asked: Asked) -> str:
    match = _THEIR.search(body)
    if match is None or body.lower().startswith("whose ") or not _small(body[: match.start()]):
        return ""
    columns = re.sub(r"(?i)\b(?:their|its) ", "", match["what"].strip())
    owned = f"the {columns} of {what}" if what else f"{match[0].strip()} (of: {opened(asked.question)[0]})"
    return f"{body[: match.start()]}{owned} {body[match.end() :]}".strip()


def _they(body: str, what: str, asked: Asked) -> str:
    match = _THEY.search(body) or _ARE_THEY.search(body)
    return _put(body, match.span("they"), what, asked) if match else ""


def _it(body: str, what: str, asked: Asked) -> str:
    match = _IT.search(body)
    return _put(body, match.span("it" if match["it"] else "it2"), what, asked) if match else ""


def _of_them(body: str, what: str, asked: Asked) -> str:
    match = _OF_THEM.search(body)
    if (
        match is None
        or not (_small(body[: match.start()]) or _ASKS_OF.fullmatch(body[: match.start()]))
        or (body[: match.start()].strip() == "" and " " not in match["they"])
    ):
        return ""
    start, end = match.span("they")
    word = body[start:end].rpartition(" ")[2]
    return _put(body, (end - len(word), end), what, asked)


def _that(body: str, what: str, asked: Asked) -> str:
    """Return it with "that customer" in full, where the question before was about customers."""
    for match in _THAT.finditer(body):
        noun = stem(match["noun"])
        if noun in _TIMES or noun in _PLACES:
            continue
        before = body[: match.start()].split()
        if noun in {stem(word) for word in before} or (len(before) > 6 and "same" in match[0].lower()):
            continue  # it means what was said before in the same sentence
        known = {stem(word) for word in re.findall(r"\w+", asked.question)} | set(tables_of(asked.sql, asked.dialect))
        if noun not in known or (
            before and before[-1].lower() not in _SMALL and before[-1].lower() not in ("orders", "tickets")
        ):
            continue
        if not match["of"]:
            return _put(body, match.span(), what, asked)
        owned = re.match(r"[ ]?[\w -]+", body[match.end() :])
        if owned and what:
            return f"{body[: match.start()]}the {owned[0].strip()} of {what}{body[match.end() + owned.end() :]}"
        return f"{body} ({opened(asked.question)[0]})"
    return ""


def _elided(body: str, what: str, asked: Asked) -> str:
    """Return "Which of the orders are open" for "which are open"."""
    match = _ELLIPSIS.match(body)
    if match is None or not what:
        return ""
    ask, rest = re.sub(r"(?i) ones?$", "", match["ask"] or match["many"]), match["rest"] or match["rest2"]
    if ask.lower() == "who" and not re.match(r"(?i)(?:is|are|of) (?:from|in|not)\b", rest):
        return ""
    if re.match(rf"(?i){AUXILIARY} (?:the|our|we|you|i|there|most|a|an|that|all)\b", rest):
        return ""
    return f"{'which' if ask.lower() == 'who' else ask} of {what} {rest}"


def _put(body: str, span: tuple[int, int], what: str, asked: Asked) -> str:
    start, end = span
    if what:
        return f"{body[:start]}{what}{body[end:]}"
    return f"{body} ({body[start:end].lower()}: {opened(asked.question)[0]})"


def _small(text: str) -> bool:
    """Tell whether nothing in a text can be what a pronoun after it means."""
    return all(word in _SMALL for word in re.findall(r"[\w']+", text.lower()))


def _asks(text: str) -> bool:
    return bool(re.match(rf"(?i)(?:who|what|which|when|where|why|how|{AUXILIARY})\b", text))
