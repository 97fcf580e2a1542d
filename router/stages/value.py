"""Words that may mean several values of the database: the person says which, where nothing else does."""

from typing import Literal

from router.agents.named import Named, named_in
from router.agents.unsure import Unsure, unsure
from router.cards import Buttons, Card, Option
from router.catalog.spelling import fold
from router.catalog.values import WORD, Value
from router.errors import Unclear
from router.intents.kinds import asks_clearly, is_sql
from router.machine import Ask
from router.memory import Meant
from router.policy import demand_read, may_read, shown_privately
from router.stages.start import take
from router.turn import Said, Turn

VALUE = "value:"
"""Stands before a value in a button's answer, so that no value is taken for a word."""

REMEMBERED = 50
"""Choices that are kept of a thread."""


class ChooseValue(Ask):
    """Ask which value a word means, once; pass on silently where it is clear, or was asked."""

    help = "Press the value that you mean, or type it. “Just go on” leaves it to the model."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        return None if may_read(turn.owner, turn.connection) and _doubt(turn) else "chosen"

    def only_for(self, turn: Turn) -> str:
        key, shared = turn.incoming.key, turn.incoming.shared
        private = shown_privately(key, shared, turn.connection, turn.tools.connections.channels)
        return turn.owner.id if private else ""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        demand_read(turn.owner, turn.connection)
        doubt = _doubt(turn, again=True)
        values = doubt.values if doubt else ()
        options = tuple(Option(f"{VALUE}{_label(value)}", _label(value)) for value in values)
        prompt = f"“{doubt.words}” may be:" if doubt else "It is clear by now what is meant."
        return (Buttons(prompt, (*options, Option("as_is", "Just go on"))),)

    def answer(self, turn: Turn) -> Literal["chosen", "question", "sql"]:
        doubt = _doubt(turn, again=True)
        if doubt is None or turn.word("as_is"):
            return self._chosen(turn, doubt, None)
        wanted = fold(turn.text.removeprefix(VALUE))
        exact = [value for value in doubt.values if fold(_label(value)) == wanted]
        found = exact or [value for value in doubt.values if fold(value.text) == wanted]
        if len(found) == 1:
            return self._chosen(turn, doubt, found[0])
        said = isinstance(turn.incoming.input, Said)
        taken = take(turn) if said and (is_sql(turn.text, turn.known_tables) or asks_clearly(turn.text)) else None
        if taken is None:
            raise Unclear("That is not one of these values.")
        return taken

    def _chosen(self, turn: Turn, doubt: Unsure | None, value: Value | None) -> Literal["chosen"]:
        memory = turn.memory
        if doubt:
            place = (memory.place.connection, memory.place.schema)
            home = (value.table, value.column, value.text) if value else ("", "", "")
            others = [
                each for each in memory.meant if (each.connection, each.schema, each.words) != (*place, doubt.words)
            ]
            memory.meant = [*others, Meant(doubt.words, *place, *home)][-REMEMBERED:]
        return "chosen"


def named(turn: Turn) -> tuple[Named, ...]:
    """Return the values that the question names, but for the words whose meaning the person chose."""
    said = {fold(each.words) for each in meant(turn)}
    found = named_in(turn.memory.draft.question, turn.values())
    return tuple(each for each in found if fold(each.words) not in said)


def meant(turn: Turn) -> tuple[Meant, ...]:
    """Return what the person chose for words of the question, in this thread."""
    question = _line(turn.memory.draft.question)
    return tuple(each for each in _of_place(turn) if each.value and _line(each.words) in question)


def _doubt(turn: Turn, again: bool = False) -> Unsure | None:
    """Return what is not clear in the question; what was asked in this thread only if `again`, after all else."""
    if turn.memory.draft.method != "generate":
        return None
    place, question = turn.memory.place, turn.memory.draft.question
    found = named_in(question, turn.values())
    schema = turn.tools.catalog.schema(place.connection, place.schema).only(place.tables)
    asked = {fold(each.words) for each in _of_place(turn)}
    new = unsure((each for each in found if fold(each.words) not in asked), question, schema)
    return new or (unsure(found, question, schema) if again else None)


def _of_place(turn: Turn) -> list[Meant]:
    place = turn.memory.place
    return [each for each in turn.memory.meant if (each.connection, each.schema) == (place.connection, place.schema)]


def _label(value: Value) -> str:
    return f"{value.text} ({value.table}.{value.column})"


def _line(text: str) -> str:
    """Return the words of a text between blanks, so that whole words are found in it."""
    return f" {' '.join(fold(word) for word in WORD.findall(text))} "
