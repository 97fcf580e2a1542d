"""The parts of a clause that may say something of a step: an action, a value with its preposition, the rows on show.

A value counts as one word, which no list of people's words has: ADDRESS, NAME or RECURRENCE.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from router.language.phrases import Token, begins_with, longest_at, names_at, phrase_at, tokens_of
from router.understanding.recurrences import recurrence_of

ADDRESS, NAME, RECURRENCE = "@", "#", "~"
"""The words that stand for values."""

EMAIL_ADDRESS: Final = r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+"
"""An e-mail address, as a regular expression."""

MAILING: Final = ("mail", "send", "hand")
WRITING: Final = ("save", "write", "put", "refill")
ACTIONS: Final = (*MAILING, *WRITING, "export", "plot", "repeat", "share", "ask")
"""The lists of verbs; of a verb in several, the first counts."""
FORMS: Final = {"csv": "CSV", "excel": "Excel"}
"""The names of the formats, by their lists."""
MODES: Final = ("append", "truncate", "drop")

_SHAPES: Final = (
    (ADDRESS, re.compile(rf"(?:\w+ )?<{EMAIL_ADDRESS}>|{EMAIL_ADDRESS}")),
    (NAME, re.compile(r'"[^"]+"|“[^”]+”|„[^“]+“|«[^»]+»|`[^`]+`')),
    (NAME, re.compile(r"(?<![\w@.])(?:[^\W\d]\w*\.){1,2}[^\W\d][\w$]*|\w*[^\W_]_\w+")),
)
_CHANNEL_BEHIND: Final = re.compile(r"\s+(?:[^\W\d]+\s+)?#[\w.-]*\w")
"""A channel behind a time, with its preposition: both say of one schedule when and where."""
_CUT: Final = re.compile(r"[,;!?…]|[.:]\s|\s(?:[+&→–—-]|[-=]>)\s")
NAMED_MAX_WORDS: Final = 3
"""Words that name people who have no address: "the finance team"."""
_ROWS_BEHIND: Final = ("to", "into", "in", "as", "join", "glue", "courtesy", "me", "share_with", "inbox", *FORMS)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a clause: what it is, the words that say so, and its place in the words of the clause.

    `name` is that of an action, or "it", "people", "table", "place", "form", "chart", "when", "inbox", "channel",
    "mode", "denied", "me" or "small".
    """

    name: str
    said: str
    begin: int
    end: int


def marked(text: str) -> tuple[Token, ...]:
    """Return the words of a text, each value as one of them."""
    values = [(found.start(), found.end(), word) for word, shape in _SHAPES for found in shape.finditer(text)]
    values += _recurrences(text)
    plain, found, at = tokens_of(text), list[Token](), 0
    while at < len(plain):
        token, behind = plain[at], at + 1
        if value := next((each for each in values if each[0] <= token.begin < each[1]), None):
            token = Token(value[2], value[0], value[1])
        while behind < len(plain) and plain[behind].begin < token.end:
            behind += 1
        found.append(token)
        at = behind
    return tuple(found)


def _recurrences(text: str) -> list[tuple[int, int, str]]:
    """Return where a text says when something is repeated, each time with its time of day."""
    when, spans = recurrence_of(text), list[tuple[int, int]]()
    for begin, end in when.places if when.every or when.undone else ():
        joins = spans and not text[spans[-1][1] : begin].strip(" ,")
        channel = _CHANNEL_BEHIND.match(text, end)
        end = channel.end() if channel else end
        spans = [*spans[:-1], (spans[-1][0], end)] if joins else [*spans, (begin, end)]
    return [(begin, end, RECURRENCE) for begin, end in spans if begins_with("steps.rhythm", text[begin:end])]


def longest(tokens: Sequence[Token], at: int, *names: str) -> int:
    """Return how many words the longest phrase of these lists of steps has here."""
    return longest_at(tokens, at, *(f"steps.{name}" for name in names)) if at >= 0 else 0


def skip(tokens: Sequence[Token], at: int, *names: str) -> int:
    """Return the place behind all phrases of these lists that stand here."""
    while length := longest(tokens, at, *names):
        at += length
    return at


def clauses_of(text: str, tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Yield the clauses of a sentence without the words that join them; people who are listed stand in one."""
    cuts = [at for at in range(1, len(tokens)) if _is_cut(text, tokens, at)]
    for first, end in zip([0, *cuts], [*cuts, len(tokens)], strict=True):
        begin = skip(tokens, first, "join")
        begin += phrase_at("denial.turn", tokens, begin) if begin < end else 0
        if begin < end:
            yield tuple(tokens[begin:end])


def _is_cut(text: str, tokens: Sequence[Token], at: int) -> bool:
    joins = longest(tokens, at, "join") or phrase_at("denial.turn", tokens, at)
    if longest(tokens, at, "instead"):
        return True
    if not joins and not _CUT.search(text[tokens[at - 1].end : tokens[at].begin]):
        return False
    behind = skip(tokens, at, "join", "to")
    address = behind < len(tokens) and tokens[behind].word == ADDRESS
    me = tokens[at - 1].word == ADDRESS and bool(longest(tokens, behind, "me"))
    listed = me or (address and not longest(tokens, at - 1, *FORMS, "file", "picture"))
    within = longest(tokens, at - 1, "join") if joins else 0
    return not (listed or within or longest(tokens, at - 1, "without") > 1)


class Parts:
    """Reads the parts of one clause; `tokens` are its words."""

    def __init__(self, text: str, tokens: Sequence[Token], verb: str = "") -> None:
        self.text, self.tokens, self.verb = text, tokens, verb

    def words(self, begin: int, end: int) -> str:
        """Return the words from one place to another, as they were typed."""
        return self.text[self.tokens[begin].begin : self.tokens[end - 1].end] if begin < end else ""

    def from_here(self, at: int) -> tuple[list[Part], int]:
        """Return the parts that stand here one behind the other, and the place of the first word that is none."""
        found, self._at_head = list[Part](), at == 0
        while at < len(self.tokens) and (part := self._part(at, found)):
            found.append(part)
            at = part.end
        return found, at

    def _part(self, at: int, before: list[Part]) -> Part | None:
        if self.tokens[at].word == RECURRENCE:
            return self._made("when", at, at, at + 1)
        if turn := phrase_at("denial.turn", self.tokens, at):
            return self._made("small", at, at, at + turn)
        if denied := max(longest(self.tokens, at, "deny"), phrase_at("denial.before", self.tokens, at)):
            return self._made("denied", at, at, at + denied)
        if length := longest(self.tokens, at, "inbox"):
            return Part("inbox", "me", at, at + length)
        if people := self._people(at, before):
            return people
        if (behind := self.pointed(at)) > at and (before or not self._action(at)):
            return self._made("it", at, at, behind)
        return self._place(at) or self._form(at) or self._listed(at, before)

    def _made(self, name: str, begin: int, said: int, end: int) -> Part:
        return Part(name, self.words(said, end), begin, end)

    def _listed(self, at: int, before: list[Part]) -> Part | None:
        """Return an action, the rows on show, or a word that says nothing of the question."""
        lists, action = names_at("steps", self.tokens, at), self._action(at)
        mode = next((name for name in MODES if name in lists), "")
        if mode and skip(self.tokens, at + lists[mode], "courtesy", "glue") == len(self.tokens):
            return self._made("mode", at, at, at + lists[mode])
        last = at + lists.get(action, 0) == len(self.tokens)
        first = self._at_head and all(part.name in ("small", "when", "denied", "it", "me") for part in before)
        if action and not self.verb and (last or first):
            self.verb = action
            return self._made(action, at, at, at + lists[action])
        if action == "mail" and self._at_head:  # "put it in an e-mail to Ana"
            self.verb = action
            return self._made("small", at, at, at + lists[action])
        name = next((name for name in ("me", "courtesy", "join", "glue") if name in lists), "")
        return self._made("me" if name == "me" else "small", at, at, at + lists[name]) if name else None

    def _action(self, at: int) -> str:
        lists = names_at("steps", self.tokens, at)
        polite = lists.get("courtesy", 0)
        return next((name for name in ACTIONS if lists.get(name, 0) > polite), "")

    def pointed(self, at: int) -> int:
        """Return the place behind words that point at the rows on show: "it", "these rows"; else the same."""
        this = skip(self.tokens, at, "it") or at
        noun = skip(self.tokens, this, "the")
        rows = longest(self.tokens, noun, "rows", *(["named"] if noun > at else []))
        behind = noun + rows if rows else at + longest(self.tokens, at, "it")
        if behind >= len(self.tokens) or self.tokens[behind].word in (ADDRESS, RECURRENCE):
            return min(behind, len(self.tokens))
        if longest(self.tokens, behind, "counts") > longest(self.tokens, behind, "inbox"):
            return at  # "these by region"
        table = longest(self.tokens, skip(self.tokens, behind, "the", "a"), "table")
        return behind if table or longest(self.tokens, behind, *_ROWS_BEHIND) else at

    def _people(self, at: int, before: list[Part]) -> Part | None:
        """Return people: behind "to", or directly behind a verb of mailing."""
        to = longest(self.tokens, at, "to", *(["share_with"] if self.verb == "hand" else []))
        told = bool(before) and before[-1].name in MAILING
        alone = len(self.tokens) == 1 and self.tokens[0].word == ADDRESS
        if not (to or told or alone) or self.verb in WRITING:
            return None
        begin = end = at + to
        place = begin
        while place < len(self.tokens):
            me = longest(self.tokens, place, "me")
            address = self.tokens[place].word == ADDRESS
            named = (
                not address
                and self.text[self.tokens[place].begin].isupper()
                and not longest(self.tokens, place, *FORMS)
            )
            if address or me or named:
                place += me or 1
                end = place if to or not named or end > begin else end
            elif place > begin and longest(self.tokens, place, "join"):
                place += 1
            else:
                break
        if to and end == begin and self.verb == "mail" and not longest(self.tokens, at, "a"):  # "the finance team"
            while (
                end < len(self.tokens)
                and end - begin < NAMED_MAX_WORDS
                and not longest(self.tokens, end, *_ROWS_BEHIND)
            ):
                end += 1
        only_me = (
            told and not to and self.verb != "mail" and not any(each.word == ADDRESS for each in self.tokens[begin:end])
        )
        return self._made("people", at, begin, end) if end > begin and not only_me else None

    def _place(self, at: int) -> Part | None:
        """Return a table, or another place for rows, behind "into" and its kin; or what is called a table."""
        to = longest(self.tokens, at, "to", "into", "in")
        place = skip(self.tokens, at + to, "the", "a")
        called = longest(self.tokens, place, "table")
        name = place + called
        if self.verb in ("hand", "share") and (channel := longest(self.tokens, place, "channel")):
            return self._made("channel", at, place, place + channel)
        if not (to or called > 1 or self.verb == "refill") or name >= len(self.tokens):
            named = to and called and longest(self.tokens, place, "place", "table")
            return self._made("place", at, place, name) if named else None
        if self.tokens[name].word == NAME or called:
            of = longest(self.tokens, name + 1, "of") if self.verb == "refill" else 0
            return Part("table", self.words(name, name + 1).strip("\"'`“”„«»"), at, name + 1 + of)
        store = longest(self.tokens, place, "place") or (longest(self.tokens, place + 1, "place", "table") and 2)
        return self._made("place", at, place, place + store) if to and store else None

    def _form(self, at: int) -> Part | None:
        """Return a format or a chart: "as Excel", "with a bar chart", "a csv file of", or by itself."""
        preposition = longest(self.tokens, at, "as", "into", "in")
        word = skip(self.tokens, at + preposition, "a", "the")
        form = next((name for name in FORMS if longest(self.tokens, word, name)), "")
        picture = 0 if form else longest(self.tokens, word, "picture")
        if not (form or picture):
            return None
        behind = word + (longest(self.tokens, word, form) if form else picture)
        behind = skip(self.tokens, behind, "file")
        of = longest(self.tokens, behind, "of") if not preposition else 0
        alone = (
            behind == len(self.tokens)
            or bool(longest(self.tokens, behind, *_ROWS_BEHIND))
            or self.tokens[behind].word in (ADDRESS, RECURRENCE)
        )
        made = of and (form or word > at or picture > 1)  # "chart of accounts" is a thing
        if not (preposition or made or (alone and self._at_head)):
            return None
        return Part(
            "form" if form else "chart", FORMS.get(form) or self.words(word, behind), at, behind + (of if made else 0)
        )
