"""Several wishes in one sentence: shown as a plan, which is confirmed once; each step is still approved by its rule."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.draft import Wish
from router.errors import Unclear
from router.intents.kinds import asks_clearly, is_sql
from router.intents.wishes import wishes_of
from router.machine import Ask
from router.memory import Stage
from router.stages.acting import put_back, question
from router.stages.planned import left_out, possible, why_not
from router.stages.start import take
from router.turn import Said, Turn
from router.understanding import Understanding


class ConfirmPlan(Ask):
    """Show what a sentence asks for, step by step, and go on once the person says so."""

    passing = True
    help = (
        "Press Go on for all of it, or The question alone. Nothing runs, is sent or written without a Yes of its own."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        known = turn.memory.understanding
        steps = [known.processed_query] if known.processed_query else []
        steps += [wish.text for wish in self._plan(turn, known)]
        lines = "\n".join(f"{number}. {step[:1].upper()}{step[1:]}" for number, step in enumerate(steps, 1))
        cannot = tuple(Text(why_not(wish)[0], "problem") for wish in known.wishes if not possible(turn, wish))
        alone = (Option("first", "The question alone"),) if known.processed_query else ()
        ways = (Option("yes", "Go on", "primary"), *alone, Option("cancel", "Cancel"))
        return (
            Text(f"I understood several wishes:\n{lines}"),
            *cannot,
            Buttons("Go on like this? I ask before each step that runs, sends or writes something.", ways),
        )

    def answer(self, turn: Turn) -> Literal["question", "rows", "heard", "typed_sql"]:
        memory, known = turn.memory, turn.memory.understanding
        word: Literal["yes", "first"] | None = turn.word("yes", "first")
        if word is None:
            text = turn.text if isinstance(turn.incoming.input, Said) else ""
            new = is_sql(text, turn.known_tables) or asks_clearly(text) or bool(wishes_of(text)[1])
            taken = take(turn) if new else None
            if taken is None:
                raise Unclear("I did not understand that as an answer here.")
            turn.note(left_out(known.wishes), "quiet")
            return "heard" if taken == "question" else "typed_sql"
        plan = self._plan(turn, known) if word == "yes" else ()
        if known.processed_query:
            question(turn, known, plan)
            return "question"
        put_back(turn)
        if memory.answer:
            memory.answer = replace(memory.answer, draft=replace(memory.answer.draft, plan=plan))
        turn.achieved = Stage.CONFIRM_PLAN
        return "rows"

    def _plan(self, turn: Turn, known: Understanding) -> tuple[Wish, ...]:
        """Return the steps that can be done here."""
        return tuple(wish for wish in known.wishes if possible(turn, wish))
