"""The people that a sentence names: by address, by name, by a mention of the platform, or as the one who types."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.understanding.values.sentence import TAKEN, Sentence, is_plain

ADDRESS: Final = r"[^\s<>,;:?!\"()\[\]@\0]+@[^\s<>,;:?!\"()\[\]@\0]+\.[^\s<>,;:?!\"()\[\]@.\0]{2,}"
_WORD: Final = r"[^\W\d_][\w'.-]*"
_MAILBOX: Final = re.compile(
    rf"(?:(?P<name>{_WORD}(?:,? {_WORD}){{0,3}}|\"[^\"]*\") ?)?<{ADDRESS}>|{ADDRESS}"
    r"|<@\w+(?:\|[^>]*)?>|(?<![\w.])@[\w.-]*\w"
)
_AND: Final = re.compile(r"\s*,\s*|\s+&\s+")

Going = Literal["to", "add", "drop", "blind", "aside"]


@dataclass(frozen=True, slots=True)
class NamedPerson:
    """Somebody who is named in a sentence: who, as it was typed or "me", and where; and whether they come or go."""

    who: str
    begin: int
    end: int
    going: Going = "to"


def find_people(sentence: Sentence, known: Sequence[str] = ()) -> list[NamedPerson]:
    """Take the people out of a sentence, in their order; whoever it denies goes, and nobody comes as a blind copy.

    `known` are recipients that may be named by what stands before the @.
    """
    found = [*_mailboxes(sentence), *_known(sentence, known), *_asker(sentence)]
    for each in found:
        sentence.take(each.begin, each.end)
    found += _named(sentence)
    found.sort(key=lambda each: each.begin)
    going: list[NamedPerson] = []
    for each in found:
        going.append(replace(each, going=_going(sentence, each, going[-1] if going else None)))
    marks = (place for kind in ("add", "drop", "blind") for place in sentence.spans(f"mailing.{kind}"))
    for place in marks if going else ():
        if place[1] <= going[-1].begin:
            sentence.take(*place)
    for each in going:
        if each.going == "aside":  # "from ana@x.de" is no part of an e-mail, and is told
            sentence.give_back(each.begin, each.end)
    return [each for each in going if each.going not in ("blind", "aside")]


def copies_blindly(text: str) -> bool:
    """Return whether a sentence asks for a blind copy to somebody."""
    return "@" in text and bool(find_phrases("mailing.blind", tokens_of(text)))


def _mailboxes(sentence: Sentence) -> list[NamedPerson]:
    found = []
    for each in _MAILBOX.finditer(sentence.left):
        begin, who = each.start(), each[0]
        if each["name"] and not who.startswith('"'):
            begin += _name_begins(each["name"])
            who = sentence.text[begin : each.end()]
        bare = who.strip() if "<" in who.strip()[1:] or "<@" in who else who.strip(" <>")
        found.append(NamedPerson(bare.strip("'") if bare.count("'") == 2 else bare, begin, each.end()))
    return found


def _name_begins(name: str) -> int:
    """Return where a name begins: behind the last word before it that is no name, as in "send it to Ana"."""
    words = [each for each in re.finditer(_WORD, name) if is_plain(each[0]) or each[0].islower()]
    behind = re.compile(r"[\s,]*").match(name, words[-1].end()) if words else None
    return behind.end() if behind else 0


def _asker(sentence: Sentence) -> list[NamedPerson]:
    """Return where the asker is meant; "let me know" means nobody."""
    others = sentence.spans("mailing.not_me")
    found = [
        (begin, end)
        for begin, end in sentence.spans("mailing.me")
        if not any(start < end and begin < stop for start, stop in others)
    ]
    return [
        NamedPerson("me", begin, end)
        for begin, end in found
        if not re.match(r"\s*<?[^\s@]*@|['.@]", sentence.text[end:])
    ]


def _known(sentence: Sentence, known: Sequence[str]) -> list[NamedPerson]:
    """Return the recipients that are named by what stands before the @."""
    ways = {way: who for who in known for name in [who.partition("@")[0]] for way in (name.partition(".")[0], name)}
    found = (
        NamedPerson(who, *each.span())
        for way, who in ways.items()
        if len(way) > 1
        for each in re.finditer(rf"(?<![\w@.'-]){re.escape(way)}(?![\w@-])", sentence.left, re.IGNORECASE)
    )
    return list(found)


def _named(sentence: Sentence) -> list[NamedPerson]:
    """Return those who are named without an address, behind "to" and the like, and behind one another."""
    found = []
    for kind in ("names", "big_names"):
        for _, place in sentence.spans(f"mailing.{kind}"):
            while name := _name_at(sentence, place, kind == "big_names"):
                found.append(name)
                sentence.take(name.begin, name.end)
                place = _behind_and(sentence, name.end)
    return found


def _behind_and(sentence: Sentence, place: int) -> int:
    """Return where the next name of a list may begin; the end of the sentence where there is none."""
    if between := _AND.match(sentence.left, place):
        place = between.end()
    tokens = tokens_of(sentence.left[place:])
    length = phrase_at("columns.and", tokens, 0) if tokens else 0
    return place + tokens[length - 1].end if length else place if between else len(sentence.left)


def _name_at(sentence: Sentence, place: int, big: bool) -> NamedPerson | None:
    """Return the name at this place: up to three words that are none of a request, perhaps behind an article."""
    begin = sentence.behind("values.article", place)
    words = re.compile(rf"{_WORD}(?: {_WORD}){{0,2}}").match(sentence.left, begin)
    end = begin
    for each in re.finditer(_WORD, words[0] if words else ""):
        small = each[0][0].islower()
        if (is_plain(each[0]) and small) or (big and small):
            break
        end = begin + each.end()
    if end == begin or sentence.left[end:].startswith(("@", TAKEN)):
        return None
    return NamedPerson(sentence.text[place:end].strip(" :.").rstrip("."), begin, end)


def _going(sentence: Sentence, person: NamedPerson, before: NamedPerson | None) -> Going:
    """Return whether somebody comes or goes, by the last such word in front; behind "and" as the one before."""
    between = sentence.text[before.end if before else 0 : person.begin]
    tokens = tokens_of(between)
    marks = [(each.first, each.end, kind) for kind in _MARKS for each in find_phrases(f"mailing.{kind}", tokens)]
    # A "to" right behind another mark belongs to it: "also to".
    own = [
        mark
        for mark in marks
        if mark[2] != "to"
        or not any(mark[0] <= end == mark[1] or mark[0] == end for _, end, kind in marks if kind != "to")
    ]
    last = max(own, key=lambda mark: (mark[1], mark[1] - mark[0]))[2] if own else None  # "blind copy" is no "copy"
    behind = tokens_of(re.split(r"[,;.]|@", sentence.left[person.end :])[0])
    if last in ("blind", "aside"):
        return last
    if sentence.is_denied(person.begin, person.end) or (behind and phrase_at("mailing.drop_behind", behind, 0)):
        return "drop"
    if last in (None, "to") and find_phrases("mailing.add_behind", behind):
        return "add"
    denied = before is not None and before.going == "drop" and between.lstrip().startswith(",")
    return last or (before.going if before and not denied else "to")


_MARKS: Final[tuple[Going, ...]] = ("to", "add", "drop", "blind", "aside")
