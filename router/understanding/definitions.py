"""Recognises sentences that define a word, so that it is kept for everybody: a few listed verbs behind a short name.

A question is never one: "what does churned mean", "which customers are churned", "means by region". What is in doubt
is a question; and what is taken for a definition is shown, with the button that keeps it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from router.language.phrases import Token, begins_with, find_phrases, has_phrase, phrase_at, phrase_before, tokens_of

DEFINITION_MAX_CHARS = 600
"""Characters of a sentence that is looked at."""

NAME_MAX_WORDS = 5
"""Words of a term that stands in no quotes."""

_QUOTES = "\"'“”„«»`"


@dataclass(frozen=True, slots=True)
class Definition:
    """A sentence's definition of a term; fields that it does not state are empty."""

    name: str
    meaning: str
    synonyms: tuple[str, ...] = ()
    filter: str = ""


def unhinted(text: str) -> tuple[str, str]:
    """Return a text without its hint, and the hint on one line; nothing for what is not there.

    A hint is what a person adds for the question at hand, behind it or alone: "hint: churned = no order".
    """
    tokens = tokens_of(text) if ":" in text else ()
    for found in find_phrases("definitions.hint", tokens):
        begin, end = found.span
        if text[end : end + 1] == ":" and text[begin - 1 : begin] in ("", " ", "\t", "\n", "("):
            hint = " ".join(text[end + 1 :].split()).strip(" ;")
            closed = hint.removesuffix(")") if hint.count(")") > hint.count("(") else hint
            return text[:begin].rstrip(" \t\n-–—(").rstrip(",;").lstrip(), closed
    return text, ""


def definition_of(text: str, *, hint: bool = False) -> Definition | None:
    """Return what a sentence says a term means, or None if it says something else.

    `hint`: it is known to explain something, so that "churned = no order in 90 days" says enough.
    """
    typed = " ".join(text.split())
    tokens = tokens_of(typed) if len(typed) <= DEFINITION_MAX_CHARS and not typed.endswith("?") else ()
    first = _behind_lead(tokens)
    define = phrase_at("definitions.define", tokens, first)
    first += define + phrase_at("definitions.term", tokens, first + define)
    split = _sign(typed, tokens[first].begin) if (hint or define) and first < len(tokens) else None
    kinds = ["as"] if define else ["means", "is"] if hint else ["means"]
    for at in range(first + 1, len(tokens)):
        if length := max(phrase_at(f"definitions.{kind}", tokens, at) for kind in kinds):
            us = phrase_before("definitions.us", tokens, at)
            split = min(split or (len(typed), 0), (tokens[at - us].begin, tokens[at + length - 1].end))
            break
    if split is None:
        return None
    name = typed[tokens[first - 1].end if first else 0 : split[0]].strip(" ,:!")
    said = _parts(typed[split[1] :])
    meaning = said["meaning"].strip(" ,.!:=")
    if not name or not meaning or not (define or name[0] in _QUOTES or _may_be_term(name, meaning)):
        return None
    names = tuple(each for each in map(str.strip, said["also"].split(",")) if each)
    return Definition(name.strip(f" {_QUOTES}"), meaning, names, said["filter"])


def forgotten(text: str) -> str:
    """Return the name of the term that a sentence wants taken out of the glossary, or nothing."""
    tokens = tokens_of(text) if len(text) <= DEFINITION_MAX_CHARS else ()
    first = _behind_lead(tokens)
    verb = phrase_at("definitions.forget", tokens, first)
    noun = phrase_at("definitions.term", tokens, first + verb) if verb else 0
    return text[tokens[first + verb + noun - 1].end :].strip(f" {_QUOTES}.!") if noun else ""


def _behind_lead(tokens: Sequence[Token]) -> int:
    """Return the position behind what only leads to a sentence: "please note that", "for us"."""
    at = 0
    while length := phrase_at("definitions.lead", tokens, at):
        at += length
    return at


def _sign(typed: str, begin: int) -> tuple[int, int] | None:
    """Return where the first ":" or "=" stands behind a place."""
    return min(((at, at + 1) for sign in ":=" if (at := typed.find(sign, begin)) >= 0), default=None)


def _parts(text: str) -> dict[str, str]:
    """Return the meaning, the other names and the condition that stand between semicolons; nothing is left out."""
    said, kind = {"meaning": "", "also": "", "filter": ""}, "meaning"
    for part in text.split(";"):
        led = next((each for each in ("also", "filter") if _led(each, part)), "")
        kind = led or kind
        behind = part[_led(led, part) if led else 0 :].strip(" :=" if led else " ")
        said[kind] += f"; {behind}" if said[kind] else behind
    return said


def _led(kind: str, part: str) -> int:
    """Return where the phrase of a list ends that a text begins with."""
    tokens = tokens_of(part)
    length = phrase_at(f"definitions.{kind}", tokens, 0)
    return tokens[length - 1].end if length else 0


def _may_be_term(name: str, meaning: str) -> bool:
    """Return whether this can be a term and its meaning: a few words that ask nothing, and no "means by region"."""
    asks = begins_with("definitions.asks", name) or has_phrase("definitions.inside", name)
    return len(name.split()) <= NAME_MAX_WORDS and not asks and not begins_with("definitions.no_meaning", meaning)
