"""glossary.toml as a text: read entry by entry, so that one that is wrong takes no other with it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from router.catalog.toml_lines import key_lines, parse_toml
from router.knowledge.condition import condition_problem
from router.knowledge.known import Term, one_line
from router.knowledge.vocabulary import Words, words_of
from router.sql.dialect import Name

LONGEST_NAME, LONGEST_TEXT, MOST_SYNONYMS = 60, 300, 10
LONGEST_FILE = 2_000_000
"""Characters of the whole file."""

KEYS = ("meaning", "synonyms", "filter")
_HEAD = re.compile(r"(?m)^(?=[ \t]*\[)")


@dataclass(slots=True)
class Read:
    """What the file says: terms by connection (its name in lower case), and a sentence for each problem."""

    terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def read_glossary(file: str, text: str, dialects: Mapping[str, Name]) -> Read:
    """Return the terms in the file's text; `dialects` are those of the connections, by name."""
    if len(text) > LONGEST_FILE:
        return Read(problems=[f"{file} has more than {LONGEST_FILE:,} characters; nothing of it is used."])
    return _Reading(file, dialects).read(text)


def term_problem(term: Term, dialect: Name) -> str:
    """Return why a term cannot be kept, or nothing."""
    if not words_of(term.name) or len(term.name) > LONGEST_NAME:
        return f"a term needs a name of 1 to {LONGEST_NAME} characters with a letter or digit in it."
    if not term.meaning or len(term.meaning) > LONGEST_TEXT:
        return f"meaning must say in 1 to {LONGEST_TEXT} characters what the term means."
    if len(term.synonyms) > MOST_SYNONYMS or any(not words_of(s) or len(s) > LONGEST_NAME for s in term.synonyms):
        return f"synonyms must be at most {MOST_SYNONYMS} texts of 1 to {LONGEST_NAME} characters."
    if len(term.filter) > LONGEST_TEXT:
        return f"filter must have at most {LONGEST_TEXT} characters."
    return condition_problem(term.filter, dialect)


class _Reading:
    """One reading of the text; collects problems while it goes on."""

    def __init__(self, file: str, dialects: Mapping[str, Name]) -> None:
        self._file, self._names = file, {name.casefold(): name for name in dialects}
        self._dialects = {name.casefold(): dialect for name, dialect in dialects.items()}
        self._found = Read()
        self._meant: dict[tuple[str, Words], str] = {}

    def read(self, text: str) -> Read:
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
            if key not in KEYS:
                self._problem(line, where, f'there is no key "{one_line(key)}"; the keys are {", ".join(KEYS)}.')
        meaning, synonyms, condition = (entry.get(key, empty) for key, empty in zip(KEYS, ("", [], ""), strict=True))
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
