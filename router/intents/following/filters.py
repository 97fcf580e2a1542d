"""What a question leaves out and keeps, and what becomes of it when another value is asked for."""

import re

from router.catalog.stems import stem
from router.intents.following.asked import Asked
from router.intents.following.queried import tables_of

EXCLUDE = re.compile(
    r"(?:without|excluding|exclude|except(?: for)?|excl\.?|but not|not counting|not including|leaving out|leave away"
    r"|(?:take|leave|filter|throw|kick) out|get rid of|delete(?= .*\bones\b)|ignore|ignoring|hide|omit(?:ting)?|minus"
    r"|skip|remove|drop|no(?! (?:more|longer|one|shows?\b))|not(?! (?:only|just))|other than|apart from"
    r"|ohne|außer|nicht|ausgenommen|lass|sans|hors|sauf|excepté|sin|excepto|menos)\s+"
    r"(?!(?:it|that|this|them|those|these|all|everything)$)\S",
    re.IGNORECASE,
)
INCLUDE = re.compile(
    r"(?:including|include|incl\.?|inklusive|einschließlich|inclusive|y compris|incluyendo|incluidos|incluidas)\s+\S",
    re.IGNORECASE,
)
PREP = (
    r"(?:only )?(?:for|in|from|of|at|on|via|through|with|within|among|under|over|above|below|between|where|who"
    r"|whose|that|which|having|named|called"
    r"|by(?= (?:card|cash|paypal|invoice|phone|mail|e-?mail)\b)|more than|less than|fewer than|at least|at most"
    r"|greater than|smaller than|larger than|older than|newer than|younger than"
    r"|to|against|für|in|im|aus|von|vom|bei|mit|über|unter|mehr als|weniger als|mindestens|höchstens"
    r"|pour|en|au|aux|dans|à|de|du|des|avec|chez|plus de|moins de|dont|para|con|de|del|más de|menos de|que)"
)
_PREP = re.compile(rf"(?P<prep>{PREP})\s+(?P<value>\S.*)", re.IGNORECASE)
_ONES = re.compile(r"\b(?:ones?|those)$", re.IGNORECASE)
_SAID_OF_THEM = frozenset(("the", "one", "including", "include", "incl", "inclusive", "again"))
_LOST = re.compile(r",? (?:without|excluding|not counting|except(?: for)?|ohne|sans|sin) ", re.IGNORECASE)


def is_filter(text: str) -> bool:
    """Tell whether a text begins as a condition does: "for …", "in …", "with more than …"."""
    return bool(_PREP.match(text))


def completed(text: str, body: str, asked: Asked) -> str:
    """Return a condition with the noun that "ones" stands for: "the cancelled ones" are "the cancelled orders"."""
    noun = subject_of(body, asked)
    if not noun or not _ONES.search(text):
        return text
    return _ONES.sub(noun, text)


def subject_of(body: str, asked: Asked) -> str:
    """Return the noun that tells what the question counts or lists, as it is written there; "" where none is clear."""
    tables = tables_of(asked.sql, asked.dialect)
    words = re.findall(r"[^\W\d_]+", body)
    for number, word in enumerate(words):
        low, before = stem(word), words[number - 1].lower() if number else ""
        pair = f"{stem(before)} {low}"
        if any(low == last or pair.endswith(name) for name in tables for last in (name.split()[-1],)):
            return word.lower() if word.lower().endswith("s") else f"{word.lower()}s"
    match = re.match(
        r"(?i)(?:how many|number of|list(?: all)?(?: the)?|which|show(?: me)?(?: all)?(?: the)?) (?:\w+ )?(\w+s)\b",
        body,
    )
    return match[1].lower() if match else ""


def without_exclusion(body: str, what: str) -> str:
    """Return the question without the exclusion of what shall be included again; empty where nothing was excluded."""
    wanted = {stem(word) for word in re.findall(r"\w+", what)} - _SAID_OF_THEM
    for match in _LOST.finditer(body):
        rest = re.split(r",", body[match.end() :], maxsplit=1)
        if wanted and wanted <= {stem(word) for word in re.findall(r"\w+", rest[0])}:
            return (body[: match.start()] + ("," + rest[1] if len(rest) > 1 else "")).strip()
    return ""
