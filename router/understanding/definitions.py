"""Recognises sentences that define a word, so that it is kept for everybody; by rules, without a model.

A question is never one: "what does churned mean", "which customers are churned", "means by region". What is in doubt
is a question.
"""

import re
from dataclasses import dataclass

# Hints: what a person adds for the question at hand, typed below it, behind it, or alone: "hint: churned = no order".


_HINT_LINE = re.compile(
    r"(?:(?<!\S)|(?<=\s[(–—-]))(?:my )?(?:hints?|hinweis|tipp|indice|pista|evidence)[ \t]*:[ \t]*", re.IGNORECASE
)
"""It begins with its word, so that long blanks are passed over once."""


def unhinted(text: str) -> tuple[str, str]:
    """Return a text without its hint, and the hint on one line; nothing for what is not there."""
    *before, last = _HINT_LINE.split(text)
    if not before:
        return text, ""
    # Before a hint stands what leads to it: a dash, or a bracket that it closes.
    first, *hints = (*(each.rstrip(" \t-–—(") for each in before), last)
    parts = (" ".join(each.split()).strip(" ;") for each in hints)
    question = first.strip().rstrip(",;")
    hint = "; ".join(part for part in parts if part)
    return question, hint.removesuffix(")") if hint.count(")") > hint.count("(") else hint


DEFINITION_MAX_CHARS = 600
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A sentence's definition of a term; fields that it does not state are empty."""

    name: str
    meaning: str
    synonyms: tuple[str, ...] = ()
    filter: str = ""


_LEAD = r"(?:(?:ok(?:ay)?|please|pls|note|remember|fyi|so|and|hi|hello|bitte|merke?)[,:!]? +(?:that +|dass +)?)*"
_WITH_US = (
    r"(?:(?:for us|with us|here|in our (?:company|house|business|data|world|team|shop)|bei uns|chez nous)[,:]? +)?"
)
_QUOTE = "\"'“”„«»`"
_TERM_NAME = (
    rf"(?:the (?:word|term|phrase) +)?(?P<name>[{_QUOTE}][^{_QUOTE}\n]{{1,60}}[{_QUOTE}]|[^\n,;:?!={_QUOTE}]{{1,60}}?)"
)
_REST = r"(?P<rest>\S.*)"

_SURE = (
    rf"define +{_TERM_NAME} +(?:as|to be|to mean|:|=) *{_REST}",
    rf"define +{_TERM_NAME} *[:=] *{_REST}",
    rf"(?:definiere|definier) +{_TERM_NAME} +als +{_REST}",
    rf"d[ée]fini(?:r|s|ssons) +{_TERM_NAME} +comme +{_REST}",
    rf"(?:by|with|when (?:we|i) say) +{_TERM_NAME},? +(?:we|i) mean +{_REST}",
    rf"when (?:we|i) say +{_TERM_NAME},? +(?:we|i) mean +{_REST}",
    rf"mit +{_TERM_NAME} +(?:meinen wir|meine ich) +{_REST}",
    rf"par +{_TERM_NAME},? +(?:on entend|nous entendons|j'entends) +{_REST}",
)
_LIKELY = (
    rf"{_TERM_NAME}(?:,? +(?:for|to|with) us|,? +bei uns|,? +chez nous|,? +para nosotros)?,?(?: +always| +immer"
    rf"| +toujours)?"
    rf" +(?:means|stands for|is defined as|are defined as|is short for|bedeutet|hei[sß]+t|steht f[üu]r"
    rf"|signifie|veut dire|significa|quiere decir) +(?:that +)?{_REST}",
)
_HINT = (
    rf"{_TERM_NAME} +refers to +{_REST}",
    rf"{_TERM_NAME} *[=:] *{_REST}",
    rf"{_TERM_NAME} +(?:is when|is|are) +{_REST}",
)

_QUESTION_WORD = re.compile(
    r"(?:who|whom|what|which|whose|when|where|why|how|show|list|give|get|find|count|compare|tell|display|fetch"
    r"|calculate"
    r"|compute|sum|total|average|avg|top|is|are|was|were|do|does|did|can|could|would|will|should|may|select|with"
    r"|explain"
    r"|plot|chart|draw|group|sort|order|rank|all|any|every|each|no|not|if|that|this|these|those|it|i|we|you|he|she|they"
    r"|there|nothing|something|everything|anything|wer|was|welche[rsn]?|wie|wo|wann|warum|zeige?|liste?|gib|das|dies|es"
    r"|ich|wir|qui|que|quoi|quel(?:le)?s?|combien|montre|ce|cela|ca|ça|cuantos|cuál|qué|eso|esto"
    r"|write|send|save|mail|email|run|repeat|insert|update|delete|drop|create)\b",
    re.IGNORECASE,
)
"""A name of a term does not begin with these, unless it stands in quotes."""
_INSIDE = re.compile(
    r"\b(?:which|whose|who|whom|what|that|where|when|how|by|per|with|from|than|all|i|we|you|they|it|und|oder|which"
    r"|does|do|did|has|have|had|is|are|was|were|can|could|will|would|should)\b",
    re.IGNORECASE,
)
_NO_MEANING = re.compile(
    r"(?:by|of|per|for|across|between|over|and|or|nothing|something|everything|anything|a lot|much|trouble"
    r"|business|well|what\b.*|pro|je|von|nach|par|por)\b",
    re.IGNORECASE,
)
"""A meaning does not begin with these: "means by region" is about averages."""

_ALSO = re.compile(
    r"[;.,(]\s*(?:also(?: (?:called|known as|said))?|a\.?k\.?a\.?|synonyms?|auch|aussi)\s*:?\s+"
    r"(?P<names>[^;:()]+?)\)?"
    r"(?=\s*;|\s*[;.,]?\s*filter\s*:|$)",
    re.IGNORECASE,
)
_FILTER = re.compile(r"[;.,]?\s*\(?\bfilter\s*[:=]\s*(?P<filter>.+?)\s*$", re.IGNORECASE)
_FORGET = re.compile(
    rf"{_LEAD}(?:forget|remove|delete|drop) +(?:the +)?(?:term|definition|glossary entry|entry)(?: +(?:of|for))?"
    rf" +{_TERM_NAME}[.!]*",
    re.IGNORECASE,
)


def definition_of(text: str, *, hint: bool = False) -> Definition | None:
    """Return what a sentence says a term means, or None where it says something else.

    `hint`: it is known to explain something, so that "churned = no order in 90 days" says enough.
    """
    typed = " ".join(text.split())
    if not typed or len(typed) > DEFINITION_MAX_CHARS or typed.endswith("?"):
        return None
    found = _match(_SURE, typed)
    likely = None if found else _match((*_LIKELY, *_HINT) if hint else _LIKELY, typed)
    if likely and not _names(likely["name"]):
        return None
    found = found or likely
    if found is None:
        return None
    rest, synonyms, condition = found["rest"], "", ""
    if asked := _FILTER.search(rest):
        rest, condition = rest[: asked.start()], asked["filter"]
    if also := _ALSO.search(rest):
        rest, synonyms = rest[: also.start()] + rest[also.end() :], also["names"]
    meaning = rest.strip(" ;,").rstrip(".!")
    name = found["name"].strip(f" {_QUOTE}")
    if not name or not meaning or (likely and _NO_MEANING.match(meaning)):
        return None
    names = re.split(r"\s*,\s*(?:or |and )?|\s+or\s+", synonyms.strip(" .,"))
    return Definition(name, meaning, tuple(each.strip(_QUOTE) for each in names if each), condition.strip())


def forgotten(text: str) -> str:
    """Return the name of the term that a sentence wants taken out of the glossary, or nothing."""
    found = _FORGET.fullmatch(" ".join(text.split())) if len(text) <= DEFINITION_MAX_CHARS else None
    return found["name"].strip(f" {_QUOTE}") if found else ""


def _match(rules: tuple[str, ...], typed: str) -> re.Match[str] | None:
    for rule in rules:
        if found := re.fullmatch(f"{_LEAD}{_WITH_US}{rule}", typed, re.IGNORECASE):
            return found
    return None


def _names(name: str) -> bool:
    """Tell whether this can be the name of a term: a few words that ask nothing, or anything in quotes."""
    if name[0] in _QUOTE:
        return True
    return len(name.split()) <= 5 and not _QUESTION_WORD.match(name) and not _INSIDE.search(name)
