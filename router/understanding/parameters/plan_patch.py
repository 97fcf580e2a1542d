"""Changes of the plan on show by a sentence: "without 2", "only the chart", "to bob@company.example instead".

It is read as the plan itself was: the steps and values that a clause names are dropped where it denies them, and put
into the plan where it does not. Only what is understood to the last word counts.
"""

from dataclasses import dataclass, field
from typing import Final, cast

from router.language.phrases import Token, names_at, phrase_at
from router.understanding.parameters.plan_steps import MODES, PlanStep, StepKind, mail_of, mail_step, repeat_step
from router.understanding.parameters.sentence import Form
from router.understanding.schedule_wishes import ScheduleWish, schedule_wish_of
from router.understanding.step_parts import ADDRESS, NAME, RECURRENCE, clauses_of, longest, marked, skip
from router.understanding.steps import SHARE, chart_step, step_of

PATCH_MAX_CHARS: Final = 200
"""Characters of a sentence that is looked at."""

_LIST_TO_KIND: Final[dict[str, StepKind]] = {
    **dict.fromkeys(("mail", "send"), "email"),
    **dict.fromkeys(("picture", "plot"), "chart"),
    **dict.fromkeys(("save", "write", "table", "place"), "write"),
    **dict.fromkeys(("share", "channel"), "share"),
    "csv": "csv",
    "excel": "xlsx",
    "repeat": "repeat",
}
_OF_QUESTIONS: Final = frozenset(("counts", "asks", "orders", "verbs", "refers", "common", "relative", "condition"))
"""Lists of words that change a question, and no step."""
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "last": -1}
_WORDLESS: Final = {"csv": "export it as CSV", "xlsx": "export it as Excel", "share": SHARE, "write": "save it into a table"}
_FILES: Final = frozenset[StepKind]({"csv", "xlsx"})
_NEW: Final = {**_WORDLESS, "chart": chart_step().text, "email": "mail it", "repeat": "repeat it"}
"""The words of a step of which nothing is said."""


@dataclass(frozen=True, slots=True)
class PlanPatch:
    """The plan as it is wished for, and what of the sentence changes the question; "" where nothing does."""

    steps: tuple[PlanStep, ...]
    question: str = ""


Lines = tuple[tuple[StepKind, ...], ...]
"""The kinds of steps in each line of the card, the first line first; a line without any is the question."""


@dataclass(slots=True)
class _Said:
    """What a clause, or its denial, says of steps."""

    kinds: set[StepKind] = field(default_factory=set)
    people: list[str] = field(default_factory=list)
    table: str = ""
    when: str = ""
    mode: str = ""

    def any(self) -> bool:
        return bool(self.kinds or self.people or self.table or self.when or self.mode)


@dataclass(slots=True)
class _Clause:
    """A clause: what it wants, what it denies, its other words by their lists, and whether all of them are known."""

    text: str
    wanted: _Said = field(default_factory=_Said)
    denied: _Said = field(default_factory=_Said)
    lists: set[str] = field(default_factory=set)
    known: bool = True


def plan_patch(text: str, steps: tuple[PlanStep, ...], lines: Lines = ()) -> PlanPatch | None:
    """Return the plan as a sentence changes it; None where it changes nothing, or is not understood to its end.

    `lines` are those that "step 2" is about.
    """
    typed = text.strip().rstrip(".!¿¡ ")
    if not typed or len(typed) > PATCH_MAX_CHARS:
        return None
    patch, question = _Patch(steps), list[str]()
    if titled := patch.titled(typed):
        return titled
    for tokens in clauses_of(typed, marked(typed)):
        clause = _read(typed, tokens, steps, lines)
        if clause is None or (typed.endswith("?") and "courtesy" not in clause.lists):
            return None
        if not clause.known and not (clause.wanted.any() or clause.denied.any()):
            question.append(clause.text)
        elif not clause.known or not patch.take(clause):
            return None
    changed = patch.result()
    return None if changed == steps else PlanPatch(changed, ", ".join(question))


def names_steps(text: str) -> bool:
    """Return whether a sentence has a word for a step, or an address, so that it does not only change the question."""
    tokens = marked(text)
    words = [at for at, token in enumerate(tokens) if token.word == ADDRESS or longest((token,), 0, *_LIST_TO_KIND)]
    return any(not longest(tokens, at, "table", "place", "save", "write") for at in words)


def _read(text: str, tokens: tuple[Token, ...], steps: tuple[PlanStep, ...], lines: Lines) -> _Clause | None:
    """Return a clause of a change; None where it names a line that there is not."""
    clause = _Clause(text[tokens[0].begin : tokens[-1].end])
    denies = any(longest(tokens, at, "without") or phrase_at("denial.before", tokens, at) for at in range(len(tokens)))
    if not denies and (time := _time(clause.text, steps)):
        clause.wanted.when = time
        return clause
    said, at = clause.wanted, 0
    while at < len(tokens):
        lists = names_at("steps", tokens, at)
        denials = [phrase_at("denial.before", tokens, at), phrase_at("denial.behind", tokens, at), lists.get("without", 0)]
        length = max(lists.values(), default=1)
        if max(denials) >= length and max(denials):
            clause.lists.add("denied")
            said, length = clause.denied, max(denials)
        elif not _take(clause, said, text[tokens[at].begin : tokens[at].end], tokens[at], lists, steps):
            place = _place(tokens[at], lists)
            if place is None:
                clause.known = clause.known and bool(lists.keys() - _OF_QUESTIONS)
            elif not -len(lines) <= place < len(lines) or not lines[place]:
                return None
            else:
                said.kinds |= set(lines[place])
        at += length
    if "denied" in clause.lists and not clause.denied.any():  # "the mail isn't needed"
        clause.wanted, clause.denied = clause.denied, clause.wanted
    return clause


def _place(token: Token, lists: dict[str, int]) -> int | None:
    """Return the place of the line that a word names: "2", "second", "last"."""
    if token.word.isdigit():
        return int(token.word) - 1
    return next((place for name, place in _PLACES.items() if name in lists), None)


def _take(clause: _Clause, said: _Said, typed: str, token: Token, lists: dict[str, int], steps: tuple[PlanStep, ...]) -> bool:
    """Put a value, or the name of a step, into what a clause says; return False for any other word."""
    named = next((each for step in steps if step.kind == "email" for each in mail_of(step)[0] if each.partition("@")[0].casefold() == token.word), "")
    kinds = {_LIST_TO_KIND[name] for name in lists if name in _LIST_TO_KIND}
    modes = [name for name in MODES if name in lists]
    if token.word == ADDRESS or named:
        said.people.append(named or typed)
    elif token.word == NAME:
        said.table = typed
    elif token.word == RECURRENCE:
        said.when = typed
    elif modes and any(step.kind == "write" for step in steps):
        said.mode = modes[0]
    elif kinds:
        said.kinds |= kinds
    elif "file" in lists and not clause.lists & {"csv", "excel"}:
        said.kinds |= {step.kind for step in steps if step.kind in _FILES} or {"xlsx"}
    else:
        clause.lists |= set(lists)
        return False
    clause.lists |= set(lists)
    return True


def _time(text: str, steps: tuple[PlanStep, ...]) -> str:
    """Return a clause that says nothing but when the plan is repeated, such as "at 9" or "tuesday instead"."""
    wish = schedule_wish_of(text, asked=True) if any(step.kind == "repeat" for step in steps) else None
    return text if wish and (wish.every or wish.at or wish.condition) else ""


class _Patch:
    """The steps of a plan while they are changed."""

    def __init__(self, steps: tuple[PlanStep, ...]) -> None:
        self._before = steps
        self._steps = {step.kind: step for step in steps}
        self._kept: set[StepKind] | None = None
        self._named = set[StepKind]()
        self._freed = self._form_freed = False
        """Whether something, or the format of the e-mail, was denied: in its place comes what is said next."""

    def result(self) -> tuple[PlanStep, ...]:
        """Return the steps at their places, those that came in behind the others."""
        order = sorted([*(step.kind for step in self._before), *self._steps], key=lambda kind: kind == "ask")
        kinds = [kind for kind in dict.fromkeys(order) if kind in self._steps and (self._kept is None or kind in self._kept)]
        return tuple(self._steps[kind] for kind in kinds)

    def titled(self, typed: str) -> PlanPatch | None:
        """Return the plan with another subject of its e-mail: "subject: Sales of May"."""
        tokens, mail = marked(typed), self._steps.get("email")
        behind = skip(tokens, first := skip(tokens, 0, "the", "change"), "subject")
        behind = skip(tokens, behind, "to", "glue") if behind > first else len(tokens)
        if mail is None or behind >= len(tokens):
            return None
        people, form, _ = mail_of(mail)
        self._steps["email"] = mail_step(people, form, typed[tokens[behind].begin :].strip("\"'“”„ "))
        return PlanPatch(self.result())

    def take(self, clause: _Clause) -> bool:
        """Change the plan as a clause says; return False for what makes no sense."""
        if clause.denied.any() and not self._drop(clause.denied):
            return False
        if "only" in clause.lists and not (clause.wanted.people or clause.wanted.table or clause.wanted.when):
            return self._keep_only(clause)
        if "only" in clause.lists and clause.wanted.when and "repeat" not in self._steps:
            return False  # "only mondays" is about the question
        return not clause.wanted.any() or self._put(clause)

    def _drop(self, said: _Said) -> bool:
        self._freed = True
        mail = self._steps.get("email")
        if said.people and mail:
            people, form, subject = mail_of(mail)
            self._steps["email"] = mail_step([each for each in people if each not in said.people], form, subject)
        there = said.kinds & set(self._steps)
        forms = {"csv", "xlsx"} & said.kinds - there
        if forms and mail and mail_of(mail)[1] in forms:
            self._steps["email"], self._form_freed = mail_step(mail_of(mail)[0]), True
        elif said.kinds - there and there:
            return False  # "instead of the mail a file" wants one of them
        for kind in there | ({"write"} if said.table else set()) | ({"repeat"} if said.when else set()):
            self._steps.pop(cast(StepKind, kind), None)
        return True

    def _keep_only(self, clause: _Clause) -> bool:
        wanted = clause.wanted.kinds
        if wanted - set(self._steps):
            return False
        rows = clause.lists & {"rows", "named", "question"}
        if wanted or rows or self._named:
            self._kept = (self._kept or set()) | wanted | (set() if wanted or rows else self._named)
        return True

    def _put(self, clause: _Clause) -> bool:
        said, also, sure = clause.wanted, "also" in clause.lists, bool(clause.lists & {"also", "replaces"}) or self._freed
        self._named |= said.kinds
        kinds = set(said.kinds)
        if said.people or "email" in kinds or self._form_freed:
            kinds -= self._mail(said, also=also)
        if said.table or said.mode:
            text = f"save it into table {said.table}" if said.table else self._steps["write"].text.partition(", ")[0]
            self._steps["write"] = PlanStep("write", f"{text}, {MODES[said.mode]}" if said.mode else text)
        if said.when:
            wish = schedule_wish_of(said.when, asked=True) or ScheduleWish(unknown=True)
            before = next((step for step in self._before if step.kind == "repeat"), None)
            self._steps["repeat"] = repeat_step(wish, said.when, before)
        if said.table or said.mode or said.when:
            kinds -= {"write", "repeat"}
        wished = step_of(clause.text)
        for kind in sorted(kinds - set(self._steps)):
            if not (sure or (wished and wished.step == kind)):
                return False
            if "replaces" in clause.lists and kind in _FILES:
                self._steps = {each: step for each, step in self._steps.items() if each not in _FILES}
            self._steps[kind] = PlanStep(kind, _NEW[kind])
        return True

    def _mail(self, said: _Said, *, also: bool) -> set[StepKind]:
        """Put recipients and a format into the e-mail; return the kinds of steps that this was."""
        mail = self._steps.get("email")
        known, form, subject = mail_of(mail) if mail else ((), cast(Form, ""), "")
        whom = said.people[1:] if len(said.people) > 1 and said.people[0] in known and not also else said.people
        people = [*known, *whom] if also or not whom else whom
        forms = _FILES & said.kinds
        if said.people or forms:
            form = cast(Form, min(forms)) if forms else form
            self._steps["email"] = mail_step(dict.fromkeys(people), form, subject)
            return {"email", *forms}
        return set()
