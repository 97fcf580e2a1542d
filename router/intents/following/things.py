"""What a question is about: the things that "they" are in the message after it."""

import re

from router.catalog.stems import stem
from router.intents.following.asked import Asked
from router.intents.following.groups import groups_in
from router.intents.following.queried import tables_of
from router.intents.following.sentence import opened

AUXILIARY = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)"
_COLUMNS_OF = re.compile(
    r"(?:the )?(?P<columns>(?=[^,]*(?:s\b|,| and ))[^,]+?(?:, [^,]+?)*?) of (?:all )?(?:the |our )?(?P<rest>.+)",
    re.IGNORECASE,
)
_WHICH = re.compile(r"^(?:which|what) (?P<rest>.+)$", re.IGNORECASE)
_HOW_MANY = re.compile(r"^(?:how many|number of|count(?: of)?(?: the)?) (?P<rest>.+)$", re.IGNORECASE)
_LIST = re.compile(
    r"^(?:please )?(?:(?:list|show|give|display|find|get|name|tell)(?: (?:me|us))?|who are) (?:(?:all|each)(?:"
    r" of)?(?: the)?|the)? ?(?P<rest>.+)$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(
    rf"(?<=\w) (?:{AUXILIARY}|\w{{2,}}ed|brought|bought|sold|made|got|spent|left|came|went|paid|took|gave|won|lost|sent"
    rf"|cost)\b",
    re.IGNORECASE,
)
_HAD = re.compile(
    r"(?:did|do|does) (?P<whose>(?!we\b|you\b|they\b|our\b)[\w' -]+?) (?:have|get|receive|make|place)\b(?P<more>.*)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.?!;]\s+")


def thing_of(asked: Asked) -> str:
    """Return what the question before was about, as in "the customers that ordered most"; "" where unclear."""
    first = _SENTENCE.split(asked.question.strip())[0]
    body, _ = opened(first)
    if (match := _COLUMNS_OF.match(body)) and _all_known(match["columns"], _known(asked)):
        return f"the {match['rest']}"
    if match := _HOW_MANY.match(body):
        noun, rest = _noun(match["rest"], asked)
        rest = re.sub(
            r"(?i)^ ?(?:(?:are|were|is|was) there|(?:do|did|have) we(?: have| had| get)?|there are)\b", "", rest
        )
        return _with_clause(noun, rest)
    if match := _WHICH.match(body):
        noun, rest = _noun(match["rest"], asked)
        return _with_clause(noun, rest) if noun and not re.match(rf"(?i)(?:the|our|{AUXILIARY})\b", noun) else ""
    if match := _LIST.match(body):
        return f"the {_things(match['rest'], asked)}"
    if re.match(r"(?i)(?:the )?(?:top|bottom|first|last|best|worst|\d+|\w+est) ", body):
        return f"the {re.sub(r'(?i)^the ', '', body)}"
    groups = groups_in(body)
    if groups and not groups[-1].of_time:
        name = groups[-1].names
        return f"the {_plural(name)}"
    noun, rest = _noun(body, asked)
    return f"the {noun[:1].lower()}{noun[1:]}{rest}" if noun.lower().endswith("s") else ""


def _plural(name: str) -> str:
    if name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") else f"{name}es" if name.endswith(("ch", "sh", "x")) else f"{name}s"


def _noun(text: str, asked: Asked) -> tuple[str, str]:
    """Return the noun that a text begins with, with the words before it, and the rest."""
    words = re.findall(r"\S+", text)
    known = {word for name in tables_of(asked.sql, asked.dialect) for word in name.split()} | {
        stem(name) for name in asked.names
    }
    size = next((n for n, word in enumerate(words, 1) if stem(re.sub(r"\W", "", word)) in known), 1)
    size = size if size <= 4 else 1
    while (
        size < len(words) and stem(re.sub(r"\W", "", words[size])) in known and not words[size - 1].endswith(("s", ","))
    ):
        size += 1
    noun = " ".join(words[:size])
    return noun.rstrip(","), text[len(noun) :] if text.startswith(noun) else " " + " ".join(words[size:])


def _with_clause(noun: str, rest: str) -> str:
    """Return a noun with what is said of it: "the customers that ordered most"."""
    rest = rest.strip()
    rest = re.sub(r"(?i)^do (?=we|you|they|our)", "", rest)
    if had := _HAD.fullmatch(rest):
        return f"the {noun} of {had['whose']}{had['more']}"
    if not rest or re.match(
        r"(?i)(?:in|for|from|with|without|of|by|per|at|on|since|who|that|which|whose|before|after|last|this|,)\b|\(|,",
        rest,
    ):
        verb = _CLAUSE.search(rest)
        if verb and not re.match(r"(?i)(?:who|that|which|whose)\b", rest):
            rest = f"{rest[: verb.start()]} that{rest[verb.start() :]}"
        return f"the {noun}{'' if rest.startswith(',') or not rest else ' '}{rest}"
    if with_ := re.match(r"(?i)(?:has|have) (?!been\b|not\b|no\b|\w+ed\b)", rest):
        return f"the {noun} with {rest[with_.end() :]}"
    return f"the {noun} that {rest}"


def _things(text: str, asked: Asked) -> str:
    """Return what is listed without the columns that are listed of it."""
    known = _known(asked)
    of = re.match(r"(?i)(?P<columns>[^,]+?(?:, [^,]+?)*?) of (?:all )?(?:the )?", text)
    if of and _all_known(of["columns"], known):
        text = text[of.end() :]
    with_ = re.search(r"(?i)(?:, | )(?:with|and) (?P<columns>[^,]+?)(?=,|$)", text)
    if with_ and _all_known(with_["columns"], known):
        text = text[: with_.start()] + text[with_.end() :]
    return re.sub(r"(?i)^the ", "", text)


def _known(asked: Asked) -> set[str]:
    return {stem(name) for name in asked.names} | {stem(name) for name in asked.columns}


def _all_known(text: str, known: set[str]) -> bool:
    """Tell whether a text consists of names of columns, and of words that join them."""
    joining = {"and", "id", "the", "their", "its", "name", "number", "address", "date", "code", "mail"}
    words = [stem(word) for word in re.findall(r"[^\W_]+", text.replace("-", ""))]
    return bool(words) and all(word in known or word in joining for word in words)
