"""A talk as the bot would lead it: what was said before is known when the next turn is said."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Literal, get_args

from bot.evaluation.answers import Answer
from bot.evaluation.exam import Exam, Write
from bot.evaluation.questions import Golden
from router.agents.llm import Llm
from router.catalog.catalog import Catalog
from router.catalog.names import names_in
from router.catalog.schema import Schema
from router.intents.following import Asked, full_question
from router.intents.following.database import homes_in
from router.knowledge.known import Example

Follow = Literal["shipped", "written", "shown", "off"]
"""What a model gets of a message that follows another: the full question and the SQL before it, as shipped; the full
question alone; the message as it is, with the question and the SQL before it; or the message alone."""

FOLLOWS: tuple[Follow, ...] = get_args(Follow)


class Player:
    """Says the turns of talks, one after the other."""

    def __init__(self, catalog: Catalog, llm: Llm, today: date, write: Write, follow: Follow) -> None:
        self._catalog, self._follow = catalog, follow
        self._before: tuple[Example, ...] = ()
        self._exam = Exam(catalog, llm, today, write, self._near)

    def say(self, turn: Golden, before: Sequence[Answer]) -> Answer:
        """Return what came of a turn, after the answers of those before it, the newest last; raises as `Exam.ask`."""
        question = self._full(turn, before)
        last = next((answer for answer in reversed(before) if answer.sql), None)
        follows = question != turn.question or self._follow == "shown"
        shown = last is not None and follows and self._follow in ("shipped", "shown")
        self._before = (Example(last.question, " ".join(last.sql.split())),) if last and shown else ()
        return self._exam.ask(replace(turn, question=question), turn.place)

    def _full(self, turn: Golden, before: Sequence[Answer]) -> str:
        if not before or self._follow in ("shown", "off"):
            return turn.question
        schema = self._catalog.schema(turn.place)
        names, homes = names_in(schema), homes_in(self._catalog.values(schema.connection))
        asked = [Asked(answer.question, answer.sql, (), names, schema.dialect) for answer in reversed(before)]
        understood = full_question(turn.question, asked, homes)
        return understood.question if understood else turn.question

    def _near(self, _golden: Golden, _schema: Schema) -> tuple[Example, ...]:
        return self._before
