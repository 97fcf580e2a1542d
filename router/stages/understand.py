"""What a free sentence asks for: one path for all of them, from what was typed to whoever acts on it."""

from typing import Literal

from router.cards import Buttons, Card, Option
from router.errors import Unclear
from router.intents.categories import Category, category_of
from router.intents.understand import NOTHING_BEFORE, chosen, understand
from router.intents.understood import LONGEST, REPHRASE
from router.machine import Ask
from router.stages.acting import Acted, act, back, put_back
from router.stages.asides import aside_of
from router.stages.context import context_of
from router.stages.planned import left_out
from router.stages.start import take
from router.turn import Said, Turn
from router.understanding import Chosen, Understanding

WAY = "way:"
"""Stands before the id of an option in a button's answer."""


OWN_SQL = "Your own SQL has no question that this could change. Press Edit to change the SQL, or type a whole question."

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
        known = understand(memory.understanding, context_of(turn), turn.tools.intents.decide)
        memory.understanding = known
        if _follows_own_sql(known):
            put_back(turn)
            turn.note(OWN_SQL, "quiet")
            return back(known)
        if known.problem:
            turn.note(known.problem, "quiet")
        if known.needs_clarification:
            likely = ", ".join(f"{category} {share:.2f}" for category, share in known.classification_result)
            turn.record("asked_back", question=known.user_message, likely=likely)
            return None
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
        picked = _picked(turn, known)
        if picked is None:
            said = isinstance(turn.incoming.input, Said) and aside_of(turn) != Category.SMALL_TALK
            taken = take(turn) if said else None
            if taken is None:
                raise Unclear("That is not one of these.")
            if known.wishes:
                turn.note(left_out(known.wishes), "quiet")
            return "heard" if taken == "question" else "typed_sql"
        _keep(turn, known, picked)
        if picked == REPHRASE:
            put_back(turn)
            return "ask"
        turn.memory.understanding = chosen(known, picked)
        return act(turn)


def _follows_own_sql(known: Understanding) -> bool:
    """Tell a part of a question that is typed at somebody's own SQL: no question stands that it could change."""
    dangles = known.clarification is not None and known.clarification.question == NOTHING_BEFORE
    return dangles and bool(known.before.sql) and not known.before.question


def _picked(turn: Turn, known: Understanding) -> str | None:
    """Return the id of the option that was pressed, or typed by its label or its number; None for anything else."""
    options = known.clarification.options if known.clarification else ()
    typed = turn.text.removeprefix(WAY).strip()
    by_number = {str(number): way.id for number, way in enumerate(options, 1)}
    found = next((way.id for way in options if typed.casefold() in (way.id.casefold(), way.label.casefold())), None)
    if found is None and turn.word("as_is") and options:
        return options[0].id
    return found or by_number.get(typed)


def _keep(turn: Turn, known: Understanding, picked: str) -> None:
    """Remember what was chosen, for this thread and for whoever reviews how sentences are understood."""
    memory, ways = turn.memory, known.clarification.options if known.clarification else ()
    said = Chosen(known.user_message[:LONGEST], picked)
    if not category_of(picked) and picked != REPHRASE:
        label = next(way.label for way in ways if way.id == picked)
        said = Chosen(said.sentence, Category.REFINE_QUESTION, label, known.follows[0])
    if picked != REPHRASE:
        others = [each for each in memory.intended if (each.sentence, each.after) != (said.sentence, said.after)]
        memory.intended = [*others, said][-REMEMBERED:]
    if len(ways) > 1:  # where one thing alone was offered, nothing was chosen
        turn.tools.intents.keep(known.user_message, tuple(way.id for way in ways), picked)
