"""What somebody wants in place of what: "the amount instead of the number", "I asked for A, not B", "2024 not 2025"."""

import re
from dataclasses import dataclass

from router.language.inflection import stem
from router.language.wording import WORD

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
CHANGING_VERBS = (
    "change",
    "switch",
    "replace",
    "swap",
    "update",
    "adjust",
    "modify",
    "lower",
    "raise",
    "increase",
    "reduce",
)
"""Verbs of whoever wants another question, and of whoever wants other data."""

_FIRST = re.compile(
    r"^(?:(?:the|a|by|per|for|in|from|der|die|das|den|des|dem|le|la|les|el|los|las|of) )+", re.IGNORECASE
)
NEW_MAX_WORDS = 3


_WANTED = (
    r"(?:(?:i|we)(?:'d| would| had| actually| really)* (?:asked for|wanted|want|meant|mean|need|needed"
    r"|(?:rather|prefer to) (?:see|have))|ich (?:wollte|meinte|will|brauche|möchte)"
    r"|je (?:voulais|veux|parlais d[eu]s?)|(?:yo )?(?:te )?(?:ped[ií]|quería|quiero|necesito))"
)
_GIVEN = (
    r"(?:you (?:gave|showed|sent|counted)(?: me)?|i (?:got|said|wrote|typed)|(?:that|this|it)(?: looks like|'s| is)"
    r"|these are|du hast mir|ich (?:habe|sagte)|tu m'as donné|j'ai dit|me diste|dije)"
)
_BUT_I = r"(?: to me| geschickt| gegeben)?,? (?:but |aber |mais |pero )?"
_CONTRADICTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_GIVEN} (?!not )(?P<old>.+?){_BUT_I}{_WANTED} (?P<new>.+)",
        rf"(?:.*[,.;!?] )?{_WANTED} (?P<new>.+?),? (?:(?:and|und|et|y) )?(?:not|than|nicht|pas|no|instead of|statt)"
        r" (?P<old>.+)",
        r"(?P<new>\d[\d.,-]*) (?:not|nicht|pas|no) (?P<old>\d[\d.,-]*)",
    )
)
_TAKE = r"(?:use|take|try|nimm|prends|utilise|usa|toma)"
OTHER_TABLE = re.compile(
    r"(?:(?:(?:that(?:'s| is) the )?wrong table|falsche tabelle|mauvaise table|tabla equivocada),? "
    rf"{_TAKE} (?:the |die |la )?|{_TAKE} (?:the |die |la )?(?:table|tabelle|tabla) )(?P<table>[\w.]+)(?: table)?"
    r"(?P<home> (?:from|of|in|aus|von|de|dans) \w+)?(?:,? (?:not|nicht|pas|no|instead of|statt) [\w.]+)?",
    re.I,
)
"""The question is to be asked of another table."""


LEFT_OUT = re.compile(
    r"you (?:have )?(?:left out|forgot|missed|omitted) (?P<en>.+)|(?P<behind>.+) (?:is|are) missing"
    r"|(?:il manque|tu as oublié|faltan?|olvidaste) (?P<romance>.+)|(?:da |es )?fehl(?:en|t)(?: noch)? (?P<de>.+)"
    r"|(?P<debehind>.+) fehl(?:en|t)(?: noch)?",
    re.IGNORECASE,
)
"""Something is missing that the question should have."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The wanted thing and what it replaces; `changes`: the message is worded as a wish to change data."""

    new: str
    old: str
    changes: bool = False


def contradiction_in(text: str) -> Replacement | None:
    """Return what was wanted and what was given instead, where a message says both: "I asked for A, not B"."""
    found = next((match for each in _CONTRADICTIONS if (match := each.fullmatch(text))), None)
    return Replacement(found["new"], found["old"]) if found else None


def exchange_in(text: str, verb: str = "") -> Replacement | None:
    """Return the exchange that a message asks for; `verb` is the one that it began with: "change A to B"."""
    if verb in CHANGING_VERBS and (match := (_SWAP if verb == "swap" else _FROM_TO).fullmatch(text)):
        return Replacement(match["new"], match["old"], changes=True)
    if match := _NOT.fullmatch(text):
        return Replacement(match["new"], match["old"] if _is_name(match["old"]) == _is_name(match["new"]) else "")
    if match := _INSTEAD.fullmatch(text):
        return Replacement(match["new"], match["old"])
    match = _BUT.fullmatch(text)
    return Replacement(match["new"], next(o for o in match.group("en", "de", "fr", "es") if o)) if match else None


def is_of_question(exchange: Replacement, body: str) -> bool:
    """Tell whether "change A to B" is about the question: A is a part of it, and B is of its kind.

    All else is about the data: "change the price to 5", "change North to South for customer 5".
    """
    old, new = exchange.old, exchange.new
    alike = any(map(str.isdigit, old)) == any(map(str.isdigit, new)) and _is_name(old) == _is_name(new)
    return alike and len(new.split()) <= NEW_MAX_WORDS and bool(exchanged(body, new, old))


def exchanged(body: str, new: str, old: str) -> str:
    """Return the question with the new words in place of the old ones; "" where it has not got these."""
    bare = _FIRST.sub("", old)
    wanted = [stem(word) for word in WORD.findall(bare)]
    found = list(WORD.finditer(body))
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
