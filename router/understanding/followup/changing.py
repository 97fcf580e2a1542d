"""A question changed by the parts of a message, one after the other, and by what is left of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from router.language.detection import language_of
from router.language.inflection import stem
from router.understanding.followup.filters import (
    LISTED,
    PREP,
    completed,
    is_filter,
    kin_of,
    negated,
    replaced,
    resubjected,
    subject_of,
    without_exclusion,
    without_value,
)
from router.understanding.followup.measures import MEASURES, is_measure, remeasured
from router.understanding.followup.message import MessageCore, MessageParts, names_a_thing, names_things, speaks_of
from router.understanding.followup.previous import Homes, PreviousQuestion, added, in_language, nowhere
from router.understanding.followup.rows import Group, grouped, groups_in, limited, ordered, without_limit
from router.understanding.followup.times import TimePhrase, is_free, merged, standing, times_in

CURRENCY_NOTE = "In what currency the amounts are is not known here, and nothing is converted."


@dataclass(slots=True)
class Change:
    """A question on its way: `others` are readings that may be meant as well; `measured`: its measure changed first."""

    body: str
    asked: PreviousQuestion
    said: MessageCore
    sure: float = 0.9
    changed: bool = False
    measured: bool = False
    others: list[str] = field(default_factory=list)
    problem: str = ""
    homes: Homes = nowhere

    def to(self, body: str, sure: float = 1.0, measure: bool = False) -> None:
        """Change the question; `measure`: what it measures is another."""
        self.body, self.sure = body, min(self.sure, sure)
        self.measured = self.measured or (measure and not self.changed)
        self.changed = True


def apply(change: Change, parts: MessageParts) -> None:
    """Change the question by all parts of a message but what is left of it."""
    _exclude(change, parts)
    for group in parts.groups:
        _group(change, group)
    for time in parts.times:
        _time(change, time)
    if parts.limit:
        change.to(limited(change.body, parts.limit))
    if parts.order:
        change.to(ordered(change.body, parts.order))
    if parts.share:
        share = f"as {parts.share}" if parts.share.lower().startswith("percentage") else parts.share
        change.to(f"{change.body}, {share}")
    if parts.compared:
        change.to(f"{change.body}, compared with {parts.compared}", 0.8)
    if parts.unit:
        change.to(f"{change.body}, {parts.unit}", 0.5 if parts.money else 0.8)
        change.problem = CURRENCY_NOTE if parts.money else ""


def keep(change: Change, text: str) -> None:
    """Change the question so that it is about these rows only; a value of the same kind is replaced."""
    if widened(change, text):
        return
    noun = subject_of(change.body, change.asked)
    value = re.sub(rf"(?i) (?:ones?{f'|{re.escape(noun)}' if noun else ''})$", "", text)
    words = completed(text, change.body, change.asked)
    if (_VALUE.fullmatch(value) or change.homes(value)) and _replaces(change, value):
        found, others, sure = replaced(change.body, value, change.asked, change.homes, value != text, change.said.also)
        if found:
            change.others += others
            change.to(found, sure)
            return
    narrows = change.said.only or _THAN.match(words) or words != text
    only = f", {in_language('only', change.body)} " if narrows else ""
    change.to(added(change.body, f"{only}{words}"))


def widened(change: Change, text: str) -> bool:
    """Change the question so that it is about "all countries" again; False where it was not about some only."""
    every = _EVERY.fullmatch(text)
    wider = without_value(change.body, every["things"], change.asked) if every else ""
    if wider:
        change.to(wider)
    return bool(wider)


_THAN = re.compile(
    r"(?:(?:more|less|fewer|greater|larger|smaller|older|newer) than|at (?:least|most)|over|above|under|below"
    r"|between) \S*\d",
    re.IGNORECASE,
)
_EVERY = re.compile(
    r"(?:(?:for|in|from|across|of|over) )?(?:all|every|any|alle|tous|toutes|todos|todas) (?:the |les |los |las"
    r" )?(?P<things>\w+)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(
    r"(?:who|which|what|how|list|show|give|find|get|display|count|is|are|do|does|did)\b", re.IGNORECASE
)
_BEFORE = "only|for|in|from|of|at|on|via|to|für|aus|en|pour|para|au|aux|de|the|die|la|le"
_COMPARES = (
    "with|who|that|which|where|over|above|under|below|between|more|less|fewer|at least|at most|those|ones|everywhere"
)
_VALUE = re.compile(rf"(?:(?:{_BEFORE}) )*(?!(?:{_COMPARES})\b)[^\W\d][^\s\d]*(?: [^\s\d]+){{0,3}}", re.IGNORECASE)


def _replaces(change: Change, text: str) -> bool:
    """Tell whether a new condition takes the place of the old one: names do, and what is known to be of its kind."""
    bare = re.sub(r"(?i)^(?:only |for |in |from |of |the )+", "", text)
    if change.said.also:
        return all(change.homes(each) for each in LISTED.split(bare))
    return bool(kin_of(bare, change.homes)[0]) or _is_name(change, bare) or not change.said.only


def _is_name(change: Change, text: str) -> bool:
    """Tell whether a text is written as names are; in German, so are all nouns."""
    return text[:1].isupper() and language_of(change.body) != "de"


def _exclude(change: Change, parts: MessageParts) -> None:
    if parts.include:
        again = without_exclusion(change.body, parts.include)
        words = re.sub(r"(?i)^include\b", "including", parts.include)
        change.to(again or added(change.body, f", {words}"), 1.0 if again else 0.8)
    if parts.exclude:
        words = completed(parts.exclude, change.body, change.asked)
        if re.match(r"(?i)(?:the |a )?limit\b", words.split(" ", 1)[-1]):
            change.to(without_limit(change.body))
        elif other := negated(change.body, words):
            change.to(other, 0.85)
        else:
            said = re.sub(
                r"(?i)^(?:(?:leave|take|filter|throw|kick) out|leave away|get rid of|delete|drop|remove|omit|skip"
                r"|ignore|exclude|hide|no|minus|lass|forget(?: about)?|don'?t \w+|vergiss|quita|elimina|excluye|enlève"
                r"|retire|supprime)\b",
                in_language("without", change.body),
                words,
            )
            change.to(added(change.body, f", {said}"))


def _group(change: Change, group: Group) -> None:
    if _ranks(group) and (old := next((each for each in groups_in(change.body) if _ranks(each)), None)):
        change.to(f"{change.body[: old.start]}{group.text}{change.body[old.end :]}", 0.85, measure=True)
        return
    if _ranks(group):
        change.to(ordered(change.body, f"sorted {group.text}"), 0.75)
        return
    said = change.said
    apart = said.verb in ("break", "split") or re.match(r"(?i)broken|split|aufge", group.by)
    adds = bool(said.adds or said.also or apart) and not (said.instead or said.about)
    found, other = grouped(change.body, group, adds)
    if not found:
        change.to(added(change.body, group.text))
        return
    if other and not (said.instead or said.also):
        change.others.append(other)
    change.to(found, 0.9 if said.instead or said.also or not other else 0.75)


def _ranks(group: Group) -> bool:
    """Tell whether "by revenue" says in which order the rows come: nothing is grouped by a number."""
    last = group.names.split()[-1].lower()
    return group.by.lower() == "by" and last in MEASURES and last not in ("price", "age", "size", "category")


def _time(change: Change, time: TimePhrase) -> None:
    old = times_in(change.body)
    if len(old) == 1:
        at = old[0]
        change.to(f"{change.body[: at.start]}{merged(at, time)}{change.body[at.end :]}")
    elif old:
        last = old[-1]
        change.to(f"{change.body[: last.start]}{merged(last, time)}{change.body[last.end :]}", 0.6)
        change.others.append(added(change.asked.question.rstrip("?. "), standing(time, "en")))
    else:
        change.to(added(change.body, "".join(_new_time(change, time))))


def _new_time(change: Change, time: TimePhrase) -> Iterator[str]:
    language = language_of(change.body)
    if not change.said.only or is_free(time):
        yield standing(time, language)
        return
    only = in_language("only", change.body)
    if language == "en":
        yield f"{standing(time, language)} only" if _SENTENCE.match(change.body) else f", {time.text} only"
    else:
        yield f", {only} {time.text}"


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
        change.to(added(change.body, f", {text}"), 0.85)
        return True
    theirs = re.match(r"(?i)(?:their|its) ", text)
    if not (theirs or said.verb in ("add", "include") or (said.also and (said.shows or not is_filter(text)))):
        return False
    if re.match(r"(?i)(?:by|per)\b", text) or is_filter(text):
        return False
    if again := without_exclusion(change.body, text):
        change.to(again, 0.9)
        return True
    with_ = "with" if language_of(change.body) == "en" else in_language("and", change.body)
    change.to(added(change.body, f", {with_} {text}"), 0.85)
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
        change.to(new, 0.8, measure=True)
        return True
    if is_measure(text, change.asked.names) and parts.any:
        return False
    if len(text.split()) > 5:
        return False
    if parts.any and names_a_thing(text, change.asked) and not speaks_of(text, body):
        return False
    if not change.homes(text) and not is_filter(text) and (other := resubjected(body, text, change.asked)):
        change.to(other, 0.7)
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
        change.sure = 0.6 if change.body.startswith(body) else 0.7  # in place of a name
        return True
    if (
        1 < len(words) <= 3
        and not parts.any
        and stem(words[-1]) == stem(subject_of(body, change.asked) or words[-1])
        and speaks_of(text, body)
        and not is_measure(text, change.asked.names)
    ):
        change.to(added(body, f", only {text}"), 0.65)
        return True
    return False


def _names_others(change: Change, parts: MessageParts) -> bool:
    """Tell whether a message begins with other things than the question is about: "top 10 customers"."""
    said, first = change.said, parts.left.split(" ")[0]
    ranked = parts.limit is not None and bool(parts.limit.rank)
    if said.leads or said.instead or (said.only and not ranked) or not (ranked or " " in parts.left):
        return False
    return names_things(first, change.asked) and not speaks_of(first, change.body)
