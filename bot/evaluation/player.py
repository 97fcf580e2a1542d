"""A talk as the bot would lead it: each turn is understood as there, by what was said before it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from bot.evaluation.answers import MeasuredAnswer
from bot.evaluation.exam import Exam
from bot.evaluation.questions import Golden
from router.catalog.values import names_in
from router.knowledge.knowledge import Example
from router.memory.understanding import Understanding
from router.understanding.categories import SQL_CATEGORIES
from router.understanding.interpretation import Context, Decide, apply_choice, interpret

Follow = Literal["shipped", "all", "off"]
"""The messages that a model is shown with the question and the SQL before them: those that are taken for questions, as
shipped; all, whatever they are taken for; or none."""

FOLLOWS: tuple[Follow, ...] = get_args(Follow)


@dataclass(frozen=True, slots=True)
class Player:
    """Says the turns of talks, one after the other."""

    exam: Exam
    follow: Follow
    decide: Decide

    def say(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> MeasuredAnswer:
        """Return what came of a turn, after the answers of those before it, the newest last; raises as `Exam.ask`.

        If a person would be asked what is meant, the likely answer is given; other than by the bot, it is not kept
        for the same sentence later in the talk. What is taken for no question gets no SQL, and is wrong.
        """
        known, context = Understanding(turn.question, turn.question), self._context(turn, before)
        if self.follow == "shipped":
            known = interpret(known, context, self.decide)
        asked_back = known.needs_clarification
        if known.clarification:
            known = apply_choice(known, known.clarification.options[0].id, context)
        intent, question = known.classified_intent, known.processed_query
        if intent and (intent not in SQL_CATEGORIES or not question):
            fault = f"taken for {intent}"
            return MeasuredAnswer(turn.id, turn.place, turn.question, "", fault, False, 0.0, False, intent=intent)
        before_it = {"shipped": known.follows, "all": context.asked, "off": ()}[self.follow]
        answer = self.exam.ask(replace(turn, question=question), Example(*before_it) if before_it else None)
        return replace(answer, intent=intent, asked_back=asked_back)

    def _context(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> Context:
        schema = self.exam.catalog.schema(turn.place)
        asked = ((answer.question, answer.sql) for answer in reversed(before) if answer.runs)
        return Context(next(asked, ()), names_in(schema), any(answer.sql for answer in before))
