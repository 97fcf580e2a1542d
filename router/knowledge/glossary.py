"""The glossary: what words of the business mean, as a file says that people change by hand and from chats."""

import logging
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.errors import SqlglotError

from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.knowledge import Example, Known, Term, hint_of
from router.language.folding import without_accents
from router.language.inflection import stem
from router.language.wording import one_line
from router.sql import parsing
from router.sql.dialect import DIALECTS, Name
from router.storage.edited_files import Sign, key_lines, parse_toml, put, sign_of, with_line_ends

log = logging.getLogger("icc_bot")

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
    """The terms of one connection, to be found in questions; if two share a name, the first of them is meant."""

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
        within, alone = (_condition(f"SELECT 1 FROM t WHERE {each}", dialect) for each in (f"({text})", text))
    except (SqlglotError, RecursionError):
        return f"filter is not SQL of {DIALECTS[dialect].label}; {example}."
    return "" if within and within == alone else f"filter is more than a condition; {example}."


def _condition(text: str, dialect: Name) -> str:
    """Return the condition of a query that has one and nothing else besides; "" for any other statement."""
    tree = parsing.statement(text, dialect)
    if not isinstance(tree, exp.Select) or not (where := tree.args.get("where")):
        return ""
    condition = where.this.unnest()
    parts = {name for name, value in tree.args.items() if value}
    alone = not parts - {"expressions", "from_", "from", "where", "kind"} and not isinstance(condition, exp.Query)
    return str(condition.sql()) if alone else ""


TERM_NAME_MAX_CHARS, TERM_TEXT_MAX_CHARS, SYNONYMS_MAX = 60, 300, 10


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


# The file, read entry by entry, so that one that is wrong takes no other with it.


class GlossaryEntry(BaseModel):
    """A term as the file has it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    meaning: str = ""
    synonyms: list[str] = []
    filter: str = ""


@dataclass(slots=True)
class GlossaryText:
    """The file's contents: terms by connection (its name in lower case), and a sentence for each problem."""

    terms: dict[str, tuple[Term, ...]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    is_toml: bool = True


def read_glossary(file: str, text: str, dialects: Mapping[str, Name]) -> GlossaryText:
    """Return the terms in the file's text; `dialects` are those of the connections, by name."""
    data, wrong, line = parse_toml(text)
    if wrong:
        problem = f"this is not TOML, and what it says now is not used: {wrong[:1].lower()}{wrong[1:]}."
        return GlossaryText(problems=[f"{file}, line {line}: {problem}"], is_toml=False)
    found, lines = GlossaryText(), key_lines(text)

    def tell(sentence: str, *where: str) -> None:
        found.problems.append(f"{file}, line {lines[where][0]}: [{'.'.join(where)}] {sentence}")

    for connection, entries in data.items():
        known = _same(dialects, connection)
        if known is None:
            tell(f"there is no connection of this name; there is {', '.join(dialects)}.", connection)
        elif not isinstance(entries, Mapping):
            tell(f'must hold terms, such as [{connection}.churned] with meaning = "…".', connection)
        else:
            found.terms[connection.casefold()] = tuple(_terms(connection, entries, dialects[known], tell))
    return found


def _terms(connection: str, entries: Mapping[str, object], dialect: Name, tell: Callable[..., None]) -> Iterator[Term]:
    """Yield the terms of a connection; one that is wrong is told of, and so is another word for two of them."""
    meant: dict[Words, str] = {}
    for name, entry in entries.items():
        try:
            term = _term(name, entry, dialect)
        except ValueError as error:
            tell(f"{error} It is not used.", connection, name)
            continue
        for other in (term.name, *term.synonyms):
            if (owner := meant.setdefault(words_of(other), term.name)) != term.name:
                tell(f'"{other}" means {owner} already; that one holds.', connection, name)
        yield term


def _term(name: str, entry: object, dialect: Name) -> Term:
    """Return a term of the file; raises ValueError with what is wrong with it."""
    try:
        said = GlossaryEntry.model_validate({"meaning": entry} if isinstance(entry, str) else entry)
    except ValidationError as error:
        key = ".".join(map(str, error.errors()[0]["loc"][:1]))
        raise ValueError(
            f'"{key}" is not as it should be: a term is a text, or has meaning and filter as texts, synonyms as a list '
            "of texts, and nothing else."
            if key
            else 'it must be a text, or a table with meaning = "…".'
        ) from None
    term = Term(one_line(name), one_line(said.meaning), tuple(map(one_line, said.synonyms)), one_line(said.filter))
    if wrong := term_problem(term, dialect):
        raise ValueError(wrong)
    return term


# One entry changed, and every other line, comments too, left as somebody wrote it.


CHANGE_BY_HAND = "Nothing was changed; your administrator has to change the file by hand."


def edited(text: str, connection: str, name: str, term: Term | None) -> str:
    """Return the file's text with a term in place of the one of this name, or without it; raises JobFailed."""
    import tomlkit  # heavy if nobody changes a file
    from tomlkit.exceptions import TOMLKitError

    data, wrong, line = parse_toml(text)
    if wrong:
        raise JobFailed(
            f"The glossary's file is not TOML just now: {wrong} (line {line}). Nothing was changed, and this change is "
            "kept: press Save again once your administrator has mended the file."
        )
    section = _same(data, connection) or connection
    terms = data.get(section, {})
    if not isinstance(terms, dict):
        raise JobFailed(f"The glossary's file has no terms under {section}. {CHANGE_BY_HAND}")
    known = _same(terms, name)
    if term is None and known is None:
        return text
    wanted = {key: entry for key, entry in terms.items() if key != known}
    if term:
        wanted[known or term.name] = entry_of(term)
    try:
        if known is not None:
            changed = _with_entry(text, section, known, term)
        else:
            gap = "\n" if text.strip() else ""
            changed = f"{text.rstrip()}\n{gap}" + tomlkit.dumps({section: {term.name: entry_of(term)}} if term else {})
        changed = with_line_ends(f"{changed.strip()}\n", text)
        # What is written is what was to be said, and says of everything else what it said before.
        if _filled(tomllib.loads(changed)) == _filled({**data, section: wanted}):
            return changed
    except (TOMLKitError, tomllib.TOMLDecodeError, RecursionError, KeyError, TypeError, ValueError):
        pass
    raise JobFailed(f"The glossary's file is written in a way that I cannot change. {CHANGE_BY_HAND}")


def _with_entry(text: str, section: str, known: str, term: Term | None) -> str:
    """Return the text with what it says of a term changed where it stands: in a table of its own, or in its section."""
    import tomlkit

    places = [place for path, place in key_lines(text).items() if path[:2] == (section, known)]
    start, end = min(first for first, _ in places) - 1, max(last for _, last in places)
    lines = text.split("\n")
    if term is None:
        while end < len(lines) - 1 and not lines[end].strip():
            end += 1
        return "\n".join([*lines[:start], *lines[end:]])
    part: Any = tomlkit.parse("\n".join([*lines[start:end], ""]))
    terms, entry = part.get(section, part), entry_of(term)
    if isinstance(terms[known], str):
        terms[known] = tomlkit.inline_table()
    for key in set(terms[known]) - set(entry):
        del terms[known][key]
    terms[known].update({key: value for key, value in entry.items() if terms[known].get(key) != value})
    return "\n".join([*lines[:start], part.as_string().rstrip("\n"), *lines[end:]])


def entry_of(term: Term) -> dict[str, Any]:
    """Return a term as the file has it; what it does not say is left out."""
    entry = {"meaning": term.meaning, "synonyms": list(term.synonyms), "filter": term.filter}
    return {key: value for key, value in entry.items() if value}


def _filled(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a file says, without connections that have no terms."""
    return {name: terms for name, terms in data.items() if terms}


def _same(names: Iterable[str], wanted: str) -> str | None:
    """Return the key that is this name but for case and blanks."""
    return next((each for each in names if one_line(each).casefold() == one_line(wanted).casefold()), None)


@dataclass(frozen=True, slots=True)
class _GlossaryVersion:
    """The file's contents when it had this sign, for connections of these names."""

    sign: Sign | None
    names: tuple[str, ...]
    read: GlossaryText
    vocabularies: dict[str, Vocabulary]


class Glossary:
    """The terms of all connections, read again whenever the file has changed; safe to use from several threads.

    Processes that change it at once have to take turns, which `router.knowledge.glossary_changes` sees to.
    """

    def __init__(self, path: Path, connections: Connections, logs: bool = True) -> None:
        self.path, self._logs = path, logs
        self._connections = connections
        self._lock = Lock()
        self._last: _GlossaryVersion | None = None

    def terms(self, connection: str) -> tuple[Term, ...]:
        """Return the terms of a connection, in the order of the file."""
        return self._now().read.terms.get(connection.casefold(), ())

    def term(self, connection: str, name: str) -> Term | None:
        """Return the term of this name, in whatever case; None if there is none."""
        return next((each for each in self.terms(connection) if each.name.casefold() == name.casefold()), None)

    def used_in(self, connection: str, question: str) -> tuple[Term, ...]:
        """Return the terms that a question to a connection uses, in its order."""
        vocabulary = self._now().vocabularies.get(connection.casefold())
        return vocabulary.used_in(question) if vocabulary else ()

    def problems(self) -> tuple[str, ...]:
        """Return a sentence for everything that is wrong with the file, with its line."""
        return tuple(self._now().read.problems)

    def change(self, connection: str, name: str, term: Term | None) -> None:
        """Put a term into the file in place of the one of this name, or take it out; all else stays as it is.

        Raises JobFailed, and has changed nothing then.
        """
        with self._lock:
            path = self.path.resolve()
            try:
                before = path.read_bytes() if path.exists() else b""
                after = edited(before.decode("utf-8-sig"), self._connections.require(connection).name, name, term)
                put(path, after.encode("utf-8"))
            except UnicodeDecodeError:
                raise JobFailed(f"{path.name} is not a text in UTF-8. Nothing was changed.") from None
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise JobFailed(f"{path.name} cannot be written ({why}). Nothing was changed.") from None

    def _now(self) -> _GlossaryVersion:
        with self._lock:
            sign, names = sign_of(self.path), tuple(self._connections)
            last = self._last
            if last is None or (last.sign, last.names) != (sign, names):
                last = self._last = self._reading(sign, names)
            return last

    def _reading(self, sign: Sign | None, names: tuple[str, ...]) -> _GlossaryVersion:
        dialects = {each.name: each.dialect.name for each in self._connections.values()}
        read = GlossaryText()
        if sign is not None:
            try:
                read = read_glossary(self.path.name, self.path.read_bytes().decode("utf-8-sig"), dialects)
            except (OSError, UnicodeDecodeError) as error:
                kind = type(error).__name__
                read = GlossaryText(problems=[f"{self.path.name} cannot be read ({kind}); it must be a text in UTF-8."])
        if self._last and not read.is_toml:
            read.terms = self._last.read.terms  # what it said before stays in use
        for problem in read.problems if self._logs else ():
            log.warning("%s", problem)
        return _GlossaryVersion(sign, names, read, {name: Vocabulary(terms) for name, terms in read.terms.items()})


Near = Callable[[str, str, Schema], tuple[Example, ...]]
"""Returns the examples nearest to a question about these tables of a connection."""


class TaughtKnowledge:
    """The terms and examples taught for all connections; safe to use from several threads."""

    def __init__(self, glossary: Glossary, near: Near | None = None) -> None:
        self._glossary, self._near = glossary, near

    def about(self, connection: str, question: str, schema: Schema) -> Known:
        """Return what helps with this question; what cannot be read is logged and left out."""
        terms: tuple[Term, ...] = ()
        examples: tuple[Example, ...] = ()
        with _logged("the glossary", connection):
            terms = self._glossary.used_in(connection, question)
        if self._near:
            with _logged("the examples", connection):
                examples = self._near(connection, question, schema)
        return Known(terms, examples)


@contextmanager
def _logged(what: str, connection: str) -> Iterator[None]:
    """Log what goes wrong, and go on: a question can be answered without."""
    try:
        yield
    except Exception:
        log.exception("%s of %s could not be read", what, connection)
