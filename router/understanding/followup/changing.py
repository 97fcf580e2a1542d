"""A question changed by the parts of a message, one after the other."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from router.language.detection import language_of
from router.understanding.followup.filters import completed, negated, subject_of, without_exclusion
from router.understanding.followup.groups import Group, grouped, groups_in
from router.understanding.followup.leads import MessageCore
from router.understanding.followup.measures import MEASURES
from router.understanding.followup.order import limited, ordered, without_limit
from router.understanding.followup.parts import MessageParts
from router.understanding.followup.previous import Homes, Kind, PreviousQuestion, nowhere
from router.understanding.followup.sentence import added, in_language
from router.understanding.followup.times import Time, is_free, merged, standing, times_in
from router.understanding.followup.values import LISTED, kin_of, replaced, without_value

CURRENCY_NOTE = "In what currency the amounts are is not known here, and nothing is converted."


@dataclass(slots=True)
class Change:
    """A question on its way: `kinds` are what was changed, `others` are readings that may be meant as well."""

    body: str
    asked: PreviousQuestion
    said: MessageCore
    sure: float = 0.9
    kinds: list[Kind] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    problem: str = ""
    homes: Homes = nowhere

    def to(self, body: str, kind: Kind, sure: float = 1.0) -> None:
        """Change the question."""
        self.body, self.sure = body, min(self.sure, sure)
        self.kinds.append(kind)


def apply(change: Change, parts: MessageParts) -> None:
    """Change the question by all parts of a message but what is left of it."""
    _exclude(change, parts)
    for group in parts.groups:
        _group(change, group)
    for time in parts.times:
        _time(change, time)
    if parts.limit:
        change.to(limited(change.body, parts.limit), "limit")
    if parts.order:
        change.to(ordered(change.body, parts.order), "order")
    if parts.share:
        share = f"as {parts.share}" if parts.share.lower().startswith("percentage") else parts.share
        change.to(f"{change.body}, {share}", "share")
    if parts.compared:
        change.to(f"{change.body}, compared with {parts.compared}", "compare", 0.8)
    if parts.unit:
        change.to(f"{change.body}, {parts.unit}", "unit", 0.5 if parts.money else 0.8)
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
            change.to(found, "filter", sure)
            return
    narrows = change.said.only or _THAN.match(words) or words != text
    only = f", {in_language('only', change.body)} " if narrows else ""
    change.to(added(change.body, f"{only}{words}"), "filter")


def widened(change: Change, text: str) -> bool:
    """Change the question so that it is about "all countries" again; False where it was not about some only."""
    every = _EVERY.fullmatch(text)
    wider = without_value(change.body, every["things"], change.asked) if every else ""
    if wider:
        change.to(wider, "filter")
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
        change.to(again or added(change.body, f", {words}"), "include", 1.0 if again else 0.8)
    if parts.exclude:
        words = completed(parts.exclude, change.body, change.asked)
        if re.match(r"(?i)(?:the |a )?limit\b", words.split(" ", 1)[-1]):
            change.to(without_limit(change.body), "limit")
        elif other := negated(change.body, words):
            change.to(other, "exclude", 0.85)
        else:
            said = re.sub(
                r"(?i)^(?:(?:leave|take|filter|throw|kick) out|leave away|get rid of|delete|drop|remove|omit|skip"
                r"|ignore|exclude|hide|no|minus|lass)\b",
                "without",
                words,
            )
            change.to(added(change.body, f", {said}"), "exclude")


def _group(change: Change, group: Group) -> None:
    if _ranks(group) and (old := next((each for each in groups_in(change.body) if _ranks(each)), None)):
        change.to(f"{change.body[: old.start]}{group.text}{change.body[old.end :]}", "measure", 0.85)
        return
    if _ranks(group):
        change.to(ordered(change.body, f"sorted {group.text}"), "order", 0.75)
        return
    said = change.said
    apart = said.verb in ("break", "split") or re.match(r"(?i)broken|split|aufge", group.by)
    adds = bool(said.adds or said.also or apart) and not (said.instead or said.about)
    found, other = grouped(change.body, group, adds)
    if not found:
        change.to(added(change.body, group.text), "group")
        return
    if other and not (said.instead or said.also):
        change.others.append(other)
    change.to(found, "group", 0.9 if said.instead or said.also or not other else 0.75)


def _ranks(group: Group) -> bool:
    """Tell whether "by revenue" says in which order the rows come: nothing is grouped by a number."""
    last = group.names.split()[-1].lower()
    return group.by.lower() == "by" and last in MEASURES and last not in ("price", "age", "size", "category")


def _time(change: Change, time: Time) -> None:
    old = times_in(change.body)
    if len(old) == 1:
        at = old[0]
        change.to(f"{change.body[: at.start]}{merged(at, time)}{change.body[at.end :]}", "time")
    elif old:
        last = old[-1]
        change.to(f"{change.body[: last.start]}{merged(last, time)}{change.body[last.end :]}", "time", 0.6)
        change.others.append(added(change.asked.question.rstrip("?. "), standing(time, "en")))
    else:
        change.to(added(change.body, "".join(_new_time(change, time))), "time")


def _new_time(change: Change, time: Time) -> Iterator[str]:
    language = language_of(change.body)
    if not change.said.only or is_free(time):
        yield standing(time, language)
        return
    only = in_language("only", change.body)
    if language == "en":
        yield f"{standing(time, language)} only" if _SENTENCE.match(change.body) else f", {time.text} only"
    else:
        yield f", {only} {time.text}"
