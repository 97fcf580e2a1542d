"""Acting on what was understood: one case an agent."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from router.cards import Card, Text
from router.handoff.handoff import NOBODY_TO_ASK, has_helpers
from router.language.phrases import begins_with, has_phrase
from router.memory.draft import Draft, Wish
from router.memory.understanding import Stood, Understanding
from router.stages.compare.begin import begin_comparing
from router.stages.explanations import NO_CAUSE, described, explained, job_status
from router.stages.naming import go_to, leave_comparison
from router.stages.planned_steps import Step, add_step, ask_next, begin_step, left_out, not_wanted, why_not
from router.stages.side_questions import (
    DATA_CATEGORIES,
    heard,
    side_category,
)
from router.stages.start import GREETING, TYPED_AT_EMAIL, is_greeting
from router.stages.tasks import say_not_whole, say_unused
from router.turn import Turn
from router.understanding.categories import CATEGORY_TO_AGENT, OUT_OF_SCOPE, Category
from router.understanding.interpretation import INTENDED_MAX_CHARS, leans_on
from router.understanding.kinds import is_question
from router.understanding.short_wishes import reply_to
from router.understanding.steps import step_for
from router.understanding.unread import may_change, says_more

Back = Literal[Stood, "ask"]
"""The place of a sentence that was answered at once: under rows, at SQL of some kind, or anywhere else."""

Acted = Step | Back | Literal["question", "plan", "heard", "compare", "comparison"]

HUMAN_HINT = "To have people look at this, type `human`: they are told your question and the SQL, and no rows."

NO_RESULT_YET = "There's no result yet. Ask the question first; once its rows are here, tell me what to do with them."

EMAIL_ROWS_ONLY = "This query is for the e-mail alone. Once that is sent, tell me what else to do with the rows."


ACTING_AGENTS = ("write_agent", "email_agent", "export_agent", "schedule_agent")
"""Agents of what is done with rows."""

EXPORTS = ("csv", "xlsx", "chart", "share")
"""Steps that begin at once, without a form that shows what was understood."""

_OUT_OF_SCOPE = frozenset(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE)

SURELY_ELSEWHERE_CONFIDENCE = 0.98
"""From here on, a question that is typed at a card is about something outside, and not about the card."""

_NAMED_SUBJECTS: Final[Mapping[str, str]] = {
    Category.JOB_STATUS: "cards.of_jobs",
    Category.DESCRIBE_DATA: "cards.of_data",
}
"""The lists of words without one of which such a sentence, typed at a card, is about the card."""


def act_on(turn: Turn) -> Acted:
    """Have the agent act on what was understood, and return where that leads."""
    memory, known = turn.memory, turn.memory.understanding
    if known.wishes and known.unread:
        if may_change(known.unread):
            restore_draft(turn)
            say_not_whole(turn, known.unread)
            return return_stage(known)
        say_unused(turn, known.unread)
    if known.primary_agent_id in ACTING_AGENTS:
        wishes = _wishes_heard(turn, known)
        if not wishes:
            restore_draft(turn)
            return return_stage(known)
        memory.understanding = known = replace(known, processed_query="", wishes=wishes)
    if not known.processed_query:
        return _without_question(turn, known)
    if known.primary_agent_id == "sql_agent":
        return "plan" if known.wishes else _ask(turn, known)
    restore_draft(turn)
    return _without_query(turn, known)


def _ask(turn: Turn, known: Understanding) -> Literal["question"]:
    """Make a question the one at hand; what was planned with the rows of the one before stays for a change of it."""
    plan = known.before.plan
    if plan and known.classified_intent != Category.REFINE_QUESTION:
        turn.note(left_out(plan), "quiet")
        plan = ()
    begin_question(turn, known, plan)
    return "question"


def _without_query(turn: Turn, known: Understanding) -> Acted:
    """Begin a comparison, have SQL typed, or answer a sentence that needs no query."""
    match known.primary_agent_id:
        case "own_sql_agent":
            turn.memory.draft = turn.memory.draft if turn.memory.draft.sql else Draft()
            return "provide"
        case "compare_agent":
            if known.wishes:
                turn.note(left_out(known.wishes), "quiet")
            return begin_comparing(turn, shown=known.typed_at == "rows")
    asks = any(wish.step == "ask" for wish in known.wishes)
    if known.classified_intent not in DATA_CATEGORIES and not asks:
        turn.asks = False
    _answer(turn, known.classified_intent, known.processed_query)
    return _with_next(turn, known)


def restore_draft(turn: Turn) -> None:
    """Have the draft stand again that stood when the sentence was typed; nothing is left to be understood."""
    memory = turn.memory
    memory.draft, memory.understanding = memory.understanding.before, Understanding()


def _wishes_heard(turn: Turn, known: Understanding) -> tuple[Wish, ...]:
    """Return the wish for an action that the examples tell, and the steps beside it; none where it is unsure."""
    step = step_for(known.classified_intent, known.processed_query)
    if known.denied:
        turn.note(not_wanted(known.denied), "quiet")
        return ()
    if step == "ask" or (step in EXPORTS and says_more(known.processed_query, step)):
        turn.note("I did nothing yet: press CSV, Excel or Chart below the rows, or say one thing at a time.")
        return ()
    others = tuple(wish for wish in known.wishes if wish.step != step)
    text = known.processed_query if others == known.wishes else known.user_message  # "repeat this, each week"
    return (Wish(step, text), *others)


def _without_question(turn: Turn, known: Understanding) -> Step | Back | Literal["plan", "heard"]:
    """Begin a wish with the rows on show, or put it behind the SQL at hand; several are shown as a plan first."""
    reasons = [why for wish in known.wishes if (why := why_not(turn, wish))]
    if known.typed_at == "rows" and len(known.wishes) > 1 and len(reasons) < len(known.wishes):
        return "plan"
    restore_draft(turn)
    turn.asks = False
    if known.denied:
        turn.note(not_wanted(known.denied), "quiet")
    if reasons:
        turn.note(" ".join(f"{why} {undone}" for why, undone in reasons), "problem")
        return return_stage(known)
    draft, asked = turn.memory.draft, next((wish for wish in known.wishes if wish.step == "ask"), None)
    steps = tuple(wish for wish in known.wishes if wish is not asked)
    if known.typed_at == "rows" and steps:
        return begin_step(turn, steps[0])
    if draft.sql and not draft.problem and known.typed_at not in TYPED_AT_EMAIL and not asked:
        for wish in steps:
            add_step(turn, wish)
        return return_stage(known)
    if steps:
        turn.note(EMAIL_ROWS_ONLY if known.typed_at in TYPED_AT_EMAIL else NO_RESULT_YET)
    return _with_next(turn, known) if asked else return_stage(known)


def _with_next(turn: Turn, known: Understanding) -> Back | Literal["heard"]:
    """Say which wishes are not done, as there are no rows for them, and go on with the next question, if any."""
    asked = next((wish for wish in known.wishes if wish.step == "ask"), None)
    if left := tuple(wish for wish in known.wishes if wish is not asked):
        turn.note(left_out(left), "quiet")
    if asked is None:
        return return_stage(known)
    ask_next(turn, asked, known.typed_at)
    return "heard"


def begin_question(turn: Turn, known: Understanding, plan: tuple[Wish, ...]) -> None:
    """Make what was understood the question at hand, with what is to be done with its rows."""
    memory = turn.memory
    full = known.processed_query
    if begins_with("talk.why", full):
        turn.note(NO_CAUSE, "quiet")
    typed = "" if full == known.user_message else known.user_message
    if known.database:
        go_to(turn, known.database)
    elif known.typed_at == "rows" and known.classified_intent != Category.REFINE_QUESTION:
        leave_comparison(turn)
        memory.place = replace(memory.place, tables=())  # they were chosen for another question
    memory.draft = Draft(
        full,
        "generate",
        evidence=known.evidence,
        typed=typed,
        intent=known.classified_intent,
        sure=known.classification_confidence,
        follows=known.follows,
        leans=leans_on(known.follows, full, known.classified_intent),
        plan=plan,
    )
    memory.understanding = Understanding()
    if known.denied:
        turn.note(not_wanted(known.denied), "quiet")


def answer_without_query(turn: Turn) -> bool:
    """Answer a sentence that needs no query beside the question that stands; return whether it was one."""
    if is_greeting(turn):
        turn.note(GREETING)
        turn.answers(Category.SMALL_TALK)
        return True
    category, confidence = side_category(turn), heard(turn).confidence
    surely = len(turn.text.split()) > 3 and confidence >= SURELY_ELSEWHERE_CONFIDENCE
    subject = _NAMED_SUBJECTS.get(category or "")
    if category is None or (category in _OUT_OF_SCOPE and turn.typed_at == "ask" and not surely):
        return False
    if turn.typed_at == "ask" and subject and not has_phrase(subject, turn.text):
        known, said = turn.known_words(), re.findall(r"\w{3,}", turn.text.lower())
        if category != Category.DESCRIBE_DATA or (known and known.isdisjoint(said)):
            return False
    answer_as(turn, category)
    return True


def answer_as(turn: Turn, category: Category) -> None:
    """Answer a sentence of a category that needs no query beside the question that stands."""
    _answer(turn, category, turn.text)
    if category in DATA_CATEGORIES:
        turn.asks = True


def answer_about_card(turn: Turn, help: str) -> bool:
    """Answer a question about the card by what one can do at it; return whether a sentence is one."""
    if len(turn.text) > INTENDED_MAX_CHARS or not is_question(turn.text):
        return False
    answer_with_help(turn, help)
    return True


def answer_with_help(turn: Turn, help: str) -> None:
    """Answer a question about the card by what one can do at it."""
    turn.note(help)
    turn.answers(Category.HELP)


def _answer(turn: Turn, category: str, text: str) -> None:
    """Answer a sentence that needs no query above the question that stands."""
    turn.notes += _answer_cards(turn, category, text)
    turn.answers(category)


def _answer_cards(turn: Turn, category: str, text: str) -> tuple[Card, ...]:
    match CATEGORY_TO_AGENT[Category(category)]:
        case "catalog_agent":
            return described(turn, text)
        case "explain_agent":
            draft, before = turn.memory.draft, turn.memory.understanding.before
            return explained(turn, draft if draft.sql else before)
        case "status_agent":
            return job_status(turn)
        case "human_handoff":
            return (Text(HUMAN_HINT if has_helpers(turn) else NOBODY_TO_ASK),)
    return (Text(reply_to(category, text)),)


def return_stage(known: Understanding) -> Back:
    """Return where the sentence was typed, to go on from there."""
    return "ask" if known.typed_at == "open" else known.typed_at
