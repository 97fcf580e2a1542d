"""Steps with a result that need no button: those of a plan, or a wish in words; by the rules of its stages."""

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from router.cards import Card, Reply
from router.errors import BotError
from router.memory.draft import Draft, Wish
from router.memory.understanding import TypedAt, Understanding
from router.policy import writable_connections
from router.stages.schedule import begin_repeating
from router.stages.shown import only_for
from router.stages.write_or_email import begin_task
from router.turn import Turn
from router.understanding.parameters.plan_patch import plan_patch
from router.understanding.steps import PLAN_MAX_STEPS, chart_kind_in

Step = Literal["sentence", "file", "chart", "share", "repeat", "question"]
"""The step that begins with a result."""


def why_not(turn: Turn, wish: Wish) -> tuple[str, str] | None:
    """Return why a wish cannot be fulfilled here, and what was not done for it; None if it can."""
    match wish.step:
        case "email" if turn.services.mail_config is None:
            return "I can't send e-mails here: no mail server is set up.", "Nothing was sent."
        case "write" if not writable_connections(turn.services.connections, turn.owner):
            return "There's no database here that you can write to.", "Nothing was written."
        case "repeat" if turn.services.schedules is None:
            return "Nothing can be repeated here.", "Nothing was begun."
    return None


def begin_step(turn: Turn, wish: Wish) -> Step:
    """Begin what is wished for with the rows on show, as if it had been typed under them."""
    memory = turn.memory
    match wish.step:
        case "share":
            return "share"
        case "chart":
            memory.form = chart_kind_in(wish.text) or ""
            return "chart"
        case "csv" | "xlsx":
            memory.form = wish.step
            return "file"
        case "repeat":
            begin_repeating(turn, wish.text)
            return "repeat"
        case "ask":
            ask_next(turn, wish, "rows")
            return "question"
    begin_task(turn, wish.step)
    memory.sentence = wish.text
    return "sentence"


def ask_next(turn: Turn, wish: Wish, typed_at: TypedAt) -> None:
    """Have a further question understood as if it had been typed there."""
    memory = turn.memory
    memory.understanding = Understanding(wish.text, before=memory.draft, typed_at=typed_at)
    memory.draft = Draft(method="generate", question=wish.text)


def next_step(turn: Turn, show: Callable[[Turn], tuple[Card, ...]]) -> Step | None:
    """Begin the next step of the plan of these rows, once what came before it was done; None if none is left.

    `show` gives the cards of the rows, which are seen before anything is done with them.
    """
    answer = turn.memory.answer
    if answer is None or not answer.draft.plan:
        return None
    plan, step, why = answer.draft.plan, None, ""
    begun = first_step(plan)
    if turn.achieved is not None:
        try:
            if turn.achieved == "rows":
                turn.post(Reply(show(turn), working=True, to=only_for(turn)))
            step = begin_step(turn, Wish(begun[0].step, ", ".join(wish.text for wish in begun)))
        except BotError as error:  # the rows are here, whatever becomes of them
            why = f"{error} "
    if step is None:
        turn.note(f"{why}{left_out(plan)}", "problem" if why else "quiet")
    left = () if step is None else tuple(wish for wish in plan if wish not in begun)
    turn.memory.answer = replace(answer, draft=replace(answer.draft, plan=left))
    return step


def first_step(plan: tuple[Wish, ...]) -> tuple[Wish, ...]:
    """Return the first step of a plan; with a repetition the e-mail that follows it, which goes out each time."""
    return plan[:2] if [wish.step for wish in plan[:2]] == ["repeat", "email"] else plan[:1]


def replanned(turn: Turn) -> bool:
    """Change the plan of the question at hand by what was typed at its SQL; return False for any other sentence."""
    memory, known = turn.memory, turn.memory.understanding
    plan = known.before.plan if known.typed_at in ("sql", "own_sql") else ()
    patch = plan_patch(known.user_message, plan) if plan else None
    if patch is None or len(patch) > PLAN_MAX_STEPS or any(why_not(turn, wish) for wish in patch):
        return False
    memory.draft, memory.understanding = replace(known.before, plan=patch), Understanding()
    steps = "; then ".join(wish.text for wish in patch)
    turn.note(f"Once the rows are here, I go on with: {steps}" if steps else "Once the rows are here, that is all.")
    return True


def add_step(turn: Turn, wish: Wish) -> None:
    """Put a wish into the plan of the question at hand, before its next question; say so, or that it is full."""
    draft = turn.memory.draft
    others = [each for each in draft.plan if each != wish]
    steps = [each for each in others if each.step != "ask"]
    if len(steps) >= PLAN_MAX_STEPS:
        turn.note(
            f"{PLAN_MAX_STEPS} steps are planned for these rows already, so “{wish.text}” is not added. Type it once "
            "they are done.",
            "problem",
        )
        return
    asked = [each for each in others if each.step == "ask"]
    turn.memory.draft = replace(draft, plan=(*steps, wish, *asked))
    turn.note(f"Once the rows are here, I go on with: {wish.text}")


def not_wanted(denied: tuple[str, ...]) -> str:
    """Return a sentence about steps that a message says are not wanted."""
    return f"Not done, as you said: {', '.join(f'“{words}”' for words in denied)}."


def left_out(plan: tuple[Wish, ...]) -> str:
    """Return a sentence about steps that are not done."""
    return f"Left out of what you wished for: {', '.join(f'“{wish.text}”' for wish in plan)}."
