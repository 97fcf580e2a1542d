"""The question that everything turns on: may exactly this SQL run?"""

from dataclasses import dataclass, replace
from typing import Literal

from router.cards import Buttons, Card, Code, Form, Option, Text
from router.catalog.schema import ALL_SCHEMAS
from router.handoff.handoff import way_to_people
from router.jobs.read_sql import digest
from router.jobs.results.cells import line
from router.machine import Ask
from router.memory.draft import Draft, Place
from router.policy import may_approve, require_approve
from router.sql.explain.title import FILTERED
from router.stages.approvals import Approvable, approval_of, awaited, only_approvers, require_in_time
from router.stages.compare.typed_query import take_same_elsewhere
from router.stages.query import BEFORE_SHOWN_CHARS, question_form, sql_form
from router.stages.start import Taken, hint_cards, take
from router.turn import Said, Turn
from router.understanding.button_words import says_label
from router.understanding.categories import Category
from router.understanding.interpretation import UNDERSTOOD_CONFIDENCE_MIN


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose for which SQL is confirmed: the button on a database, and what it does."""

    label: str
    does: str


RUN = Purpose("Run on {}", "run exactly this SQL")
USE_AS_FIRST = Purpose("Use as first query", "compare what exactly this SQL gives")
USE_AS_SECOND = replace(USE_AS_FIRST, label="Use as second query")


UNSURE_OF_QUESTION = "If that's not what you meant, say it in other words."
UNSURE_OF_FOLLOW_UP = "If it is a question of its own, press Ask it alone."
LESS_SURE = "I am less sure of this SQL than of most: look at its tables and conditions."
AI_ERRS = "AI can be wrong: check the SQL before you run it."
SQL_OPEN_LINES_MAX = 20
"""Lines of SQL that are shown open; more of them are folded."""

DOUBTS_SHOWN_MAX = 2
"""Things that speak against the SQL, of which a card tells at once."""

SQL_WAITED_TOO_LONG = "This waited too long for an approval. Please check the SQL again:"

EDIT, CHANGE = "Edit", "Change the question"
READING_PREFIX = "reading:"
"""Stands before a meaning of words in a button's answer."""
ASK_ALONE = Option("alone", "Ask it alone", overflow=True)
"""Has the SQL written without the question and the SQL before it."""
CANCEL = Option("cancel", "Cancel", overflow=True)


class ConfirmSql(Ask):
    """Show somebody's own SQL; run it, or change it."""

    card = "own_sql"
    accepts = frozenset(["database"])
    takes_any_text = True
    approves = True
    accepts_definitions = True
    help = "Press {} to {}, Edit to change it, or type another question. Only reading is possible."
    ways: tuple[Option, ...] = (Option("no", EDIT), CANCEL)
    """The buttons besides taking the SQL."""
    ways_on: tuple[Option, ...] = (Option("no", EDIT, "primary"), CANCEL)
    """The buttons for SQL that cannot run."""

    def __init__(self, purpose: Purpose = RUN) -> None:
        self.purpose = purpose
        self.help = type(self).help.format(purpose.label.removesuffix(" on {}"), purpose.does)

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        draft = turn.memory.draft
        title = (Text(draft.title, "title"),) if draft.title else ()
        folded = draft.sql.count("\n") >= SQL_OPEN_LINES_MAX
        steps = draft.steps if folded or draft.title.endswith(FILTERED) else ()  # else the SQL says the same
        where = where_of(turn, turn.memory.place)
        sql = (Code(draft.sql, where, steps=steps, folded=folded),) if draft.sql else ()
        problem = (Text(draft.problem, "problem"),) if draft.problem else ()
        context = " · ".join(self._context(turn))
        doubts = (Text(f"Please check: {doubt}") for doubt in draft.doubts[:DOUBTS_SHOWN_MAX])
        return (
            *title,
            *doubts,
            *sql,
            *problem,
            *((Text(context, "quiet"),) if context else ()),
            *(() if draft.problem else awaited(turn, turn.connection, self._asked(turn))),
            Buttons("", self._ways(turn)),
        )

    def _asked(self, turn: Turn) -> Approvable:
        """Return what a Yes is asked for."""
        memory, draft = turn.memory, turn.memory.draft
        wanted = f"{digest(draft.sql, *memory.place.at, turn.owner.id)} {self.purpose.label}"
        return Approvable(wanted, draft.question or draft.title or "SQL of their own")

    def _context(self, turn: Turn) -> tuple[str, ...]:
        """Return what was assumed for the SQL, and what is to be known of it; once in a talk, that AI errs."""
        draft = turn.memory.draft
        hint = (f"Your hint: {draft.evidence}",) if draft.evidence and draft.question else ()
        errs = draft.method == "generate" and not turn.memory.results
        trust = (LESS_SURE,) if draft.less_sure else (AI_ERRS,) if errs else ()
        return (*_taken(draft), *hint, *draft.as_typed, *draft.notes, *(() if draft.problem else trust))

    def _ways(self, turn: Turn) -> tuple[Option, ...]:
        """Return what can be pressed."""
        label = self.purpose.label.format(turn.connection.label)
        taken = only_approvers(turn, Option("yes", label, "primary"), turn.connection)
        *ways, cancel = self.ways_on if turn.memory.draft.problem else (taken, *self.ways)
        ways = [replace(way, form=self._form(turn, way)) for way in ways]
        return (*ways, *way_to_people(turn), cancel)

    def _form(self, turn: Turn, way: Option) -> Form | None:
        """Return the form of what can be changed; None for all else."""
        return sql_form(turn.memory.draft) if way.label == EDIT else None

    def label_typed(self, turn: Turn) -> str:
        """Return "yes" for the label of the button that takes the SQL: "run on Shop"."""
        return "yes" if says_label(turn.typed, self.purpose.label.format(turn.connection.label)) else ""

    def require_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers."""
        if not (turn.pressed("yes", "no") and may_approve(turn.user, turn.connection, turn.owner)):
            super().require_right(turn)

    def answer(self, turn: Turn) -> Taken | Literal["yes", "no"]:
        word: Literal["yes", "no", "edit"] | None = turn.word("yes", "no", "edit")
        if (
            word is None
            and isinstance(turn.incoming.input, Said)
            and (taken := take_same_elsewhere(turn) or take(turn))
        ):
            return taken
        return self._decide(turn, "no" if word == "edit" else word)

    def _decide(self, turn: Turn, word: Literal["yes", "no"] | None) -> Literal["yes", "no", "unclear"]:
        memory, draft = turn.memory, turn.memory.draft
        if word == "no":
            turn.record("rejected", approver=turn.user.id, sql=draft.sql)
            return word
        if word is None:
            return turn.unclear()
        if draft.problem:
            return turn.unclear("This SQL can't run as it is.")
        if not may_approve(turn.user, turn.connection, turn.owner):
            turn.record("refused", approver=turn.user.id, sql=draft.sql, error="no right to approve")
        require_approve(turn.user, turn.connection, turn.owner)
        require_in_time(turn, SQL_WAITED_TOO_LONG)
        approved = digest(draft.sql, *memory.place.at, turn.owner.id)
        memory.draft = replace(draft, approval=approval_of(turn, approved))
        turn.record("approved", approver=turn.user.id, sql=draft.sql, digest=approved)
        return word


class ConfirmGeneratedSql(ConfirmSql):
    """Show the SQL that was written; run it, edit it, or have another one written."""

    card = "sql"
    accepts = frozenset()
    help = (
        "Press {} to {}, Edit to change it, or Rewrite for different SQL. To change the question, type it in other "
        "words."
    )
    ways = (Option("edit", EDIT), Option("again", "Rewrite"), Option("no", CHANGE, overflow=True), CANCEL)
    ways_on = (Option("again", "Rewrite", "primary"), Option("no", CHANGE), Option("edit", EDIT), CANCEL)

    def _ways(self, turn: Turn) -> tuple[Option, ...]:
        """Offer to take a word in another way, and to ask without what stands above."""
        *ways, cancel = super()._ways(turn)
        other = (Option(f"{READING_PREFIX}{each}", each, overflow=True) for each in turn.memory.draft.readings)
        return (*ways, *other, *((ASK_ALONE,) if turn.memory.draft.follows else ()), cancel)

    def _form(self, turn: Turn, way: Option) -> Form | None:
        return question_form(turn.memory.draft) if way.answer == "no" else super()._form(turn, way)

    def answer(  # type: ignore[override]
        self, turn: Turn
    ) -> Taken | Literal["yes", "no", "edit", "again"]:
        draft = turn.memory.draft
        word: Literal["edit", "again"] | None = turn.word("edit", "again")
        if word is None and (hint := hint_cards(turn)):
            return "again" if hint == "hinted" else hint
        for reading in draft.readings:
            if turn.pressed(f"{READING_PREFIX}{reading}"):
                evidence = "; ".join(filter(None, (draft.evidence, reading)))
                turn.memory.draft = replace(draft.asked_again(), evidence=evidence)
                return "again"
        if turn.word("alone") and draft.follows:
            turn.memory.draft = replace(draft.asked_again(), intent=Category.ASK_DATA, follows=(), leans=False)
            return "again"
        return word or super().answer(turn)


def _taken(draft: Draft) -> tuple[str, ...]:
    """Return what the sentence was understood as, and what to do if that is in doubt."""
    if not draft.intent or draft.changed:
        return ()
    doubt = UNSURE_OF_FOLLOW_UP if draft.leans else UNSURE_OF_QUESTION
    return (
        *((f"I took it as: {draft.question}",) if draft.typed else ()),
        *((f"I read it together with “{line(draft.follows[0], BEFORE_SHOWN_CHARS)}”.",) if draft.leans else ()),
        *((doubt,) if draft.sure < UNDERSTOOD_CONFIDENCE_MIN else ()),
    )


def where_of(turn: Turn, place: Place) -> str:
    """Return the connection's label, with the schema if the connection allows several; asks no database."""
    connection, schema = turn.services.connections.require(place.connection), place.schema
    several = len(connection.schemas) > 1 or any("*" in pattern for pattern in connection.schemas)
    if not several:
        return connection.label
    return f"{connection.label}, {'all schemas' if schema == ALL_SCHEMAS else f'schema {schema}'}"
