"""The people that a sentence names: by address, by a mention of the platform, or as the one who types.

Only plain words say what becomes of somebody ("to", "add", "without"); if other words stand around a person, the
sentence is `unsure`, and nothing may be done with it before its form was looked at.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from router.language.phrases import find_phrases, is_all, phrase_at, tokens_of
from router.understanding.values.sentence import TAKEN_MARK, Sentence, unknown_words

ADDRESS: Final = r"[^\s<>,;:?!\"()\[\]@\0]+@[^\s<>,;:?!\"()\[\]@\0]+\.[^\s<>,;:?!\"()\[\]@.\0]+"
_BIG_WORD: Final = r"[^\W\d_a-zà-ÿ][\w'.-]*"
_MAILBOX: Final = re.compile(
    rf"(?:(?:{_BIG_WORD}(?:,? {_BIG_WORD}){{0,3}}|\"[^\"]*\") ?)?<{ADDRESS}>|{ADDRESS}"
    r"|<@\w+(?:\|[^>]*)?>|(?<![\w.])@[\w.-]*\w"
)
_NAME: Final = re.compile(rf"\s{_BIG_WORD}")
_KINDS: Final = ("to", "add", "drop", "blind", "aside")


@dataclass(frozen=True, slots=True)
class NamedPeople:
    """People who are added, in place of all others or besides them, or removed, as typed or "me"."""

    to: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()
    unsure: bool = False
    """True if the words around somebody do not say plainly what becomes of them."""


def find_people(sentence: Sentence, known: Sequence[str] = ()) -> NamedPeople:
    """Take the people out of a sentence; `known` are recipients that may be named by what stands before the @."""
    found = sorted([*_mailboxes(sentence), *_known(sentence, known), *_asker(sentence)])
    going: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    unsure, last, before = False, "to", 0
    for begin, end, who in found:
        last = _going(sentence, before, begin, end, last)
        unsure = unsure or last not in ("to", "add", "drop")
        going[last or "to"].append(who)
        before = end
    # Somebody beside them has a name and no address.
    unsure = unsure or any(_NAME.match(sentence.left, end) for _, end in sentence.spans("mailing.to") if found)
    marks = [span for kind in (*going, "add_behind") for span in sentence.spans(f"mailing.{kind}")]
    for begin, end in marks:
        if begin <= before:
            sentence.take(begin, end)
    changes = bool(going["add"] or going["drop"])
    return NamedPeople(
        () if changes else tuple(going["to"]),
        (*going["to"], *going["add"]) if changes else (),
        tuple(going["drop"]),
        unsure,
    )


def copies_blindly(text: str) -> bool:
    """Return whether a sentence asks for a blind copy to somebody."""
    return "@" in text and bool(find_phrases("mailing.blind", tokens_of(text)))


Mention = tuple[int, int, str]
"""The place where somebody is named, and how."""


def _mailboxes(sentence: Sentence) -> list[Mention]:
    found = [(*each.span(), each[0].strip("'")) for each in _MAILBOX.finditer(sentence.left)]
    return _taken(sentence, found)


def _known(sentence: Sentence, known: Sequence[str]) -> list[Mention]:
    """Take the recipients that are named by what stands before the @, or by its first part."""
    ways = {way: who for who in known for name in [who.partition("@")[0]] for way in (name.partition(".")[0], name)}
    found = [
        (*each.span(), who)
        for way, who in ways.items()
        if len(way) > 1
        for each in re.finditer(rf"(?<![\w@.'-]){re.escape(way)}(?![\w@-])", sentence.left, re.IGNORECASE)
    ]
    return _taken(sentence, found)


def _asker(sentence: Sentence) -> list[Mention]:
    """Take where the asker is meant; "let me know" means nobody."""
    for span in sentence.spans("mailing.not_me"):
        sentence.take(*span)
    return _taken(sentence, [(*span, "me") for span in sentence.spans("mailing.me")])


def _taken(sentence: Sentence, found: list[Mention]) -> list[Mention]:
    for begin, end, _ in found:
        sentence.take(begin, end)
    return found


def _going(sentence: Sentence, before: int, begin: int, end: int, last: str) -> str:
    """Return whether somebody comes or goes, by the last such word in front; behind "and" as the one before.

    The words in front begin at `before`, behind the one of whom `last` is true. "" is what they do not say.
    """
    between = sentence.left[before:begin]
    tokens = tokens_of(between)
    behind = tokens_of(re.split(r"[,;.@]", sentence.left[end:].partition(TAKEN_MARK)[0])[0])
    if phrase_at("mailing.doubtful", behind, 0):
        return ""
    if sentence.is_denied(begin, end) or phrase_at("mailing.drop_behind", behind, 0):
        return "drop"
    marks = [(each.end, -each.first, kind) for kind in _KINDS for each in find_phrases(f"mailing.{kind}", tokens)]
    denials = [(each.end, 0, "") for each in find_phrases("denial.before", tokens)]
    if marks or denials:
        _, first, kind = max(marks + denials)
        # A "to" right behind another mark belongs to it: "also to".
        kind = next((other for stop, _, other in marks if kind == "to" and stop == -first and other != "to"), kind)
    elif not before:
        kind = "" if unknown_words(between) else "add" if is_all("columns.and", between) else "to"
    else:
        joined = all(is_all("mailing.joins", each.word) for each in tokens)
        kind = last if joined and (tokens or last != "drop") else ""  # "not bob, eve"
    return "add" if kind == "to" and find_phrases("mailing.add_behind", behind) else kind
