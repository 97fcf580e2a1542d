"""Buttons of a result name it: they work from every copy of its card, whatever was asked since."""

import re
from typing import Final

from router.errors import Stale
from router.interactions.persistent_buttons import is_persistent
from router.machine import require_owner
from router.memory.stage import Stage
from router.memory.thread import RESULTS_REMEMBERED, Memory, PastResult, Tasks
from router.memory.understanding import Understanding
from router.stages.shown import view_of
from router.stages.side_questions import heard
from router.turn import Filled, Input, Pressed, Said, Turn
from router.understanding.categories import Category

SIDE_EXPORTS: Final = ("csv", "xlsx", "chart")
"""Exports that leave the question that stands, so that the talk stays where it is."""

TOO_FAR_BACK: Final = "I no longer keep these rows here. Ask the question again, and I'll show them anew."

_ABOUT_ROWS: Final = {Category.REFINE_QUESTION, Category.EXPORT, Category.EMAIL, Category.WRITE, Category.SCHEDULE}
"""Categories of sentences about rows on show."""

_NAMED = re.compile(r"(.+)@([^@]+)")


def pressed_result(turn: Turn) -> tuple[str, PastResult] | None:
    """Return what was pressed on a result's card, with that result; None for any other input.

    What is typed below a result that it quotes is about that one: the word of its button, or empty for a sentence.
    Raises NotYours if somebody else asked for it, and Stale if it is not remembered any more.
    """
    given, quoted = turn.incoming.input, turn.incoming.quoted
    found = _NAMED.fullmatch(given.answer) if isinstance(given, Pressed) else None
    if found:
        word, result = found[1], found[2]
    elif quoted and quoted.result and isinstance(given, Said):
        word, result = turn.word(*SIDE_EXPORTS) or "", quoted.result
    else:
        return None
    require_owner(turn)
    past = next((each for each in turn.memory.results if each.answer.result.id == result), None)
    if past is None:
        raise Stale(TOO_FAR_BACK)
    return word, past


def is_lasting(answer: str) -> bool:
    """Return whether a button works whatever was asked since: one of a result, of a schedule or of the glossary."""
    return is_persistent(answer) or _NAMED.fullmatch(answer) is not None


def is_lasting_press(given: Input) -> bool:
    """Return whether an input is from such a button or its form: it holds, no matter what was asked since."""
    return isinstance(given, Pressed | Filled) and is_lasting(given.answer)


def is_on_show(memory: Memory, past: PastResult) -> bool:
    """Return whether a result is the one that the talk stands at."""
    shown = memory.answer
    return memory.stage == Stage.SHOW_RESULTS and shown is not None and shown.result == past.answer.result


def remember_result(memory: Memory) -> None:
    """Keep the result on show among the latest ones, as it is shown."""
    if memory.answer is None:
        return
    others = [each for each in memory.results if each.answer.result.id != memory.answer.result.id]
    memory.results = [*others, PastResult(memory.answer, memory.place)][-RESULTS_REMEMBERED:]


def refers_back(turn: Turn) -> bool:
    """Return whether a sentence is about the last rows after the end of a talk: "only the open ones", "e-mail it"."""
    said = isinstance(turn.incoming.input, Said)
    return said and (turn.word(*SIDE_EXPORTS, "email", "write") is not None or heard(turn).category in _ABOUT_ROWS)


def take_up(memory: Memory, past: PastResult) -> None:
    """Have the talk stand at a result of before; what else was begun is left."""
    memory.stage, memory.answer, memory.place = Stage.SHOW_RESULTS, past.answer, past.place
    memory.draft, memory.tasks = past.answer.draft, Tasks()
    memory.understanding, memory.choosing = Understanding(), ""
    memory.view = view_of(past.answer)  # it stands above, with its buttons
