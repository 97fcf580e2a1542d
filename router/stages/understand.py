"""The understanding of a free sentence: one path for all of them, from what was typed to whoever acts on it."""

import re
from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option
from router.errors import Unclear
from router.machine import Ask
from router.memory.understanding import Chosen, Understanding
from router.stages.dispatch import Acted, act, back, put_back
from router.stages.planned_steps import left_out, replanned
from router.stages.side_questions import heard, names_data, side_category
from router.stages.start import take
from router.turn import NO_ANSWER, Said, Turn
from router.understanding.business_words import exchanged
from router.understanding.categories import Category, category_of
from router.understanding.choices import NONE_OF_THESE, behind_none, choice_and_change, choice_in
from router.understanding.followup.full_question import full_question
from router.understanding.followup.previous import PreviousQuestion, homes_in
from router.understanding.interpretation import (
    CHANGES_LAST,
    FOLLOWUP_CONFIDENCE_MIN,
    INTENDED_MAX_CHARS,
    NOTHING_BEFORE,
    REPHRASE,
    Context,
    asked_of,
    chosen,
    understand,
    with_wishes,
)
from router.understanding.kinds import asks_clearly, is_question
from router.understanding.wishes import wishes_of

OPTION_PREFIX = "way:"
"""Stands before the id of an option in a button's answer."""

SENTENCES_KEPT = 50
"""Sentences that are kept with what the person said they ask for."""

MEANT = re.compile(
    r"(?:(?:no|nein|non|sorry|well|actually|hm+)[,.!]* )*(?:i (?:mean|meant|want|wanted)|ich (?:meine?|meinte|will"
    r"|wollte)"
    r"|je (?:veux|voulais)(?: dire)?|(?:quise|queria|quería|quiero)(?: decir)?) (?:the |den |die |das |le |la |l'"
    r"|el )?(?P<what>.+)",
    re.IGNORECASE,
)
"""A sentence that says what was meant by a word of the question."""

OWN_SQL = (
    "This SQL is your own, so there's no question to change. Press Edit to change the SQL, or type a whole question."
)

# The context of a message, from the talk in which it was typed.


def context_of(turn: Turn) -> Context:
    """Return the context of the message that is to be understood; of the database, once the talk is about a schema."""
    memory, place = turn.memory, turn.memory.place
    words = turn.services.catalog.known_words(*place.at)
    before, shown = memory.understanding.before, [memory.answer, *(step.answer for step in reversed(memory.trail))]
    drafts = [(draft.question, draft.sql) for draft in (before, *(each.draft for each in shown if each))]
    asked = asked_of(drafts, words, turn.connection.dialect.name) if any(text for text, _ in drafts) else ()

    def homes(text: str) -> frozenset[str]:
        return homes_in(turn.values())(text) if place.schema else frozenset()

    return Context(asked, words, homes, bool(before.sql or memory.answer), tuple(memory.intended))


class UnderstandQuery(Ask):
    """Understand a sentence and have it acted on; ask back only where its wish is in doubt."""

    card = "asked_back"
    accepts = frozenset(["first", "second", "third", "fourth", "like", "neither"])
    passing = True
    learns = True
    help = "Press what you mean, type its number, or put it in other words."

    def settle(self, turn: Turn) -> Acted | None:
        memory = turn.memory
        if not memory.understanding.user_message:
            # A button asked for it, or a hint or another database for the question at hand; else there is none yet.
            return "question" if memory.draft.subject else "ask"
        if replanned(turn):
            return "sql"
        known = understand(memory.understanding, context_of(turn), turn.services.intents.decide)
        memory.understanding = known
        if _follows_own_sql(known):
            put_back(turn)
            turn.note(OWN_SQL, "quiet")
            return back(known)
        if known.problem:
            turn.note(known.problem, "quiet")
        if _is_strange(known):
            put_back(turn)
            turn.note(NO_ANSWER, "quiet")
            return back(known)
        if known.needs_clarification:
            likely = ", ".join(f"{category} {share:.2f}" for category, share in known.classification_result)
            turn.record("asked_back", question=known.user_message, likely=likely)
            return None
        return act(turn)

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
        known, given = turn.memory.understanding, turn.incoming.input
        rest = behind_none(given.text) if isinstance(given, Said) else ""
        if rest:
            turn.incoming = replace(turn.incoming, input=Said(rest))
        picked = _picked(turn, known)
        if picked is None and (changed := _changed(turn, known)):
            turn.memory.understanding = changed
            return act(turn)
        if picked is None:
            taken = take(turn) if _is_new(turn) or (rest and names_data(turn)) else None
            if taken is None or taken == "unclear":
                return taken or turn.unclear("That is not one of these. Press one, or type the whole question.")
            if known.wishes:
                turn.note(left_out(known.wishes), "quiet")
            return "heard" if taken == "question" else "typed_sql"
        _keep(turn, known, picked)
        if picked == REPHRASE:
            put_back(turn)
            return "ask"
        turn.memory.understanding = chosen(known, picked)
        return act(turn)


def _is_new(turn: Turn) -> bool:
    """Tell a sentence that stands in place of the one that is asked about."""
    if not isinstance(turn.incoming.input, Said) or side_category(turn) == Category.SMALL_TALK:
        return False
    if is_question(turn.text) and not names_data(turn):  # "what is the difference between these two?"
        return False
    found = heard(turn)
    asks = found.category is not None and found.category not in (Category.REFINE_QUESTION, Category.NONSENSE)
    return asks or asks_clearly(turn.text) or turn.typed_sql() is not None


def _follows_own_sql(known: Understanding) -> bool:
    """Tell a part of a question that is typed at somebody's own SQL: no question stands that it could change."""
    dangles = known.clarification is not None and known.clarification.question == NOTHING_BEFORE
    return dangles and bool(known.before.sql) and not known.before.question


def _is_strange(known: Understanding) -> bool:
    """Tell a single word, typed below rows or SQL, for which there is nothing to choose from."""
    offered = known.clarification.options if known.needs_clarification and known.clarification else ()
    ways = {way.id for way in offered} - {Category.ASK_DATA, REPHRASE}
    return bool(offered) and not ways and known.typed_at != "open" and len(known.user_message.split()) == 1


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


def _changed(turn: Turn, known: Understanding) -> Understanding | None:
    """Return what a sentence asks for that changes one of the choices, or the question itself; None for any other one.

    "The first one, but only for Italy", "the second as a chart", "I meant profit".
    """
    ways = [way for way in known.clarification.options if way.id != REPHRASE] if known.clarification else []
    if not isinstance(turn.incoming.input, Said) or not ways or any(category_of(way.id) for way in ways):
        return None
    labels = [way.label for way in ways]
    head, steps = wishes_of(turn.text, shown=False)
    if steps and (place := choice_in(head, labels)) not in (None, NONE_OF_THESE):
        return with_wishes(chosen(known, ways[place].id), steps)
    if is_question(turn.text):
        return None
    if (meant := MEANT.fullmatch(turn.text.strip(" .!"))) and (full := exchanged(known.user_message, meant["what"])):
        return replace(chosen(known, ways[0].id), processed_query=full)
    if (parted := choice_and_change(turn.text, labels)) is None:
        return None
    full, parts = labels[parted[0]], re.split(r"\s*[,;]\s*", parted[1])
    for part in parts:
        found = full_question(part, (PreviousQuestion(full),), context_of(turn).homes)
        if found is None or found.confidence < FOLLOWUP_CONFIDENCE_MIN:
            return None
        full = found.question
    return replace(chosen(known, ways[parted[0]].id), processed_query=full)


def _keep(turn: Turn, known: Understanding, picked: str) -> None:
    """Remember what was chosen, for this thread and for whoever reviews how sentences are understood."""
    memory, ways = turn.memory, known.clarification.options if known.clarification else ()
    said = Chosen(known.user_message[:INTENDED_MAX_CHARS], picked)
    if not category_of(picked) and picked != REPHRASE:
        label = next(way.label for way in ways if way.id == picked).removeprefix(CHANGES_LAST)
        said = Chosen(said.sentence, Category.REFINE_QUESTION, label, known.follows[0])
    if picked != REPHRASE:
        others = [each for each in memory.intended if (each.sentence, each.after) != (said.sentence, said.after)]
        memory.intended = [*others, said][-SENTENCES_KEPT:]
    if len(ways) > 1:  # where one thing alone was offered, nothing was chosen
        turn.services.intents.keep(known.user_message, tuple(way.id for way in ways), picked)
