"""A sentence while it is read, and what of it is not read yet."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import takewhile
from typing import Literal

from router.memory.thread import Mode

Form = Literal["", "table", "csv", "xlsx"]


@dataclass(frozen=True, slots=True)
class WritingWish:
    """A table to write to, as the person spelled it; `connection` is a name that was given, `name` that of the job.

    Empty is what the sentence does not say. Whether there is such a schema or table is for others to look up.
    """

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""
    unused: str = field(default="", compare=False)
    """The parts of the sentence that nothing was made of, and that may matter."""


@dataclass(frozen=True, slots=True)
class MailingWish:
    """An e-mail: recipients as they were written (an address, a name, "Ana <ana@x.y>"), or "me" for the asker."""

    recipients: tuple[str, ...] = ()
    subject: str = ""
    body: str = ""
    form: Form = ""
    unused: str = field(default="", compare=False)
    """The parts of the sentence that nothing was made of, and that may matter."""


READ = "\0"
"""Stands in the place of each letter that was read, so that no later rule reads it again, or reads across it."""

QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("`", "`"), ("'", "'"))
QUOTED = "|".join(rf"(?<!\w){a}[^{a}{b}]+{b}(?!\w)" for a, b in QUOTES)


class Rest:
    """The sentence in single blanks; `left` is as long as `text`, and holds what was not read yet.

    `unnamed` has all words but those that were read as values.
    """

    def __init__(self, sentence: str) -> None:
        self.text = " ".join(sentence.replace("’", "'").replace(READ, " ").split())
        self.left = self.unnamed = self.text

    def take(self, *patterns: re.Pattern[str]) -> str:
        """Return the group `value` of the first pattern that is found, which is read with all around it; "" if none."""
        for pattern in patterns:
            if found := pattern.search(self.left):
                return self.read(found)
        return ""

    def read(self, found: re.Match[str]) -> str:
        """Return the group `value` without its quotes; what was found counts as read."""
        begin, end = found.span("value")
        self.cut(*found.span())
        self.unnamed = self.unnamed[:begin] + READ * (end - begin) + self.unnamed[end:]
        return unquoted(self.text[begin:end])

    def cut(self, begin: int, end: int) -> None:
        """Count this part as read."""
        self.left = self.left[:begin] + READ * (end - begin) + self.left[end:]


def unquoted(value: str) -> str:
    """Return the value without blanks and quotes around it."""
    bare = value.strip()
    for begin, end in QUOTES:
        if len(bare) > 1 and bare.startswith(begin) and bare.endswith(end):
            return bare[1:-1].strip()
    return bare


def spoken(name: str, label: str) -> Iterator[str]:
    """Yield the ways to say a connection's name."""
    yield from {name, name.replace("_", " "), label, label.partition("(")[0].strip()} - {""}


# Words of a request that are no values: where nothing else is left of a sentence, no model need be asked.

_WORD_LISTS = tomllib.loads((files("router.understanding.parameters") / "words.toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_WORD_LISTS[name].split())


CONFIRMATION_WORDS = _words("confirmations")
NO_VALUE = CONFIRMATION_WORDS | _words("nothing")
NO_NAME = CONFIRMATION_WORDS | _words("no_name")
CHANGE_WORDS = _words("change")
NO_SUBJECT = _words("no_subject")
PAIRING_WORDS = _words("pairing")
NOT_IN_NAMES = CONFIRMATION_WORDS | _words("not_in_names")
NOT_A_NAME = _words("not_a_name")
LIMITING = _words("limiting")
NO_RECIPIENT = CONFIRMATION_WORDS | _words("nobody")

_KNOWN = CONFIRMATION_WORDS | _words("known")
_REQUEST_WORD = re.compile(r"[^\W_][\w'-]*")


def unknown_words(left: str) -> tuple[str, ...]:
    """Return the words that were not read, and that could be values."""
    return tuple(word for word in _REQUEST_WORD.findall(left) if len(word) > 1 and not _is_known(word.lower()))


_CLAUSE_END = re.compile(rf"{READ}+|[,;.!?]\s")


def unused_parts(rest: Rest, values: Iterable[str]) -> str:
    """Return the parts of the sentence that nothing was made of and that may matter, beside the values that were."""
    taken = " ".join(values).casefold()
    parts = []
    for part in _CLAUSE_END.split(rest.left):
        found = [each for each in _REQUEST_WORD.finditer(part) if each[0].casefold() not in taken]
        telling = [each for each in found if unknown_words(each[0]) or each[0].isdigit()]
        if telling:
            before = takewhile(lambda each: each[0].lower() in LIMITING, reversed(found[: found.index(telling[0])]))
            first = min((*before, telling[0]), key=re.Match.start)
            parts.append(part[first.start() : telling[-1].end()])
    return ", ".join(parts)


_ELISION = re.compile(r"^(?:[cdjlmnst]|qu)'(?=\w{3})")


def _is_known(word: str) -> bool:
    word = _ELISION.sub("", word)
    return word in _KNOWN or ("-" in word and all(part in _KNOWN for part in word.split("-")))
