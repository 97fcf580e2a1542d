"""The steps of a plan with what they say: recipients, format, table and time; from their words, and back to words."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from router.memory.draft import Wish
from router.memory.recurrence import dates_in_words, days_in_words
from router.understanding.categories import CATEGORY_TO_AGENT, Category
from router.understanding.parameters.mailing import rules_of_mailing
from router.understanding.parameters.sentence import Form, Rest
from router.understanding.schedule_wishes import ScheduleWish, schedule_wish_of
from router.understanding.step_parts import FORMS
from router.understanding.steps import Step, step_of

StepKind = Step | Literal["other"]
"""The kind of a step; "other" is one that no correction is about."""

MODES: Final = {"append": "append", "truncate": "empty it first", "drop": "replace the table"}
"""How a table is filled, in the words of a step."""

_AGENT_TO_STEP: Final[dict[str, StepKind]] = {
    CATEGORY_TO_AGENT[Category.WRITE]: "write",
    CATEGORY_TO_AGENT[Category.EMAIL]: "email",
    CATEGORY_TO_AGENT[Category.SCHEDULE]: "repeat",
    CATEGORY_TO_AGENT[Category.ASK_DATA]: "ask",
}
_STEP_TO_AGENT: Final = {kind: agent for agent, kind in _AGENT_TO_STEP.items()}
_EXPORT_AGENT: Final = CATEGORY_TO_AGENT[Category.EXPORT]
_EVERY: Final = {
    "hour": "every hour",
    "day": "every day",
    "workday": "every workday",
    "week": "every week",
    "month": "monthly",
}
_CONDITIONS: Final = {"changed": "if it changed", "rows": "if there are rows"}


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan; `agent` is kept for a step of another kind."""

    kind: StepKind
    text: str
    agent: str = ""

    @property
    def wish(self) -> Wish:
        """The step as it is remembered."""
        return Wish(self.agent or _STEP_TO_AGENT.get(self.kind, _EXPORT_AGENT), self.text)


def plan_steps(wishes: Iterable[Wish]) -> tuple[PlanStep, ...]:
    """Return the steps of a plan; a repetition that is mailed is two of them."""
    found = list[PlanStep]()
    for wish in wishes:
        step = step_of(wish.text) if wish.agent_id == _EXPORT_AGENT else None
        kind: StepKind = step.step if step else _AGENT_TO_STEP.get(wish.agent_id, "other")
        when, _, mail = wish.text.partition(", ")
        if kind == "repeat" and mail and (mailed := step_of(mail)) and mailed.step == "email":
            found += [PlanStep("repeat", when), PlanStep("email", mail)]
        else:
            found.append(PlanStep(kind, wish.text, wish.agent_id if kind == "other" else ""))
    return tuple(found)


def joined(wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """Return the wishes with the e-mail of a repetition in it: each time it runs, it is mailed."""
    steps = plan_steps(wishes)
    repeated = next((step for step in steps if step.kind == "repeat"), None)
    mailed = next((step for step in steps if step.kind == "email"), None)
    if repeated is None or mailed is None or schedule_wish_of(whole := f"{repeated.text}, {mailed.text}") is None:
        return tuple(step.wish for step in steps)
    return tuple(
        PlanStep("repeat", whole).wish if step is repeated else step.wish for step in steps if step is not mailed
    )


def mail_step(people: Iterable[str], form: Form = "", subject: str = "") -> PlanStep:
    """Return the step that mails the rows."""
    whom = " and ".join(people)
    name = {"csv": FORMS["csv"], "xlsx": FORMS["excel"]}.get(form, "")
    parts = (
        f" to {whom}" if whom else "",
        f" as {name}" if name else "",
        f' with the subject "{subject}"' if subject else "",
    )
    return PlanStep("email", f"mail it{''.join(parts)}")


def mail_of(step: PlanStep) -> tuple[tuple[str, ...], Form, str]:
    """Return recipients, format and subject of a step that mails."""
    wish = rules_of_mailing(Rest(step.text))
    return wish.recipients, wish.form, wish.subject


def repeat_step(said: ScheduleWish, typed: str, before: PlanStep | None = None) -> PlanStep:
    """Return the step that repeats the query, at the time that was said; what was not said stays as it was."""
    known = (schedule_wish_of(before.text, asked=True) if before else None) or ScheduleWish()
    if said.unknown or said.no_time:
        return PlanStep("repeat", f"repeat it {typed}")
    timed = said if said.every else known
    when = _EVERY.get(timed.every or "", "")
    if timed.every == "week" and timed.day:
        when = f"every {days_in_words(timed.day)}"
    elif timed.every == "month" and timed.date:
        when = f"on the {dates_in_words(timed.date)} of every month"
    at, zone = (getattr(said, name) or getattr(known, name) for name in ("at", "zone"))
    condition = said.condition or known.condition
    words = (when, f"at {at}" if at else "", zone, _CONDITIONS.get(condition or "", ""))
    return PlanStep("repeat", " ".join(("repeat it", *filter(None, words))))
