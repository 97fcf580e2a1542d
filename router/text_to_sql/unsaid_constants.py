"""Constants of a statement that nobody said: neither the question, nor the glossary, nor a choice has them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.schema import Column, Schema
from router.catalog.values import question_words
from router.language.folding import fold
from router.language.inflection import stem, word_family
from router.language.wording import and_list, truncate
from router.text_to_sql.question import Question
from router.text_to_sql.repair.query import column_of, words

CONDITIONS_TOLD_MAX, CONDITION_MAX_CHARS = 3, 80
"""Conditions that a sentence tells, and characters of each."""

BEGINNING_MIN_LETTERS = 5
"""Letters of a word by which another one begins that means the same."""

CODE_MAX_LETTERS = 3
"""Letters of a code that stands for a word it begins, such as F for female, or for the first letters of several."""

_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between, exp.Like, exp.ILike)
_AROUND = (exp.Cast, exp.Paren, exp.Neg, exp.Lower, exp.Upper, exp.Tuple)
_WORD, _NUMBER = re.compile(r"[^\W_]+"), re.compile(r"\d+(?:[.,]\d+)*")
_DATE = re.compile(r"\d{4}-\d\d?(?:-\d\d?)?(?:[ T].*)?")
_YES_NO = frozenset(("ny", "ft", "jn", "no", "ns", "n", "y", "t", "f"))
"""First letters of yes and no."""
_SCALES = (1, 100, 0.01, 1e3, 1e-3, 1e6, 1e-6)
"""Factors between a number and its notation: a percentage, thousands, millions."""


def unsaid_constants(question: Question, sql: str, schema: Schema) -> str:
    """Return a sentence on the conditions with constants that were not said, "" if all were."""
    try:
        tree = parse_one(sql, read=schema.dialect)
    except SqlglotError:
        return ""
    said = _QuestionWords.of(question)
    found = dict.fromkeys(
        truncate(place.sql(dialect=schema.dialect), CONDITION_MAX_CHARS)
        for literal, place in _constants(tree)
        if not said.has(literal, place, schema)
    )
    told = and_list(f"`{each}`" for each in list(found)[:CONDITIONS_TOLD_MAX])
    return f"The SQL has {told}, which your question does not say." if found else ""


def _constants(tree: exp.Expr) -> Iterator[tuple[exp.Literal, exp.Expr]]:
    """Yield the texts and numbers that something is compared with, each with its condition, and how many rows count."""
    for literal in tree.find_all(exp.Literal):
        place = literal.parent
        while isinstance(place, _AROUND):
            place = place.parent
        if isinstance(place, exp.Limit) or (isinstance(place, _COMPARISONS) and place.find(exp.Column, exp.AggFunc)):
            yield literal, place


@dataclass(frozen=True, slots=True)
class _QuestionWords:
    """The words of a question, one after another between blanks, their families, and its numbers."""

    line: str
    families: frozenset[str]
    numbers: frozenset[float]
    times: bool

    @classmethod
    def of(cls, question: Question) -> "_QuestionWords":
        terms = (" ".join((each.name, *each.synonyms, each.meaning, each.filter)) for each in question.known.terms)
        named = (value.text for each in question.named for value in each.values)
        times = [f"{time.typed} {time.words} {time.condition}" for time in question.times]
        text = " ".join((question.said, question.evidence, *terms, *named, *times))
        spoken = [fold(word) for word in _WORD.findall(text)]
        numbers = {_value(each) for each in _NUMBER.findall(text)} | {_value(each) for each in re.findall(r"\d+", text)}
        numbers |= {number for word in spoken for number in _number_words().get(word, ())}
        return cls(f" {' '.join(spoken)} ", frozenset(map(_family, spoken)), frozenset(numbers), bool(times))

    def has(self, literal: exp.Literal, place: exp.Expr, schema: Schema) -> bool:
        """Return whether a constant was said, as it stands or in another form."""
        text = literal.name.strip("%_ ")
        if not literal.is_string or _NUMBER.fullmatch(text):
            return self._has_number(_value(text))
        if _DATE.fullmatch(text):
            return self.times or self._has_number(_value(text[:4]))
        return self._has_text(text, part=isinstance(place, exp.Like | exp.ILike)) or self._says_flag(place, schema)

    def _has_number(self, number: float) -> bool:
        near = {number + step for step in (-1, 0, 1)} | {number * scale for scale in _SCALES}
        return abs(number) <= 1 or any(abs(each - known) < 1e-9 for each in near for known in self.numbers)

    def _has_text(self, text: str, part: bool) -> bool:
        parts = [fold(word) for word in _WORD.findall(text)]
        if f" {' '.join(parts)} " in self.line or (part and fold(text) in self.line.replace(" ", "")):
            return True
        telling = [each for each in parts if each not in question_words()] or parts
        if all(_family(each) in self.families or self._begins(each) for each in telling):
            return True
        spoken, code = self.line.split(), "".join(parts)
        initials = "".join(word[0] for word in spoken)
        return len(code) <= CODE_MAX_LETTERS and (
            any(word.startswith(code) for word in spoken) or (len(code) > 1 and code in initials)
        )

    def _begins(self, word: str) -> bool:
        """Return whether a longer word begins a word that was said, or is begun by one: success, successful."""
        others = (each for each in self.line.split() if len(each) >= BEGINNING_MIN_LETTERS)
        return len(word) >= BEGINNING_MIN_LETTERS and any(
            each.startswith(word) or word.startswith(each) for each in others
        )

    def _says_flag(self, place: exp.Expr, schema: Schema) -> bool:
        """Return whether a column holds yes or no, and the question says of what."""
        node = place.find(exp.Column)
        column = column_of(node, schema) if node else None
        return column is not None and _is_flag(column) and bool({*map(_family, words(column.name))} & self.families)


def _is_flag(column: Column) -> bool:
    """Return whether a column holds yes and no, in letters of one language or another."""
    return "".join(sorted({value[:1].lower() for value in (*column.values, *column.samples)})) in _YES_NO


def _family(word: str) -> str:
    return word_family(stem(word))


def _value(text: str) -> float:
    """Return the number that is meant by digits with commas or points."""
    digits = text.replace(",", "") if not re.fullmatch(r"\d+,\d{1,2}", text) else text.replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return float(digits.replace(".", "") or 0)


@cache
def _number_words() -> dict[str, tuple[float, ...]]:
    """Return the numbers that words say in English, German, French and Spanish."""
    found: dict[str, tuple[float, ...]] = {}
    for row in (files("router.text_to_sql") / "number_words.txt").read_text(encoding="utf-8").splitlines():
        number, *spelt = row.split()
        found |= {word: (*found.get(word, ()), float(number)) for word in spelt}
    return found
