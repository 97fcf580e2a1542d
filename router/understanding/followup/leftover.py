"""The rest of a message without its times, groupings and the like: a value, a measure, a column."""

import re
from collections.abc import Callable
from dataclasses import replace

from router.language.detection import language_of
from router.language.inflection import stem
from router.understanding.followup.changing import Change, keep, widened
from router.understanding.followup.filters import PREP, is_filter, subject_of, without_exclusion
from router.understanding.followup.measures import is_measure, remeasured
from router.understanding.followup.parts import MessageParts
from router.understanding.followup.sentence import added, in_language, names_a_thing, names_things, speaks_of
from router.understanding.followup.values import LISTED, kin_of, resubjected

_NARROWS = ("filter", "restrict", "limit", "narrow", "reduce", "keep", "take", "use", "zoom", "drill")
"""Verbs that ask for some of the rows."""


_FILLS = re.compile(
    r"(?:the )?(?:trend|development|evolution|figures|numbers|values|results?|data|view|breakdown)", re.IGNORECASE
)


_COLUMN_FOR = re.compile(r"(?:an? |the )?(?:extra |new |another )?column (?:for|with|of) ", re.IGNORECASE)
_THOSE = re.compile(rf"(?:only )?(?:anything|everything) (?={PREP} )", re.IGNORECASE)


def take_left(change: Change, parts: MessageParts) -> bool:
    """Change the question by what is left of a message; False where the message stands on its own."""
    said, text = change.said, parts.left
    if parts.any and _FILLS.fullmatch(text):
        return True
    if _names_others(change, parts):
        return False
    rules: tuple[Callable[[], bool], ...] = (
        lambda: widened(change, text),
        lambda: _columns(change, text),
        lambda: _filter(change, parts),
        lambda: (said.leads or said.instead) and _another(change, parts),
        lambda: _ones(change, parts),
    )
    return any(rule() for rule in rules)


def _columns(change: Change, text: str) -> bool:
    """Have it show more: "also the city", "add the revenue", "with their country"."""
    said = change.said
    if all(change.homes(each) for each in LISTED.split(text)) and not names_a_thing(text, change.asked):
        return False  # a value besides the one there is
    text = _COLUMN_FOR.sub("", text, count=1)
    owned = re.match(
        r"(?i)(?:with|plus|avec|mit|con) (?:(?:their|its|the|a|den|der|dem|les?|la|el|los|las) )?(?P<what>.+)", text
    )
    if (
        owned
        and names_a_thing(text, change.asked)
        and not re.match(r"(?i)(?:more|less|fewer|at|no|an?)\b", owned["what"])
        and "than" not in text
    ):
        change.to(added(change.body, f", {text}"), "columns", 0.85)
        return True
    theirs = re.match(r"(?i)(?:their|its) ", text)
    if not (theirs or said.verb in ("add", "include") or (said.also and (said.shows or not is_filter(text)))):
        return False
    if re.match(r"(?i)(?:by|per)\b", text) or is_filter(text):
        return False
    if again := without_exclusion(change.body, text):
        change.to(again, "columns", 0.9)
        return True
    with_ = "with" if language_of(change.body) == "en" else in_language("and", change.body)
    change.to(added(change.body, f", {with_} {text}"), "columns", 0.85)
    return True


def _filter(change: Change, parts: MessageParts) -> bool:
    """Have it be about some rows only: "for Germany", "only web orders", "just the open ones"."""
    said, text = change.said, parts.left
    if those := _THOSE.match(text):
        said, text = replace(said, only=True), text[those.end() :]
        change.said = said
    narrows = said.only or said.verb in _NARROWS
    if not (is_filter(text) or narrows):
        return False
    if not narrows and "," in text:
        return False
    if narrows and not is_filter(text):
        change.said = replace(said, only=True)
    keep(change, text)
    return True


def _another(change: Change, parts: MessageParts) -> bool:
    """Have it be about another value or another measure: "what about France?", "and the average order value?"."""
    text, body = parts.left, change.body
    if is_measure(text, change.asked.names) and (new := remeasured(body, text)):
        if parts.groups:
            return False
        change.to(new, "measure", 0.8)
        return True
    if is_measure(text, change.asked.names) and parts.any:
        return False
    if len(text.split()) > 5:
        return False
    if parts.any and names_a_thing(text, change.asked) and not speaks_of(text, body, change.asked):
        return False
    if not change.homes(text) and not is_filter(text) and (other := resubjected(body, text, change.asked)):
        change.to(other, "subject", 0.7)
        return True
    before = change.body
    keep(change, text)
    if change.body == f"{before} {text}":
        change.body = added(
            before,
            f"{in_language('for', before)} {text}" if change.said.about else f", {in_language('and', before)} {text}",
        )
        known = bool(change.homes(text)) or text[:1].isupper()
        change.sure = min(change.sure, 0.8 if known and change.said.about else 0.65 if known else 0.6)
    return True


def _ones(change: Change, parts: MessageParts) -> bool:
    """Have it be about some rows only, though nothing but a few words say so: "the cancelled ones", "web orders"."""
    text, body = parts.left, change.body
    words = text.split()
    if text.lower().startswith("not only") or len(words) > 4 or (parts.any and not parts.times):
        return False
    if re.search(r"(?i)\bones?$", text):
        keep(change, text)
        return True
    if kin_of(text, change.homes)[0]:
        keep(change, text)
        change.sure = min(change.sure, 0.8)
        return True
    named = len(words) <= 3 and all(word[:1].isupper() for word in words)
    if named and not names_a_thing(text, change.asked) and not is_measure(text, change.asked.names):
        keep(change, text)
        change.sure = 0.6
        return True
    if (
        1 < len(words) <= 3
        and not parts.any
        and stem(words[-1]) == stem(subject_of(body, change.asked) or words[-1])
        and speaks_of(text, body, change.asked)
        and not is_measure(text, change.asked.names)
    ):
        change.to(added(body, f", only {text}"), "filter", 0.65)
        return True
    return False


def _names_others(change: Change, parts: MessageParts) -> bool:
    """Tell whether a message begins with other things than the question is about: "top 10 customers"."""
    said, first = change.said, parts.left.split(" ")[0]
    ranked = parts.limit is not None and bool(parts.limit.rank)
    if said.leads or said.instead or (said.only and not ranked) or not (ranked or " " in parts.left):
        return False
    return names_things(first, change.asked) and not speaks_of(first, change.body, change.asked)
