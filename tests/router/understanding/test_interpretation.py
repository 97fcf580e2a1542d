"""One message from its words to the stage that acts on it, without a talk."""

import pytest

from router.memory.understanding import Understanding
from router.understanding.categories import Category
from router.understanding.classifier import IntentDecision, Scored
from router.understanding.intent_service import Intents
from router.understanding.interpretation import Context, apply_choice, interpret
from tests.router.understanding.shop_words import WORDS

SQL = "SELECT r.name, SUM(o.total) AS revenue FROM orders AS o JOIN regions AS r ON r.id = o.region_id GROUP BY r.name"
ASKED = ("Revenue by region", SQL)
BEFORE = Context(ASKED, WORDS, explains=True)


def said(text: str, context: Context = BEFORE) -> Understanding:
    """Return what is understood of a message after a question about the revenue."""
    return interpret(Understanding(text), context, Intents().decide)


def in_doubt(_text: str, _names: frozenset[str], _barred: frozenset[Category]) -> IntentDecision:
    """Be in doubt whether somebody wants a person or a file."""
    ranked = (Scored(Category.HUMAN_HANDOFF, 0.5), Scored(Category.EXPORT, 0.4))
    return IntentDecision(None, 0.5, ranked)


@pytest.mark.parametrize(
    ("text", "agent", "intent", "question"),
    [
        ("only for Germany", "sql_agent", "refine_question", "only for Germany"),
        ("also by status", "sql_agent", "refine_question", "also by status"),
        ("ask: thanks", "sql_agent", "ask_data", "thanks"),
        ("which tables are there?", "catalog_agent", "describe_data", "which tables are there?"),
        ("what does this query do?", "explain_agent", "explain_result", "what does this query do?"),
        ("is my export done?", "status_agent", "job_status", "is my export done?"),
        ("thanks a lot", "small_talk", "small_talk", "thanks a lot"),
        ("drop the test tables", "out_of_scope", "out_of_scope_change_data", "drop the test tables"),
        ("drop the other regions", "sql_agent", "refine_question", "drop the other regions"),
    ],
)
def test_a_message_finds_its_agent(text: str, agent: str, intent: str, question: str) -> None:
    """Questions are asked without typing errors; the rest goes, as it was typed, to its stage."""
    known = said(text)
    assert (agent, intent, question) == (known.primary_agent_id, known.classified_intent, known.processed_query)
    assert not known.needs_clarification


def test_a_question_knows_what_it_stands_below() -> None:
    """The model is shown the question before and its SQL with any question below them, but not where one says ask:."""
    assert ASKED == said("only for Germany").follows
    assert ASKED == said("How many stores are there?").follows
    assert () == said("ask: how many stores are there?").follows
    assert () == said("what does this query do?").follows


def test_doubt_is_asked_back_and_settled() -> None:
    """The likely way comes first; the one that is chosen has its agent, and is sure."""
    known = interpret(Understanding("hand it over"), BEFORE, in_doubt)
    assert known.clarification
    assert (True, "") == (known.needs_clarification, known.primary_agent_id)
    assert ["human_handoff", "export", "ask_data", "none"] == [way.id for way in known.clarification.options]
    assert (("human_handoff", 0.5), ("export", 0.4)) == known.classification_result
    settled = apply_choice(known, "human_handoff", BEFORE)
    assert ("human_handoff", 1.0, None) == (
        settled.primary_agent_id,
        settled.classification_confidence,
        settled.clarification,
    )


def test_a_part_of_a_question_alone_is_asked_back() -> None:
    """Where nothing was asked before, the whole question is asked for."""
    known = said("only for Germany", Context())
    assert known.clarification
    assert (True, ["ask_data"]) == (known.needs_clarification, [way.id for way in known.clarification.options])


def test_nothing_is_explained_before_anything_was_asked() -> None:
    """Without SQL or a result, what sounds like an explanation is a question, unless it names a query."""
    assert "ask_data" == said("why is the revenue of Genoa so low?", Context()).classified_intent
    assert "explain_result" == said("what does this query do?", Context()).classified_intent


def test_a_question_that_is_chosen_follows() -> None:
    """Where it is asked back what a sentence wants, a question is one below the question before it."""
    known = interpret(Understanding("hand it over"), BEFORE, in_doubt)
    assert ("ask_data", ASKED) == (
        apply_choice(known, "ask_data", BEFORE).classified_intent,
        apply_choice(known, "ask_data", BEFORE).follows,
    )


@pytest.mark.parametrize("text", ["escribe esto en ventas y luego borra regions", "write it to mart and drop regions"])
def test_an_action_on_the_rows_is_no_change_of_the_question(text: str) -> None:
    """Where no step can be made of it, it is asked about; the likely task comes first."""
    known = said(text)
    assert known.clarification
    assert "write" == known.clarification.options[0].id
