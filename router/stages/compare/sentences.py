"""Sentences at the cards of a comparison: patches of its form, and steps with its rows."""

from router.language.phrases import find_phrases, phrase_at, tokens_of
from router.memory.draft import Wish
from router.stages.compare.fields import with_values
from router.stages.planned_steps import add_step, possible, why_not
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Said, Turn
from router.understanding.interpretation import STEP_TO_AGENT
from router.understanding.parameters.comparing import comparison_patch
from router.understanding.steps import step_of

NOT_REPEATED = "Comparisons can't be scheduled. Compare now, and press Compare again for a fresh one."


def changed(turn: Turn) -> bool:
    """Change the comparison as a typed sentence says, and return whether it says something of it, or of its rows.

    Raises WrongField where it cannot be so.
    """
    comparing, given = comparing_of(turn), turn.incoming.input
    if comparing.columns is None or not isinstance(given, Said):
        return False
    # A step is believed as it was typed, and not as what sentences like it mean.
    if given.text in turn.typed and (step := _step_in(given.text)):
        _plan(turn, step)
        return True
    if (patch := comparison_patch(given.text, comparing.columns)) is None:
        return False
    values, unused = patch
    set_comparing(turn, with_values(turn, comparing, comparing.columns, values))
    if unused:
        turn.note(f"Not used: {'; '.join(unused)}.", "quiet")
    return True


def _step_in(text: str) -> Wish | None:
    """Return what is to become of the rows of the comparison, where a sentence says that and nothing else."""
    plain, tokens = text.strip(" .!"), tokens_of(text)
    for found in reversed(find_phrases("comparing.its_rows", tokens)):
        plain = f"{plain[: tokens[found.first].begin]}it{plain[tokens[found.end - 1].end :]}"
    if tokens and (length := phrase_at("comparing.afterwards", tokens, 0)):
        plain = plain[tokens[length - 1].end :].strip(" ,")
    step = step_of(plain)
    return Wish(STEP_TO_AGENT[step.step], step.text) if step else None


def _plan(turn: Turn, wish: Wish) -> None:
    """Have a step be done with the rows of the comparison, if it can be, and say so."""
    if wish.agent_id in ("schedule_agent", "sql_agent"):
        turn.note(NOT_REPEATED, "quiet")
    elif possible(turn, wish):
        add_step(turn, wish)
    else:
        turn.note(" ".join(why_not(wish)), "quiet")
