"""A message that only makes sense after an earlier question becomes a full question, by rules and without a model.

What changes of the old question is found in both: a new time takes the place of the old time, a new value that of a
value of its kind, a new grouping stands in place of the old one or beside it. What has a place in neither is put behind
the question in the person's own words, so that nothing that was said is lost.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from router.language.inflection import stem
from router.understanding.button_words import CONFIRMATIONS, GREETINGS, folded
from router.understanding.followup.changing import Change, apply, take_left
from router.understanding.followup.filters import NOT_COUNTED, renumbered
from router.understanding.followup.measures import (
    aggregated,
    counted,
    counts,
    extreme_in,
    extreme_of,
    is_aggregate,
    remeasured,
)
from router.understanding.followup.message import (
    MessageCore,
    asks_alone,
    is_long,
    lists,
    parts_of,
    said_in,
    without_fillers,
)
from router.understanding.followup.previous import (
    Homes,
    PreviousQuestion,
    Understood,
    added,
    closed,
    in_language,
    nowhere,
    opened,
    plain,
    unmarked,
)
from router.understanding.followup.replacements import (
    CHANGING_VERBS,
    LEFT_OUT,
    OTHER_TABLE,
    contradiction_in,
    exchange_in,
    exchanged,
    is_of_question,
)
from router.understanding.followup.rows import groups_in, reversed_of, reverses, ungrouped, unlimited, without_limit
from router.understanding.followup.subject import about_them
from router.understanding.result_actions import result_action_of
from router.understanding.schedule_wishes import schedule_wish_of

# Fixed forms that are the whole message: "how many is that?", "the other way round".


_WHO = re.compile(
    r"(?:wer|welche[rs]?|qui|quel(?:le)?|cuál|quién|which|who|what)\b(?: (?:ist|hat|est|es|tiene)\b)? ?", re.IGNORECASE
)
_SUM = re.compile(
    r"(?:sum|add|total) (?:them|it|that|those|these|everything)(?: (?:all|up))*"
    r"|how much is (?:that|it|this)(?: (?:in total|altogether|overall))?|what is (?:that|it|this) in total",
    re.IGNORECASE,
)
_THAT_MANY = re.compile(r"(?P<many>how many [\w -]+?) (?:is|was|were) (?:that|this|it|those)", re.IGNORECASE)
_INTERROGATIVE = re.compile(r"(?:who|what|which|how)\b", re.IGNORECASE)


def fixed_form(said: MessageCore, asked: PreviousQuestion) -> Understood | None:
    """Return what becomes of the question where the message is one of the fixed forms."""
    body, mark = opened(asked.question)
    if word := extreme_in(said.rest, body, asks=bool(_WHO.match(said.rest))):
        full = extreme_of(body, word, _WHO.sub("", said.rest, count=1), asked)
        return Understood(closed(full, "?" if _INTERROGATIVE.match(full) else mark), 0.85)
    full = _made(said, body, asked)
    return Understood(closed(full, "?" if _INTERROGATIVE.match(full) else mark), 0.85) if full else None


def _made(said: MessageCore, body: str, asked: PreviousQuestion) -> str:
    rest = said.rest
    if reverses(rest):
        return reversed_of(body, rest)
    if counts(rest):
        return counted(body, asked)
    if _SUM.fullmatch(rest):
        return aggregated(ungrouped(body), "total", also=False)
    that = _THAT_MANY.fullmatch(rest)
    if that and any(stem(group.names) == stem(that["many"].split()[-1]) for group in groups_in(body)):
        return f"{in_language('rows', body)}: {body}"
    if that:
        return remeasured(body, that["many"])
    if unlimited(rest):
        return without_limit(body)
    if is_aggregate(rest) and not (said.shows and said.verb != "make"):
        return aggregated(body, rest, said.also)
    return ""


# Wishes for something other than an answer from the data: files, e-mails, schedules, changes.


_THINGS = re.compile(
    r"\b(?:csv|xlsx?|excel|spreadsheet|pdf|powerpoint|files?|folder|chart|graph|plot|diagram|dashboard|inbox"
    r"|e-?mail (?:it|that|this|them|me|us)|mail (?:it|that|this|them|me|us)|jira|calendar(?! (?:year|month|week"
    r"|quarter))|instructions?|approval"
    r"|approve"
    r"|permission|your(?:self|s)?|you|datei|anhang|freigabe|dein\w*|dich|du (?:bist|hast|kannst|sollst)|fichier"
    r"|courriel|tu|toi|votre|vos|vous"
    r"|archivo|correo|tú|usted|tus?)\b(?!-)",
    re.IGNORECASE,
)
_YOU_PLEASE = re.compile(
    r"\b(?:(?:can|could|would|will|may) you|thank you|kannst du|können sie|peux-tu|pouvez-vous|puedes"
    r"|(?:what )?if you(?: just| only| can| could| please)?|(?:would|do) you mind)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:drop|delete|remove|truncate|alter|create|update|insert) (?:the |all |this |my )?(?:\w+ )?(?:tables?"
    r"|databases?|schemas?|users?"
    r"|index(?:es)?|views?|rows?|records?)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:\W*\w+\W+){0,2}?(?:why|how come|warum|wieso|weshalb|pourquoi|por qu[eé])\b", re.IGNORECASE)
_SHOWS = re.compile(r"(?:show|make|display|give|zeig\w*|montre\w*) ", re.IGNORECASE)


def is_elsewhere(text: str) -> bool:
    """Tell whether a message is about something else than the data, or about why they are as they are."""
    if folded(text) in CONFIRMATIONS | GREETINGS or result_action_of(text) or _WHY.match(text) or _CHANGES.search(text):
        return True
    if schedule_wish_of(text) and not _SHOWS.match(text):
        return True
    return bool(_THINGS.search(_YOU_PLEASE.sub(" ", text)))


FOLLOWUP_MAX_CHARS, PREVIOUS_QUESTION_MAX_CHARS = 300, 1500
"""Characters of a message that may be a follow-up, and of the question before it."""

TIME_CONFIDENCE = 0.95
"""The confidence in a message that is nothing but another time: nobody asks for that alone."""

_THING = re.compile(r"(?:(?:it|that|this|them|those|these)(?= (?:by|for|in|per|from|sorted))\b\s*)", re.IGNORECASE)


_HOW_MANY_ROWS = re.compile(
    r"(?:how many|wie viele|combien|cuánt[oa]s)(?: (?:are there|were there|sind es|waren es|gibt es|hay|hubo|y en"
    r" a-t-il))? (?P<rest>(?:in|for|from|at|with|without|last|this|since|during|im"
    r"|aus|seit|en|desde) (?:[\w'-]+ ?){1,4})",
    re.IGNORECASE,
)


def full_question(message: str, previous: Sequence[PreviousQuestion], homes: Homes = nowhere) -> Understood | None:
    """Return the full question that a message asks, after those that ran before (newest first).

    None where it stands on its own, is no question, or is the last one again. `homes` knows the values of the database,
    as far as they may be looked at.
    """
    text = plain(message)
    if (
        not previous
        or not text
        or len(text) > FOLLOWUP_MAX_CHARS
        or len(previous[0].question) > PREVIOUS_QUESTION_MAX_CHARS
    ):
        return None
    asked = replace(previous[0], question=plain(previous[0].question))
    text = without_fillers(text)
    if corrected := _corrected(unmarked(text), asked):
        return corrected
    if is_elsewhere(text) or lists(unmarked(text)):
        return None
    if _is_again(text, asked):
        return None
    said = said_in(unmarked(text))
    if not re.search(r"\w", said.rest):
        return None
    return fixed_form(said, asked) or _about_them(said, text, asked) or _changed(said, asked, homes)


def _corrected(text: str, asked: PreviousQuestion) -> Understood | None:
    """Return the question as somebody wanted it who says what they were given instead."""
    body, mark = opened(asked.question)
    if other := OTHER_TABLE.fullmatch(text):
        return Understood(
            closed(f"{body}, {in_language('table', body)} {other['table']}{other['home'] or ''}", mark), 0.9
        )
    if spare := NOT_COUNTED.fullmatch(text):
        what = next(each for each in spare.groups() if each)
        return Understood(closed(added(body, f", {in_language('without', body)} {what}"), mark), 0.8)
    if missing := LEFT_OUT.fullmatch(text):
        what = next(each for each in missing.groups() if each)
        return Understood(closed(f"{body}, {in_language('including', body)} {what}", mark), 0.8)
    pair = contradiction_in(text)
    if pair is None:
        return None
    if full := exchanged(body, pair.new, pair.old):
        return Understood(closed(full, mark), 0.9)
    return Understood(closed(f"{body}, {pair.new} instead of {pair.old}", mark), 0.5)


def put_behind(message: str, previous: Sequence[PreviousQuestion]) -> Understood | None:
    """Return the question before with the message behind it, for a message that is known to be a follow-up.

    The rules found no place for it in the question: this is what was said, in its words, and no more. None where there
    is no question before it, it is that question again, or nothing was said.
    """
    text = plain(message)
    if not previous or len(text) > FOLLOWUP_MAX_CHARS or len(previous[0].question) > PREVIOUS_QUESTION_MAX_CHARS:
        return None
    text = without_fillers(text)
    said = said_in(unmarked(text))
    rest = unmarked(text) if said.verb in CHANGING_VERBS else said.rest
    if not re.search(r"\w", rest) or _is_again(text, previous[0]):
        return None
    body, mark = opened(plain(previous[0].question))
    return Understood(closed(f"{body}, {rest}", mark), 0.5)


def _is_again(text: str, asked: PreviousQuestion) -> bool:
    """Tell whether a message is the last question once more."""
    return unmarked(text).casefold() == unmarked(plain(asked.question)).casefold()


def _about_them(said: MessageCore, text: str, asked: PreviousQuestion) -> Understood | None:
    """Return the question about those of the one before, unless their columns shall stand beside what was asked."""
    with_ = re.match(r"(?i)(?P<with>with |plus )?(?:their|its) ", said.rest)
    beside = with_ and (with_["with"] or said.also or said.verb in ("add", "include") or said.adds)
    return None if beside else about_them(_without_lead(said, text), asked)


def _without_lead(said: MessageCore, text: str) -> str:
    """Return the message as it is read for pronouns: with its verb, and without what stands before it."""
    body, mark = opened(unmarked(text) if not text.endswith("?") else text.lstrip("¿¡ "))
    verb = re.search(rf"(?i)\b{re.escape(said.verb)}\b.*", body) if said.verb else None
    rest = verb[0] if verb else body[-len(said.rest) :] if body.endswith(said.rest) else said.rest
    return rest + mark if said.rest else ""


def _changed(said: MessageCore, asked: PreviousQuestion, homes: Homes) -> Understood | None:
    """Return the question changed by the parts of the message, and by what is left of it."""
    if many := _HOW_MANY_ROWS.fullmatch(said.rest):
        return _count(_changed(replace(said, rest=many["rest"]), asked, homes), asked)
    if is_long(said) or (asks_alone(said) and not _measure_follows(said, asked)):
        return None
    body, mark = opened(asked.question)
    if pair := exchange_in(said.rest, said.verb):
        if pair.changes and not is_of_question(pair, body):
            return None
        if full := exchanged(body, pair.new, pair.old):
            return Understood(closed(full, mark), 0.85 if pair.changes else 0.9)
        said = replace(said, rest=pair.new, instead=True)
    if full := renumbered(body, said.rest, said.verb in CHANGING_VERBS):
        return Understood(closed(full, mark), 0.85)
    parts = parts_of(
        _THING.sub("", said.rest, count=1) if _THING.match(said.rest) else said.rest, said.only or said.shows
    )
    only_time = parts.times and not parts.left
    sure = TIME_CONFIDENCE if only_time else 0.9 if said.leads or said.only or said.instead or said.now else 0.85
    change = Change(body, asked, said, sure, homes=homes)
    if parts.left and not take_left(change, parts):
        return None
    apply(change, parts)
    if not change.changed:
        return None
    others = tuple(closed(other, mark) for other in change.others)
    asks = mark
    if change.measured:
        asks = "?" if re.match(r"(?i)(?:how many|what|which|wie viele|combien|cuánt[oa]s)\b", change.body) else ""
    return Understood(closed(change.body, asks), change.sure, others, change.problem)


def _count(found: Understood | None, asked: PreviousQuestion) -> Understood | None:
    """Return the question for the number of what was found."""
    if found is None:
        return None
    full, _ = opened(found.question)
    count = counted(full, replace(asked, question=full))
    return replace(found, question=closed(count, "?")) if count else found


def _measure_follows(said: MessageCore, asked: PreviousQuestion) -> bool:
    """Tell whether "and how many orders?" asks for another measure, as nothing else is in it."""
    many = re.fullmatch(
        r"(?i)(?:how many|how much|wie viele|combien de|cuánt[oa]s) [^\W\d][\w-]*(?: [^\W\d][\w-]*)?", said.rest
    )
    return bool(many and said.leads and remeasured(opened(asked.question)[0], said.rest))
