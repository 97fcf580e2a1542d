"""A question as it is changed: its words, its closing mark, and where something can be put in."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.language.detection import Language, language_of
from router.language.text import one_line

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


def plain(text: str) -> str:
    """Return what was typed on one line, without what cannot be seen, and with straight apostrophes."""
    return " ".join(one_line(text).replace("’", "'").replace("`", "'").split())


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
    return f"{body[: tail.start()].rstrip(' ,')}{comma}{words}{_with_comma(body[tail.start() :])}"


_SAID: dict[Language, dict[str, str]] = {
    "en": {"only": "only", "for": "for", "rows": "How many rows are there in total", "and": "and"},
    "de": {"only": "nur", "for": "für", "rows": "Wie viele Zeilen sind das", "and": "und"},
    "fr": {"only": "seulement", "for": "pour", "rows": "Combien de lignes y a-t-il", "and": "et"},
    "es": {"only": "solo", "for": "para", "rows": "Cuántas filas son", "and": "y"},
}


def in_language(word: str, question: str) -> str:
    """Return one of the few words that are put into a question, in the language of the question."""
    return _SAID[language_of(question)][word]


def _with_comma(tail: str) -> str:
    return tail if tail.startswith(",") else f",{tail}"
