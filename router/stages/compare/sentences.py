"""Sentences at the cards of a comparison: patches of its form, and steps with its rows."""

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.memory.draft import Wish
from router.stages.compare.fields import with_values
from router.stages.planned_steps import add_step, possible, why_not
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Said, Turn
from router.understanding.interpretation import STEP_TO_AGENT
from router.understanding.parameters.comparing import comparison_patch
from router.understanding.wishes import step_of, wishes_of

NOT_REPEATED = "Comparisons can't be scheduled. Compare now, and press Compare again for a fresh one."


def changed(turn: Turn) -> bool:
    """Change the comparison as a typed sentence says, and return whether it says something of it, or of its rows.

    Raises WrongField where it cannot be so.
    """
    comparing, given = comparing_of(turn), turn.incoming.input
    if comparing.columns is None or not isinstance(given, Said):
        return False
    text, wishes = _steps_in(given.text)
    patch = comparison_patch(text, comparing.columns) if text else ({}, ())
    if patch is None or not (patch[0] or wishes):
        return False
    set_comparing(turn, with_values(turn, comparing, comparing.columns, patch[0]))
    if why := _plan(turn, wishes):
        turn.note(why, "quiet")
    if patch[1]:
        turn.note(f"Not used: {'; '.join(patch[1])}.", "quiet")
    return True


def _steps_in(text: str) -> tuple[str, tuple[Wish, ...]]:
    """Return a sentence without what shall become of the rows of the comparison, and those steps."""
    plain, tokens = text.strip(" .!"), tokens_of(text)
    for found in reversed(find_phrases("comparing.its_rows", tokens)):
        plain = f"{plain[: tokens[found.first].begin]}it{plain[tokens[found.end - 1].end :]}"
    if tokens and (length := phrase_at("comparing.afterwards", tokens, 0)):
        plain = plain[tokens[length - 1].end :].strip(" ,")
    alone = step_of(plain)
    head, steps = ("", (alone,)) if alone else wishes_of(plain)
    if not steps:
        return text, ()
    return text[: len(head)] if head else "", tuple(Wish(STEP_TO_AGENT[each.step], each.text) for each in steps)


def _plan(turn: Turn, wishes: tuple[Wish, ...]) -> str:
    """Have steps be done with the rows of the comparison; return why they cannot be, empty where they can."""
    if any(wish.agent_id in ("schedule_agent", "sql_agent") for wish in wishes):
        return NOT_REPEATED
    if impossible := next((wish for wish in wishes if not possible(turn, wish)), None):
        return " ".join(why_not(impossible))
    for wish in wishes:
        add_step(turn, wish)
    return ""
