"""The two cards of a task, such as writing a result: its form, and what will be done, for a person's Yes.

Both are the same for all tasks: what is typed at either is a patch of the form.
"""

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from router.cards import Buttons, Card, Form, Option
from router.catalog.connection import Connection
from router.policy import may_approve
from router.stages.approvals import Approvable, Right, awaited, only_approvers, require_owner_or_approver
from router.stages.shown import answer_of
from router.stages.tasks import LEAVE, DestinationAsk, abandon_task, is_declined
from router.turn import NO_ANSWER, Filled, Said, Turn
from router.understanding.button_words import says_label

EDIT = Option("edit", "Edit")


@dataclass(frozen=True, slots=True)
class Preview:
    """A task as it will be done: `approvable` stands for exactly this; no `yes` if a form among `cards` asks."""

    cards: tuple[Card, ...]
    approvable: Approvable
    question: str
    yes: Option | None
    others: tuple[Option, ...] = ()


class TaskForm(DestinationAsk):
    """Ask for a task in one form."""

    @abstractmethod
    def form(self, turn: Turn) -> Form:
        """Return the form, with what is known of the task."""

    @abstractmethod
    def fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the values of all fields of the form; return False for what cannot be, with `Turn.unclear`."""

    @abstractmethod
    def patch(self, turn: Turn, text: str) -> bool:
        """Take what a sentence changes; return False for any other sentence, and for what cannot be."""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return the form, and the way out."""
        return (self.form(turn), Buttons("", (LEAVE,)))

    def answer(self, turn: Turn) -> Literal["filled", "cancel", "unclear"]:
        """Take the form, or a sentence that changes it."""
        if abandon_task(turn):
            return "cancel"
        turn.refusal = ""
        match turn.incoming.input:
            case Filled(values):
                taken = self._fill(turn, values)
            case Said(text):
                chosen = self._chosen(turn, text)
                taken = self._fill(turn, chosen) if chosen else self.patch(turn, text)
            case _:
                taken = False
        return "filled" if taken else turn.unclear(turn.refusal or NO_ANSWER)

    def _fill(self, turn: Turn, values: Mapping[str, str]) -> bool:
        """Take the form with these values, and all else as it is shown; so is what no menu has."""
        taken = {}
        for field in self.form(turn).fields:
            given = values.get(field.name, field.value).strip()
            is_offered = not field.options or given in {way.answer for way in field.options}
            taken[field.name] = given if is_offered else field.value
        return self.fill(turn, taken)

    def _chosen(self, turn: Turn, text: str) -> dict[str, str]:
        """Return the field whose entry was typed, by its label or the words of its button; empty for any other text."""
        for field in self.form(turn).fields:
            said = next((way.answer for way in field.options if says_label(text, way.label)), None)
            word = turn.word(*(way.answer for way in field.options)) if field.kind == "radio" else None
            if chosen := said or word:
                return {field.name: chosen}
        return {}


class TaskConfirm(DestinationAsk):
    """Show a task as it will be done; a person who may says Yes to exactly this."""

    approves = True
    yes: ClassVar[tuple[str, ...]]
    """The words of its Yes."""
    what_to_change: ClassVar[str]
    """The sentence that answers a No."""

    @property
    def may(self) -> Right:
        """Return the right that a Yes needs."""
        return may_approve

    def connection(self, turn: Turn) -> Connection:
        """Return the connection whose approvers say Yes: that of the rows."""
        return turn.services.connections.require(answer_of(turn).connection)

    @abstractmethod
    def preview(self, turn: Turn) -> Preview:
        """Return what will be done."""

    @abstractmethod
    def approve(self, turn: Turn) -> None:
        """Keep the Yes; raises NotAllowed, or Stale if it comes too late."""

    @abstractmethod
    def change(self, turn: Turn) -> bool:
        """Take what another button or a sentence changes; return False for all else, and for what cannot be."""

    def is_yes(self, turn: Turn) -> bool:
        """Return whether the input says Yes."""
        return turn.word(*self.yes) is not None

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        """Return what will be done, who has to approve it, and the buttons."""
        connection, shown = self.connection(turn), self.preview(turn)
        yes = (only_approvers(turn, shown.yes, connection, self.may),) if shown.yes else ()
        return (
            *shown.cards,
            *awaited(turn, connection, shown.approvable, self.may),
            Buttons(shown.question, (*yes, EDIT, *shown.others, LEAVE)),
        )

    def require_right(self, turn: Turn) -> None:
        """Let the owner answer, and those whom the connection names as approvers say Yes."""
        presses = isinstance(turn.incoming.input, Filled) or turn.pressed(*self.yes)
        require_owner_or_approver(turn, presses, self.connection(turn), self.may)

    def answer(self, turn: Turn) -> Literal["yes", "edit", "changed", "cancel", "unclear"]:
        """Take a Yes, or a change."""
        if abandon_task(turn):
            return "cancel"
        turn.refusal = ""
        if turn.word("edit"):
            return "edit"
        if self.is_yes(turn):
            self.approve(turn)
            return "yes"
        if self.change(turn):
            return "changed"
        return turn.unclear(turn.refusal or (self.what_to_change if is_declined(turn) else NO_ANSWER))
