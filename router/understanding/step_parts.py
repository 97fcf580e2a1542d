"""The parts of a clause that may say something of a step: an action, a value with its preposition, the rows on show.

A value counts as one word, which no list of people's words has: ADDRESS, NAME or RECURRENCE.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import Final

from router.language.phrases import Token, begins_with, longest_at, tokens_of, without_beginning
from router.understanding.recurrences import recurrence_of
from router.understanding.values.people import ADDRESS as _MAILBOX
from router.understanding.values.sentence import QUOTED

ADDRESS, NAME, RECURRENCE = "@", "#", "~"
"""The words that stand for values."""
CAPITAL, HEAD, WORDS, END, LAST = "A", "HEAD", "WORDS", "END", "LAST"
"""Stand in patterns for a word with a capital letter, for the beginning of a clause, for three words at least ("chart
of accounts" is a thing), for where a part can end, and for the end of the clause."""

MAILING: Final = ("mail", "send", "hand")
WRITING: Final = ("save", "write", "put")
ACTIONS: Final = (*MAILING, *WRITING, "export", "plot", "repeat", "share", "ask")
"""The lists of verbs; of a verb in several, the first counts."""
FORMS: Final = {"csv": "CSV", "excel": "Excel"}
"""The names of the formats, by their lists."""

_PARTS: Final = (
    ("when", "~"),
    ("denied", "deny|denial.before"),
    ("inbox", "inbox"),
    ("people", "to =@|me|A @|me|A|join*"),
    ("people", "to =anyone"),
    ("told", "=@|A @|me|A|join*"),
    ("alone", "@"),
    ("chart", "it as|into|in|a|change* =picture|bar|line END"),
    ("chart", "HEAD as|in =bar END"),
    ("it", "it* the* rows END"),
    ("it", "it|the it|the* named END"),
    ("it", "it END"),
    ("channel", "to|into|in|share_with? the|a* channel END"),
    ("table", "to|into|in the|a* table* =#"),
    ("table", "table =#"),
    ("place", "to|into|in the|a* place|table END"),
    ("form", "as|into|in the|a* =csv|excel file* of?"),
    ("form", "the|a* =csv|excel file* of"),
    ("form", "HEAD the|a* =csv|excel file* END"),
    ("chart", "as|into|in the|a* =picture file* of?"),
    ("chart", "the|a* =picture file* of WORDS"),
    ("chart", "HEAD the|a* =picture file* END"),
    ("mode", "append|truncate|drop courtesy|glue* LAST"),
)
"""The parts, each as the lists that stand one behind the other: of "|" one, of "?" perhaps, of "*" any number.

What is said begins at "=".
"""
_PEOPLE: Final = ("told", "alone")
"""Other ways to name people: behind an action, or as the only word."""
_SMALL: Final = ("courtesy", "join", "glue", "me")
_IN_FRONT: Final = frozenset(["small", "me", "when", "denied", "it"])
"""Lists of words that may stand in front of an action."""
_ROWS_BEHIND: Final = ("to", "into", "in", "as", "join", "glue", "courtesy", "me", "share_with", "inbox", *FORMS)
_NAMED: Final = re.compile(rf"{QUOTED}|(?<![\w@.])(?:[^\W\d]\w*\.){{1,2}}[^\W\d][\w$]*|\w*[^\W_]_\w+")
_CUT: Final = re.compile(r"[,;!?…]|[.:]\s|\s(?:[+&→–—-]|[-=]>)\s")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a clause: what it is, the words that say so, and its place in the words of the clause.

    `name` is that of an action, or of a part, or "me" or "small"; "" for a word that says nothing of a step.
    """

    name: str
    said: str
    begin: int
    end: int


def marked(text: str) -> tuple[Token, ...]:
    """Return the words of a text, each value as one of them."""
    values = [(*each.span(), ADDRESS) for each in re.finditer(rf"(?:\w+ )?<{_MAILBOX}>|{_MAILBOX}", text)]
    values += [(*each.span(), NAME) for each in _NAMED.finditer(text)]
    values += [(*span, RECURRENCE) for span in _recurrences(text)]
    found = list[Token]()
    for token in tokens_of(text):
        if found and token.begin < found[-1].end:
            continue
        value = next((each for each in values if each[0] <= token.begin < each[1]), None)
        found.append(Token(value[2], value[0], value[1]) if value else token)
    return tuple(found)


def _recurrences(text: str) -> list[tuple[int, int]]:
    """Return where a text says when something is repeated, each time with its time of day."""
    when, spans = recurrence_of(text), list[tuple[int, int]]()
    for begin, end in when.places if when.every or when.undone else ():
        joins = spans and not text[spans[-1][1] : begin].strip(" ,")
        first = spans.pop()[0] if joins else begin
        spans.append((first, end))
    # "das jeden Montag": the article is none of a day
    trimmed = [(end - len(without_beginning("times.article", text[begin:end])), end) for begin, end in spans]
    return [(begin, end) for begin, end in trimmed if begins_with("steps.rhythm", text[begin:end])]


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


class Clause:
    """A clause of a sentence: its words, and its parts one behind the other."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text, self.tokens = text, tokens
        self.parts = list[Part]()
        while (at := self.parts[-1].end if self.parts else 0) < len(tokens):
            self.parts.append(self._part(at))
        self.head = [*takewhile(lambda part: part.name, self.parts)]
        """The parts at its beginning."""
        self.names = {part.name for part in self.head}
        self.whole = len(self.head) == len(self.parts)
        """True if it has no word that is none of a step."""
        self.begin, self.end = tokens[0].begin, tokens[-1].end

    @property
    def verb(self) -> str:
        """The action, or "" if there is none."""
        return next((part.name for part in self.parts if part.name in ACTIONS), "")

    @property
    def typed(self) -> str:
        """The words as they were typed."""
        return self.words(0, len(self.tokens))

    @property
    def behind_head(self) -> int:
        """The place of the first word that is no part of a step."""
        return self.head[-1].end if self.head else 0

    @property
    def tail(self) -> list[Part]:
        """The parts at its end, behind some word that is none of a step."""
        return [] if self.whole else [*takewhile(lambda part: part.name, reversed(self.parts))][::-1]

    def words(self, begin: int, end: int) -> str:
        """Return the words from one place to another, as they were typed."""
        return self.text[self.tokens[begin].begin : self.tokens[end - 1].end] if begin < end else ""

    def _part(self, at: int) -> Part:
        """Return the part that stands here."""
        at_head = all(part.name for part in self.parts)
        action = self._action(at)
        for name, pattern in _PARTS:
            if self._may(name, action) and (place := self._stands(pattern, at, at_head)):
                said = self.words(*place).strip("\"'`“”„«»")
                return Part("people" if name in _PEOPLE else name, said, at, place[1])
        first = all(part.name in _IN_FRONT for part in self.parts)
        end = at + longest(self.tokens, at, action) if action else at
        if action and not self.verb and (first or end == len(self.tokens)):
            return Part(action, self.words(at, end), at, end)
        small = longest(self.tokens, at, *_SMALL)
        end = at if longest(self.tokens, at, "unread.condition") > small else at + small
        name = "" if end == at else "me" if end == at + longest(self.tokens, at, "me") else "small"
        end = max(end, at + 1)
        return Part(name, self.words(at, end), at, end)

    def _may(self, name: str, action: str) -> bool:
        """Return whether a part can stand behind those before."""
        match name:
            case "alone":
                return len(self.tokens) == 1
            case "told":
                return bool(self.parts) and self.parts[-1].name in MAILING
            case "people":
                return self.verb in (*MAILING, "ask", "")
            case "channel":
                return self.verb in ("hand", "share")
            case "it":
                return bool(self.parts) or not action
        return True

    def _stands(self, pattern: str, at: int, at_head: bool) -> tuple[int, int] | None:
        """Return where what a pattern says begins and ends, if it stands here."""
        begin = said = at
        for item in pattern.split():
            if item in (HEAD, WORDS, END, LAST):
                stands = {HEAD: at_head, WORDS: at - begin > 2, LAST: at == len(self.tokens), END: self._ends(at)}
                if not stands[item]:
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
        leads = at + 1 < len(self.tokens) and self.tokens[at + 1].word in (ADDRESS, NAME)
        counts = longest(self.tokens, at, "counts") > longest(self.tokens, at, "inbox")
        return (leads or not counts) and bool(table or longest(self.tokens, at, *_ROWS_BEHIND))

    def _action(self, at: int) -> str:
        polite = longest(self.tokens, at, "courtesy")
        return next((name for name in ACTIONS if longest(self.tokens, at, name) > polite), "")


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a sentence without the words that join them; people who are listed stand in one."""
    tokens, found = marked(text), list[Clause]()
    cuts = [at for at in range(1, len(tokens)) if _is_cut(text, tokens, at)]
    for first, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        begin = skip(tokens, first, "join")
        if begin < end:
            found.append(Clause(text, tokens[begin:end]))
    return tuple(found)


def _is_cut(text: str, tokens: Sequence[Token], at: int) -> bool:
    joins = longest(tokens, at, "join")
    if not joins and not _CUT.search(text[tokens[at - 1].end : tokens[at].begin]):
        return False
    behind = skip(tokens, at, "join", "to")
    address = behind < len(tokens) and tokens[behind].word == ADDRESS
    me = tokens[at - 1].word == ADDRESS and bool(longest(tokens, behind, "me"))
    listed = me or (address and not longest(tokens, at - 1, *FORMS, "file", "picture"))
    return not (listed or (joins and longest(tokens, at - 1, "join", "without")))  # "and then", "all but"
