"""Words that may mean several values or columns: the person says which, where nothing else does."""

import re
from dataclasses import replace
from typing import Literal

from router.agents.vocabulary import telling, words
from router.cards import Buttons, Card, Option
from router.catalog.spelling import fold
from router.errors import Unclear
from router.intents.kinds import asks_clearly, is_sql
from router.intents.words import folded
from router.machine import Ask
from router.memory import Meant
from router.policy import demand_read, may_read, shown_privately
from router.stages.start import take
from router.stages.unclear_words import Doubt, Sense, doubt
from router.turn import Said, Turn

VALUE = "value:"
"""Stands before a choice in a button's answer, so that no value is taken for a word."""

REMEMBERED = 50
"""Choices that are kept of a thread."""

_OTHER = re.compile(r"(?:the )?other(?: one)?")
_PLACES = re.compile(r"(?:the )?(?:(1|first)|(2|second)|(3|third)|(4|fourth)|(5|fifth))(?: one)?")


class ChooseValue(Ask):
    """Ask which value or column a word means, once; pass on silently where it is clear, or was asked."""

    help = "Press what you mean, or type it, or its number. “Just go on” leaves it to the model."

    def settle(self, turn: Turn) -> Literal["chosen"] | None:
        return None if may_read(turn.owner, turn.connection) and doubt(turn) else "chosen"

    def only_for(self, turn: Turn) -> str:
        key, shared = turn.incoming.key, turn.incoming.shared
        private = shown_privately(key, shared, turn.connection, turn.tools.connections.channels)
        return turn.owner.id if private else ""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        demand_read(turn.owner, turn.connection)
        unclear = doubt(turn, again=True)
        senses = unclear.senses if unclear else ()
        options = tuple(Option(f"{VALUE}{sense.label}", sense.label) for sense in senses)
        prompt = f"“{unclear.words}” may be:" if unclear else "It is clear by now what is meant."
        return (Buttons(prompt, (*options, Option("as_is", "Just go on"))),)

    def answer(self, turn: Turn) -> Literal["chosen", "more", "question", "sql"]:
        unclear = doubt(turn, again=True)
        if unclear is None:
            return "chosen"
        said = isinstance(turn.incoming.input, Said)
        found = _picked(turn, unclear)
        if found:
            return _chosen(turn, unclear, found)
        if turn.word("as_is") or (said and turn.text == str(len(unclear.senses) + 1)):
            return _chosen(turn, unclear, None)
        taken = take(turn) if said and (is_sql(turn.text, turn.known_tables) or asks_clearly(turn.text)) else None
        if taken is None:
            raise Unclear("That is not one of these.")
        return taken


def _picked(turn: Turn, unclear: Doubt) -> Sense | None:
    """Return the one sense that was pressed or typed: its label, its place in the row, or words that only it has."""
    wanted, senses = fold(turn.text.removeprefix(VALUE)), unclear.senses
    exact = [sense for sense in senses if fold(sense.label) == wanted]
    found = exact or [sense for sense in senses if wanted in map(fold, sense.typed)]
    if found or not isinstance(turn.incoming.input, Said):
        return found[0] if len(found) == 1 else None
    typed = folded(turn.text)
    if len(senses) == 2 and _OTHER.fullmatch(typed):
        return senses[1]
    place = _PLACES.fullmatch(typed)
    if place and place.lastindex:
        return senses[place.lastindex - 1] if place.lastindex <= len(senses) else None
    if asks_clearly(turn.text):  # a question of its own, which has a word of a choice in it
        return None
    said = set(telling(words(typed)))
    fit = [sense for sense in senses if said and said <= set(words(sense.label))]
    return fit[0] if len(fit) == 1 else None


def _chosen(turn: Turn, unclear: Doubt, sense: Sense | None) -> Literal["chosen", "more"]:
    """Remember what was chosen, and tell whether something else is not clear."""
    memory = turn.memory
    place = (memory.place.connection, memory.place.schema)
    others = [each for each in memory.meant if (each.connection, each.schema, each.words) != (*place, unclear.words)]
    memory.meant = [*others, sense.meant if sense else Meant(unclear.words, *place)][-REMEMBERED:]
    memory.draft = replace(memory.draft, asked_back=(*memory.draft.asked_back, unclear.words))
    return "more" if doubt(turn) else "chosen"
