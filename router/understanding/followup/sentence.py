"""A question as it is changed: its words, its closing mark, and where something can be put in."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.language.detection import Language, language_of
from router.language.inflection import stem
from router.language.wording import one_line
from router.understanding.followup.leads import MessageCore
from router.understanding.followup.previous import PreviousQuestion

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


# Tells whether a message is a question of its own, so that nothing of an older one belongs to it.


_ASKS = re.compile(
    r"(?:who|what|which|whose|when|where(?= (?:is|are|was|were|do|does|did|can|have|has|our|the)\b(?! \w+ (?:over"
    r"|above|under)))|why|how|is|are|was|were|do|does|did|has|have|had|should|calculate|compute|compare(?! (?:(?:it"
    r"|that|this|them) )?(?:to|with)\b)|find|tell|count|summari[sz]e"
    r"|wer|wann|wo|wie|warum|welche[rsn]?|gibt|haben|hat|ist|sind|wurden?|qui|que|quoi|quels?|quelles?|combien"
    r"|comment|quand|où|pourquoi|est-ce|y a-t-il"
    r"|quién|quiénes|qué|cuál|cuáles|cuándo|dónde|cómo|cuánt[oa]s?|cuantos|hay)\b",
    re.IGNORECASE,
)
_ASKS_LATER = re.compile(
    r"^(?:\w+ )(?:which|what|whom|whose|how|welche\w*|quel\w*|qué|cuál\w*|wie|combien|cuánt\w+)\b|\b(?:how many|how"
    r" much|what (?:is|was|are)|which|wie viele|combien|cuánt[oa]s)\b",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"(?:(?:give|show|get|send|need|want|prepare)\b.*? )?(?:(?:a|an|the) (?:\w+ )?)?(?:list|overview|names|details)"
    r" of (?:all )?(?!(?:it|that|this|them|these|those|the (?:result|rows)|their)\b)\w"
    r"|(?:for )?(?:each|every) [^\W\d]+(?: [^\W\d]+)?,?"
    r" (?:return|give|show|list|get|find|count|the|its|how|what|which)\b"
    r"|(?:list|show|give me|get) (?:each|every)\b|(?:je (?:cherche|voudrais savoir)|ich suche|busco)\b|add up\b",
    re.IGNORECASE,
)
"""A question of its own, though its words could be parts of one: "list of late deliveries", "for each store, the …"."""
_POLITE = re.compile(
    r"(?:(?:can|could|would) (?:you|i|we)|please|i (?:need|want)|i'd like)(?: please)?(?: have| see)? ", re.I
)
_SPOKEN_WORD = re.compile(r"[^\W\d_][\w'-]*")
MOST_WORDS = 14
"""Words of a message that is no question of its own."""


def asks_alone(said: MessageCore) -> bool:
    """Tell whether a message has a question word where no follow-up has one."""
    rest = said.rest
    if _ASKS.match(rest):
        return True
    if re.search(r"\bI(?:'(?:m|d|ll|ve))?\b", rest) or re.match(r"(?i)from now on\b", rest):
        return True
    if re.search(r"\w\? \w", rest) and len(rest.split()) > MOST_WORDS // 2:
        return True
    later = _ASKS_LATER.search(rest)
    return bool(later) and not (said.only and later and re.match(r"(?i)which", later[0]))


def lists(text: str) -> bool:
    """Tell whether a message asks for a list, or for something of each, whatever was asked before."""
    return bool(_LISTS.match(_POLITE.sub("", text)))


def is_long(said: MessageCore) -> bool:
    """Tell whether a message is too long to be a part of another question."""
    return len(_SPOKEN_WORD.findall(said.rest)) > MOST_WORDS


def speaks_of(text: str, body: str, asked: PreviousQuestion) -> bool:
    """Tell whether the last word of a text is one of the question before it: then it may narrow that question."""
    words = [stem(word) for word in _SPOKEN_WORD.findall(text)]
    return bool(words) and words[-1] in {stem(word) for word in _SPOKEN_WORD.findall(body)}


def names_things(text: str, asked: PreviousQuestion) -> bool:
    """Tell whether a text is one word for the rows of a table, such as "returns"."""
    return text.lower().endswith("s") and stem(text) in {stem(name) for name in asked.names}


def names_a_thing(text: str, asked: PreviousQuestion) -> bool:
    """Tell whether a text is about a table or a column of the database."""
    known = {stem(name) for name in asked.names}
    return any(stem(word) in known for word in _SPOKEN_WORD.findall(text))
