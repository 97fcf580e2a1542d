"""People's words stand in data, a file a language, and in no `.py` file."""

import ast
import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for top in ("bot", "adapters", "router") for path in (ROOT / top).rglob("*.py"))

LIST_MIN_WORDS = 5
"""Words from which on a tuple, a set, a text or a regular expression is a list."""
TALK_MIN_WORDS = 3
"""Words among them that people talk with, from which on it is no list of columns, fields or kinds."""
PHRASE_MAX_WORDS = 5
"""Words of one thing in a list; a longer one is a sentence."""
LISTED_MIN_LETTERS = 4
"""Letters of a word of our lists that is looked for: shorter ones are parts of names, too."""

FOREIGN = frozenset(
    """
    der das und oder nicht kein keine bitte mit für von nach ist wie viele zeig zeige mir uns ich wir dem ein eine
    einen auch alle ohne heute gestern woche monat jahr datenbank tabelle jeden jede schick schicke schreib schreibe
    nein doch aber dann jetzt letzte letzten dieser diese dieses zum zur bei aus dass wer welche anzahl kunden
    les des une pour avec sont combien montre moi nous vous dans chaque semaine mois jour année hier aujourd'hui données
    envoie écris mais oui pas puis ensuite cette ces leur depuis selon toutes quel quelle
    los las una por para cuantos cuántos muestra cada año día hoy ayer semana datos tabla envía manda escribe pero
    luego según esta este todos todas dame cuál desde hasta
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Common words of German, French and Spanish that are no English ones, and no names of anything technical."""

TALK = frozenset(
    """
    a an the and or but not no nor never is are was were be been do does did have has had can could will would should
    what which who whom whose how many much when where why show give tell get me my we us our you your it its this
    that these those there them they their in into on for from by of with without about than then again also only
    just more most less least fewest please thanks hello now later both either neither none nothing each any some
    other so if as because while it's don't let put make send want like
    """.split()  # noqa: SIM905 — a list of words is read as words
)
"""Words that people talk with, and programs seldom."""

EXCUSED = {
    "bot/demo": "names and sentences of a company that is made up",
    "bot/evaluation/exam.py": "what databases say of errors",
    "router/text_to_sql/repair/query.py": "keywords of SQL",
    "router/interactions/recognisers.py": "names of meanings",
    "router/stages/plan.py": "names of meanings",
    "router/understanding/card_meanings.py": "names of meanings",
    "router/understanding/named_database.py": "names of lists",
    "router/understanding/parameters/comparing.py": "names of lists",
    "router/understanding/parameters/plan_patch.py": "names of lists",
    "router/understanding/recurrences.py": "names of lists",
    "router/understanding/step": "names of lists",
}
"""Files and folders that may hold such words, with the reason."""


def test_no_foreign_word_stands_in_a_source_file() -> None:
    """No constant of the source has a word of German, French or Spanish."""
    assert {path: words for path, (words, _) in _found().items() if words} == {}


def test_no_list_of_peoples_words_stands_in_a_source_file() -> None:
    """No tuple, set, text or regular expression of the source lists words that people talk with."""
    assert {path: lists for path, (_, lists) in _found().items() if lists} == {}


def test_lists_that_code_names_are_there() -> None:
    """A list that is not there is wrong in silence: nothing is ever found by it."""
    files = [tomllib.loads(path.read_text("utf-8")) for path in (ROOT / "router/language/words").glob("*.toml")]
    there = {f"{table}.{name}" for each in files for table, lists in each.items() for name in lists}
    texts = {text for path in SOURCES for text in _texts(_nodes(path))}
    named = {text for text in texts if re.fullmatch(r"[a-z_]+\.[a-z_]+", text)}
    tables = {each.partition(".")[0] for each in there}
    elsewhere = {"choices.data", "connections.toml", "mail.log"}  # of cards, of files, of a logger
    assert {each for each in named if each.partition(".")[0] in tables} - there - elsewhere == set()


@cache
def _found() -> dict[str, tuple[list[str], list[str]]]:
    """Return the foreign words, and the beginnings of lists, of each source file that has some."""
    foreign = FOREIGN | (_listed("de", "fr", "es") - _english())
    found = {}
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(tuple(EXCUSED)):
            nodes = _nodes(path)
            texts = [*_texts(nodes)]
            found[name] = (
                sorted(foreign.intersection(*[[word for text in texts for word in _words(text)]])),
                [*_lists(nodes)],
            )
    return {name: each for name, each in found.items() if any(each)}


@cache
def _nodes(path: Path) -> list[ast.AST]:
    """Return the nodes of a source file."""
    return [*ast.walk(ast.parse(path.read_text(encoding="utf-8-sig")))]


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", text.replace("’", "'").lower())


def _listed(*languages: str) -> frozenset[str]:
    """Return the words of the lists of some languages; of those with a star, none."""
    texts = [(ROOT / f"router/language/words/{each}.toml").read_text(encoding="utf-8") for each in languages]
    lists = [phrases for text in texts for table in tomllib.loads(text).values() for phrases in table.values()]
    words = (word for phrases in lists for phrase in phrases if "*" not in phrase for word in _words(phrase))
    return frozenset(word for word in words if len(word) >= LISTED_MIN_LETTERS)


def _english() -> frozenset[str]:
    """Return the words of our own English: lists, docs, docstrings, SQL's words, and the names in the code."""
    files = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "router/sql").glob("*.toml"), *SOURCES]
    docs = [path.read_text(encoding="utf-8") for path in files]
    code = (re.sub(r"(\"|')(?:(?!\1)[^\n])*\1", " ", text) for text in docs)
    return _listed("en") | frozenset(word for text in code for word in _words(text))


def _texts(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the texts of a source file, but for its docstrings."""
    docs = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}
    for each in nodes:
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in docs:
            yield each.value


def _lists(nodes: Sequence[ast.AST]) -> Iterator[str]:
    """Yield the beginnings of what lists words of people."""
    for words in (*_containers(nodes), *(_alternatives(text) for text in _texts(nodes) if "|" in text), *_split(nodes)):
        short = [word for word in words if len(word.split()) <= PHRASE_MAX_WORDS]
        plain = [word for word in short if re.fullmatch(r"[a-zà-ÿ' ]+", word)]
        talk = {part for word in plain for part in word.split() if part in TALK}
        if len(plain) >= max(LIST_MIN_WORDS, len(words) / 2) and len(talk) >= TALK_MIN_WORDS:
            yield " ".join(plain)[:60]


def _containers(nodes: Sequence[ast.AST]) -> Iterator[list[str]]:
    """Yield the texts of tuples, lists and sets."""
    for each in nodes:
        if isinstance(each, ast.Tuple | ast.List | ast.Set):
            yield [item.value for item in each.elts if isinstance(item, ast.Constant) and isinstance(item.value, str)]


def _alternatives(pattern: str) -> list[str]:
    """Return the words between the signs of a regular expression."""
    return re.findall(r"[a-zà-ÿ']+(?: [a-zà-ÿ']+)*", re.sub(r"\\.|\(\?[a-zP<!=:]*", "|", pattern))


def _split(nodes: Sequence[ast.AST]) -> Iterator[list[str]]:
    """Yield the words of texts that are split into words, or stand on several lines."""
    calls = (each.func for each in nodes if isinstance(each, ast.Call))
    of = [func.value for func in calls if isinstance(func, ast.Attribute) and func.attr == "split"]
    texts = [each.value for each in of if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    texts += [text for text in _texts(nodes) if "\n" in text.strip() and not re.search(r"[^a-zà-ÿ',\s]", text)]
    yield from (text.split() for text in texts)
