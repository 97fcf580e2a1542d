"""One thing in place of another: "the amount instead of the number", "weekly rather than daily"."""

import re
from dataclasses import dataclass

from router.catalog.stems import stem
from router.intents.following.alone import names_a_thing
from router.intents.following.asked import Asked, Homes
from router.intents.following.groups import groups_in, plainly
from router.intents.following.measures import is_aggregate, is_measure
from router.intents.following.order import limit_in
from router.intents.following.times import times_in
from router.intents.following.values import named_in

_INSTEAD = re.compile(
    r"(?P<new>.+?)(?:,? (?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu d[eu]|plutôt que"
    r"|en lugar de|en vez de)|, (?:and )?(?:not|nicht|pas|no)) (?P<old>.+)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"(?:not (?P<en>.+?),? but|nicht (?P<de>.+?),? sondern|pas (?P<fr>.+?),? mais|no (?P<es>.+?),? sino) (?P<new>.+)",
    re.IGNORECASE,
)
_NOT = re.compile(r"not (?P<old>[^,]+), (?:but )?(?P<new>[^,]+)", re.IGNORECASE)
_FROM_TO = re.compile(r"(?:from )?(?P<old>.+?) (?:to|into|with|durch|por) (?P<new>.+)", re.IGNORECASE)
_SWAP = re.compile(r"(?P<old>.+?) (?:for|with|against) (?P<new>.+)", re.IGNORECASE)
_CHANGES = ("change", "switch", "replace", "swap", "update", "adjust", "modify")
"""Verbs of whoever wants another question, and of whoever wants other data."""

_FIRST = re.compile(
    r"^(?:(?:the|a|by|per|for|in|from|der|die|das|den|des|dem|le|la|les|el|los|las|of) )+", re.IGNORECASE
)
_ITSELF = ("year", "month", "quarter", "week", "period", "time", "limit")
"""Words for what a question says of itself, where they are no names."""

_NAME = re.compile(r"[A-ZÀ-Þ][\w'&.-]*(?: [A-ZÀ-Þ][\w'&.-]*)*|[^\W\d][\w-]*")
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a message wants, and in place of what; `changes`: it says so as one does who wants data changed."""

    new: str
    old: str
    changes: bool = False


def exchange_in(text: str, verb: str = "") -> Exchange | None:
    """Return the exchange that a message asks for; `verb` is the one that it began with: "change A to B"."""
    if verb in _CHANGES and (match := (_SWAP if verb == "swap" else _FROM_TO).fullmatch(text)):
        return Exchange(match["new"], match["old"], changes=True)
    if match := _NOT.fullmatch(text):
        return Exchange(match["new"], match["old"] if _is_name(match["old"]) == _is_name(match["new"]) else "")
    if match := _INSTEAD.fullmatch(text):
        return Exchange(match["new"], match["old"])
    match = _BUT.fullmatch(text)
    return Exchange(match["new"], next(o for o in match.group("en", "de", "fr", "es") if o)) if match else None


def is_of_question(exchange: Exchange, body: str, asked: Asked, homes: Homes) -> bool:
    """Tell whether "change A to B" is about the question: A is a part of it, B one of the same kind, nothing follows.

    All else is about the data: "change the price to 5", "change North to South for customer 5".
    """
    old, new = _FIRST.sub("", exchange.old), _FIRST.sub("", exchange.new)
    if old.lower() in _ITSELF and not (old.lower() == "limit" and names_a_thing(old, asked)):
        return _is_time(new) or new.isdecimal()
    if not exchanged(body, new, old):
        return _is_often(old) and _is_often(new)
    if any(stem(group.names) == stem(old) for group in groups_in(body)) and names_a_thing(new, asked):
        return bool(_NAME.fullmatch(new))
    for is_kind in (_is_time, _is_measure, _is_limit, str.isdecimal):
        if is_kind(old) or is_kind(new):
            return is_kind(old) and is_kind(new)
    columns = {value.column for value in named_in(body, asked) if value.text.lower() == old.lower()}
    if not columns or names_a_thing(new, asked):
        return False
    kin = (columns | homes(old)) - {""}
    return (
        bool(homes(new) & kin) if kin and homes(new) else bool(_NAME.fullmatch(new)) and _is_name(old) == _is_name(new)
    )


def _is_often(text: str) -> bool:
    """Tell whether a text is how often: "weekly"."""
    return plainly(text) != text


def _is_time(text: str) -> bool:
    return any(each.start == 0 and each.end == len(text) for each in times_in(text))


def _is_limit(text: str) -> bool:
    found = limit_in(text)
    return bool(found and found[0].text == text)


def _is_measure(text: str) -> bool:
    return is_aggregate(text) or is_measure(text, frozenset())


def exchanged(body: str, new: str, old: str) -> str:
    """Return the question with the new words in place of the old ones; "" where it has not got these."""
    bare = _FIRST.sub("", old)
    wanted = [stem(word) for word in _WORD.findall(bare)]
    found = list(_WORD.finditer(body))
    for at in range(len(found) - len(wanted) + 1 if wanted else 0):
        span = found[at : at + len(wanted)]
        if [stem(word[0]) for word in span] == wanted:
            words = _FIRST.sub("", new) if _FIRST.match(old) or not _FIRST.match(new) else new
            word = words.split(" ", 1)[0].lower()
            if body[: span[0].start()].lower().endswith(f" {word} "):
                words = words[len(word) + 1 :]
            return f"{body[: span[0].start()]}{_like(span[0][0], words)}{body[span[-1].end() :]}"
    return ""


def _is_name(text: str) -> bool:
    return _FIRST.sub("", text)[:1].isupper()


def _like(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() and not new.isupper() else new
