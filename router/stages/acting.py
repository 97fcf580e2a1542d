"""Who acts on what was understood: one case an agent."""

from dataclasses import replace
from typing import Literal

from router.cards import Card, Text
from router.draft import Wish
from router.handoff import NOBODY, reachable
from router.intents.categories import Category
from router.intents.replies import reply_to
from router.intents.wishes import MOST
from router.memory import Draft, Stage
from router.stages.compare_wish import begin_comparing
from router.stages.described import described
from router.stages.explained import explained
from router.stages.planned import Step, begin_step, left_out, possible, why_not
from router.stages.status import job_status
from router.turn import Turn
from router.understanding import Understanding

Back = Literal["rows", "sql", "own_sql", "ask"]
"""Where a sentence was typed that was answered at once: under rows, at SQL that waits for a Yes, or anywhere else."""

Acted = Step | Back | Literal["question", "plan", "provide", "compare", "comparison"]

HUMAN = "If people shall look at this, type `human`: they are told your question and the SQL, and no rows."

FIRST = "There is no result yet. Ask the question first; once its rows are here, tell me what to do with them."


def act(turn: Turn) -> Acted:
    """Have the agent act on what was understood, and return where that leads."""
    memory, known = turn.memory, turn.memory.understanding
    turn.remember("user", known.user_message)
    if known.primary_agent_id == "sql_agent":
        return _ask(turn, known)
    put_back(turn)
    match known.primary_agent_id:
        case "own_sql_agent":
            memory.draft = memory.draft if memory.draft.sql else Draft()
            return "provide"
        case "compare_agent":
            return begin_comparing(turn, shown=known.stage == Stage.SHOW_RESULTS)
        case "write_agent" | "email_agent" | "export_agent" | "schedule_agent":
            return _with_result(turn, known)
        case _:
            turn.remember("bot", f"answered at once: {known.classified_intent}")
            turn.notes += _answer(turn, known)
            if known.wishes:
                turn.note(left_out(known.wishes), "quiet")
            turn.answered = True
            return _back(known)


def put_back(turn: Turn) -> None:
    """Have the draft stand again that stood when the sentence was typed; nothing is left to be understood."""
    memory = turn.memory
    memory.draft, memory.understanding = memory.understanding.before, Understanding()


def _ask(turn: Turn, known: Understanding) -> Back | Literal["question", "plan"]:
    """Make the question the one at hand; with further wishes, the person says first whether all of it is meant."""
    if known.wishes and not known.processed_query and known.stage != Stage.SHOW_RESULTS:
        put_back(turn)
        turn.note(FIRST)
        return _back(known)
    if known.wishes:
        return "plan"
    plan = known.before.plan
    if plan and known.classified_intent != Category.REFINE_QUESTION:
        turn.note(left_out(plan), "quiet")
        plan = ()
    question(turn, known, plan)
    return "question"


def question(turn: Turn, known: Understanding, plan: tuple[Wish, ...]) -> None:
    """Make what was understood the question at hand, with what is to be done with its rows."""
    memory = turn.memory
    full = known.processed_query
    typed = "" if full == known.user_message else known.user_message
    memory.draft = Draft(
        full,
        "generate",
        evidence=known.evidence,
        typed=typed,
        intent=known.classified_intent,
        sure=known.classification_confidence,
        follows=known.follows,
        plan=plan,
    )
    memory.understanding = Understanding()


def _with_result(turn: Turn, known: Understanding) -> Step | Back:
    """Begin what is wished for with the rows on show; where SQL waits for a Yes, it is done once its rows are there."""
    memory = turn.memory
    wish = Wish(known.primary_agent_id, known.user_message)
    if not possible(turn, wish):
        turn.note(" ".join(why_not(wish)), "problem")
        return _back(known)
    if known.stage == Stage.SHOW_RESULTS:
        return begin_step(turn, wish)
    if memory.draft.sql and not memory.draft.problem:
        others = tuple(each for each in memory.draft.plan if each != wish)
        memory.draft = replace(memory.draft, plan=(*others, wish)[-MOST:])
        turn.note(f"Once the rows are here, I go on with: {known.user_message}")
    else:
        turn.note(FIRST)
    return _back(known)


def _answer(turn: Turn, known: Understanding) -> tuple[Card, ...]:
    """Return what is said to a sentence that needs no query."""
    text = known.processed_query
    match known.primary_agent_id:
        case "catalog_agent":
            return described(turn, text)
        case "explain_agent":
            return explained(turn, turn.memory.draft)
        case "status_agent":
            return job_status(turn)
        case "human_handoff":
            return (Text(HUMAN if reachable(turn) else NOBODY),)
    return (Text(reply_to(known.classified_intent, text)),)


def _back(known: Understanding) -> Back:
    ways: dict[str, Back] = {
        Stage.SHOW_RESULTS: "rows",
        Stage.CONFIRM_GENERATED_SQL: "sql",
        Stage.CONFIRM_USER_SQL: "own_sql",
    }
    return ways.get(known.stage, "ask")
