"""Tells SQL, questions and anything else apart."""

import re
from collections.abc import Callable
from typing import Literal

from sqlglot import exp
from sqlglot.errors import SqlglotError

from router.language.detection import is_small_word
from router.sql.parsing import statement
from router.understanding.button_words import folded, is_answer
from router.understanding.followup.previous import words

Kind = Literal["sql", "question", "neither"]
Tables = Callable[[], frozenset[str]]

_FENCE = "```"
_QUERY = re.compile(r"^\s*\(*\s*(select|with|values)\b", re.IGNORECASE)
# Statements that no guard will let pass are still SQL: the person shall hear why, not get a model's guess.
_COMMAND = re.compile(
    r"^\s*(insert\s+into|update\s+\S+\s+set|delete\s+from|drop\s+(table|view|index|schema|database)|truncate\s+table"
    r"|alter\s+(table|user|session|system)|create\s+(or\s+replace\s+)?(table|view|index|user|schema|temp)|merge\s+into"
    r"|grant\s+\S+\s+(on|to)|attach\s+|pragma\s+\w+|copy\s+\S+\s+(from|to)|explain\s+select|begin\s*;|call\s+\w+\s*\()",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[*=<>;\"'`\[\]().,]|\b(JOIN|WHERE|GROUP BY|ORDER BY|LIMIT|FROM)\b")
_STATEMENTS = re.compile(r"^\s*select\b[^;]*\bfrom\b[^;]*;", re.IGNORECASE)
_QUESTION_BEGINS = re.compile(
    r"^(who|what|which|whose|when|where|why|how|show|list|give|get|find|count|compare|tell|display|fetch|calculate|compute"
    r"|sum|total|average|top|is|are|do|does|did|can|could|wer|was|welche|wie|wo|zeig|qui|quel|combien|cuantos|cuál)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"^[¿\s]*(?:(?:and|but|so|hm+|ok|wait|sorry|und|aber|moment|et|mais|attends|pero)\b[,\s]+)*"
    r"(?:who|whom|what|which|whose|when|where|why|how|is|are|was|were|do|does|did|can|could|will|would|should|may|might|has"
    r"|have|what'?s|who'?s|wer|wem|wen|was|welche\w*|wann|wo|wohin|warum|wieso|weshalb|wie|ist|sind|kann|kannst|wird"
    r"|werden|hat|haben|darf|muss|soll|qui|que|quoi|quel\w*|quand|où|ou est|pourquoi|comment|combien|est-ce"
    r"|qu'est-ce|peut-on|puis-je"
    r"|quién\w*|qué|cuál\w*|cuándo|dónde|por qué|cómo|cuánt\w+|puedo|puede|hay)\b",
    re.IGNORECASE,
)

_DROPS = re.compile(
    r"\s*(?:(?:please|pls|just|now|(?:can|could) you|bitte)\s+)*(?:drop|truncate|wipe)\s+"
    r"(?:(?!(?:from|of|in|out)\b)\w+\s+){0,4}(?:tables?|databases?|schemas?|views?)(?:\s+please)?\s*[.!?]*",
    re.IGNORECASE,
)


def drops_tables(text: str) -> bool:
    """Tell an order to drop tables as such; of a query, people drop columns and rows."""
    return _DROPS.fullmatch(text) is not None


def is_question(text: str) -> bool:
    """Tell a sentence that asks something, with a question mark or without."""
    return text.rstrip().endswith("?") or (len(text.split()) > 1 and bool(_ASKS.match(text.replace("’", "'"))))


def unfenced(text: str) -> str:
    """Return what stands in a Markdown code fence, or the text itself."""
    body = text.strip()
    if len(body) < 2 * len(_FENCE) or not (body.startswith(_FENCE) and body.endswith(_FENCE)):
        return body
    inside = body.removeprefix(_FENCE).removesuffix(_FENCE)
    return inside[3:].strip() if inside[:3].lower() == "sql" else inside.strip()


def reads_as_prose(text: str) -> bool:
    """Tell a text with several small words in it that no SQL has."""
    return sum(word not in words("sql") and is_small_word(word) for word in re.findall(r"[^\W\d_]+", text.lower())) > 1


def is_sql(text: str, tables: Tables = frozenset) -> bool:
    """Tell SQL from English that begins like it ("select the best"); `tables` gives known names in lower case."""
    body = unfenced(text)
    command = _COMMAND.match(body) and (_MARKS.search(body) or not reads_as_prose(body))
    if command or body != text.strip():
        return True
    if not _QUERY.match(body):
        return False
    try:
        tree = statement(body, "sqlite")
    except (SqlglotError, RecursionError):
        tree = ""
    if isinstance(tree, str):
        # Broken SQL is shown to its author with the reason; English is what has no mark of SQL in it.
        return bool(_STATEMENTS.match(body)) or (len(_MARKS.findall(body)) > 1 and not body.endswith("?"))
    named = {table.name.lower() for table in tree.find_all(exp.Table)}
    # "select all customers from Germany" is both: whether there is such a table decides, and is looked up only now.
    return bool(_MARKS.search(body)) or not named or bool(named & tables())


def kind_of(text: str, tables: Tables = frozenset) -> Kind:
    """Return what a first message is: anything of two words or more that is no greeting is taken for a question."""
    if is_sql(text, tables):
        return "sql"
    if is_answer(text):
        return "neither"
    typed = folded(text)
    return "question" if len(typed.split()) > 1 and re.search(r"[^\W\d_]{2}", typed) else "neither"


def asks_clearly(text: str) -> bool:
    """Tell a sentence that can only be a new question, where another answer was expected."""
    words = text.split()
    return (
        len(words) > 2
        and (text.rstrip().endswith("?") or bool(_QUESTION_BEGINS.match(text.strip())))
        and kind_of(text) == "question"
    )
