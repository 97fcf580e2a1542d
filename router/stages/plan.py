"""Several wishes in one sentence: shown as a plan, which is confirmed once; each step is still approved by its rule."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.machine import Ask
from router.memory.draft import Wish
from router.memory.understanding import Understanding
from router.stages.dispatch import back, put_back, question
from router.stages.planned_steps import left_out, possible, why_not
from router.stages.side_questions import SIDE_CATEGORIES, heard
from router.stages.start import take
from router.stages.understand import context_of
from router.turn import Said, Turn
from router.understanding.categories import CATEGORY_TO_AGENT, Category
from router.understanding.followup.full_question import full_question, put_behind
from router.understanding.followup.previous import PreviousQuestion
from router.understanding.interpretation import refined
from router.understanding.kinds import asks_clearly, is_sql
from router.understanding.wishes import wishes_of

Stood = Literal["rows", "sql", "own_sql", "email_sql", "provide", "provide_email", "value"]
Planned = Stood | Literal["question", "changed", "heard", "typed_sql", "cancel", "unclear"]
"""The outcome of a plan; "cancel" leads to where questions are typed, as there was none of the others."""


class ConfirmPlan(Ask):
    """Show what a sentence asks for, step by step, and go on once the person says so."""

    passing = True
    help = (
        "Press Go on for all of it, or The question alone, or type what shall be different. Nothing runs, is sent or "
        "written without a Yes of its own."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        known = turn.memory.understanding
        steps = [known.processed_query] if known.processed_query else []
        steps += [wish.text for wish in self._plan(turn, known)]
        lines = "\n".join(f"{number}. {step[:1].upper()}{step[1:]}" for number, step in enumerate(steps, 1))
        cannot = tuple(Text(why_not(wish)[0], "problem") for wish in known.wishes if not possible(turn, wish))
        asks = any(CATEGORY_TO_AGENT[Category.ASK_DATA] == wish.agent_id for wish in known.wishes)
        one = (Text("If that is one question, type it again with `ask:` in front.", "quiet"),) if asks else ()
        alone = (
            (Option("first", "The first question alone" if asks else "The question alone"),)
            if known.processed_query
            else ()
        )
        ways = (Option("yes", "Go on", "primary"), *alone, Option("cancel", "Cancel"))
        return (
            Text(f"I understood several wishes:\n{lines}"),
            *cannot,
            *one,
            Buttons("Go on like this? I ask before each step that runs, sends or writes something.", ways),
        )

    def answer(self, turn: Turn) -> Planned:
        memory, known = turn.memory, turn.memory.understanding
        if turn.word("cancel", "no"):
            put_back(turn)
            turn.note("Nothing of it was done.", "quiet")
            return "cancel" if (stood := back(known)) == "ask" else stood
        word: Literal["yes", "first"] | None = turn.word("yes", "first")
        if word is None:
            if changed := _changed(turn, known):
                memory.understanding = changed
                return "changed"
            taken = take(turn) if _is_new(turn) else None
            if taken is None or taken == "unclear":
                return taken or turn.unclear()
            turn.note(left_out(known.wishes), "quiet")
            return "heard" if taken == "question" else "typed_sql"
        plan = self._plan(turn, known) if word == "yes" else ()
        if known.processed_query:
            question(turn, replace(known, classification_confidence=1.0), plan)  # they saw it, and said so
            return "question"
        put_back(turn)
        if memory.answer:
            memory.answer = replace(memory.answer, draft=replace(memory.answer.draft, plan=plan))
        turn.achieved = "step"
        return "rows"

    def _plan(self, turn: Turn, known: Understanding) -> tuple[Wish, ...]:
        """Return the steps that can be done here."""
        return tuple(wish for wish in known.wishes if possible(turn, wish))


def _changed(turn: Turn, known: Understanding) -> Understanding | None:
    """Return the plan with its question as a sentence changes it, such as "only for Germany"; None for any other one.

    What its answer does not tell, and what else may be meant, is said above the plan.
    """
    if not known.processed_query or heard(turn).category != Category.REFINE_QUESTION:
        return None
    context = context_of(turn)
    asked = (PreviousQuestion(known.processed_query, names=context.words),)
    found = full_question(turn.text, asked, context.homes) or put_behind(turn.text, asked)
    if found is None:
        return None
    changed = refined(known, found, replace(context, asked=asked))
    if changed.problem:
        turn.note(changed.problem, "quiet")
    if changed.clarification:
        others = " or ".join(f"“{option}”" for option in found.options)
        turn.note(f"It may also be {others}. If that is what you mean, say it in other words.", "quiet")
    return replace(known, processed_query=found.question, problem=changed.problem)


def _is_new(turn: Turn) -> bool:
    """Tell a sentence that stands in place of the one that is asked about."""
    if not isinstance(turn.incoming.input, Said):
        return False
    text, found = turn.text, heard(turn)
    asks = found.category == Category.ASK_DATA or (asks_clearly(text) and found.likely not in SIDE_CATEGORIES)
    return asks or is_sql(text, turn.known_tables) or bool(wishes_of(text)[1])
