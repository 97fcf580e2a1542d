"""People's words stand in data, a file a language, and in no `.py` file."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for top in ("bot", "adapters", "router") for path in (ROOT / top).rglob("*.py"))

LIST_MIN_WORDS = 5
"""Words from which on a tuple, a set, a text or a regular expression is a list."""
TALK_MIN_WORDS = 3
"""Words among them that people talk with, from which on it is no list of columns, fields or kinds."""

PHRASE_MAX_WORDS = 5
"""Words of one thing in a list; a longer one is a sentence."""

FOREIGN = frozenset(
    """
    der das und oder nicht kein keine bitte mit für von nach ist sind wie viele zeig zeige mir uns ich wir dem ein eine
    einen auch alle ohne heute gestern woche monat jahr datenbank tabelle jeden jede schick schicke schreib schreibe
    nein doch aber dann jetzt letzte letzten dieser diese dieses zum zur bei aus dass wer welche anzahl umsatz kunden
    les des une pour avec sont combien montre moi nous vous dans chaque semaine mois jour année hier aujourd'hui données
    envoie écris mais oui pas puis ensuite cette ces leur depuis selon toutes quel quelle
    los las una sin por para cuantos cuántos muestra cada año día hoy ayer semana datos tabla envía manda escribe pero
    luego según esta este todos todas dame cuál desde hasta
    """.split()
)
"""Common words of German, French and Spanish that are no English ones, and no names of anything technical."""

TALK = frozenset(
    """
    a an the and or but not no nor never is are was were be been do does did have has had can could will would should
    what which who whom whose how many much when where why show give tell get me my we us our you your it its this
    that these those there them they their in into on for from by of with without about than then again also only
    just more most less least fewest please thanks hello now later both either neither none nothing each any some
    other so if as because while it's don't let put make send want like
    """.split()
)
"""Words that people talk with, and programs seldom."""

TECHNICAL = {
    "router/sql/parsing.py": "keywords of SQL",
}
"""Files that may hold such a list, with the reason."""

TO_BE_MOVED = frozenset[str]()


def test_no_foreign_word_stands_in_a_source_file() -> None:
    """No constant of the source has a word of German, French or Spanish."""
    foreign = FOREIGN | (_listed("de", "fr", "es") - _english())
    found = {
        path.relative_to(ROOT).as_posix(): sorted(words)
        for path in SOURCES
        if (words := {word for text in _constants(path) for word in _words(text)} & foreign)
    }

    assert {path: words for path, words in found.items() if path not in TO_BE_MOVED} == {}


def test_no_list_of_peoples_words_stands_in_a_source_file() -> None:
    """No tuple, set, text or regular expression of the source lists words that people talk with."""
    found = {path.relative_to(ROOT).as_posix(): lists for path in SOURCES if (lists := [*_lists(path)])}

    assert {path: lists for path, lists in found.items() if path not in TO_BE_MOVED | {*TECHNICAL}} == {}


def test_nothing_is_excused_that_is_clean() -> None:
    """A file that is excused has a list or a foreign word."""
    foreign = FOREIGN | (_listed("de", "fr", "es") - _english())
    clean = [
        name
        for name in TO_BE_MOVED | {*TECHNICAL}
        if not [*_lists(ROOT / name)]
        and foreign.isdisjoint(w for text in _constants(ROOT / name) for w in _words(text))
    ]

    assert clean == []


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.replace("’", "'").lower())


def _listed(*languages: str) -> frozenset[str]:
    """Return the words of the lists of some languages; of those with a star, none."""
    texts = [(ROOT / f"router/language/words/{each}.toml").read_text(encoding="utf-8") for each in languages]
    lists = [phrases for text in texts for table in tomllib.loads(text).values() for phrases in table.values()]
    return frozenset(word for phrases in lists for phrase in phrases if "*" not in phrase for word in _words(phrase))


def _english() -> frozenset[str]:
    """Return the words of our own English: lists, docs, docstrings, and the names in the code."""
    docs = [path.read_text(encoding="utf-8") for path in [*(ROOT / "docs").rglob("*.md"), *SOURCES]]
    code = (re.sub(r"(\"|')(?:(?!\1).)*\1", " ", text) for text in docs)
    return _listed("en") | frozenset(word for text in code for word in _words(text))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8-sig"))


def _constants(path: Path) -> Iterator[str]:
    """Yield the texts of a source file, but for its docstrings."""
    tree = _tree(path)
    docs = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docs:
            yield each.value


def _lists(path: Path) -> Iterator[str]:
    """Yield the beginnings of what lists words of people."""
    containers = (
        each.elts for each in ast.walk(_tree(path)) if isinstance(each, ast.Tuple | ast.List | ast.Set)
    )
    several = [
        [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
        for items in containers
    ]
    several += [_alternatives(text) if "|" in text else _lines(text) for text in _constants(path)]
    for words in several:
        plain = [word for word in words if re.fullmatch(r"[a-zà-ÿ' ]+", word) and len(word.split()) <= PHRASE_MAX_WORDS]
        talk = {part for word in plain for part in word.split() if part in TALK}
        if len(plain) >= LIST_MIN_WORDS and len(talk) >= TALK_MIN_WORDS:
            yield " ".join(plain)[:60]


def _alternatives(pattern: str) -> list[str]:
    """Return the words between the signs of a regular expression."""
    return re.findall(r"[a-zà-ÿ']+(?: [a-zà-ÿ']+)*", re.sub(r"\\.|\(\?[a-zP<!=:]*", "|", pattern))


def _lines(text: str) -> list[str]:
    """Return the words of a text that is nothing but words, on several lines or many; none of a sentence."""
    words = text.split()
    is_sentence = any(not re.fullmatch(r"[a-zà-ÿ']+,?", word) for word in words)
    return [] if is_sentence or ("\n" not in text.strip() and len(words) < 12) else words
