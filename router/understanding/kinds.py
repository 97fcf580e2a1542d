"""Kinds of questions, told from other texts that are no SQL."""

import re
from typing import Final, Literal

from router.language.phrases import phrase_at, tokens_of
from router.understanding.button_words import is_answer
from router.understanding.courtesy import peeled

Kind = Literal["question", "neither"]

_SELECT: Final = re.compile(r"^\s*select\s+", re.IGNORECASE)


def forced_question(text: str) -> str:
    """Return the question behind "ask:", which is surely one; empty for any other text."""
    word, colon, rest = text.partition(":")
    tokens = tokens_of(word)
    return rest.strip() if colon and len(tokens) == 1 and phrase_at("questions.forced", tokens, 0) else ""


def without_select(text: str) -> str:
    """Return a sentence that is no SQL, but begins like it, as people say it: "show a few customers"."""
    return _SELECT.sub("show ", text, count=1)


def is_question(text: str) -> bool:
    """Return whether a sentence asks something, with a question mark or without."""
    if text.rstrip().endswith("?"):
        return True
    tokens, at = tokens_of(text), 0
    while at < len(tokens) and (length := phrase_at("questions.lead", tokens, at)):
        at += length
    return len(tokens) > 1 and at < len(tokens) and phrase_at("questions.asks", tokens, at) > 0


def kind_of(text: str) -> Kind:
    """Return what a first message is: anything of two words or more that is no courtesy is taken for a question."""
    says = len(text.split()) > 1 and re.search(r"[^\W\d_]{2}", text)
    return "question" if says and not is_answer(text) and peeled(text).text else "neither"


def asks_clearly(text: str) -> bool:
    """Return whether a sentence can only be a new question, where another answer was expected."""
    tokens = tokens_of(text)
    begins = text.rstrip().endswith("?") or (tokens and phrase_at("questions.begins", tokens, 0))
    return len(text.split()) > 2 and bool(begins) and kind_of(text) == "question"
