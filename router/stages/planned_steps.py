"""Steps with a result that need no button: those of a plan, or a wish in words; by the rules of its stages."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from router.cards import Card, Reply
from router.errors import BotError
from router.memory.draft import Draft, Wish
from router.memory.understanding import TypedAt, Understanding
from router.policy import writable
from router.stages.schedule import begin_repeating
from router.stages.shown import only_for
from router.stages.write_or_email import begin
from router.turn import Turn
from router.understanding.chart_kinds import chart_kind_in
from router.understanding.parameters.plan_corrections import PlanCorrection, of_steps_alone, plan_correction
from router.understanding.parameters.plan_steps import DRAWN, PlanStep, joined, mail_step, plan_steps, write_step
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.wish_endings import shared
from router.understanding.wishes import PLAN_MAX_STEPS, step_of

NO_TIME_READ = "I could not read the time from what you typed. Choose it here:"

Step = Literal["sentence", "file", "chart", "share", "repeat", "question"]
"""The step that begins with a result."""


def possible(turn: Turn, wish: Wish) -> bool:
    """Tell whether a wish can be fulfilled here."""
    match wish.agent_id:
        case "email_agent":
            return turn.services.mail_config is not None
        case "write_agent":
            return bool(writable(turn.services.connections, turn.owner))
        case "schedule_agent":
            return turn.services.schedules is not None
    return True


def why_not(wish: Wish) -> tuple[str, str]:
    """Return why a wish of this kind can be impossible, and what was not done for it."""
    match wish.agent_id:
        case "email_agent":
            return "I can't send e-mails here: no mail server is set up.", "Nothing was sent."
        case "write_agent":
            return "There's no database here that you can write to.", "Nothing was written."
    return "Nothing can be repeated here.", "Nothing was begun."


def begin_step(turn: Turn, wish: Wish) -> Step:
    """Begin what is wished for with the rows on show, as if it had been typed under them."""
    memory = turn.memory
    match wish.agent_id:
        case "export_agent" if shared(wish.text):
            return "share"
        case "export_agent" if DRAWN.search(wish.text) or chart_kind_in(wish.text):
            memory.form = chart_kind_in(wish.text) or ""
            return "chart"
        case "export_agent":
            kinds = [step.kind for step in plan_steps((_without_negation(wish),))]
            memory.form = "csv" if kinds == ["csv"] else "xlsx"
            return "file"
        case "schedule_agent":
            understood = schedule_wish_of(wish.text, asked=True)
            begin_repeating(turn, wish.text if understood else "")
            if understood is None:
                turn.note(NO_TIME_READ, "quiet")
            return "repeat"
        case "sql_agent":
            ask_next(turn, wish, "rows")
            return "question"
    begin(turn, "write" if wish.agent_id == "write_agent" else "email")
    memory.sentence = wish.text
    return "sentence"


def _without_negation(wish: Wish) -> Wish:
    """Return an export as the format that is wished for: "no csv, excel"."""
    found = plan_correction(wish.text, ())
    return found.steps[0].wish if found and len(found.steps) == 1 else wish


def ask_next(turn: Turn, wish: Wish, typed_at: TypedAt) -> None:
    """Have a further question understood as if it had been typed there."""
    memory = turn.memory
    memory.understanding = Understanding(wish.text, before=memory.draft, typed_at=typed_at)
    memory.draft = Draft(method="generate", question=wish.text)


def next_step(turn: Turn, show: Callable[[Turn], tuple[Card, ...]]) -> Step | None:
    """Begin the next step of the plan of these rows, once what came before it was done; None where none is left.

    `show` gives the cards of the rows, which are seen before anything is done with them.
    """
    answer = turn.memory.answer
    if answer is None or not answer.draft.plan:
        return None
    plan = answer.draft.plan
    step, why = None, ""
    if turn.achieved is not None:
        try:
            if turn.achieved == "rows":
                turn.post(Reply(show(turn), working=True, to=only_for(turn)))
            step = begin_step(turn, plan[0])
        except BotError as error:  # the rows are here, whatever becomes of them
            why = f"{error} "
    if step is None:
        turn.note(f"{why}{left_out(plan)}", "problem" if why else "quiet")
    left = () if step is None else plan[1:]
    turn.memory.answer = replace(answer, draft=replace(answer.draft, plan=left))
    return step


def replanned(turn: Turn) -> bool:
    """Correct the plan of the question at hand by what was typed at its SQL; return False for any other sentence."""
    memory, known = turn.memory, turn.memory.understanding
    plan, typed = known.before.plan, known.user_message
    if known.typed_at not in ("sql", "own_sql"):
        return False
    if not plan and of_steps_alone(typed):
        memory.draft, memory.understanding = known.before, Understanding()
        turn.note("Nothing is planned for these rows that this could change. First say what to do with them.")
        return True
    found = plan_correction(typed, plan_steps(plan)) or _in_place(typed, plan) if plan else None
    if found is None or found.question or any(step in (mail_step(()), write_step("")) for step in found.steps):
        return False  # "add the e-mail" asks for a column here
    wishes = joined(step.wish for step in found.steps)
    if len(wishes) > PLAN_MAX_STEPS or not all(possible(turn, wish) for wish in wishes):
        return False
    memory.draft, memory.understanding = replace(known.before, plan=wishes), Understanding()
    steps = "; then ".join(wish.text for wish in wishes)
    turn.note(f"Once the rows are here, I go on with: {steps}" if steps else "Once the rows are here, that is all.")
    return True


_INSTEAD = re.compile(r"\b(?:instead|rather|stattdessen|lieber|plutôt|mejor|en vez)\b", re.IGNORECASE)


def _in_place(typed: str, plan: tuple[Wish, ...]) -> PlanCorrection | None:
    """Return the plan with a step that is said anew in place of the one of its kind: "send it to bob instead"."""
    step, steps = step_of(typed), plan_steps(plan)
    if step is None or not _INSTEAD.search(typed) or not any(each.kind == step.step for each in steps):
        return None
    said = PlanStep(step.step, _INSTEAD.sub("", step.text).strip())
    return PlanCorrection(tuple(said if each.kind == step.step else each for each in steps))


def add_step(turn: Turn, wish: Wish) -> None:
    """Put a wish into the plan of the question at hand, before its next question; say so, or that it is full."""
    draft = turn.memory.draft
    others = [each for each in draft.plan if each != wish]
    steps = [each for each in others if each.agent_id != "sql_agent"]
    if len(steps) >= PLAN_MAX_STEPS:
        turn.note(
            f"{PLAN_MAX_STEPS} steps are planned for these rows already, so “{wish.text}” is not added. Type it once "
            "they are done.",
            "problem",
        )
        return
    asked = [each for each in others if each.agent_id == "sql_agent"]
    turn.memory.draft = replace(draft, plan=(*steps, wish, *asked))
    turn.note(f"Once the rows are here, I go on with: {wish.text}")


def left_out(plan: tuple[Wish, ...]) -> str:
    """Return a sentence about steps that are not done."""
    return f"Left out of what you wished for: {', '.join(f'“{wish.text}”' for wish in plan)}."
