"""The understanding of a free sentence: one path for all of them, from what was typed to the stage that acts on it."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.errors import Unclear
from router.machine import Ask
from router.memory.understanding import Understanding
from router.stages.dispatch import Acted, act_on, restore_draft
from router.stages.planned_steps import left_out, replanned
from router.stages.side_questions import heard, names_data, side_category
from router.stages.start import take
from router.turn import Said, Turn
from router.understanding.categories import Category
from router.understanding.choices import NONE_OF_THESE, choice_in
from router.understanding.interpretation import (
    REPHRASE,
    Context,
    apply_choice,
    interpret,
)
from router.understanding.kinds import asks_clearly, is_question

OPTION_PREFIX = "way:"
"""Stands before the id of an option in a button's answer."""

# The context of a message, from the talk in which it was typed.


def context_of(turn: Turn) -> Context:
    """Return the context of the message that is to be understood; of the database, once the talk is about a schema."""
    memory = turn.memory
    words = turn.known_words()
    before, shown = memory.understanding.before, [memory.answer, *(step.answer for step in reversed(memory.trail))]
    drafts = (before, *(each.draft for each in shown if each and not each.compared))
    asked = next(filter(None, (draft.as_asked for draft in drafts)), ())
    return Context(asked, words, bool(before.sql or memory.answer))


class UnderstandQuery(Ask):
    """Understand a sentence and have it acted on; ask back only if its wish is in doubt."""

    card = "asked_back"
    accepts = frozenset(["first", "second", "third", "fourth", "like", "neither"])
    skipped_by_back = True
    accepts_definitions = True
    help = "Press what you mean, type its number, or put it in other words."

    def decide_unasked(self, turn: Turn) -> Acted | None:
        memory = turn.memory
        if not memory.understanding.user_message:
            # A button asked for it, or a hint or another database for the question at hand; else there is none yet.
            return "question" if memory.draft.subject else "ask"
        if replanned(turn):
            return "sql"
        known = interpret(memory.understanding, context_of(turn), turn.services.intents.decide)
        memory.understanding = known
        if known.needs_clarification:
            likely = ", ".join(f"{category} {share:.2f}" for category, share in known.classification_result)
            turn.record("asked_back", question=known.user_message, likely=likely)
            return None
        return act_on(turn)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        asked = turn.memory.understanding.clarification
        if asked is None:
            raise Unclear("That's clear by now. Press Back, or type your question.")
        options = tuple(
            Option(f"{OPTION_PREFIX}{way.id}", way.label, "plain" if number else "primary")
            for number, way in enumerate(asked.options)
        )
        return (Buttons(asked.question, options),)

    def answer(self, turn: Turn) -> Acted | Literal["heard", "typed_sql", "unclear"]:
        known = turn.memory.understanding
        picked = _picked(turn, known)
        if picked is None:
            taken = take(turn) if _is_new(turn) else None
            if taken is None or taken == "unclear":
                return taken or turn.unclear("That is not one of these. Press one, or type the whole question.")
            if known.wishes:
                turn.note(left_out(known.wishes), "quiet")
            return "heard" if taken == "question" else "typed_sql"
        if len(options := known.clarification.options if known.clarification else ()) > 1:
            # If one thing alone was offered, nothing was chosen.
            turn.services.intents.keep(known.user_message, tuple(way.id for way in options), picked)
        if picked == REPHRASE:
            restore_draft(turn)
            return "ask"
        turn.memory.understanding = apply_choice(known, picked, context_of(turn))
        return act_on(turn)


def _is_new(turn: Turn) -> bool:
    """Return whether a sentence replaces the one that is asked about."""
    if not isinstance(turn.incoming.input, Said) or side_category(turn) == Category.SMALL_TALK:
        return False
    if is_question(turn.text) and not names_data(turn):  # "what is the difference between these two?"
        return False
    found = heard(turn)
    asks = found.category is not None and found.category not in (Category.REFINE_QUESTION, Category.NONSENSE)
    return asks or asks_clearly(turn.text) or turn.typed_sql() is not None


def _picked(turn: Turn, known: Understanding) -> str | None:
    """Return the id of the option that was pressed, or typed by its label or its number; None for anything else."""
    options = known.clarification.options if known.clarification else ()
    typed = turn.text.removeprefix(OPTION_PREFIX).strip()
    found = next((way.id for way in options if typed.casefold() == way.id.casefold()), None)
    if found or not options or not isinstance(turn.incoming.input, Said):
        return found
    if turn.word("as_is"):
        return options[0].id
    ways = [way.label for way in options if way.id != REPHRASE]
    place = choice_in(typed, ways) if not is_question(typed) else None
    if place == NONE_OF_THESE:
        return REPHRASE
    return None if place is None else options[place].id
