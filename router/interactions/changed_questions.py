"""Questions whose message was changed or deleted after it was taken: what is taken back, and what stays."""

from dataclasses import replace
from typing import Final

from router.memory.thread import QUESTIONS_REMEMBERED, Memory, TakenQuestion
from router.memory.understanding import Understanding
from router.turn import Changed, Filled, Said, Turn

WITHDRAWN_CHANGED: Final = "Withdrawn: the question was changed."
WITHDRAWN_DELETED: Final = "Withdrawn: the question was deleted."
RUN_ALREADY: Final = "That question was run already, so its result stays."


def note_question(turn: Turn) -> None:
    """Note the message that a question was taken from, once it is clear that it is one."""
    memory, given = turn.memory, turn.origin
    event = given.of if isinstance(given, Changed) else turn.incoming.event
    if not event or not isinstance(given, Said | Changed | Filled) or turn.question_noted:
        return
    other = bool(memory.draft.subject) and memory.draft.subject != turn.before.draft.subject
    if turn.asks or other:  # the same words may be asked twice: each message has a card of its own
        text = given.text.strip() if isinstance(given, Said | Changed) else ""
        others = [each for each in memory.questions if each.event != event]
        taken = TakenQuestion(event, text, turn.user.id, turn.before)
        memory.questions = [*others, taken][-QUESTIONS_REMEMBERED:]
        turn.question_noted = True


def find_taken(memory: Memory, event: str) -> TakenQuestion | None:
    """Return the question that was taken from a message."""
    return next((each for each in memory.questions if each.event == event), None)


def is_at_hand(memory: Memory, event: str) -> bool:
    """Return whether the latest question that was not taken back came with this event, and was not run."""
    last = _standing(memory)
    return last is not None and last.event == event and not last.settled


def mark_settled(memory: Memory) -> None:
    """Note that the latest question was approved: it is not taken back any more."""
    last = _standing(memory)
    memory.questions = [replace(each, settled=True) if each is last else each for each in memory.questions]


def _standing(memory: Memory) -> TakenQuestion | None:
    """Return the latest question that was not taken back."""
    return next((each for each in reversed(memory.questions) if not each.withdrawn), None)


def take_back(memory: Memory, taken: TakenQuestion) -> None:
    """Have the talk be where it was before a question; buttons of its card are old from now on."""
    before, subject = taken.before, memory.draft.subject
    memory.stage, memory.place, memory.draft = before.stage, before.place, before.draft
    memory.answer, memory.tasks = before.answer, before.tasks
    memory.understanding, memory.choosing = Understanding(), ""
    memory.trail = [step for step in memory.trail if step.draft.subject != subject or subject == before.draft.subject]
    memory.turn += 1
    memory.questions = [replace(each, withdrawn=True) if each == taken else each for each in memory.questions]
