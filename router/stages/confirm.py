"""The question that everything turns on: shall exactly this SQL run?"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from router.cards import Buttons, Card, Code, Option, Text
from router.handoff.handoff import way_to_people
from router.jobs.read_sql import digest
from router.machine import Ask
from router.memory.draft import Draft, Place, Wish
from router.memory.understanding import TypedAt
from router.policy import demand_approve, may_approve, may_teach
from router.stages.approvals import approval_of, awaited, demand_in_time
from router.stages.planned_steps import possible
from router.stages.start import Taken, hinted, take
from router.teaching.glossary_chat import propose
from router.turn import Said, Turn
from router.understanding.button_words import word_of
from router.understanding.categories import Category
from router.understanding.definitions import Definition, definition_of, unhinted
from router.understanding.interpretation import FOLLOWUP_CONFIDENCE_MIN, STEP_TO_AGENT
from router.understanding.kinds import asks_clearly, is_sql
from router.understanding.short_wishes import agrees
from router.understanding.wishes import PLAN_MAX_STEPS, forbids, wishes_of


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose for which SQL is confirmed: the button, what it does, and what is asked above it."""

    label: str
    does: str
    prompt: str


RUN = Purpose("Run", "run exactly this SQL", "Run this on {}?")
USE_AS_FIRST = Purpose("Use it", "compare what exactly this SQL gives", "Take this as the first query, on {}?")
USE_AS_SECOND = replace(USE_AS_FIRST, prompt="Take this as the second query, on {}?")


UNSURE_OF_QUESTION = "I am not sure that this is what you asked. If it is not, type it in other words."
UNSURE_OF_FOLLOW_UP = (
    "I put this behind your last question, and am not sure of it. For a question of its own, begin with `ask:`."
)

SQL_WAITED_TOO_LONG = "This question has waited too long for an approval. Please look at the SQL again:"

YOU_ASKED, BEGAN_WITH = "You asked", "The SQL is your own now. It began with the question"

TYPED_AT_SQL: tuple[TypedAt, ...] = ("sql", "own_sql")
"""Questions under which any sentence is heard, as the query stands for itself."""


class ConfirmSql(Ask):
    """Show somebody's own SQL; run it, or change it."""

    card = "own_sql"
    accepts = frozenset(["database"])
    believes = True
    approves = True
    learns = True
    help = "Press {} to {}, Edit to change it, or Cancel. Only reading is possible."
    ways: tuple[Option, ...] = (Option("no", "Edit"), Option("cancel", "Cancel"))
    """The buttons besides taking the SQL."""
    ways_on: tuple[Option, ...] = (Option("no", "Edit", "primary"), Option("cancel", "Cancel"))
    """The buttons for SQL that cannot run."""

    def __init__(self, purpose: Purpose = RUN) -> None:
        self.purpose = purpose
        self.help = type(self).help.format(purpose.label, purpose.does)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        asked = (
            (Text(f"{BEGAN_WITH if draft.changed else YOU_ASKED}: {draft.typed or draft.question}"),)
            if draft.question
            else ()
        )
        hint = (Text(f"Your hint: {draft.evidence}", "quiet"),) if draft.evidence and draft.question else ()
        problem = (Text(draft.problem, "problem"),) if draft.problem else ()
        notes = tuple(Text(note, "quiet") for note in draft.notes)
        explanation = (Text(draft.explanation),) if draft.explanation else ()
        where = where_of(turn, turn.memory.place)
        prompt = (
            "This does not run as it is. How shall we go on?" if draft.problem else self.purpose.prompt.format(where)
        )
        ways = self._ways(turn)
        sql = (Code(draft.sql, where),) if draft.sql else ()
        return (
            *asked,
            *_taken(draft),
            *hint,
            *explanation,
            *sql,
            *problem,
            *notes,
            *(() if draft.problem else awaited(turn, turn.connection)),
            Buttons(prompt, ways),
        )

    def _ways(self, turn: Turn) -> tuple[Option, ...]:
        """Return what can be pressed."""
        taken = Option("yes", self.purpose.label, "primary")
        *ways, cancel = self.ways_on if turn.memory.draft.problem else (taken, *self.ways)
        return (*ways, *way_to_people(turn), cancel)

    def demand_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers."""
        if not (turn.pressed("yes", "no") and may_approve(turn.user, turn.connection, turn.owner)):
            super().demand_right(turn)

    def answer(self, turn: Turn) -> Taken | Literal["yes", "no"]:
        if wishes := _run_and(turn):
            turn.memory.draft = replace(turn.memory.draft, plan=(*turn.memory.draft.plan, *wishes))
            return self._decide(turn, "yes")
        word: Literal["yes", "no", "edit"] | None = turn.word("yes", "no", "edit")
        return self._new(turn) or self._decide(turn, "no" if word == "edit" else word)

    def _new(self, turn: Turn) -> Taken | None:
        """Take a message that can only be a new question or another SQL text."""
        text = turn.text
        free = isinstance(turn.incoming.input, Said) and turn.word("yes", "no", "edit") is None
        heard = free and (bool(turn.memory.draft.problem) or turn.typed_at in TYPED_AT_SQL)
        return take(turn) if heard or is_sql(text, turn.known_tables) or asks_clearly(unhinted(text)[0]) else None

    def _decide(self, turn: Turn, word: Literal["yes", "no"] | None) -> Literal["yes", "no", "unclear"]:
        memory, draft = turn.memory, turn.memory.draft
        if word == "no":
            turn.record("rejected", approver=turn.user.id, sql=draft.sql)
            return word
        if word is None:
            return turn.unclear()
        if draft.problem:
            return turn.unclear("This SQL cannot run as it is.")
        if not may_approve(turn.user, turn.connection, turn.owner):
            turn.record("refused", approver=turn.user.id, sql=draft.sql, error="no right to approve")
        demand_approve(turn.user, turn.connection, turn.owner)
        demand_in_time(turn, SQL_WAITED_TOO_LONG)
        approved = digest(draft.sql, *memory.place.at, turn.owner.id)
        memory.draft = replace(draft, approval=approval_of(turn, approved))
        turn.record("approved", approver=turn.user.id, sql=draft.sql, digest=approved)
        return word


class ConfirmGeneratedSql(ConfirmSql):
    """Show the SQL that was written; run it, edit it, or have another one written."""

    card = "sql"
    accepts = frozenset()
    believes = True
    approves = True
    help = (
        "Press {} to {}, Edit to change it, Another try for different SQL. To put the question in other words, type it."
    )
    ways = (
        Option("edit", "Edit"),
        Option("again", "Another try"),
        Option("cancel", "Cancel"),
    )
    ways_on = (
        Option("again", "Another try", "primary"),
        Option("no", "Rephrase"),
        Option("edit", "Edit"),
        Option("cancel", "Cancel"),
    )

    def _ways(self, turn: Turn) -> tuple[Option, ...]:
        """Offer to keep a hint that says what a word means."""
        *ways, cancel = super()._ways(turn)
        if not turn.services.glossary_changes or turn.connection.teachers is None or not _lesson(turn):
            return (*ways, cancel)
        label = "Keep for everybody" if may_teach(turn.owner, turn.connection) else "Propose for everybody"
        return (*ways, Option("teach", label, overflow=True), cancel)

    def answer(  # type: ignore[override]
        self, turn: Turn
    ) -> Taken | Literal["yes", "no", "edit", "again", "teach"]:
        word: Literal["edit", "again"] | None = turn.word("edit", "again")
        if word is None and (hint := hinted(turn)):
            return "again" if hint == "hinted" else hint
        if turn.word("teach") and (lesson := _lesson(turn)):
            propose(turn, lesson.name, lesson)
            return "teach"
        return word or super().answer(turn)


_AND = re.compile(r"[\s,;.!]+(?:(?:and|then|und|dann|et|puis|y|luego)\b[\s,]*)+", re.IGNORECASE)


def _run_and(turn: Turn) -> tuple[Wish, ...]:
    """Return what is wished for behind a Yes: "run it and send me the csv"; nothing where anything else is said, too.

    Each of these steps waits for a Yes of its own.
    """
    head, *rest = _AND.split(turn.text, maxsplit=1)
    if turn.typed_at not in TYPED_AT_SQL or not rest or agrees(head) or word_of(head, ("yes",)) is None:
        return ()
    left, steps = wishes_of(turn.text, False)
    wishes = tuple(Wish(STEP_TO_AGENT[each.step], each.text) for each in steps if each.step != "ask")
    room = len(steps) + len(turn.memory.draft.plan) <= PLAN_MAX_STEPS
    whole = not left and len(wishes) == len(steps) and all(possible(turn, each) for each in wishes)
    return wishes if whole and room and not forbids(turn.text) else ()


def _taken(draft: Draft) -> tuple[Text, ...]:
    """Return what the sentence was understood as, and what to do where that is in doubt."""
    if not draft.intent:
        return ()
    full = (Text(f"Understood as: {draft.question}"),) if draft.typed else ()
    if draft.sure >= FOLLOWUP_CONFIDENCE_MIN:  # of the SQL nobody can be sure: a person looks at it
        return full
    follows = draft.intent == Category.REFINE_QUESTION
    return (*full, Text(UNSURE_OF_FOLLOW_UP if follows else UNSURE_OF_QUESTION, "quiet"))


def _lesson(turn: Turn) -> Definition | None:
    """Return what the person's hint says of a word, unless that is known already."""
    found = definition_of(turn.memory.draft.evidence, hint=True)
    changes = turn.services.glossary_changes
    known = found and changes and changes.glossary.term(turn.connection.name, found.name)
    return None if known and found and known.meaning == found.meaning else found


def where_of(turn: Turn, place: Place) -> str:
    """Return the connection's label, with the schema where the connection allows several; asks no database."""
    connection, schema = turn.services.connections.demand(place.connection), place.schema
    several = len(connection.schemas) > 1 or any("*" in pattern for pattern in connection.schemas)
    return f"{connection.label}, schema {schema}" if several else connection.label
