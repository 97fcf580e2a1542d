"""The parts of a clause that may say something of a step: an action, a value with its preposition, the rows on show.

A value counts as one word, which no list of people's words has: ADDRESS, NAME or RECURRENCE.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.phrases import Token, begins_with, longest_at, tokens_of
from router.understanding.recurrences import recurrence_of
from router.understanding.values import people, sentence

ADDRESS, NAME, RECURRENCE = "@", "#", "~"
"""The words that stand for values."""
CAPITAL, END, LAST = "A", "END", "LAST"
"""Stand in patterns for a word with a capital letter, and for where a part can end, or the clause does."""

MAILING: Final = ("mail", "send", "hand")
WRITING: Final = ("save", "write", "put")
ACTIONS: Final = (*MAILING, *WRITING, "export", "plot", "repeat", "share", "ask")
"""The lists of verbs; of a verb in several, the first counts."""
FORMS: Final = {"csv": "CSV", "excel": "Excel"}
"""The names of the formats, by their lists."""

_CHART_OF: Final = "the|a* =picture file* of"
_PARTS: Final = (
    ("when", "~"),
    ("denied", "deny|denial.before"),
    ("inbox", "inbox"),
    ("people", "to =@|me|A @|me|A|join*"),
    ("people", "to =anyone"),
    ("told", "=@|A @|me|A|join*"),
    ("alone", "@"),
    ("it", "it* the* rows END"),
    ("it", "it|the it|the* named END"),
    ("it", "it END"),
    ("channel", "to|into|in|share_with? the|a* channel END"),
    ("table", "to|into|in the|a* table* =#"),
    ("table", "table =#"),
    ("place", "to|into|in the|a* place|table END"),
    ("form", "as|into|in the|a* =csv|excel file* of?"),
    ("form", "the|a* =csv|excel file* of"),
    ("form", "the|a* =csv|excel file* END"),
    ("chart", "as|into|in the|a* =picture file* of?"),
    ("chart", _CHART_OF),
    ("chart", "the|a* =picture file* END"),
    ("mode", "append|truncate|drop courtesy|glue* LAST"),
)
"""The parts, each as the lists that stand one behind the other: of "|" one, of "?" perhaps, of "*" any number.

What is said begins at "=".
"""
_AT_HEAD: Final = frozenset(["the|a* =csv|excel file* END", "the|a* =picture file* END"])
"""Patterns that count only at the beginning of a clause: "customers who asked for a csv"."""
_ROWS_BEHIND: Final = ("to", "into", "in", "as", "join", "glue", "courtesy", "me", "share_with", "inbox", *FORMS)
_NAMED: Final = re.compile(rf"{sentence.QUOTED}|(?<![\w@.])(?:[^\W\d]\w*\.){{1,2}}[^\W\d][\w$]*|\w*[^\W_]_\w+")
_CHANNEL_BEHIND: Final = re.compile(r"\s+(?:[^\W\d]+\s+)?#[\w.-]*\w")
"""A channel behind a time, with its preposition: both say of one schedule when and where."""
_CUT: Final = re.compile(r"[,;!?…]|[.:]\s|\s(?:[+&→–—-]|[-=]>)\s")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a clause: what it is, the words that say so, and its place in the words of the clause.

    `name` is that of an action, or of a part, or "me" or "small".
    """

    name: str
    said: str
    begin: int
    end: int


def marked(text: str) -> tuple[Token, ...]:
    """Return the words of a text, each value as one of them."""
    values = [(*each.span(), ADDRESS) for each in re.finditer(rf"(?:\w+ )?<{people.ADDRESS}>|{people.ADDRESS}", text)]
    values += [(*each.span(), NAME) for each in _NAMED.finditer(text)]
    values += [(*span, RECURRENCE) for span in _recurrences(text)]
    plain, found, at = tokens_of(text), list[Token](), 0
    while at < len(plain):
        token, behind = plain[at], at + 1
        if value := next((each for each in values if each[0] <= token.begin < each[1]), None):
            if value[2] == RECURRENCE and longest(found, len(found) - 1, "table"):  # "into table monthly"
                token = Token(NAME, token.begin, token.end)
            else:
                token = Token(value[2], max(value[0], found[-1].end if found else 0), value[1])
        while behind < len(plain) and plain[behind].begin < token.end:
            behind += 1
        found.append(token)
        at = behind
    return tuple(found)


def _recurrences(text: str) -> list[tuple[int, int]]:
    """Return where a text says when something is repeated, each time with its time of day."""
    when, spans = recurrence_of(text), list[tuple[int, int]]()
    for begin, end in when.places if when.every or when.undone else ():
        joins = spans and not text[spans[-1][1] : begin].strip(" ,")
        channel = _CHANNEL_BEHIND.match(text, end)
        end = channel.end() if channel else end
        spans = [*spans[:-1], (spans[-1][0], end)] if joins else [*spans, (begin, end)]
    return [(begin, end) for begin, end in spans if begins_with("steps.rhythm", text[begin:end])]


def longest(tokens: Sequence[Token], at: int, *names: str) -> int:
    """Return how many words the longest phrase of these lists has here; of a list without a table, of steps."""
    return longest_at(tokens, at, *(name if "." in name else f"steps.{name}" for name in names)) if at >= 0 else 0


def skip(tokens: Sequence[Token], at: int, *names: str) -> int:
    """Return the place behind all phrases of these lists that stand here."""
    while length := longest(tokens, at, *names):
        at += length
    return at


def has(tokens: Sequence[Token], *names: str) -> bool:
    """Return whether a phrase of these lists stands anywhere."""
    return any(longest(tokens, at, *names) for at in range(len(tokens)))


def clauses_of(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Yield the clauses of a sentence without the words that join them; people who are listed stand in one."""
    cuts = [at for at in range(1, len(tokens)) if _is_cut(text, tokens, at)]
    for first, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        begin = skip(tokens, first, "join")
        if begin < end:
            yield tuple(tokens[begin:end])


def _is_cut(text: str, tokens: Sequence[Token], at: int) -> bool:
    joins = longest(tokens, at, "join")
    if not joins and not _CUT.search(text[tokens[at - 1].end : tokens[at].begin]):
        return False
    behind = skip(tokens, at, "join", "to")
    address = behind < len(tokens) and tokens[behind].word == ADDRESS
    me = tokens[at - 1].word == ADDRESS and bool(longest(tokens, behind, "me"))
    listed = me or (address and not longest(tokens, at - 1, *FORMS, "file", "picture"))
    within = joins and (longest(tokens, at - 1, "join") or longest(tokens, at - 1, "without") > 1)  # "all but"
    return not (listed or within)


class Parts:
    """Reads the parts of one clause; `tokens` are its words, `verb` the action that was met in it."""

    def __init__(self, text: str, tokens: Sequence[Token], verb: str = "") -> None:
        self.text, self.tokens, self.verb = text, tokens, verb

    def words(self, begin: int, end: int) -> str:
        """Return the words from one place to another, as they were typed."""
        return self.text[self.tokens[begin].begin : self.tokens[end - 1].end] if begin < end else ""

    def from_here(self, at: int) -> tuple[list[Part], int]:
        """Return the parts that stand here one behind the other, and the place of the first word that is none."""
        found, at_head = list[Part](), at == 0
        while at < len(self.tokens) and (part := self._part(at, found, at_head)):
            found.append(part)
            at = part.end
        return found, at

    def _part(self, at: int, before: list[Part], at_head: bool) -> Part | None:
        action = self._action(at)
        for name, pattern in _PARTS:
            if not self._may(name, pattern, before, at_head) or (name == "it" and action and not before):
                continue
            found = self._stands(pattern, at)
            if found and not (pattern == _CHART_OF and found[1] - at < 3):  # "chart of accounts" is a thing
                said = self.words(found[0], found[1]).strip("\"'`“”„«»")
                return Part("people" if name in ("told", "alone") else name, said, at, found[1])
        first = at_head and all(part.name in ("small", "when", "denied", "it", "me") for part in before)
        end = at + longest(self.tokens, at, action) if action else at
        if action and not self.verb and (first or end == len(self.tokens)):
            self.verb = action
            return Part(action, self.words(at, end), at, end)
        length = longest(self.tokens, at, "courtesy", "join", "glue", "me")
        name = "me" if longest(self.tokens, at, "me") == length else "small"
        return Part(name, self.words(at, at + length), at, at + length) if length else None

    def _may(self, name: str, pattern: str, before: list[Part], at_head: bool) -> bool:
        """Return whether a part can stand here, by what stands in front of it."""
        match name:
            case "told":
                return bool(before) and before[-1].name in MAILING
            case "alone":
                return len(self.tokens) == 1
            case "people":
                return self.verb not in WRITING
            case "channel":
                return self.verb in ("hand", "share")
        return at_head or pattern not in _AT_HEAD

    def _stands(self, pattern: str, at: int) -> tuple[int, int] | None:
        """Return where what a pattern says begins and ends, if it stands here."""
        said = at
        for item in pattern.split():
            if item in (END, LAST):
                if not (self._ends(at) if item == END else at == len(self.tokens)):
                    return None
                continue
            names = item.strip("=?*").split("|")
            length = self._length(at, names)
            said = at if item[0] == "=" else said
            if not length and item[-1] not in "?*":
                return None
            at += length
            while item[-1] == "*" and (length := self._length(at, names)):
                at += length
        return said, at

    def _length(self, at: int, names: Sequence[str]) -> int:
        """Return how many words here are of one of these lists, or a value of such a kind."""
        if at >= len(self.tokens):
            return 0
        token = self.tokens[at]
        capital = CAPITAL in names and self.text[token.begin].isupper() and not longest(self.tokens, at, *FORMS)
        return int(token.word in names or capital) or longest(self.tokens, at, *names)

    def _ends(self, at: int) -> bool:
        """Return whether a part can end here: before another one, and not before what it would be part of."""
        if at >= len(self.tokens) or self.tokens[at].word in (ADDRESS, RECURRENCE):
            return True
        table = longest(self.tokens, skip(self.tokens, at, "the", "a"), "table")
        counts = longest(self.tokens, at, "counts") > longest(self.tokens, at, "inbox")
        return not counts and bool(table or longest(self.tokens, at, *_ROWS_BEHIND))

    def _action(self, at: int) -> str:
        polite = longest(self.tokens, at, "courtesy")
        return next((name for name in ACTIONS if longest(self.tokens, at, name) > polite), "")
