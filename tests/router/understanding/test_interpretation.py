"""One message from its words to whoever acts on it, without a talk."""

from dataclasses import replace

import pytest

from router.memory.understanding import Chosen, Understanding
from router.understanding.categories import Category
from router.understanding.classifier import Scored
from router.understanding.intent_service import IntentDecision, Offered, ShippedIntents
from router.understanding.interpretation import FOLLOWED_QUESTIONS_MAX, Context, asked_of, chosen, understand
from tests.router.understanding.followup.shop_words import WORDS

SQL = "SELECT r.name, SUM(o.total) AS revenue FROM orders AS o JOIN regions AS r ON r.id = o.region_id GROUP BY r.name"
BEFORE = Context(asked_of([("Revenue by region", SQL)], WORDS, "sqlite"), WORDS, explains=True)


def said(text: str, context: Context = BEFORE) -> Understanding:
    """Return what is understood of a message after a question about the revenue."""
    return understand(Understanding(text), context, ShippedIntents().decide)


def in_doubt(_text: str, _names: frozenset[str], _barred: frozenset[Category]) -> IntentDecision:
    """Be in doubt whether somebody wants a person or a file."""
    ranked = (Scored(Category.HUMAN_HANDOFF, 0.5), Scored(Category.EXPORT, 0.4))
    return IntentDecision(None, 0.5, ranked, tuple(Offered(each.category, each.category) for each in ranked))


@pytest.mark.parametrize(
    ("text", "agent", "intent", "question"),
    [
        ("only for Germany", "sql_agent", "refine_question", "Revenue by region, only for Germany"),
        ("additionally by status", "sql_agent", "refine_question", "Revenue by region and status"),
        ("How many cutsomers are there?", "sql_agent", "ask_data", "How many customers are there?"),
        ("ask: thanks", "sql_agent", "ask_data", "thanks"),
        ("which tables are there?", "catalog_agent", "describe_data", "which tables are there?"),
        ("what does this query do?", "explain_agent", "explain_result", "what does this query do?"),
        ("is my export done?", "status_agent", "job_status", "is my export done?"),
        ("thanks a lot", "small_talk", "small_talk", "thanks a lot"),
        ("drop the test tables", "out_of_scope", "out_of_scope_change_data", "drop the test tables"),
        ("drop the other regions", "sql_agent", "refine_question", "Revenue by region, without the other regions"),
    ],
)
def test_a_message_finds_its_agent(text: str, agent: str, intent: str, question: str) -> None:
    """Questions are asked in full, without typing errors; the rest goes, as it was typed, to whoever answers it."""
    known = said(text)
    assert (agent, intent, question) == (known.primary_agent_id, known.classified_intent, known.processed_query)
    assert not known.needs_clarification


def certain(_text: str, _names: frozenset[str], _barred: frozenset[Category]) -> IntentDecision:
    """Take everything for a question of its own."""
    return IntentDecision(Category.ASK_DATA, 0.97, (Scored(Category.ASK_DATA, 0.97),), ())


@pytest.mark.parametrize(
    ("text", "intent", "question", "follows"),
    [
        ("Acme, and save it as csv", "refine_question", "Revenue by region Acme", ("Revenue by region", SQL)),
        ("by month", "refine_question", "Revenue by month", ("Revenue by region", SQL)),
        ("How many stores are there?", "ask_data", "How many stores are there?", ()),
    ],
)
def test_a_question_of_its_own_for_certain(text: str, intent: str, question: str, follows: tuple[str, ...]) -> None:
    """Where the rules for follow-ups are in doubt, and the examples are not, it follows nothing."""
    known = understand(Understanding(text), BEFORE, certain)
    assert (intent, question, follows, "") == (
        known.classified_intent,
        known.processed_query,
        known.follows,
        known.problem,
    )


def test_a_follow_up_knows_what_it_follows() -> None:
    """The question and its SQL are shown to the model; what the answer does not tell is there for the person."""
    assert ("Revenue by region", SQL) == said("only for Germany").follows
    assert "nothing is converted" in said("in euros").problem
    assert ((), "") == (said("what does this query do?").follows, said("what does this query do?").problem)


def test_wishes_are_apart() -> None:
    """What is to become of the rows stands beside the question, each with its agent."""
    known = said("Number of orders by month, save it as csv and mail it to ana@example.com")
    assert ("Number of orders by month", "sql_agent") == (known.processed_query, known.primary_agent_id)
    assert ("export_agent", "email_agent") == known.secondary_agent_ids
    assert ["save it as csv", "mail it to ana@example.com"] == [wish.text for wish in known.wishes]


def test_doubt_is_asked_back_and_settled() -> None:
    """The likely way comes first; the one that is chosen has its agent, and is sure."""
    known = understand(Understanding("hand it over"), BEFORE, in_doubt)
    assert known.clarification
    assert (True, "") == (known.needs_clarification, known.primary_agent_id)
    assert ["human_handoff", "export", "ask_data", "none"] == [way.id for way in known.clarification.options]
    assert (("human_handoff", 0.5), ("export", 0.4)) == known.classification_result
    settled = chosen(known, "human_handoff")
    assert ("human_handoff", 1.0, None) == (
        settled.primary_agent_id,
        settled.classification_confidence,
        settled.clarification,
    )


def test_one_of_several_questions_is_chosen() -> None:
    """What a follow-up may mean is offered as full questions, and asked as the one that is chosen."""
    sql = "SELECT * FROM orders WHERE status = 'pending' AND channel = 'web'"
    known = said("cancelled ones", Context(asked_of([("List all pending web orders", sql)], WORDS, "sqlite"), WORDS))
    assert known.clarification
    first = known.clarification.options[0]
    assert (first.label, "sql_agent", "refine_question") == (
        chosen(known, first.id).processed_query,
        chosen(known, first.id).primary_agent_id,
        chosen(known, first.id).classified_intent,
    )


def test_what_was_said_before_is_not_asked_again() -> None:
    """A sentence of which the person said what it asks for is that, surely."""
    known = understand(
        Understanding("hand it over"), Context(intended=(Chosen("hand it over", "human_handoff"),)), in_doubt
    )
    assert ("human_handoff", 1.0) == (known.primary_agent_id, known.classification_confidence)


def test_a_question_that_was_chosen_holds_after_the_same_one() -> None:
    """The same sentence after the same question is the full question that was chosen; after another one it is not."""
    context = replace(
        BEFORE, intended=(Chosen("the big ones", "refine_question", "Revenue of big", "Revenue by region"),)
    )
    assert ("Revenue of big", ("Revenue by region", SQL), 1.0) == (
        said("the big ones", context).processed_query,
        said("the big ones", context).follows,
        said("the big ones", context).classification_confidence,
    )
    other = replace(context, asked=asked_of([("List all orders", "SELECT 1")], WORDS, "sqlite"))
    assert "Revenue of big" != said("the big ones", other).processed_query


def test_a_part_of_a_question_alone_is_asked_back() -> None:
    """Where nothing was asked before, the whole question is asked for."""
    known = said("only for Germany", Context())
    assert known.clarification
    assert (True, ["ask_data"]) == (known.needs_clarification, [way.id for way in known.clarification.options])


def test_nothing_is_explained_before_anything_was_asked() -> None:
    """Without SQL or a result, what sounds like an explanation is a question, unless it names a query."""
    assert "ask_data" == said("why is the revenue of Genoa so low?", Context()).classified_intent
    assert "explain_result" == said("what does this query do?", Context()).classified_intent


def test_the_latest_questions_count() -> None:
    """A follow-up may be about the last few; of a question that was asked twice, the SQL shown last counts."""
    before = [("b", "new"), ("", "SELECT 1"), ("a", ""), ("b", "old"), ("c", ""), ("d", "")]
    asked = asked_of(before, frozenset(), "sqlite")
    assert [("b", "new"), ("a", ""), ("c", "")] == [(each.question, each.sql) for each in asked]
    assert FOLLOWED_QUESTIONS_MAX == len(asked)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("value not number", "refine_question"),
        ("hours", "refine_question"),
        ("how many customers are there", "ask_data"),
        ("orders by status", "ask_data"),
    ],
)
def test_a_piece_of_a_question_is_not_asked_alone(text: str, intent: str) -> None:
    """What names nothing that there is goes behind the last question, unsure."""
    known = said(text)
    assert intent == known.classified_intent
    assert known.processed_query.startswith("Revenue by region, ") == (intent == "refine_question")


def test_it_is_asked_whether_a_sentence_changes_the_last_question() -> None:
    """In doubt, both are offered: what is chosen is the full question, or what was typed."""
    known = said("which evil regions are ok?", replace(BEFORE, words=frozenset()))
    assert known.clarification
    first, second = known.clarification.options[:2]
    assert "Change the last question: Revenue by region, which evil regions are ok" == first.label
    assert "Ask it alone: which evil regions are ok?" == second.label
    assert ("Revenue by region, which evil regions are ok", "refine_question") == (
        chosen(known, first.id).processed_query,
        chosen(known, first.id).classified_intent,
    )
    assert ("which evil regions are ok?", "ask_data", ()) == (
        chosen(known, second.id).processed_query,
        chosen(known, second.id).classified_intent,
        chosen(known, second.id).follows,
    )
