"""Changes of the plan on show by a sentence: "without 2", "only the chart", "to bob@company.example instead".

A clause names steps to leave out, or to keep alone; any other one is read as a sentence with steps is, and what it says
comes into the plan. Only what is understood to the last word counts.
"""

from typing import Final

from router.language.phrases import Token, names_at, phrase_at
from router.understanding.parameters.plan_steps import PlanStep, StepKind, mail_of, mail_step, repeat_step
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.step_parts import ADDRESS, NAME, RECURRENCE, clauses_of, longest, marked
from router.understanding.steps import WishedStep, read_steps
from router.understanding.values.people import copies_blindly

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
_VALUE_TO_KIND: Final[dict[str, StepKind]] = {NAME: "write", RECURRENCE: "repeat"}
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "last": -1}
_SMALL: Final = frozenset(
    [
        *("fillers", "the", "a", "to", "into", "in", "as", "of", "join", "glue", "courtesy", "me", "it", "rows"),
        *("named", "also", "only", "replaces", "put", "ask", "without", "before", "behind"),
    ]
)
"""Lists of words that say nothing of a question."""


Lines = tuple[tuple[StepKind, ...], ...]
"""The kinds of steps in each line of the card, the first line first; a line without any is the question."""


def plan_patch(text: str, steps: tuple[PlanStep, ...], lines: Lines = ()) -> tuple[PlanStep, ...] | None:
    """Return the plan as a sentence changes it; None where it changes nothing, or is not understood to its end.

    `lines` are those that "step 2" is about.
    """
    typed = text.strip().rstrip(".!¿¡ ")
    tokens = marked(typed) if len(typed) <= PATCH_MAX_CHARS else ()
    if not tokens or (typed.endswith("?") and not longest(tokens, 0, "courtesy")):
        return None
    plan = _Plan(steps, lines)
    if not all(
        plan.takes(typed[each[0].begin : each[-1].end].rstrip("? "), each) for each in clauses_of(typed, tokens)
    ):
        return None
    changed = plan.result()
    return None if changed == steps else changed


class _Plan:
    """The steps of a plan while a sentence changes them, by their kinds."""

    def __init__(self, steps: tuple[PlanStep, ...], lines: Lines) -> None:
        self._steps, self._lines = {step.kind: step for step in steps}, lines
        mails = [mail_of(step)[0] for step in steps if step.kind == "email"]
        self._people = {person.partition("@")[0].casefold() for people in mails for person in people}
        self._named = set[StepKind]()
        self._kept: set[StepKind] | None = None

    def result(self) -> tuple[PlanStep, ...]:
        """Return the steps that are left, a further question last."""
        kinds = [kind for kind in self._steps if self._kept is None or kind in self._kept]
        return tuple(self._steps[kind] for kind in sorted(kinds, key=lambda kind: kind == "ask"))

    def takes(self, clause: str, tokens: tuple[Token, ...]) -> bool:
        """Change the plan as a clause says; return False where that is not sure."""
        if copies_blindly(clause):
            return False
        kinds, known, denied, only = _named(tokens, self._lines)
        valued = any(token.word in (ADDRESS, NAME) or token.word in self._people for token in tokens)
        if time := _time(clause, denied, self._steps.get("repeat")):
            self._steps["repeat"] = time
            return True
        if (denied or only) and known and not valued and not (only and RECURRENCE in {token.word for token in tokens}):
            return self._leave_out(kinds, denied, only, _has(tokens, "rows"))
        found = read_steps(clause)
        said = {step.step for step in found.steps}
        if said and not (denied or found.question or found.denied or kinds - {"csv", "xlsx"} - said):
            for step in found.steps:
                self._steps[step.step] = _put(step, self._steps.get(step.step), also=_has(tokens, "also"))
        elif denied or valued or not (kinds and known) or kinds - set(self._steps):
            return False
        self._named |= said | kinds
        return True

    def _leave_out(self, kinds: set[StepKind], denied: bool, only: bool, rows: bool) -> bool:
        if kinds - set(self._steps) or not (kinds or only):
            return False
        self._named |= set() if denied else kinds
        self._steps = {kind: step for kind, step in self._steps.items() if not (denied and kind in kinds)}
        if only and (self._named or rows):
            self._kept = {*self._named, *(self._kept or ())}
        return True


def names_steps(text: str) -> bool:
    """Return whether a sentence has a word for a step, or an address, so that it does not only change the question."""
    tokens = marked(text)
    return any(token.word == ADDRESS for token in tokens) or bool(_named(tokens, ())[0] - {"write"})


def _has(tokens: tuple[Token, ...], name: str) -> bool:
    return any(longest(tokens, at, name) for at in range(len(tokens)))


def _named(tokens: tuple[Token, ...], lines: Lines) -> tuple[set[StepKind], bool, bool, bool]:
    """Return the steps that a clause names, and whether all its words are known, it denies, and it wants them alone."""
    kinds, known, at = set[StepKind](), True, 0
    denied = _has(tokens, "without") or _has(tokens, "deny")
    denied = denied or any(
        phrase_at(f"denial.{name}", tokens, at) for name in ("before", "behind") for at in range(len(tokens))
    )
    while at < len(tokens):
        lists = names_at("steps", tokens, at) | names_at("denial", tokens, at)
        word, length = tokens[at].word, max(lists.values(), default=1)
        place = (
            int(word) - 1
            if denied and word.isdigit() and int(word)
            else next((_PLACES[name] for name in _PLACES if name in lists), None)
        )
        here = {_LIST_TO_KIND[name] for name in lists if name in _LIST_TO_KIND}
        here |= {"xlsx"} if "file" in lists and not kinds & {"csv", "xlsx"} else set()
        if place is not None:
            here = set(lines[place]) if -len(lines) <= place < len(lines) else set()
        kinds |= here | ({_VALUE_TO_KIND[word]} if word in _VALUE_TO_KIND else set())
        known = known and bool(here or word in _VALUE_TO_KIND or lists.keys() & _SMALL)
        at += length
    return kinds, known, denied, _has(tokens, "only")


def _time(clause: str, denied: bool, before: PlanStep | None) -> PlanStep | None:
    """Return the repetition at the time that a clause says, and nothing else: "at 9", "tuesday instead"."""
    wish = schedule_wish_of(clause, asked=True) if before and not denied else None
    return repeat_step(wish, clause, before) if wish and (wish.every or wish.at or wish.condition) else None


def _put(said: WishedStep, before: PlanStep | None, *, also: bool) -> PlanStep:
    """Return a step as it is said; an e-mail keeps what is not said of it, and with "also" its recipients."""
    if said.step != "email" or before is None:
        return PlanStep(said.step, said.text)
    people, form, subject = mail_of(PlanStep("email", said.text))
    known, known_form, known_subject = mail_of(before)
    whom = dict.fromkeys([*known, *people] if also or not people else people)
    return mail_step(whom, form or known_form, subject or known_subject)
