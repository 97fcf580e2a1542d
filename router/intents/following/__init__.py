"""A message that only makes sense after an earlier question becomes a full question, by rules and without a model.

What changes of the old question is found in both: a new time takes the place of the old time, a new value that of a
value of its kind, a new grouping stands in place of the old one or beside it. What has a place in neither is put behind
the question in the person's own words, so that nothing that was said is lost.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from router.intents.following.alone import asks_alone, is_long, lists
from router.intents.following.asked import Asked, Homes, Kind, Understood, nowhere
from router.intents.following.changing import Change, apply
from router.intents.following.conditions import renumbered
from router.intents.following.elsewhere import is_elsewhere
from router.intents.following.exchange import exchange_in, exchanged, is_of_question
from router.intents.following.fixed import fixed_form
from router.intents.following.leads import Said, said_in
from router.intents.following.leftover import take_left
from router.intents.following.measures import remeasured
from router.intents.following.parts import parts_of
from router.intents.following.sentence import closed, opened, plain, unmarked
from router.intents.following.subject import about_them
from router.intents.following.totals import counted

__all__ = ["LONGEST", "Asked", "Homes", "Kind", "Understood", "full_question", "put_behind"]

LONGEST, LONGEST_QUESTION = 300, 1500
"""Characters of a message that may be a follow-up, and of the question before it."""

_THING = re.compile(r"(?:(?:it|that|this|them|those|these)(?= (?:by|for|in|per|from|sorted))\b\s*)", re.IGNORECASE)


_HOW_MANY = re.compile(
    r"(?:how many|wie viele|combien|cuánt[oa]s)(?: (?:are there|were there|sind es|waren es|gibt es|hay|hubo|y en"
    r" a-t-il))? (?P<rest>(?:in|for|from|at|with|without|last|this|since|during|im"
    r"|aus|seit|en|desde) (?:[\w'-]+ ?){1,4})",
    re.IGNORECASE,
)


def full_question(message: str, previous: Sequence[Asked], homes: Homes = nowhere) -> Understood | None:
    """Return the full question that a message asks, after those that ran before (newest first).

    None where it stands on its own, is no question, or is the last one again. `homes` knows the values of the database,
    as far as they may be looked at.
    """
    text = plain(message)
    if not previous or not text or len(text) > LONGEST or len(previous[0].question) > LONGEST_QUESTION:
        return None
    if is_elsewhere(text) or lists(unmarked(text)):
        return None
    asked = replace(previous[0], question=plain(previous[0].question))
    if _is_again(text, asked):
        return None
    said = said_in(unmarked(text))
    if not re.search(r"\w", said.rest):
        return None
    return fixed_form(said, asked) or _about_them(said, text, asked) or _changed(said, asked, homes)


def put_behind(message: str, previous: Sequence[Asked]) -> Understood | None:
    """Return the question before with the message behind it, for a message that is known to be a follow-up.

    The rules found no place for it in the question: this is what was said, in its words, and no more. None where there
    is no question before it, it is that question again, or nothing was said.
    """
    text = plain(message)
    if not previous or len(text) > LONGEST or len(previous[0].question) > LONGEST_QUESTION:
        return None
    rest = said_in(unmarked(text)).rest
    if not re.search(r"\w", rest) or _is_again(text, previous[0]):
        return None
    body, mark = opened(plain(previous[0].question))
    return Understood(closed(f"{body}, {rest}", mark), 0.5, "filter")


def _is_again(text: str, asked: Asked) -> bool:
    """Tell whether a message is the last question once more."""
    return unmarked(text).casefold() == unmarked(plain(asked.question)).casefold()


def _about_them(said: Said, text: str, asked: Asked) -> Understood | None:
    """Return the question about those of the one before, unless their columns shall stand beside what was asked."""
    with_ = re.match(r"(?i)(?P<with>with |plus )?(?:their|its) ", said.rest)
    beside = with_ and (with_["with"] or said.also or said.verb in ("add", "include") or said.adds)
    return None if beside else about_them(_without_lead(said, text), asked)


def _without_lead(said: Said, text: str) -> str:
    """Return the message as it is read for pronouns: with its verb, and without what stands before it."""
    body, mark = opened(unmarked(text) if not text.endswith("?") else text.lstrip("¿¡ "))
    verb = re.search(rf"(?i)\b{re.escape(said.verb)}\b.*", body) if said.verb else None
    rest = verb[0] if verb else body[-len(said.rest) :] if body.endswith(said.rest) else said.rest
    return rest + mark if said.rest else ""


def _changed(said: Said, asked: Asked, homes: Homes) -> Understood | None:
    """Return the question changed by the parts of the message, and by what is left of it."""
    if many := _HOW_MANY.fullmatch(said.rest):
        return _count(_changed(replace(said, rest=many["rest"]), asked, homes), asked)
    if is_long(said) or (asks_alone(said) and not _measure_follows(said, asked)):
        return None
    body, mark = opened(asked.question)
    if pair := exchange_in(said.rest, said.verb):
        if pair.changes and not is_of_question(pair, body, asked, homes):
            return None
        if full := exchanged(body, pair.new, pair.old):
            return Understood(closed(full, mark), 0.85 if pair.changes else 0.9, "filter")
        said = replace(said, rest=pair.new, instead=True)
    if full := renumbered(body, said.rest):
        return Understood(closed(full, mark), 0.85, "filter")
    parts = parts_of(
        _THING.sub("", said.rest, count=1) if _THING.match(said.rest) else said.rest, said.only or said.shows
    )
    sure = 0.9 if said.leads or said.only or said.instead or said.now else 0.85
    change = Change(body, asked, said, sure, homes=homes)
    if parts.left and not take_left(change, parts):
        return None
    apply(change, parts)
    if not change.kinds:
        return None
    others = tuple(closed(other, mark) for other in change.others)
    asks = mark
    if change.kinds[0] == "measure":
        asks = "?" if re.match(r"(?i)(?:how many|what|which|wie viele|combien|cuánt[oa]s)\b", change.body) else ""
    return Understood(closed(change.body, asks), change.sure, change.kinds[0], others, change.problem)


def _count(found: Understood | None, asked: Asked) -> Understood | None:
    """Return the question for the number of what was found."""
    if found is None:
        return None
    full, _ = opened(found.question)
    count = counted(full, replace(asked, question=full))
    return replace(found, question=closed(count, "?")) if count else found


def _measure_follows(said: Said, asked: Asked) -> bool:
    """Tell whether "and how many orders?" asks for another measure, as nothing else is in it."""
    many = re.fullmatch(
        r"(?i)(?:how many|how much|wie viele|combien de|cuánt[oa]s) [^\W\d][\w-]*(?: [^\W\d][\w-]*)?", said.rest
    )
    return bool(many and said.leads and remeasured(opened(asked.question)[0], said.rest))
