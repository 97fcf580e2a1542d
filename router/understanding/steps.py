"""The steps that a sentence asks for: what is to become of the rows that its question gives, or of those on show.

A step is an action, or a value with what stands in front of it; it is cut off where it stands, in front of a question
or behind it, or as a clause of its own. What is left is the question: "revenue by region, mail it to Ana every Monday"
and "mail revenue by region to ana@company.example" are read in the same way.
"""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal, get_args

from router.cards import ChartKind
from router.language.phrases import Token, has_phrase, phrase_at, spellings_of
from router.understanding.button_words import word_of
from router.understanding.recurrences import recurrence_of
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.step_parts import (
    ACTIONS,
    FORMS,
    MAILING,
    WRITING,
    Part,
    Parts,
    clauses_of,
    longest,
    marked,
    skip,
)
from router.understanding.two_questions import further_in

Step = Literal["write", "email", "csv", "xlsx", "chart", "share", "repeat", "ask"]
"""An action on a result, by the words of its buttons; "ask" is the next question."""

PLAN_MAX_CHARS: Final = 500
"""Characters of a sentence that is looked at."""
PLAN_MAX_STEPS: Final = 4
"""Steps of a plan."""
SHOWN_MAX_WORDS: Final = 4
"""Words that name rows on show: "save the open orders to tmp_open"."""
SHARE: Final = "share it with the channel"


@dataclass(frozen=True, slots=True)
class WishedStep:
    """A step, and the words that ask for it, as if they were typed under the result."""

    step: Step
    text: str


@dataclass(slots=True)
class Reading:
    """A sentence taken apart: its question, the steps in their order, and what was left out, in its own words."""

    question: str = ""
    steps: list[WishedStep] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    agreed: bool = False
    """True where it begins with a Yes in place of a question: "run it and draw a chart"."""


def wishes_of(text: str, shown: bool = True) -> tuple[str, tuple[WishedStep, ...]]:
    """Return the question of a sentence ("" where it has none), and what is to become of its result, in their order.

    A further question is the last of them, with whatever was said after it. `shown`: there is a result that "save the
    open orders to tmp_open" may mean. A single step for the result on show leaves the sentence as it is.
    """
    found = read_steps(text, shown)
    alone = not found.question and len(found.steps) < 2 and not found.agreed
    plain = found.question and not found.steps and not found.denied
    return (text, ()) if alone or plain else (found.question, tuple(found.steps))


def step_of(text: str) -> WishedStep | None:
    """Return the step that a sentence typed under a result asks for; None where it is something else."""
    typed = text.strip().rstrip("?.! ")
    found = read_steps(typed)
    if found.question or not found.steps or any(step.step == "ask" for step in found.steps):
        return None
    return found.steps[0] if len(found.steps) == 1 else WishedStep(found.steps[0].step, typed)


def result_action_of(text: str) -> Literal["write", "email"] | None:
    """Return whether a sentence asks to write the result on show or to e-mail it; None for anything else."""
    step = step_of(text)
    return step.step if step and (step.step == "write" or step.step == "email") else None


def forbids(text: str) -> bool:
    """Return whether a sentence says what must not be done with a result."""
    tokens = marked(text[:PLAN_MAX_CHARS])
    head, _ = Parts(text, tokens).from_here(0)
    return _is_forbidden(head)


def only_points(text: str) -> bool:
    """Return whether a text speaks of the result on show, or says nothing that could be asked."""
    tokens = marked(text)
    at = skip(tokens, 0, "courtesy", "join")
    if (at < len(tokens) and Parts(text, tokens).pointed(at) > at) or longest(tokens, len(tokens) - 1, "it"):
        return True
    pointing = spellings_of("talk.pointing")
    return all(
        len(each.word) < 2 or each.word in pointing or longest((each,), 0, "it", "the", "rows") for each in tokens
    )


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def read_steps(text: str, shown: bool = True) -> Reading:
    """Return a sentence taken apart; with its whole text as the question where nothing else is in it."""
    rest = text.strip().rstrip("?.! ")
    if not rest or len(rest) > PLAN_MAX_CHARS or "\n\n" in rest:
        return Reading(text)
    if parted := further_in(text.strip(), lambda first: step_of(first) is not None):
        first = read_steps(parted[0], shown)
        return replace(first, steps=[*first.steps, WishedStep("ask", parted[1])])
    found = _Sentence(rest, shown).read()
    repeats = [step.step for step in found.steps] == ["repeat"]
    if schedule_wish_of(rest) and not ((found.question and found.steps) or repeats):
        return Reading(steps=[WishedStep("repeat", rest)])
    return found if len(found.steps) <= PLAN_MAX_STEPS else Reading(text)


class _Sentence:
    """A sentence while it is read, clause by clause; what is cut out of it leaves the question."""

    def __init__(self, text: str, shown: bool) -> None:
        self._text, self._shown, self._tokens = text, shown, marked(text)
        self._found = Reading()
        self._cuts = list[tuple[int, int]]()
        """Where steps stand in the text."""
        self._asks, self._verb = False, ""
        """Whether a clause of the question was met, and the action in front of it."""
        self._begun = -1
        """Where the last step begins in the text, if the next clause may go on with it: a subject, a message."""

    def read(self) -> Reading:
        """Return the sentence taken apart."""
        behind = 0
        for clause in clauses_of(self._text, self._tokens):
            if not self._read_clause(clause, behind):
                return Reading(self._text)
            behind = clause[-1].end
        found, question = self._found, self._question()
        found.question = "" if only_points(question) and (found.steps or found.agreed) else question
        return found

    def _cut(self, begin: int, end: int) -> None:
        self._cuts.append((begin, end))

    def _question(self) -> str:
        left, at = list[str](), 0
        for begin, end in sorted(self._cuts):
            left.append(self._text[at:begin])
            at = max(at, end)
        pieces = [piece.strip(" ,;:.!?–-") for piece in (*left, self._text[at:])]
        return " ".join(filter(None, pieces))

    def _read_clause(self, tokens: tuple[Token, ...], behind: int) -> bool:
        """Read a clause, which begins in the text behind the one before it; return False for a sentence of no steps."""
        parts = Parts(self._text, tokens)
        head, at = parts.from_here(0)
        names = {part.name for part in head}
        typed = parts.words(0, len(tokens))
        first = not (self._asks or self._found.steps)
        if at == len(tokens) and "denied" in names and names & _STEPPING:
            self._found.denied.append(typed)
        elif first and word_of(typed, ("yes",)):
            self._found.agreed = True
        elif at == len(tokens) and names <= {"mode", "small"} and self._found.steps:
            self._go_on(f", {typed}")
        elif "denied" not in names and (steps := self._steps_alone(parts, head, at)):
            self._found.steps += steps
            goes_on = parts.verb in (*MAILING, *WRITING) and steps[-1].step in ("email", "write")
            self._begun = tokens[0].begin if goes_on else -1
        elif self._begun >= 0:
            if longest(tokens, 0, "counts"):
                return False
            self._go_on(self._text[behind : tokens[-1].end])
        else:
            self._ask(parts, head, at)
            self._asks = True
            return True
        self._cut(behind, tokens[-1].end)
        return True

    def _go_on(self, words: str) -> None:
        last = self._found.steps[-1]
        self._found.steps[-1] = WishedStep(last.step, f"{last.text}{words}")

    def _steps_alone(self, parts: Parts, head: list[Part], at: int) -> list[WishedStep]:
        """Return the steps of a clause that asks for nothing; it may have a subject, or a message, behind them."""
        whole = at == len(parts.tokens)
        points = any(
            part.name == "it" or (part.name == parts.verb and longest(parts.tokens, part.begin, "it")) for part in head
        )
        typed = parts.words(0, len(parts.tokens))
        told = any(part.name == "people" for part in head) and parts.verb in MAILING[:2]
        if not whole and parts.verb in MAILING[:2] and longest(parts.tokens, at + 1, "it"):
            points = parts.pointed(at + 1) > at + 1  # "mail Ana this"
        texts = any(phrase_at(f"mailing.{kind}", parts.tokens, at) for kind in ("subject", "body", "saying"))
        ends = points or (told and (texts or bool(longest(parts.tokens, at, "share_with", "as"))))
        if whole or (ends and parts.verb in (*MAILING, *WRITING)):
            return _steps(head, parts.verb, typed, points=points or ends)
        return []

    def _ask(self, parts: Parts, head: list[Part], at: int) -> None:
        """Cut the steps off both ends of a clause of the question."""
        tokens = parts.tokens
        if any(part.name in ("denied", "it") for part in head) or longest(tokens, at, "condition"):
            return
        tail, end = list[Part](), len(tokens)
        for last in range(at + 1, len(tokens)):
            reader = Parts(self._text, tokens, self._verb or parts.verb)
            found, stopped = reader.from_here(last)
            if stopped == len(tokens) and not any(part.name == "denied" for part in found):
                tail, end, self._verb = found, last, reader.verb
                break
        self._verb = self._verb or parts.verb
        values = [part for part in (*head, *tail) if part.name in _VALUES]
        sure = [part for part in values if self._is_sure(parts, part, at, end)]
        if self._verb == "plot" and at > 0 and _is_drawn(parts, at):
            sure.append(Part("chart", "", 0, at))
        if not sure:
            return
        relative = any(longest(tokens, place, "relative") for place in range(at, end)) or longest(tokens, at, "asks")
        last_one = max((part.end for part in values), default=0)
        taken = [
            part
            for part in values
            if part in sure
            or (part.name in ("people", "table"))
            or (part.name == "when" and part.end == last_one and not relative)
        ]
        taken += [part for part in sure if part.name == "chart" and part not in taken]
        if (
            self._shown
            and self._verb in WRITING[:2]
            and {part.name for part in taken} <= {"table", "place"}
            and longest(tokens, at, "the")
            and end - at <= SHOWN_MAX_WORDS
        ):
            self._found.steps.append(WishedStep("write", parts.words(0, len(tokens))))
            self._cut(tokens[0].begin, tokens[-1].end)
            return
        self._found.steps += _steps(taken, self._verb or "put", "", points=False)
        kept = [part for part in head if part in values and part not in taken]
        begin = kept[0].begin if kept else at
        if begin:
            self._cut(tokens[0].begin, tokens[begin].begin)
        for part in tail:
            if part in taken or part.name not in _VALUES:
                self._cut(tokens[part.begin - 1].end, tokens[part.end - 1].end)

    def _is_sure(self, parts: Parts, part: Part, at: int, end: int) -> bool:
        """Return whether a value in a clause of the question surely says a step: others need an action."""
        verb = self._verb
        match part.name:
            case "form" | "chart":
                return True
            case "people":
                return verb in MAILING and (verb != "hand" or "@" in part.said)
            case "table" | "place":
                surely = verb != "put" or "_" in part.said or longest(parts.tokens, part.begin, "into", "in")
                return verb == "refill" or bool(verb in WRITING and part.begin >= end and surely)
            case "inbox":
                return verb in (*MAILING, "ask")
            case "when" if part.end <= at:
                comma = (
                    part.end < len(parts.tokens)
                    and self._text[parts.tokens[part.begin].end : parts.tokens[part.end].begin].strip()
                )
                return bool(verb or comma or recurrence_of(part.said).at)
        acts = verb in ("ask", "repeat", "send", "mail")
        return acts and not any(longest(parts.tokens, place, "relative") for place in range(at, end))


_VALUES: Final = ("people", "table", "place", "form", "chart", "inbox", "when")
_STEPPING: Final = frozenset(
    [*MAILING[:2], "save", "export", "plot", "repeat", "share", "form", "chart", "it", "inbox"]
)


def _is_drawn(parts: Parts, at: int) -> bool:
    """Return whether "plot" and its kin are an order: "plot sizes" are a thing."""
    grouped = any(longest(parts.tokens, place, "counts") for place in range(at, len(parts.tokens)))
    return grouped or bool(longest(parts.tokens, at, "the", "a"))


_OTHER_WAYS: Final = ("export", "plot", "repeat", "share", "form", "chart")


def _is_forbidden(head: list[Part]) -> bool:
    names = [part.name for part in head if part.name not in ("small", "it", "me")]
    return names[:1] == ["denied"] and bool(
        {*names} & {*MAILING, *WRITING, "export", "plot", "repeat", "share", "form", "chart"}
    )


def _steps(parts: list[Part], verb: str, text: str, *, points: bool) -> list[WishedStep]:
    """Return the steps that parts of a clause say, in the order in which they can be done; an e-mail brings its file.

    `points`: the clause is about the rows on show, so that it may stand for its step as it was typed.
    """
    said = {part.name: part.said for part in parts}
    typed = text
    for when in [part.said for part in parts if part.name == "when"]:
        typed = " ".join(typed.replace(when, " ").split())
    rows = said.get("it", "it" if points else "")
    form = said.get("form") or next((name for kind, name in FORMS.items() if has_phrase(f"steps.{kind}", rows)), "")
    sends = verb in MAILING[:2]
    mails = {"people", "inbox"} & set(said) or (verb == "mail" and (rows or form or "me" in said))
    mails = mails or (sends and rows and not form and not said.keys() & {"table", "place"})
    places = said.keys() & {"table", "place"} and (verb in (*MAILING, *WRITING) or has_phrase("steps.into", text))
    found = list[WishedStep]()
    if not mails and (
        (places and (rows or "table" in said))
        or (rows and verb == "save" and not form and "chart" not in said and not has_phrase("steps.picture", rows))
    ):
        mode = ", replace the table" if verb == "refill" else ""
        place = f" in {said['place']}" if "place" in said else ""
        found.append(WishedStep("write", typed if points else f"save it into table {said['table']}{place}{mode}"))
    if "chart" in said or (has_phrase("steps.picture", rows) and not mails) or (verb == "plot" and rows):
        found.append(chart_step(said.get("chart", "")))
    if form and not mails:
        found.append(WishedStep("csv" if form == FORMS["csv"] else "xlsx", f"export it as {form}"))
    if "channel" in said:
        found.append(WishedStep("share", SHARE))
    if when := " ".join(part.said for part in parts if part.name == "when"):
        found.append(WishedStep("repeat", f"repeat it {when}"))
    if mails:
        whom = said.get("people") or said.get("inbox") or said.get("me", "")
        words = f"mail it{f' to {whom}' if whom else ''}{f' as {form}' if form else ''}"
        found.append(WishedStep("email", typed if points else words))
    return found


def chart_step(said: str = "") -> WishedStep:
    """Return the step that draws the rows, in the way that is said."""
    kind = chart_kind_in(said)
    return WishedStep("chart", f"draw it as a {f'{kind} ' if kind else ''}chart")


def chart_kind_in(text: str) -> ChartKind | None:
    """Return the kind of chart that a wish for a picture names; None where it names none."""
    return next((kind for kind in get_args(ChartKind) if has_phrase(f"steps.{kind}", text)), None)


def chart_kind_wished(text: str) -> ChartKind | None:
    """Return the kind of a sentence that asks for nothing but another drawing: "make it a pie", "bars instead"."""
    listed = ("it", "a", "picture", "into", "to", "as", "in", *ACTIONS, "courtesy", "glue", "me", "change")
    tokens, kind = marked(text), chart_kind_in(text)
    return kind if kind and skip(tokens, 0, *listed, *get_args(ChartKind)) == len(tokens) else None
