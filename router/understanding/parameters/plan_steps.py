"""The steps of a plan with what they say: recipients, format, table and time; from their words, and back to words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from router.memory.draft import Wish
from router.memory.recurrence import dates_in_words, days_in_words
from router.memory.thread import Mode
from router.understanding.categories import CATEGORY_TO_AGENT, Category
from router.understanding.schedule_wishes import ScheduleWish, schedule_wish_of
from router.understanding.values.choices import FileForm as Form
from router.understanding.values.forms import mail_values
from router.understanding.wish_endings import SHARE, shared
from router.understanding.wishes import Step, step_of

StepKind = Step | Literal["other"]
"""The kind of a step; "other" is one that no correction is about."""

DRAWN = re.compile(r"chart|graph|plot|diagram|visuali|picture|bild|gr[aá]fi[ck]", re.IGNORECASE)
"""Words of a chart, among the exports."""

FORM_NAMES: dict[Form, str] = {"csv": "CSV", "xlsx": "Excel"}

_AGENT_TO_STEP: dict[str, StepKind] = {
    CATEGORY_TO_AGENT[Category.WRITE]: "write",
    CATEGORY_TO_AGENT[Category.EMAIL]: "email",
    CATEGORY_TO_AGENT[Category.SCHEDULE]: "repeat",
    CATEGORY_TO_AGENT[Category.ASK_DATA]: "ask",
}
_STEP_TO_AGENT = {kind: agent for agent, kind in _AGENT_TO_STEP.items()}
_EXPORT_AGENT = CATEGORY_TO_AGENT[Category.EXPORT]
_EVERY = {
    "hour": "every hour",
    "day": "every day",
    "workday": "every workday",
    "week": "every week",
    "month": "monthly",
}
_CONDITIONS = {"changed": "if it changed", "rows": "if there are rows"}
_MODES: dict[Mode, str] = {"append": "append", "truncate": "empty it first", "drop": "replace the table"}


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
        kind = _kind(wish)
        step = PlanStep(kind, wish.text, wish.agent_id if kind == "other" else "")
        found += _apart(step) if kind == "repeat" else (step,)
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
    named = f" as {FORM_NAMES[form]}" if form in FORM_NAMES else ""
    titled = f' with the subject "{subject}"' if subject else ""
    whom = " and ".join(people)
    return PlanStep("email", f"mail it{f' to {whom}' if whom else ''}{named}{titled}")


def mail_of(step: PlanStep) -> tuple[tuple[str, ...], Form, str]:
    """Return recipients, format and subject of a step that mails."""
    said = mail_values(step.text)
    return said.recipients(), said.form, said.subject or ""


def write_step(table: str, mode: Mode | Literal[""] = "") -> PlanStep:
    """Return the step that writes the rows into a table."""
    named = f" into table {table}" if table else " into a table"
    return PlanStep("write", f"save it{named}{f', {_MODES[mode]}' if mode else ''}")


def moded(step: PlanStep, mode: Mode) -> PlanStep:
    """Return a step that writes, in this mode."""
    plain = step.text
    for said in _MODES.values():
        plain = plain.removesuffix(f", {said}")
    return PlanStep("write", f"{plain}, {_MODES[mode]}")


def file_step(form: Form) -> PlanStep:
    """Return the step that hands out a file."""
    return PlanStep("csv" if form == "csv" else "xlsx", f"export it as {FORM_NAMES[form]}")


def share_step() -> PlanStep:
    """Return the step that shows the rows to everybody."""
    return PlanStep("share", SHARE)


def repeat_step(said: ScheduleWish, typed: str, before: PlanStep | None = None) -> PlanStep:
    """Return the step that repeats the query, at the time that was said; what was not said stays as it was."""
    known = schedule_wish_of(before.text, asked=True) if before else None
    if said.unknown or said.no_time:
        return PlanStep("repeat", f"repeat it {typed}")
    timed = said if said.every or not known else known
    when = _EVERY.get(timed.every or "", "")
    if timed.every == "week" and timed.day:
        when = f"every {days_in_words(timed.day)}"
    elif timed.every == "month" and timed.date:
        when = f"on the {dates_in_words(timed.date)} of every month"
    at, zone = (getattr(said, name) or (getattr(known, name) if known else "") for name in ("at", "zone"))
    condition = said.condition or (known.condition if known else None)
    words = (when, f"at {at}" if at else "", zone, _CONDITIONS.get(condition or "", ""))
    return PlanStep("repeat", " ".join(("repeat it", *filter(None, words))))


def _kind(wish: Wish) -> StepKind:
    if wish.agent_id == _EXPORT_AGENT:
        if shared(wish.text):
            return "share"
        return "chart" if DRAWN.search(wish.text) else "csv" if "csv" in wish.text.lower() else "xlsx"
    return _AGENT_TO_STEP.get(wish.agent_id, "other")


def _apart(step: PlanStep) -> tuple[PlanStep, ...]:
    """Return a repetition without the e-mail that is said behind it, and that e-mail."""
    for comma in re.finditer(",", step.text):
        when, mail = step.text[: comma.start()].rstrip(), step.text[comma.end() :].strip()
        found = step_of(mail)
        if found and found.step == "email" and schedule_wish_of(when, asked=True):
            return PlanStep("repeat", when), PlanStep("email", mail)
    return (step,)
