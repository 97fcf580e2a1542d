"""What a free sentence asks for: one path for all of them, from what was typed to whoever acts on it."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.errors import Unclear
from router.intents.categories import Category
from router.machine import Ask
from router.stages.acting import Acted, act, put_back
from router.stages.routed import classified, routed
from router.stages.start import take
from router.stages.understood import REPHRASE, context_of, understood
from router.turn import Said, Turn
from router.understanding import Chosen, Understanding

WAY = "way:"
"""Stands before the id of an option in a button's answer."""

VALUES = frozenset(category.value for category in Category)

LONGEST = 300
"""Characters of a sentence that are kept with it."""

REMEMBERED = 50
"""Sentences that are kept with what the person said they ask for."""


class UnderstandQuery(Ask):
    """Understand a sentence and have it acted on; ask back only where its wish is in doubt."""

    passing = True
    help = "Press what you mean, type its number, or put it in other words."

    def settle(self, turn: Turn) -> Acted | None:
        memory = turn.memory
        if not memory.understanding.user_message:
            return "question"  # a button asked for it, or a hint for the question at hand
        context = context_of(turn)
        known = classified(turn, understood(turn, context), context)
        if known.needs_clarification:
            memory.understanding = known
            turn.record("asked_back", question=known.user_message)
            return None
        memory.understanding = routed(known)
        return act(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        asked = turn.memory.understanding.clarification
        if asked is None:
            raise Unclear("It is clear by now what is meant. Press Back, or type your question.")
        options = tuple(
            Option(f"{WAY}{way.id}", way.label, "plain" if number else "primary")
            for number, way in enumerate(asked.options)
        )
        return (Buttons(asked.question, options),)

    def answer(self, turn: Turn) -> Acted | Literal["heard", "typed_sql"]:
        known = turn.memory.understanding
        chosen = _chosen(turn, known)
        if chosen is None:
            taken = take(turn) if isinstance(turn.incoming.input, Said) else None
            if taken is None:
                raise Unclear("That is not one of these.")
            return "heard" if taken == "question" else "typed_sql"
        _keep(turn, known, chosen)
        if chosen == REPHRASE:
            put_back(turn)
            return "ask"
        turn.memory.understanding = routed(_meant(known, chosen))
        return act(turn)


def _chosen(turn: Turn, known: Understanding) -> str | None:
    """Return the id of the option that was pressed, or typed by its label or its number; None for anything else."""
    options = known.clarification.options if known.clarification else ()
    typed = turn.text.removeprefix(WAY).strip()
    by_number = {str(number): way.id for number, way in enumerate(options, 1)}
    found = next((way.id for way in options if typed.casefold() in (way.id.casefold(), way.label.casefold())), None)
    if found is None and turn.word("as_is") and options:
        return options[0].id
    return found or by_number.get(typed)


def _meant(known: Understanding, chosen: str) -> Understanding:
    """Return the understanding with what the person said: a category, or one of several full questions."""
    by_id = {way.id: way.label for way in known.clarification.options} if known.clarification else {}
    sure = replace(known, needs_clarification=False, clarification=None, classification_confidence=1.0)
    if chosen in VALUES:
        return replace(sure, classified_intent=chosen)
    return replace(sure, classified_intent=Category.REFINE_QUESTION, processed_query=by_id[chosen])


def _keep(turn: Turn, known: Understanding, chosen: str) -> None:
    """Remember what was chosen, for this thread and for whoever reviews how sentences are understood."""
    memory = turn.memory
    if chosen in VALUES:
        others = [each for each in memory.intended if each.sentence != known.user_message[:LONGEST]]
        memory.intended = [*others, Chosen(known.user_message[:LONGEST], chosen)][-REMEMBERED:]
    offered = tuple(way.id for way in known.clarification.options) if known.clarification else ()
    turn.tools.intents.keep(known.user_message, offered, chosen)
