"""A talk as the bot would lead it: each turn is understood as there, by what was said before it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal, get_args

from bot.evaluation.answers import MeasuredAnswer
from bot.evaluation.exam import Exam, Write
from bot.evaluation.questions import Golden
from router.catalog.catalog import Catalog
from router.catalog.schema import Schema
from router.catalog.values import names_in
from router.knowledge.knowledge import Example
from router.llm.client import Llm
from router.memory.understanding import Understanding
from router.understanding.followup.previous import homes_in
from router.understanding.interpretation import SQL_CATEGORIES, Context, Decide, asked_of, chosen, understand

Follow = Literal["shipped", "written", "shown", "off"]
"""Ways to show a model a message that follows another: the full question and the SQL before it, as shipped; the full
question alone; the message as it is, with the question and the SQL before it; or the message alone."""

FOLLOWS: tuple[Follow, ...] = get_args(Follow)


class Player:
    """Says the turns of talks, one after the other."""

    def __init__(self, catalog: Catalog, llm: Llm, today: date, write: Write, follow: Follow, decide: Decide) -> None:
        self._catalog, self._follow, self._decide = catalog, follow, decide
        self._before: tuple[Example, ...] = ()
        self._exam = Exam(catalog, llm, today, write, self._near)

    def say(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> MeasuredAnswer:
        """Return what came of a turn, after the answers of those before it, the newest last; raises as `Exam.ask`.

        Where a person would be asked what is meant, the likely answer is given; other than by the bot, it is not kept
        for the same sentence later in the talk. What is taken for no question gets no SQL, and is wrong.
        """
        known = self._understood(turn, self._context(turn, before))
        asked_back = known.needs_clarification
        if known.clarification:
            known = chosen(known, known.clarification.options[0].id)
        intent, question = known.classified_intent, known.processed_query
        if intent and (intent not in SQL_CATEGORIES or not question):
            fault = f"taken for {intent}"
            return MeasuredAnswer(turn.id, turn.place, turn.question, "", fault, False, 0.0, False, intent=intent)
        text, sql = known.follows or ("", "")
        self._before = (Example(text, " ".join(sql.split())),) if sql and self._follow != "written" else ()
        answer = self._exam.ask(replace(turn, question=question), turn.place)
        return replace(answer, intent=intent, asked_back=asked_back)

    def _understood(self, turn: Golden, context: Context) -> Understanding:
        said = Understanding(turn.question, turn.question)
        if self._follow in ("shipped", "written"):
            return understand(said, context, self._decide)
        last = context.asked[:1] if self._follow == "shown" else ()
        return replace(said, follows=tuple(part for each in last for part in (each.question, each.sql)))

    def _context(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> Context:
        schema = self._catalog.schema(turn.place)
        words, homes = names_in(schema), homes_in(self._catalog.values(schema.connection))
        asked = ((answer.question, answer.sql) for answer in reversed(before) if answer.intent in ("", *SQL_CATEGORIES))
        return Context(asked_of(asked, words, schema.dialect), words, homes, any(answer.sql for answer in before))

    def _near(self, _golden: Golden, _schema: Schema) -> tuple[Example, ...]:
        return self._before
