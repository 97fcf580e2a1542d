"""The filters of a question: values that it leaves out or keeps, and the change to another value."""

import re

from router.language.inflection import plural, stem
from router.understanding.followup.previous import PreviousQuestion, tables_of

_WITHOUT = re.compile(r"(?:without|no) (?:the |any )?(?P<what>.+)", re.IGNORECASE)
_CLOSES = r"(?=$|,| (?:in|by|per|for|from|since|last|this|sorted)\b)"
_HOW = (
    r"(?:(?:more|less|fewer|greater|larger|smaller|older|newer|younger|higher|lower|longer|shorter) than"
    r"|at (?:least|most)|over|above|under|below|up to|exactly|mindestens|höchstens|mehr als|weniger als|au moins"
    r"|al menos|más de|plus de)"
)
_AMOUNT = r"(?P<number>[€$£]?\d[\d.,]*(?<![.,])[k%€$]?)"
_COUNTED = rf"(?:(?P<how>{_HOW}) )?{_AMOUNT}(?: (?P<noun>[^\W\d][\w-]*))?"
_IN_BODY = re.compile(rf"(?<![\w.,-]){_COUNTED}", re.IGNORECASE)
_SAID = re.compile(rf"(?:(?:with|for|of|to) )?{_COUNTED}", re.IGNORECASE)


def negated(body: str, words: str) -> str:
    """Return the question with "without" before a condition that begins with "with"; "" where it has none alike."""
    said = _WITHOUT.fullmatch(words)
    at = said and re.search(rf"\bwith (?:the |any )?{re.escape(said['what'])}{_CLOSES}", body, re.IGNORECASE)
    return f"{body[: at.start()]}without{body[at.start() + len('with') :]}" if at else ""


def renumbered(body: str, text: str) -> str:
    """Return the question with another number in a condition: "at least 20", "5 nights"; "" where none is alike."""
    said = _SAID.fullmatch(text)
    if said is None or not (said["how"] or said["noun"]):
        return ""
    old = [each for each in _IN_BODY.finditer(body) if _of_a_kind(each, said)]
    if len(old) != 1:
        return ""
    how = said["how"] or old[0]["how"]
    start = old[0].start("how" if old[0]["how"] else "number")
    return f"{body[:start]}{f'{how} ' if how else ''}{said['number']}{body[old[0].end('number') :]}"


def _of_a_kind(old: re.Match[str], new: re.Match[str]) -> bool:
    """Tell whether a number of the question counts the same; one without a word about it may be a year."""
    if new["noun"]:
        return bool(old["noun"]) and stem(old["noun"].lower()) == stem(new["noun"].lower())
    return bool(old["how"])


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


def completed(text: str, body: str, asked: PreviousQuestion) -> str:
    """Return a condition with the noun that "ones" stands for: "the cancelled ones" are "the cancelled orders"."""
    noun = subject_of(body, asked)
    if not noun or not _ONES.search(text):
        return text
    return _ONES.sub(noun, text)


def subject_of(body: str, asked: PreviousQuestion) -> str:
    """Return the noun that tells what the question counts or lists, as it is written there; "" where none is clear."""
    tables = tables_of(asked.sql, asked.dialect)
    words = re.findall(r"[^\W\d_]+", body)
    for number, word in enumerate(words):
        low, before = stem(word), words[number - 1].lower() if number else ""
        pair = f"{stem(before)} {low}"
        if any(low == last or pair.endswith(name) for name in tables for last in (name.split()[-1],)):
            return plural(word.lower())
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
