"""The tasks besides a query, such as writing a result: read, changed and left by stages that ask about them."""

from dataclasses import replace
from typing import Literal

from router.cards import Option
from router.errors import Unclear
from router.jobs.results.cells import line
from router.language.phrases import has_phrase, without_beginning
from router.machine import Ask
from router.memory.comparing import ComparedSide, Comparing
from router.memory.recurrence import Repeating
from router.memory.thread import Mailing, Tasks, Writing
from router.stages.shown import only_for
from router.turn import Said, Turn
from router.understanding.button_words import takes_back, word_of
from router.understanding.steps import step_of

LEAVE = Option("cancel", "Cancel")

Side = Literal["left", "right"]
"""The sides of a comparison: its first and its second query."""

WAYS_OF_WRITING = (
    Option("append", "Add the rows", "primary"),
    Option("truncate", "Empty it first", "danger"),
    Option("drop", "Replace the table", "danger"),
)
"""The buttons of a table that is there, in the order of the modes."""

UNUSED_MAX_CHARS = 120
"""Characters that are shown of what was not used."""


class DestinationAsk(Ask):
    """A question about where a result is to go; only people who may see the result see it."""

    def only_for(self, turn: Turn) -> str:
        """Return the asker's id if the result is for them alone."""
        return only_for(turn)


def is_declined(turn: Turn) -> bool:
    """Return whether the person declines the pending action, in a word or as "don't send it"."""
    return turn.word("no") is not None or (isinstance(turn.incoming.input, Said) and takes_back(turn.text))


def abandon_task(turn: Turn) -> bool:
    """Return whether the person leaves the task, perhaps for another one; it is forgotten, and the result stays."""
    tasks = turn.memory.tasks
    if not turn.word("cancel"):
        other = _other_wish(turn)
        if not other:
            return False
        turn.incoming, turn.goes_on = replace(turn.incoming, input=Said(other)), True
    if turn.memory.answer is not None:
        undone = (tasks.mailing and "Nothing was sent.") or (tasks.writing and "Nothing was written.")
        turn.note("No schedule was added." if tasks.repeating else undone or "Nothing was done.")
    forget(turn)
    return True


def _other_wish(turn: Turn) -> str:
    """Return the wish for something else than the task at hand that was typed at its card; empty if none."""
    given, tasks = turn.incoming.input, turn.memory.tasks
    # A person who wants both is asked, so that the task at hand is not lost.
    if not isinstance(given, Said) or turn.memory.answer is None or has_phrase("values.in_addition", given.text):
        return ""
    wish = without_beginning("values.changed_mind", given.text).strip(" .!")
    word = word_of(wish, ("chart", "csv", "xlsx"))
    if word and (word == "chart" or tasks.writing):
        return word
    other = ("email", "repeat") if tasks.writing else ("write",)
    step = step_of(wish)
    return wish if step and step.step in other else ""


NOT_WHOLE = "I did nothing yet: “{}” may change what you want done. Say one thing at a time, or choose it here."


def say_not_whole(turn: Turn, unread: str) -> None:
    """Say why nothing was made of a sentence: a part that was not understood may change what is to be done."""
    turn.note(NOT_WHOLE.format(line(unread, UNUSED_MAX_CHARS)), "quiet")


def say_unused(turn: Turn, unused: str) -> None:
    """Say which words of a sentence the card below does not have."""
    if unused:
        turn.note(f"Not used: “{line(unused, UNUSED_MAX_CHARS)}”.", "quiet")


def forget(turn: Turn) -> None:
    """Forget where the result was to go."""
    memory, mailing = turn.memory, turn.memory.tasks.mailing
    if mailing and mailing.place:
        memory.place = mailing.place
    memory.tasks, memory.choosing = Tasks(comparing=memory.tasks.comparing), ""


def finish(turn: Turn) -> None:
    """Forget a task that is done; `back` leads to what was before it, not to doing it twice."""
    memory = turn.memory
    memory.trail = [step for step in memory.trail if step.tasks == Tasks(comparing=step.tasks.comparing)]
    forget(turn)


def writing_of(turn: Turn) -> Writing:
    """Return where the result is to be written, as far as it is known."""
    return turn.memory.tasks.writing or Writing()


def mailing_of(turn: Turn) -> Mailing:
    """Return what is known of the e-mail."""
    return turn.memory.tasks.mailing or Mailing()


def repeating_of(turn: Turn) -> Repeating:
    """Return what is known of the repeating."""
    return turn.memory.tasks.repeating or Repeating()


def comparing_of(turn: Turn) -> Comparing:
    """Return the comparison at hand."""
    return turn.memory.tasks.comparing or Comparing()


def set_writing(turn: Turn, writing: Writing) -> None:
    """Remember where the result is to be written."""
    turn.memory.tasks = replace(turn.memory.tasks, writing=writing)


def set_mailing(turn: Turn, mailing: Mailing) -> None:
    """Remember what is known of the e-mail."""
    turn.memory.tasks = replace(turn.memory.tasks, mailing=mailing)


def set_repeating(turn: Turn, repeating: Repeating) -> None:
    """Remember what is known of the repeating."""
    turn.memory.tasks = replace(turn.memory.tasks, repeating=repeating)


def side_of(turn: Turn, side: Side) -> ComparedSide:
    """Return an approved query; raises Unclear if there is none."""
    found = comparing_of(turn).left if side == "left" else comparing_of(turn).right
    if found is None:
        raise Unclear("This query is not there any more. Type compare to begin again.")
    return found


def set_comparing(turn: Turn, comparing: Comparing | None) -> None:
    """Remember the comparison at hand; None if there is none."""
    turn.memory.tasks = replace(turn.memory.tasks, comparing=comparing)
