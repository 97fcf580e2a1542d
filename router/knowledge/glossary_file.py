"""glossary.toml as a text: read entry by entry, so that one that is wrong takes no other with it."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from router.knowledge.knowledge import Term, hint_of
from router.language.folding import without_accents
from router.language.inflection import stem
from router.language.wording import one_line
from router.sql import parsing
from router.sql.dialect import DIALECTS, Name
from router.storage.edited_files import key_lines, parse_toml

# Terms that a question uses: whole words, in any case, with or without accents and plural; the longest wins.


TOLD_TERMS_MAX = 6
"""Terms that a model is told for one question."""
TOLD_TERMS_MAX_CHARS = 1200
"""Characters of all of them together."""

_UNSPACED = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
"""Letters of scripts that do not part their words, or hang others on to them: each is a word of its own."""
_TERM_WORD = re.compile(f"[{_UNSPACED}]|[^\\W_{_UNSPACED}]+")
_POSSESSIVE = re.compile(r"['’]s\b")

Words = tuple[str, ...]


def words_of(text: str) -> Words:
    """Return the words of a text as they are compared."""
    return tuple(stem(word) for word in _TERM_WORD.findall(without_accents(_POSSESSIVE.sub("", text).casefold())))


class Vocabulary:
    """The terms of one connection, to be found in questions; where two share a name, the first of them is meant."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._by_first: dict[str, list[tuple[Words, Term]]] = {}
        names = ((words_of(name), term) for term in terms for name in (term.name, *term.synonyms))
        for words, term in names:
            if words:
                self._by_first.setdefault(words[0], []).append((words, term))
        for found in self._by_first.values():
            found.sort(key=lambda entry: -len(entry[0]))

    def used_in(self, question: str) -> tuple[Term, ...]:
        """Return the terms that a question uses, in its order; TOLD_TERMS_MAX of them at most."""
        words, place, room = words_of(question), 0, TOLD_TERMS_MAX_CHARS
        found: list[Term] = []
        while place < len(words) and len(found) < TOLD_TERMS_MAX:
            length, term = self._at(words, place)
            if term and term not in found and len(hint_of(term)) <= room:
                found.append(term)
                room -= len(hint_of(term))
            place += length
        return tuple(found)

    def _at(self, words: Words, place: int) -> tuple[int, Term | None]:
        """Return how many words belong together here, and the term that they name."""
        for name, term in self._by_first.get(words[place], ()):
            if words[place : place + len(name)] == name:
                return len(name), term
        return 1, None


# Conditions in SQL, as they stand behind WHERE.


def condition_problem(text: str, dialect: Name) -> str:
    """Return why a filter is no condition of this dialect, or nothing; an empty one is none, and no problem."""
    if not text:
        return ""
    example = "it must be one condition, such as status = 'paid'"
    try:
        if any(token.comments for token in Dialect.get_or_raise(dialect).tokenize(text)):
            return f"filter holds a comment; {example}."
        # In brackets of its own and alone: a text that closes them, or begins another statement, is none.
        tree = parsing.statement(f"SELECT 1 FROM t WHERE ({text})", dialect)
        alone = parsing.statement(f"SELECT 1 FROM t WHERE {text}", dialect)
    except (SqlglotError, RecursionError):
        return f"filter is not SQL of {DIALECTS[dialect].label}; {example}."
    if not isinstance(tree, exp.Select) or not isinstance(alone, exp.Select) or _plain(tree) != _plain(alone):
        return f"filter is more than a condition; {example}."
    return ""


def _plain(tree: exp.Select) -> set[str] | str:
    """Return the parts that a query has, or one word for a query with more of them than its condition."""
    parts = {name for name, value in tree.args.items() if value}
    where = tree.args.get("where")
    condition = where.this.unnest() if where else None
    if parts - {"expressions", "from_", "from", "where", "kind"} or isinstance(condition, exp.Query):
        return "more"
    return {condition.sql() if condition else ""}


TERM_NAME_MAX_CHARS, TERM_TEXT_MAX_CHARS, SYNONYMS_MAX = 60, 300, 10
GLOSSARY_MAX_CHARS = 2_000_000
"""Characters of the whole file."""

TERM_KEYS = ("meaning", "synonyms", "filter")
_HEAD = re.compile(r"(?m)^(?=[ \t]*\[)")


@dataclass(slots=True)
class GlossaryText:
    """The file's contents: terms by connection (its name in lower case), and a sentence for each problem."""

    terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_glossary(file: str, text: str, dialects: Mapping[str, Name]) -> GlossaryText:
    """Return the terms in the file's text; `dialects` are those of the connections, by name."""
    if len(text) > GLOSSARY_MAX_CHARS:
        problem = f"{file} has more than {GLOSSARY_MAX_CHARS:,} characters; nothing of it is used."
        return GlossaryText(problems=[problem])
    return _GlossaryReading(file, dialects).read(text)


def term_problem(term: Term, dialect: Name) -> str:
    """Return why a term cannot be kept, or nothing."""
    if not words_of(term.name) or len(term.name) > TERM_NAME_MAX_CHARS:
        return f"a term needs a name of 1 to {TERM_NAME_MAX_CHARS} characters with a letter or digit in it."
    if not term.meaning or len(term.meaning) > TERM_TEXT_MAX_CHARS:
        return f"meaning must say in 1 to {TERM_TEXT_MAX_CHARS} characters what the term means."
    if len(term.synonyms) > SYNONYMS_MAX or any(not words_of(s) or len(s) > TERM_NAME_MAX_CHARS for s in term.synonyms):
        return f"synonyms must be at most {SYNONYMS_MAX} texts of 1 to {TERM_NAME_MAX_CHARS} characters."
    if len(term.filter) > TERM_TEXT_MAX_CHARS:
        return f"filter must have at most {TERM_TEXT_MAX_CHARS} characters."
    return condition_problem(term.filter, dialect)


class _GlossaryReading:
    """One reading of the text; collects problems while it goes on."""

    def __init__(self, file: str, dialects: Mapping[str, Name]) -> None:
        self._file, self._names = file, {name.casefold(): name for name in dialects}
        self._dialects = {name.casefold(): dialect for name, dialect in dialects.items()}
        self._found = GlossaryText()
        self._meant: dict[tuple[str, Words], str] = {}

    def read(self, text: str) -> GlossaryText:
        data, wrong, _ = parse_toml(text)
        terms: dict[str, dict[str, Term]] = {}
        for part, offset in [(text, 0)] if not wrong else _blocks(text):
            data, wrong, line = parse_toml(part)
            if wrong:
                self._problem(line + offset, "", f"this is not TOML: {wrong[:1].lower()}{wrong[1:]}.")
                continue
            lines = key_lines(part)
            for connection, entries in data.items():
                line = lines.get((connection,), 1) + offset
                for name, entry in self._entries(connection, entries, line):
                    where = lines.get((connection, name), 1) + offset
                    known = terms.setdefault(connection.casefold(), {})
                    term = self._term(where, connection, name, entry)
                    if term and name in known:
                        self._problem(where, f"{connection}.{name}", "is there already; this second one is not used.")
                    elif term:
                        known[name] = term
        self._found.terms = {name: tuple(known.values()) for name, known in terms.items()}
        return self._found

    def _problem(self, line: int, where: str, sentence: str) -> None:
        place = f" [{where}]" if where else ""
        self._found.problems.append(f"{self._file}, line {line}:{place} {sentence}")

    def _entries(self, connection: str, entries: object, line: int) -> Iterator[tuple[str, object]]:
        if connection.casefold() not in self._dialects:
            near = get_close_matches(connection.casefold(), self._dialects, 1, 0.75)
            remedy = f"; write [{self._names[near[0]]}.…]" if near else f"; there is {', '.join(self._names.values())}"
            self._problem(line, connection, f"there is no connection of this name{remedy}.")
        elif isinstance(entries, Mapping):
            yield from entries.items()
        else:
            self._problem(line, connection, f'must hold terms, such as [{connection}.churned] with meaning = "…".')

    def _term(self, line: int, connection: str, name: str, entry: object) -> Term | None:
        where = f"{connection}.{name}"
        entry = {"meaning": entry} if isinstance(entry, str) else entry
        if not isinstance(entry, Mapping):
            self._problem(line, where, 'must be a text, or a table with meaning = "…".')
            return None
        for key in entry:
            if key not in TERM_KEYS:
                self._problem(line, where, f'there is no key "{one_line(key)}"; the keys are {", ".join(TERM_KEYS)}.')
        meaning, synonyms, condition = (
            entry.get(key, empty) for key, empty in zip(TERM_KEYS, ("", [], ""), strict=True)
        )
        if not isinstance(meaning, str) or not isinstance(condition, str) or not _texts(synonyms):
            self._problem(line, where, "meaning and filter must be texts, synonyms a list of texts; it is not used.")
            return None
        term = Term(one_line(name), one_line(meaning), tuple(map(one_line, synonyms)), one_line(condition))
        dialect = self._dialects[connection.casefold()]
        if term.filter and (wrong := condition_problem(term.filter, dialect)):
            self._problem(line, where, f"{wrong} The term is used without it.")
            term = Term(term.name, term.meaning, term.synonyms)
        if wrong := term_problem(term, dialect):
            self._problem(line, where, f"{wrong} It is not used.")
            return None
        for other in (term.name, *term.synonyms):
            owner = self._meant.setdefault((connection.casefold(), words_of(other)), term.name)
            if owner != term.name:
                self._problem(line, where, f'"{other}" means {owner} already; that one holds.')
        return term


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _blocks(text: str) -> list[tuple[str, int]]:
    """Return the text in parts, each with the number of lines before it: a head in brackets begins a new one."""
    parts, before = [], 0
    for part in _HEAD.split(text):
        parts.append((part, before))
        before += part.count("\n")
    return parts
