"""A sentence while values are taken out of it: what is left of it, what it denies, and what of it was not used.

Values are found by their form (an address, a name with an underscore, quotes), by names that exist, or by a listed
word in front of them. What was taken is not read again, and nothing is read across it.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Final

from router.language.phrases import Token, find_phrases, is_all, phrase_at, tokens_of
from router.understanding.denials import is_denied

SENTENCE_MAX_CHARS: Final = 1000
"""Characters of a sentence: of a longer text nothing is read."""

TAKEN: Final = "\0"
"""Stands in the place of each letter that was taken."""

_QUOTES: Final = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("`", "`"), ("'", "'"))
QUOTED: Final = "|".join(rf"(?<!\w){a}[^{a}{b}{TAKEN}]+{b}(?!\w)" for a, b in _QUOTES)
_CLAUSE_END: Final = re.compile(rf"{TAKEN}+|[,;:!?]\s*|\.\s")


class Sentence:
    """What somebody typed, in single blanks; `left` is as long as `text`, and holds what was not taken yet."""

    def __init__(self, typed: str) -> None:
        plain = " ".join(typed.replace("’", "'").replace(TAKEN, " ").split())
        self.text = self.left = plain if len(plain) <= SENTENCE_MAX_CHARS else ""

    def take(self, begin: int, end: int) -> str:
        """Return what stands there, without its quotes; it counts as taken."""
        self.left = self.left[:begin] + TAKEN * (end - begin) + self.left[end:]
        return unquoted(self.text[begin:end])

    def give_back(self, begin: int, end: int) -> None:
        """Have what stands there count as not taken."""
        self.left = self.left[:begin] + self.text[begin:end] + self.left[end:]

    def is_denied(self, begin: int, end: int) -> bool:
        """Return whether the sentence denies what stands there; a denial before a value that was taken denies that."""
        apart = self.left[:begin].rfind(TAKEN) + 1
        return is_denied(self.text[apart:], begin - apart, end - apart)

    def spans(self, kind: str) -> list[tuple[int, int]]:
        """Return where listed phrases stand in what is left: in whole words, and not over a comma or what was taken."""
        tokens = self.tokens
        found = ((tokens[each.first].begin, tokens[each.end - 1].end) for each in find_phrases(kind, tokens))
        return [place for place in found if not self._is_apart(*place)]

    def _is_apart(self, begin: int, end: int) -> bool:
        """Return whether a mark stands in a phrase, or it is a part of a name."""
        inside, around = self.left[begin:end], f"{self.left[max(begin - 1, 0) : begin]} {self.left[end : end + 1]}"
        return bool(re.search(rf"[,;:.!?{TAKEN}]", inside) or re.search(r"[_$#@]", around))

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The words that are left."""
        return tokens_of(self.left)

    def choose(self, lists: Mapping[str, str]) -> list[str]:
        """Return those names whose phrases the sentence has and does not deny; all of these phrases count as taken.

        Of two phrases over one another, the longer one is meant: "replace the rows" is not "replace".
        """
        found = [(begin, end, name) for name, kind in lists.items() for begin, end in self.spans(kind)]
        chosen = dict[str, None]()
        for begin, end, name in found:
            within = any(_covers(other, begin, end) for other in found)
            if not within and not self.is_denied(begin, end):
                chosen[name] = None
        for begin, end, _ in found:
            self.take(begin, end)
        return list(chosen)

    def behind(self, kind: str, place: int) -> int:
        """Return the place behind listed phrases, colons and equals signs that stand at this one."""
        while True:
            if found := re.compile(r"\s*[:=]\s*|\s+").match(self.left, place):
                place = found.end()
            tokens = tokens_of(self.left[place:].partition(TAKEN)[0])
            length = phrase_at(kind, tokens, 0) if tokens and tokens[0].begin == 0 else 0
            end = place + tokens[length - 1].end if length else place
            if not length or self._is_apart(place, end):
                return place
            place = end

    def ends_at(self, place: int) -> bool:
        """Return whether a name can end there: at the end of a clause, or before a word that is no value."""
        tail = self.left[place:]
        if not tail.strip() or re.match(rf"\s*[,;:.!?)({TAKEN}]", tail):
            return True
        tokens = tokens_of(tail)
        return bool(tokens) and (is_plain(tokens[0].word) or bool(phrase_at("writing.into", tokens, 0)))

    def unused(self, others: str) -> str:
        """Return the parts of the sentence that nothing was made of and that may matter: times, conditions, names.

        `others` lists words of another task, which matter here: "and e-mail me".
        """
        parts = list[str]()
        begin = 0
        for mark in (*_CLAUSE_END.finditer(self.left), None):
            part = self.left[begin : mark.start() if mark else len(self.left)]
            tokens = tokens_of(part)
            telling = [place for place, each in enumerate(tokens) if _tells(each.word)]
            plain = {place for each in find_phrases("values.plain", tokens) for place in range(each.first, each.end)}
            other = {each.first for each in find_phrases(others, tokens)}
            if telling := sorted(other | {place for place in telling if place not in plain}):
                lead = list(takewhile(lambda each: is_all("values.limiting", each.word), tokens[: telling[0]][::-1]))
                last = max(
                    place
                    for place in range(len(tokens))
                    if place in telling or not is_all("mailing.joins", tokens[place].word)
                )
                parts.append(part[tokens[telling[0] - len(lead)].begin : tokens[last].end])
            begin = mark.end() if mark else 0
        return ", ".join(parts)


def unquoted(value: str) -> str:
    """Return the value without blanks and quotes around it."""
    bare = value.strip()
    for begin, end in _QUOTES:
        if len(bare) > 1 and bare.startswith(begin) and bare.endswith(end):
            return bare[1:-1].strip()
    return bare


def is_plain(word: str) -> bool:
    """Return whether a word is one of a request, which is no value unless it is quoted."""
    return is_all("values.plain", word)


def unknown_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that could be values."""
    return tuple(text[each.begin : each.end] for each in tokens_of(text) if len(each.word) > 1 and _tells(each.word))


def spoken(name: str, label: str) -> Iterator[str]:
    """Yield the ways to say a connection's name."""
    yield from {name, name.replace("_", " "), label, label.partition("(")[0].strip()} - {""}


def _covers(other: tuple[int, int, str], begin: int, end: int) -> bool:
    return other[0] <= begin and end <= other[1] and (other[0], other[1]) != (begin, end)


def _tells(word: str) -> bool:
    return (len(word) > 1 or word.isdigit()) and not is_plain(word)
