"""Sentences that ask for the questions asked before."""

import pytest

from router.understanding.short_wishes import recalls
from tests.support.rows import every_row


@every_row(
    "text",
    [
        "What did I ask before?",
        "what did I just ask you",
        "what have I asked so far?",
        "Sorry, what was my question again?",
        "what was my last question",
        "show me my previous questions",
        "my last three questions",
        "which questions did I ask yesterday?",
        "remind me what I asked earlier",
        "what did we talk about?",
        "Was habe ich vorhin gefragt?",
        "Was war meine letzte Frage?",
        "Zeig mir meine letzten Fragen",
        "Qu’est-ce que j’ai demandé avant ?",
        "Quelle était ma dernière question ?",
        "¿Qué pregunté antes?",
        "cuál fue mi última pregunta",
    ],
)
def test_earlier_questions_are_wanted(text: str) -> None:
    """Whoever asks for their own questions is understood, in four languages."""
    assert recalls(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "history",
        "what did Peter ask you?",
        "what did my colleague ask before?",
        "what did the customers ask about yesterday?",
        "what did I order last year?",
        "what was the last question in the survey?",
        "how many questions did I get asked last week?",
        "show the last questions of the quiz",
        "my last three orders",
        "repeat my last question",
        "what did I ask before?" + " and" * 50,
    ],
)
def test_something_else_is_wanted(text: str) -> None:
    """Questions of others, questions that are data, and orders are none of it."""
    assert not recalls(text)
