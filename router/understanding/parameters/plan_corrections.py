"""Corrects the plan on show by a sentence: "without the mail", "only the chart", "mondays at 8 instead".

Only what was understood to the last word counts: words of a question are left for whoever changes the question.
"""

import re
from dataclasses import dataclass
from typing import Literal

from router.understanding.parameters.plan_clauses import (
    FORMS,
    WRITE_MODES,
    Clause,
    asks_politely,
    clauses_of,
    folded,
    question_words,
    read_clause,
)
from router.understanding.parameters.plan_steps import (
    PlanStep,
    StepKind,
    file_step,
    mail_of,
    mail_step,
    moded,
    repeat_step,
    share_step,
    write_step,
)
from router.understanding.result_actions import ADDRESS
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.values.choices import FileForm as Form
from router.understanding.wishes import step_of

PLAN_CORRECTION_MAX_CHARS = 200
"""Characters of a sentence that is looked at."""

_BOTH = re.compile(r"\s*(?:and|und|et|y|e|or|nor|&|plus|\+)\s*", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:(?:and|the|with|der|le|el|l'|change|set)\s+)*(?:subject(?: line)?|betreff|objet|asunto)"
    r"\s*(?:(?:should be|should say|is|to|soll|ist|sein|est|es)\s|[:=])\s*(?P<subject>\S.*)",
    re.IGNORECASE,
)
_AND_FIRST = re.compile(r"(?:and|but|so|und|et|y|ok(?:ay)?|wait|hm+)[ ,]+", re.IGNORECASE)
_STEPS: dict[str, tuple[StepKind, ...]] = {
    "email": ("email",),
    "chart": ("chart",),
    "csv": ("csv",),
    "xlsx": ("xlsx",),
    "file": ("csv", "xlsx"),
    "write": ("write",),
    "table": ("write",),
    "repeat": ("repeat",),
    "once": ("repeat",),
    "share": ("share",),
    "ask": ("ask",),
}


@dataclass(frozen=True, slots=True)
class PlanCorrection:
    """The plan as it is wished for, and what of the sentence changes the question; "" where nothing does."""

    steps: tuple[PlanStep, ...]
    question: str = ""


Lines = tuple[tuple[StepKind, ...], ...]
"""The kinds of steps in each line of the card, the first line first; a line without any is the question."""


def plan_correction(text: str, steps: tuple[PlanStep, ...], lines: Lines = ()) -> PlanCorrection | None:
    """Return the plan as a sentence changes it; None where it changes nothing, or is not understood to its end.

    `lines` are those that "step 2" is about.
    """
    typed = " ".join(text.replace("’", "'").split()).strip(" .!¿¡")
    if not typed or len(typed) > PLAN_CORRECTION_MAX_CHARS or (typed.endswith("?") and not asks_politely(typed)):
        return None
    typed = typed.rstrip("? ")
    if titled := _SUBJECT.fullmatch(typed):
        return _with_subject(titled["subject"].strip("\"'“”„ "), steps)
    clauses, cuts = clauses_of(typed, steps)
    if _AND_FIRST.match(typed) and clauses and clauses[0].bare:
        clauses[0].modes.add("add")
    plan = _Plan(list(steps), lines)
    unread = list[str]()
    for clause, cut in zip(clauses, cuts, strict=True):
        if clause.unread:
            unread.append(clause.text)
            if clause.kinds or clause.people or clause.table:
                return None
            continue
        if not clause.says and clause.modes == {"only"}:
            plan.nothing_else()
        if clause.says and not plan.take(clause, _BOTH.fullmatch(cut) is not None):
            return None
    corrected = plan.result()
    if corrected == steps:
        return None
    return PlanCorrection(corrected, ", ".join(unread))


def speaks_of_steps(text: str) -> bool:
    """Tell a sentence with a word for a step of plans, so that it surely does not only change the question."""
    clause = read_clause(folded(text), text, [], [])
    return bool(clause.kinds - {"question", "rest", "write", "table", "ask"}) or bool(re.search(ADDRESS, text))


def of_steps_alone(text: str) -> bool:
    """Tell a sentence that only says how rows are written, or what an e-mail is called: no question has such words."""
    plain = folded(text).strip(" .!")
    clause = read_clause(plain, text, [], [])
    return bool(_SUBJECT.fullmatch(text.strip())) or (
        bool(clause.kinds & set(WRITE_MODES)) and not (clause.unread or clause.when or text.rstrip().endswith("?"))
    )


def plan_asked(text: str) -> tuple[StepKind, ...] | None:
    """Return the kinds of steps that a question about the plan names, empty for all of it; None for anything else."""
    plain = folded(text).strip(" .!¿")
    begins, plan, others = question_words()
    if len(plain) > PLAN_CORRECTION_MAX_CHARS or not begins.match(_AND_FIRST.sub("", plain)) or others.search(plain):
        return None
    clause = read_clause(begins.sub(" ", plan.sub(" ", plain.rstrip("? "))), text, [], [])
    kinds = tuple(kind for name in sorted(clause.kinds) for kind in _STEPS.get(name, ()))
    if clause.unread or clause.when:
        return None
    return kinds or (() if plan.search(plain) else None)


class _Plan:
    """The steps while they are corrected."""

    def __init__(self, steps: list[PlanStep], lines: Lines) -> None:
        self._before, self._lines = tuple(steps), lines
        self._steps = steps
        self._named = set[StepKind]()
        self._only = False
        self._last: Clause | None = None
        self._gone = list[str]()

    def take(self, clause: Clause, both: bool) -> bool:
        """Change the plan as a clause says; return False for what makes no sense."""
        last, self._last = self._last, clause
        if clause.bare and both and last is not None and last.modes & {"drop", "only", "add"}:
            clause.modes = set(last.modes)
        if clause.numbers:
            lines = [self._lines[number - 1] for number in clause.numbers if number <= len(self._lines)]
            if len(lines) < len(clause.numbers) or not all(lines):
                return False
            clause.kinds |= {kind for line in lines for kind in line}
        if "drop" in clause.modes:
            clause.modes -= {"keep", "add", "only", "change"}
        if "once" in clause.kinds:
            clause.modes = {"drop"}
        kinds = self._kinds(clause)
        if "drop" in clause.modes:
            return self._drop(clause, kinds)
        if "only" in clause.modes and not (clause.people or clause.table or clause.when):
            return self._keep_only(clause, kinds)
        if "keep" in clause.modes or "rest" in clause.kinds:
            self._named |= set(kinds)
            return bool(kinds or clause.kinds)
        return self._set(clause, kinds, last)

    def nothing_else(self) -> None:
        """Leave out what was not named so far."""
        self._only = self._only or bool(self._named)

    def result(self) -> tuple[PlanStep, ...]:
        steps = [step for step in self._steps if step.kind in self._named] if self._only else self._steps
        return tuple(step for step in steps if not (step.kind == "email" and self._emptied(step)))

    def _emptied(self, step: PlanStep) -> bool:
        return bool(self._gone) and not mail_of(step)[0]

    def _kinds(self, clause: Clause) -> tuple[StepKind, ...]:
        """Return the kinds of steps that are meant: a table may be the rows as such, an attachment the mail's."""
        named = clause.kinds - ({"file"} if clause.kinds & set(FORMS) else set())
        kinds = {kind for name in named for kind in _STEPS.get(name, ())}
        if named & {"table"} and "write" not in named and not self._before_has("write"):
            kinds.discard("write")  # the rows as they are
        if clause.table:
            kinds.add("write")
        if named & set(WRITE_MODES):
            kinds.add("write")
        if clause.when:
            kinds.add("repeat")
        if clause.people and not kinds & {"repeat"}:
            kinds.add("email")
        return tuple(sorted(kinds))

    def _has(self, kind: StepKind) -> PlanStep | None:
        return next((step for step in self._steps if step.kind == kind), None)

    def _put(self, step: PlanStep) -> bool:
        """Put a step in place of the one of its kind, or behind all."""
        self._named.add(step.kind)
        for at, each in enumerate(self._steps):
            if each.kind == step.kind:
                self._steps[at] = step
                return True
        self._steps.insert(self._place_of(step), step)
        return True

    def _place_of(self, step: PlanStep) -> int:
        """Return where a new step goes: where the one of its kind was, or else before the next question."""
        kinds = [each.kind for each in self._before]
        later = kinds[kinds.index(step.kind) + 1 :] if step.kind in kinds else ["ask"]
        return next((at for at, each in enumerate(self._steps) if each.kind in later), len(self._steps))

    def _drop(self, clause: Clause, kinds: tuple[StepKind, ...]) -> bool:
        mailed = self._has("email")
        if clause.people:
            if mailed is None:
                return False
            people, form, subject = mail_of(mailed)
            left = tuple(each for each in people if each.casefold() not in {who.casefold() for who in clause.people})
            self._gone += clause.people
            return self._put(mail_step(left, form, subject)) and left != people
        if "rest" in clause.kinds:
            self._only = True
            return bool(self._named)
        if "question" in clause.kinds or not kinds:
            return False
        if "attached" in clause.kinds or (not any(map(self._has, kinds)) and clause.kinds & set(FORMS)):
            return self._set_form("")
        if clause.kinds & set(WRITE_MODES) and "write" not in clause.kinds:
            return True  # "do not empty it" is said along with what shall be done
        there = {any(map(self._has, _STEPS[name])) for name in clause.kinds & set(_STEPS)}
        if there == {True, False}:
            return False  # "instead of the mail a chart" wishes for one of them
        self._steps = [step for step in self._steps if step.kind not in kinds]
        return True

    def _keep_only(self, clause: Clause, kinds: tuple[StepKind, ...]) -> bool:
        if not kinds and not clause.kinds & {"question", "table"}:
            return False
        if "rest" in clause.kinds:
            return False
        self._only = True
        missing = [kind for kind in kinds if not self._has(kind)]
        if missing and len(missing) == len(kinds):
            return len(kinds) == 1 and self._add(missing[0], clause)
        self._named |= set(kinds)
        return True

    def _set(self, clause: Clause, kinds: tuple[StepKind, ...], last: Clause | None) -> bool:
        """Add a step, or change what one of them says."""
        adds = "add" in clause.modes
        swaps = last is not None and "drop" in last.modes
        forms = [FORMS[name] for name in sorted(clause.kinds & set(FORMS))]
        if clause.kinds & set(WRITE_MODES) and not self._set_mode(clause):
            return False
        if clause.when and not self._set_time(clause):
            return False
        if clause.people:
            mailed = self._has("email")
            if mailed and len(clause.people) > 1 and not adds and clause.people[0] in mail_of(mailed)[0]:
                self._drop(Clause("", people=clause.people[:1]), ())  # "replace A by B"
                return self._mail(clause.people[1:], "", anew=False)
            anew = not adds and not (swaps and last is not None and last.people)
            return self._mail(clause.people, forms[0] if forms else "", anew=anew) and not clause.table
        if clause.table:
            return self._put(write_step(clause.table))
        if form := self._form_in(clause, kinds, forms):
            return self._set_form(form)
        if len(forms) == 1 and (swaps or "change" in clause.modes) and not adds and (old := self._exchanged(forms[0])):
            return self._set_form(forms[0]) if old == "email" else self._exchange(forms[0])
        if clause.when or clause.kinds & set(WRITE_MODES):
            return True
        return self._add_all(clause, kinds, sure=adds or swaps or "change" in clause.modes)

    def _set_mode(self, clause: Clause) -> bool:
        """Have the rows written in another mode."""
        writing, modes = self._has("write"), clause.kinds & set(WRITE_MODES)
        return writing is not None and len(modes) == 1 and self._put(moded(writing, WRITE_MODES[modes.pop()]))

    def _set_time(self, clause: Clause) -> bool:
        """Have the query repeated at another time; "at 8" alone repeats nothing that was not repeated before."""
        before = self._before_has("repeat")
        sure = before is not None or clause.modes & {"add", "change"} or schedule_wish_of(clause.typed_when)
        return bool(sure) and clause.when is not None and self._put(repeat_step(clause.when, clause.typed_when, before))

    def _form_in(self, clause: Clause, kinds: tuple[StepKind, ...], forms: list[Form]) -> Form:
        """Return the format that the e-mail shall have; "" where a clause says nothing of that."""
        mailed = self._has("email")
        attached = "attached" in clause.kinds
        if mailed is None or not (attached or "email" in kinds) or len(forms) > 1:
            return ""
        if forms:
            return forms[0]
        return "xlsx" if attached and not mail_of(mailed)[1] else ""

    def _add_all(self, clause: Clause, kinds: tuple[StepKind, ...], *, sure: bool) -> bool:
        """Add the steps that are not there yet, where the person surely wants that."""
        known = [kind for kind in kinds if self._has(kind)]
        self._named |= set(known)
        if len(known) == len(kinds):
            return bool(kinds)
        wished = step_of(clause.text)
        if not (sure or (wished and wished.step in kinds)):
            return False
        return all(self._add(kind, clause) for kind in kinds if kind not in known)

    def _add(self, kind: StepKind, clause: Clause) -> bool:
        match kind:
            case "chart":
                return self._put(PlanStep("chart", "draw it as a chart"))
            case "csv" | "xlsx" if "file" not in clause.kinds or kind in clause.kinds:
                return self._put(file_step(kind))
            case "csv":
                return True  # of "a file", Excel is added
            case "xlsx":
                return self._put(file_step("xlsx"))
            case "email":
                return self._put(mail_step(clause.people))
            case "share":
                return self._put(share_step())
            case "write":
                return self._put(write_step(""))
        return self._put(PlanStep("repeat", "repeat it")) if kind == "repeat" else False

    def _mail(self, people: list[str], form: Form, *, anew: bool) -> bool:
        mailed = self._has("email")
        known, before, subject = mail_of(mailed) if mailed else ((), "", "")
        whom = people if anew else [*known, *people]
        return self._put(mail_step(dict.fromkeys(whom), form or before, subject))

    def _set_form(self, form: Form) -> bool:
        mailed = self._has("email")
        if mailed is None:
            return False
        people, _, subject = mail_of(mailed)
        return self._put(mail_step(people, form, subject))

    def _before_has(self, kind: StepKind) -> PlanStep | None:
        return next((step for step in self._before if step.kind == kind), None)

    def _exchanged(self, form: Form) -> Literal["", "email", "file"]:
        """Return what has the other form: a file of the plan, or its e-mail."""
        other: StepKind = "xlsx" if form == "csv" else "csv"
        if self._before_has(other):
            return "file"
        mailed = self._before_has("email")
        return "email" if mailed and mail_of(mailed)[1] == other else ""

    def _exchange(self, form: Form) -> bool:
        """Put the file of this form where the other one was."""
        other: StepKind = "xlsx" if form == "csv" else "csv"
        at = next(at for at, step in enumerate(self._before) if step.kind == other)
        self._steps = [step for step in self._steps if step.kind not in (other, form)]
        self._steps.insert(min(at, len(self._steps)), file_step(form))
        return True


def _with_subject(subject: str, steps: tuple[PlanStep, ...]) -> PlanCorrection | None:
    mailed = next((step for step in steps if step.kind == "email"), None)
    if mailed is None or not subject:
        return None
    people, form, _ = mail_of(mailed)
    return PlanCorrection(tuple(mail_step(people, form, subject) if step is mailed else step for step in steps))
