"""A sentence while values are taken out of it: what is left of it, what it denies, and what of it was not used.

Values are found by their form (an address, a name with an underscore, quotes), by names that exist, or by a listed
word in front of them. What was taken is not read again, and nothing is read across it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from router.language.folding import unaccented
from router.language.phrases import Token, find_phrases, has_phrase, phrase_at, tokens_of
from router.understanding.denials import is_denied, is_denied_behind
from router.understanding.unread import Unread, may_change

SENTENCE_MAX_CHARS: Final = 1000
"""Characters of a sentence: of a longer text nothing is read."""

TAKEN_MARK: Final = "\0"
"""Stands in the place of each letter that was taken."""

_QUOTES: Final = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("`", "`"), ("'", "'"))
QUOTED: Final = "|".join(rf"(?<!\w){a}[^{a}{b}{TAKEN_MARK}]+{b}(?!\w)" for a, b in _QUOTES)
_CLAUSE_END: Final = re.compile(rf"({TAKEN_MARK}+|[,;:!?]|\.\s)")
_MAILTO: Final = re.compile(r"<mailto:([^<>|]+)(?:\|[^<>]*)?>")
"""An address as Slack writes it."""


class Sentence:
    """A typed sentence, in single blanks; `left` is as long as `text`, and holds what was not taken yet."""

    def __init__(self, typed: str) -> None:
        plain = " ".join(_MAILTO.sub(r"\1", typed).replace("’", "'").replace(TAKEN_MARK, " ").split())
        self.text = self.left = plain if len(plain) <= SENTENCE_MAX_CHARS else ""
        self.contradicts = False
        """True once it named several values if there can be one."""

    def take(self, begin: int, end: int) -> str:
        """Return what stands there, without its quotes; it counts as taken."""
        self.left = self.left[:begin] + TAKEN_MARK * (end - begin) + self.left[end:]
        return unquoted(self.text[begin:end])

    def is_denied(self, begin: int, end: int) -> bool:
        """Return whether the sentence denies what stands there; a denial before a value that was taken denies that."""
        apart = self.left[:begin].rfind(TAKEN_MARK) + 1
        return is_denied(self.text[apart:], begin - apart, end - apart)

    def spans(self, kind: str) -> list[tuple[int, int]]:
        """Return where listed phrases stand in what is left: in whole words, and not over a comma or what was taken."""
        return [each.span for each in find_phrases(kind, self.tokens) if not self._is_apart(*each.span)]

    def _is_apart(self, begin: int, end: int) -> bool:
        """Return whether a mark stands in a phrase, or it is a part of a name."""
        inside, around = self.left[begin:end], f"{self.left[max(begin - 1, 0) : begin]} {self.left[end : end + 1]}"
        return bool(re.search(rf"[,;:.!?{TAKEN_MARK}]", inside) or re.search(r"[_$#@]", around))

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words that are left, but for those in quotes, which are values and say nothing else."""
        return tokens_of(blanked(self.left))

    @property
    def folded(self) -> str:
        """Return what is left in small letters without accents, each at its place."""
        plain = unaccented(self.left)
        return plain if len(plain) == len(self.left) else self.left.lower()

    def choose(self, lists: Mapping[str, str]) -> list[str]:
        """Return those names whose phrases the sentence has and does not deny; all of these phrases count as taken.

        Of two phrases over one another, the longer one is meant: "replace the rows" is not "replace". Of names with an
        "or" between them none is chosen.
        """
        found = [(begin, end, name) for name, kind in lists.items() for begin, end in self.spans(kind)]
        found = sorted(each for each in found if not any(_covers(other, each) for other in found))
        chosen = dict.fromkeys(name for begin, end, name in found if not self.is_denied(begin, end))
        between = self.left[found[0][1] : found[-1][0]] if found else ""
        if has_phrase("values.either", between):
            self.contradicts = True
            return []
        for begin, end, _ in found:
            self.take(begin, end)
        return list(chosen)

    def behind(self, kind: str, place: int) -> int:
        """Return the place behind listed phrases, colons and equals signs that stand at this one."""
        while True:
            if found := re.compile(r"\s*[:=]\s*|\s+").match(self.left, place):
                place = found.end()
            tokens = tokens_of(self.left[place:].partition(TAKEN_MARK)[0])
            length = phrase_at(kind, tokens, 0) if tokens and tokens[0].begin == 0 else 0
            end = place + tokens[length - 1].end if length else place
            if not length or self._is_apart(place, end):
                return place
            place = end

    def clauses(self) -> list[str]:
        """Return what is left between marks and what was taken."""
        return _CLAUSE_END.split(self.left)[::2]

    def unread(self, own: Sequence[str], tells: Callable[[str], object] = lambda clause: False) -> Unread:
        """Return the clauses that nothing was made of, if they say something; `own` are lists of what is done.

        `tells` decides about a clause of plain words.
        """
        found, holds, pieces = list[str](), self.contradicts, ["", *_CLAUSE_END.split(self.left), ""]
        for place in range(1, len(pieces), 2):
            before, clause, behind = pieces[place - 1 : place + 2]
            beside_value = TAKEN_MARK in behind or (TAKEN_MARK in before and is_denied_behind(clause))
            held = may_change(clause, own, beside_value=beside_value)
            holds = holds or held
            if held or unknown_words(clause) or tells(clause):
                found.append(clause.strip())
        return Unread(", ".join(filter(None, found)), holds)


def blanked(text: str) -> str:
    """Return a text with blanks in place of what stands in quotes."""
    return re.sub(QUOTED, lambda quoted: " " * len(quoted[0]), text)


def unquoted(value: str) -> str:
    """Return the value without blanks and quotes around it."""
    bare = value.strip()
    for begin, end in _QUOTES:
        if len(bare) > 1 and bare.startswith(begin) and bare.endswith(end):
            return bare[1:-1].strip()
    return bare


def unknown_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that could be values."""
    tokens = tokens_of(text)
    plain = {place for each in find_phrases("values.plain", tokens) for place in range(each.first, each.end)}
    return tuple(
        text[each.begin : each.end]
        for place, each in enumerate(tokens)
        if place not in plain and (len(each.word) > 1 or each.word.isdigit())
    )


def _covers(other: tuple[int, int, str], one: tuple[int, int, str]) -> bool:
    return other[0] <= one[0] and one[1] <= other[1] and other[:2] != one[:2]
