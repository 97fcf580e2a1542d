"""The question asked before, the full question that a message after it stands for, and the words of both."""

import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError

from router.catalog.values import ValueIndex
from router.language.detection import Language, language_of
from router.language.folding import fold, folds
from router.language.inflection import other_number, stem
from router.language.wording import one_line
from router.sql.dialect import Name

Homes = Callable[[str], frozenset[str]]
"""Tells in which columns ("countries.name") a text is a value, in any spelling; none where it is no value."""


@dataclass(frozen=True, slots=True)
class PreviousQuestion:
    """A question that ran, in full words, and its SQL.

    `names` are the words that the database's tables and columns are made of, in lower case, singular or plural.
    """

    question: str
    sql: str = ""
    names: frozenset[str] = frozenset()
    dialect: Name = "sqlite"


@dataclass(frozen=True, slots=True)
class Understood:
    """The full question that a message asks; `confidence` from 0 to 1 tells how sure that is.

    `options` are other full questions that it may mean just as well; `problem` says what cannot be known.
    """

    question: str
    confidence: float
    options: tuple[str, ...] = ()
    problem: str = ""


def nowhere(_text: str) -> frozenset[str]:
    """Know of no value."""
    return frozenset()


# The vocabulary of a database: the words of its names, and the columns of its values.


def homes_in(index: ValueIndex) -> Homes:
    """Return what tells in which columns a text is a value; of values that nobody may be shown it knows nothing."""

    def homes(text: str) -> frozenset[str]:
        keys = {*folds(text), *other_number(fold(text))} if text.strip() else set()
        values = (value for key in keys for value in index.exactly(key) if value.shown)
        return frozenset(f"{value.table}.{value.column}".lower() for value in values)

    return homes


# The tables that a query reads, and the values that it compares with.


PREVIOUS_SQL_MAX_CHARS = 10_000
"""Characters of a query that is read."""


def tables_of(sql: str, dialect: Name) -> tuple[str, ...]:
    """Return the tables of a query as words in the singular: "order_items" is "order item"."""
    tree = tree_of(sql, dialect)
    names = [table.name for table in tree.find_all(exp.Table)] if tree else []
    spaced = (re.sub(r"(?<=[a-z])(?=[A-Z])|[_\s-]+", " ", name).lower() for name in names)
    return tuple(dict.fromkeys(stem(name) for name in spaced if name.strip()))


@lru_cache(maxsize=64)
def compared(sql: str, dialect: Name) -> tuple[tuple[str, str], ...]:
    """Return the columns that a query compares with texts, and these texts."""
    tree = tree_of(sql, dialect)
    found = []
    for text in tree.find_all(exp.Literal) if tree else ():
        test = text.find_ancestor(exp.EQ, exp.In, exp.Like, exp.ILike)
        column = test.find(exp.Column) if test else None
        if text.is_string and column and not re.fullmatch(r"[%\d:. -]*", text.name):
            tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)} if tree else {}
            home = tables.get(column.table) or (next(iter(tables.values())) if len(tables) == 1 else "")
            found.append((f"{home}.{column.name}".lower(), text.name.strip("%")))
    return tuple(found)


@lru_cache(maxsize=64)
def tree_of(sql: str, dialect: Name) -> exp.Expr | None:
    """Return the tree of a query, or None where it cannot be read."""
    try:
        return parse_one(sql, dialect=dialect) if 0 < len(sql) < PREVIOUS_SQL_MAX_CHARS else None
    except (SqlglotError, RecursionError):
        return None


# The lists of words that the rules know.


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of this name in the list, in lower case."""
    return frozenset(_lists()[name].split())


@cache
def _lists() -> dict[str, str]:
    text = (files("router.understanding.followup") / "words.toml").read_text(encoding="utf-8")
    return {name: str(listed) for name, listed in tomllib.loads(text).items()}


_MARKS = ".?!;,:… \t\n\r\f\v\u00a0\u202f"
_OPEN = re.compile(r"^[¿¡\s]+")
_TAIL = re.compile(
    r",? (?:(?:sorted|sort|ordered|ranked) (?:by|from|in|alphabetically)|in (?:descending|ascending|reverse|the"
    r" opposite|alphabetical) order"
    r"|(?:the )?(?:highest|lowest|largest|smallest|biggest|newest|oldest|latest|earliest|cheapest|most \w+|fewest"
    r"|best|worst) (?:\w+ )?first\b"
    r"|descending\b|ascending\b|alphabetically\b"
    r"|(?:top|first|last|bottom|best|worst) [\w-]+ only|as (?:a )?(?:percent\w*|shares?)|in percent|sortiert nach"
    r"|nach \w+ sortiert"
    r"|(?:absteigend|aufsteigend)(?: sortiert)?\b|trié[es]* par|par ordre|ordenad[oa]s? por)",
    re.IGNORECASE,
)


_WITH = re.compile(r"\bw/(?P<o>o)?(?=\s)", re.IGNORECASE)


def plain(text: str) -> str:
    """Return what was typed on one line, without what cannot be seen, and with straight apostrophes."""
    straight = one_line(text).replace("’", "'").replace("`", "'")
    return " ".join(_WITH.sub(lambda found: "without" if found["o"] else "with", straight).split())


def opened(question: str) -> tuple[str, str]:
    """Return a question without its closing marks, and the mark that it ends in."""
    body = question.rstrip(_MARKS)
    rest = question[len(body) :]
    return body, "?" if "?" in rest else ""


def closed(body: str, mark: str) -> str:
    """Return a question with its mark, on one line, beginning with a capital letter."""
    whole = f"{' '.join(body.split())}{mark}"
    return whole[:1].upper() + whole[1:]


def unmarked(message: str) -> str:
    """Return a message without the marks around it."""
    return _OPEN.sub("", message.rstrip(_MARKS))


def added(body: str, words: str) -> str:
    """Return the question with these words behind it, but before what says how its rows are shown."""
    tail = _TAIL.search(body)
    comma = "" if words.startswith(",") else " "
    if tail is None or tail.start() == 0:
        return f"{body}{comma}{words}"
    return f"{body[: tail.start()].rstrip(' ,')}{comma}{words},{body[tail.start() :].removeprefix(',')}"


_SAID: dict[Language, dict[str, str]] = {
    "en": {
        "only": "only",
        "for": "for",
        "rows": "How many rows are there in total",
        "and": "and",
        "without": "without",
        "table": "from the table",
        "including": "including",
    },
    "de": {
        "only": "nur",
        "for": "für",
        "rows": "Wie viele Zeilen sind das",
        "and": "und",
        "without": "ohne",
        "table": "aus der Tabelle",
        "including": "einschließlich",
    },
    "fr": {
        "only": "seulement",
        "for": "pour",
        "rows": "Combien de lignes y a-t-il",
        "and": "et",
        "without": "sans",
        "table": "de la table",
        "including": "y compris",
    },
    "es": {
        "only": "solo",
        "for": "para",
        "rows": "Cuántas filas son",
        "and": "y",
        "without": "sin",
        "table": "de la tabla",
        "including": "incluyendo",
    },
}


def in_language(word: str, question: str) -> str:
    """Return one of the few words that are put into a question, in the language of the question."""
    return _SAID[language_of(question)][word]
