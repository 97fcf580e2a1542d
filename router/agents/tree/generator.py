"""The SQL generator: one statement from a question, a view of the schema and what failed before."""

from collections.abc import Callable

from router.agents.extract import extract
from router.agents.options import Options
from router.agents.prompt import asked, prefix
from router.agents.question import Question
from router.agents.tree.node import Try
from router.agents.tree.view import View

WARMTH = (0.0, 0.2, 0.6)
"""The temperature of each statement: at 0 a small model repeats its mistake."""

REPEATED = "This query was tried before; write another one."
"""What the model is told, and a person never."""

Ask = Callable[[str, str, float], str]
"""Asks a model: system text, user's text, temperature."""


def generate(ask: Ask, question: Question, view: View, tries: tuple[Try, ...], options: Options) -> str:
    """Return the statement that the model writes, "" where it writes none; `tries` are what it wrote before."""
    tried, problem = _failed(question, tries)
    user = asked(question, view.schema, tried, problem, near=view.near, number=len(tries), options=options)
    warmth = WARMTH[min(len(tries) + len(question.avoid), len(WARMTH) - 1)]
    return extract(ask(prefix(view.schema, options)[0], user, warmth), view.schema.dialect) or ""


def _failed(question: Question, tries: tuple[Try, ...]) -> tuple[str, str]:
    """Return the last statement that did not do, and what is wrong with it in words."""
    last = next((each for each in reversed(tries) if each.sql), None)
    if last is None:
        return (question.avoid[-1], "It does not answer the question.") if question.avoid else ("", "")
    wrong = last.problem or last.doubt
    return last.sql, f"{REPEATED} {wrong}" if last.again and wrong != REPEATED else wrong
