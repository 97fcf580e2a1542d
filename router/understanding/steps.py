"""The steps that a sentence asks for: what is to become of the rows that its question gives, or of those on show.

A step is an action, or a value with what stands in front of it; it is cut off where it stands, in front of a question
or behind it, or as a clause of its own. What is left is the question: "revenue by region, mail it to Ana every Monday"
and "mail revenue by region to ana@company.example" are read in the same way.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, Literal, get_args

from router.cards import ChartKind
from router.language.inflection import stem
from router.language.phrases import has_phrase, spellings_of, tokens_of
from router.memory.draft import Step, Wish
from router.understanding.button_words import word_of
from router.understanding.categories import STEP_TO_CATEGORY, Category
from router.understanding.recurrences import recurrence_of
from router.understanding.schedule_wishes import read_schedule, schedule_wish_of
from router.understanding.step_parts import (
    ACTIONS,
    ADDRESS,
    FORMS,
    MAILING,
    NAME,
    WRITING,
    Clause,
    Part,
    clauses_of,
    has,
    longest,
    marked,
    skip,
)
from router.understanding.values.choices import find_form
from router.understanding.values.sentence import Sentence, unknown_words

PLAN_MAX_CHARS: Final = 500
"""Characters of a sentence that is looked at."""
PLAN_MAX_STEPS: Final = 4
"""Steps of a plan."""

_VALUES: Final = ("people", "table", "place", "form", "chart", "channel", "inbox", "when")
_STEPPING: Final = frozenset(
    ["mail", "send", "save", "export", "plot", "repeat", "share", "form", "chart", "it", "inbox"]
)
"""Parts that a denial of a step has."""
_ACTING: Final[dict[str, Literal["write", "email"]]] = {"write": "write", "save": "write", "mail": "email"}
"""The tasks of actions that say which one, with whatever else is in a clause."""
_FORM_STEPS: Final[dict[str, Step]] = {"csv": "csv", "excel": "xlsx"}


@dataclass(slots=True)
class Reading:
    """A sentence taken apart: its question, the steps in their order, and what was left out, in its own words."""

    question: str = ""
    steps: list[Wish] = field(default_factory=list)
    denied: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """Clauses behind a step that are neither a step nor a question."""
    acts: Literal["", "write", "email"] = ""
    """The action on the rows on show in a clause of which no step was made: "write this in sales, then drop it"."""
    agreed: bool = False
    """True if it begins with a Yes in place of a question: "run it and draw a chart"."""


def step_of(text: str) -> Wish | None:
    """Return the step that a sentence typed under a result asks for, the first of several; None for anything else."""
    typed = text.strip().rstrip("?.! ")
    found = read_steps(typed)
    if found.question or found.unread or not found.steps or any(step.step == "ask" for step in found.steps):
        return None
    return found.steps[0] if len(found.steps) == 1 else Wish(found.steps[0].step, typed)


@lru_cache(maxsize=64)  # it is asked several times on the way of one sentence
def read_steps(text: str) -> Reading:
    """Return a sentence taken apart; with its whole text as the question if nothing else is in it."""
    rest = text.strip().rstrip("?.! ")
    if not rest or len(rest) > PLAN_MAX_CHARS or "\n\n" in rest:
        return Reading(text)
    if parted := further_in(text.strip(), lambda first: step_of(first) is not None):
        first = read_steps(parted[0])
        return replace(first, steps=[*first.steps, Wish("ask", parted[1])])
    found = _Sentence(rest).read()
    kinds = [step.step for step in found.steps]
    if (wish := schedule_wish_of(rest)) and (not wish.unread or {*kinds} <= {"repeat"}):
        says_as_much = kinds == ["repeat"] and read_schedule(found.steps[0].text).said() == wish.said()
        return found if says_as_much and not wish.unread else Reading(steps=[Wish("repeat", rest)])
    return found if len(found.steps) <= PLAN_MAX_STEPS else Reading(text)


class _Sentence:
    """A sentence while it is read, clause by clause; what is cut out of it leaves the question."""

    def __init__(self, text: str) -> None:
        self._text, self._found = text, Reading()
        self._cuts = list[tuple[int, int]]()
        """Positions of steps in the text."""
        self._asks, self._verb = False, ""
        """True if a clause of the question was met, and the action in front of it."""
        self._uncut = False
        """True if no step was cut out of some clause of the question."""
        self._open = False
        """True if the next clause may go on with the last step: a subject, a message, a mode."""

    def read(self) -> Reading:
        """Return the sentence taken apart."""
        behind = 0
        for clause in clauses_of(self._text):
            if self._reads(clause, behind):
                self._cuts.append((behind, clause.end))
            else:
                if self._cuts and self._cuts[-1][1] == behind:
                    self._cuts.append((behind, clause.begin))  # what joins it to a step in front of it
                self._ask(clause)
            behind = clause.end
        found, question = self._found, self._question()
        if _only_points(question) and (found.steps or found.agreed):
            # "download it and mail it": an action that no step is made of is not dropped
            found.unread += [question] if self._uncut and has(marked(question), *ACTIONS) else []
            question = ""
        found.question = question
        return found

    def _question(self) -> str:
        left, at = list[str](), 0
        for begin, end in sorted(self._cuts):
            left.append(self._text[at:begin])
            at = max(at, end)
        pieces = [piece.strip(" ,;:.!?–-") for piece in (*left, self._text[at:])]
        return " ".join(filter(None, pieces))

    def _reads(self, clause: Clause, behind: int) -> bool:
        """Read a clause that is no question, which begins behind the one before it; return whether it is none."""
        found, denies = self._found, "denied" in clause.names
        if clause.whole and denies and clause.names & _STEPPING:
            found.denied.append(clause.typed)
        elif not (self._asks or found.steps) and word_of(clause.typed, ("yes",)):
            found.agreed = True
        elif not denies and (steps := _steps_alone(clause)):
            found.steps += steps
            self._open = steps[-1].step in ("email", "write")
            if not (clause.whole or self._open):
                found.unread.append(clause.words(clause.behind_head, len(clause.tokens)))
        elif found.steps and self._goes_on(clause):
            last = found.steps[-1]
            found.steps[-1] = Wish(last.step, f"{last.text}{self._text[behind : clause.end]}")
        elif found.steps and not self._asks and _asks_nothing(clause):
            found.unread.append(clause.typed)
        else:
            return False
        return True

    def _goes_on(self, clause: Clause) -> bool:
        """Return whether a clause goes on with the step before it."""
        mode = clause.whole and clause.names <= {"mode", "small"}
        return mode or (self._open and not longest(clause.tokens, 0, "counts"))

    def _ask(self, clause: Clause) -> None:
        """Cut the steps off both ends of a clause of the question."""
        tokens, at, self._asks = clause.tokens, clause.behind_head, True
        if clause.names & {"denied", "it"} or longest(tokens, at, "condition"):
            self._uncut = True
            if "it" in clause.names and "denied" not in clause.names:
                self._found.acts = _ACTING.get(clause.verb, "")
            return
        tail = [] if any(part.name == "denied" for part in clause.tail) else clause.tail
        self._verb = self._verb or clause.verb
        end = tail[0].begin if tail else len(tokens)
        relative = has(tokens[at:end], "relative") or longest(tokens, at, "asks") > 0
        values = [part for part in (*clause.head, *tail) if part.name in _VALUES]
        # "customers that order every week" are a thing
        values = [part for part in values if part.name != "when" or part.begin < at or not relative]
        if self._verb == "plot" and (has(tokens[at:], "counts") or longest(tokens, at, "the", "a")):
            values.append(Part("chart", "", 0, at))
        if not any(self._is_sure(clause, part) for part in values):
            self._uncut = True
            return
        self._found.steps += _steps(values, self._verb or "put")
        if at:
            self._cuts.append((clause.begin, tokens[at].begin))
        for part in tail:
            if part in values or part.name not in _VALUES:
                self._cuts.append((tokens[part.begin - 1].end, tokens[part.end - 1].end))

    def _is_sure(self, clause: Clause, part: Part) -> bool:
        """Return whether a value in a clause of the question surely says a step: others need an action."""
        verb, leads = self._verb, part.begin < clause.behind_head
        match part.name:
            case "people":
                return verb in MAILING and (verb != "hand" or "@" in part.said)
            case "table" | "place":
                return verb == "put" or (verb in WRITING and not leads)
            case "inbox":
                return verb in (*MAILING, "ask")
            case "when" if leads:
                return bool(verb or recurrence_of(part.said).at)
            case "when":
                return verb in ("ask", "repeat", "send", "mail")
        return True


def _only_points(text: str) -> bool:
    """Return whether a text speaks of the result on show, or says nothing that could be asked."""
    tokens, pointing = marked(text), spellings_of("talk.pointing")
    return bool(longest(tokens, len(tokens) - 1, "it")) or all(
        len(each.word) < 2 or each.word in pointing or longest((each,), 0, "it", "the", "rows") for each in tokens
    )


def _asks_nothing(clause: Clause) -> bool:
    """Return whether a clause behind a step is no question: a condition, another action, or words that say nothing."""
    tokens = clause.tokens
    held = has(tokens, "unread.condition") or longest(tokens, 0, "unread.action")
    return bool(held) or not unknown_words(clause.typed)


def _steps_alone(clause: Clause) -> list[Wish]:
    """Return the steps of a clause that asks for nothing: an action on the rows on show, or nothing but values."""
    verb, tokens, names = clause.verb, clause.tokens, clause.names
    texts = longest(tokens, clause.behind_head, "share_with", "as", "mailing.subject", "mailing.body", "mailing.saying")
    if not ("it" in names and verb) and not (texts and verb in ("mail", "send") and "people" in names):
        return _steps(clause.head, verb or ("put" if has(tokens, "into") else "")) if clause.whole else []
    if step := _task(clause):
        whens, text = [part.said for part in clause.head if part.name == "when"], clause.typed
        for when in whens:
            text = " ".join(text.replace(when, " ").split())
        done, repeated = [Wish(step, text)], [Wish("repeat", f"repeat it {when.strip()}") for when in whens[:1]]
        return [*done, *repeated] if step == "write" else [*repeated, *done]
    return _steps(clause.head, verb, clause.typed)


def _task(clause: Clause) -> Literal["write", "email"] | None:
    """Return the task of an action on the rows on show, which is begun with all the words of the clause."""
    verb, tokens = clause.verb, clause.tokens
    words = {each.word for each in tokens}
    mails = verb == "mail" or ADDRESS in words or bool(clause.names & {"people", "inbox"})
    # "t7" names a table where rows are put, and a quarter or a product elsewhere
    coded = any(each.isalnum() and not each.isdigit() and each[-1:].isdigit() for each in words)
    placed = NAME in words or (verb in WRITING and coded) or has(tokens, "table", "place")
    form = has(tokens, *FORMS)
    if verb in MAILING and (mails or (verb == "send" and not (form or placed))):
        return "email"
    nowhere = (verb == "save" and not has(tokens, "picture")) or (verb == "write" and clause.whole)
    return "write" if verb in (*MAILING, *WRITING) and (placed or (nowhere and not form)) else None


def _steps(parts: Sequence[Part], verb: str, words: str = "") -> list[Wish]:
    """Return the steps that parts say, in the order in which they can be done; an e-mail brings its file.

    `words` are those that may say the kind of a chart.
    """
    said = {part.name: part.said for part in parts}
    rows = said.get("it", "")
    form = said.get("form", "")
    file = next((kind for kind in FORMS if has_phrase(f"steps.{kind}", form)), "")
    mails = bool({"people", "inbox"} & said.keys()) or (verb == "mail" and bool(rows or form or "me" in said))
    found = list[Wish]()
    if "table" in said and not mails and verb in (*MAILING, *WRITING):
        place = f" in {said['place']}" if "place" in said else ""
        mode = f", {said['mode']}" if "mode" in said else ""
        found.append(Wish("write", f"save it into table {said['table']}{place}{mode}"))
    if "chart" in said or (has_phrase("steps.picture", rows) and not mails) or (verb == "plot" and rows):
        kind = chart_kind_in(said.get("chart") or words)
        found.append(Wish("chart", f"draw it as a {f'{kind} ' if kind else ''}chart"))
    if file and not mails:
        found.append(Wish(_FORM_STEPS[file], f"export it as {FORMS[file]}"))
    if "channel" in said or (rows and not mails and has_phrase("steps.share", said.get("hand", ""))):
        found.append(Wish("share", "share it with the channel"))
    if "when" in said:
        found.append(Wish("repeat", f"repeat it {said['when']}"))
    if mails:
        whom = said.get("people") or ("me" if "inbox" in said else said.get("me", ""))
        found.append(Wish("email", mail_words([whom], file)))
    return found


def mail_words(people: Sequence[str], form: str = "", subject: str | None = None) -> str:
    """Return the words of a step that mails the rows."""
    whom, name = " and ".join(filter(None, people)), {"csv": "CSV", "xlsx": "Excel", "excel": "Excel"}.get(form, "")
    titled = f'with the subject "{subject}"' if subject else ""
    return " ".join(filter(None, ("mail it", f"to {whom}" if whom else "", f"as {name}" if name else "", titled)))


def chart_kind_in(text: str) -> ChartKind | None:
    """Return the kind of chart that a wish for a picture names and does not deny; None for none."""
    sentence = Sentence(text)
    said = {kind: sentence.spans(f"steps.{kind}") for kind in get_args(ChartKind)}
    return next((kind for kind, spans in said.items() if any(not sentence.is_denied(*span) for span in spans)), None)


def step_for(category: str, text: str) -> Step:
    """Return the step that a sentence of a category asks for, "ask" for none; of a file, its words tell the format."""
    if category != Category.EXPORT:
        return next((step for step, of in STEP_TO_CATEGORY.items() if of == category), "ask")
    sentence = Sentence(text)
    form = find_form(sentence)
    draws = any(not sentence.is_denied(*span) for span in sentence.spans("steps.picture"))
    return form if form == "csv" or form == "xlsx" else "chart" if draws or chart_kind_in(text) else "ask"


# Two questions in one message: "customers and how many orders they placed" is one, "revenue by region and how many
# customers do we have?" are two: the second is whole, points at nothing of the first one, and speaks of other things.

_ENDS: Final = re.compile(r"[?!;.]\s+$")
_SENTENCE: Final = re.compile(r"[.!?;]\s+")
WHOLE_MIN_WORDS: Final = 4
"""Words that a question of its own has at least."""


def further_in(text: str, is_step: Callable[[str], bool]) -> tuple[str, str] | None:
    """Return what stands before the second question of a message, and from there on; None if it has only one.

    `is_step` says what is wished for a result, and may stand before it in place of a question.
    """
    tokens = tokens_of(text)
    for at in range(1, len(tokens)):
        begin = skip(tokens, at, "join")
        ends = _ENDS.search(text[tokens[at - 1].end : tokens[at].begin]) is not None
        if not (ends or begin > at) or not longest(tokens, begin, "asks"):
            continue
        first, second = text[: tokens[at - 1].end], text[tokens[begin].begin :]
        own = _SENTENCE.split(second)[0]
        if len(tokens_of(own)) < WHOLE_MIN_WORDS or has_phrase("steps.to_bot", f"{first} {second}"):
            continue
        if (_is_whole(first) or is_step(first)) and (ends or _shares_nothing(first, own)):
            return first, second
    return None


def _is_whole(text: str) -> bool:
    """Return whether a text ends with a question for the data."""
    tokens = tokens_of(_SENTENCE.split(text.strip())[-1])
    tokens = tokens[skip(tokens, 0, "courtesy") :]
    asks = longest(tokens, 0, "asks")
    return len(tokens) > 2 if asks else bool(longest(tokens, 0, "orders") or has(tokens[1:], "counts"))


def _shares_nothing(first: str, second: str) -> bool:
    """Return whether what stands behind "and" shares nothing with the question before it."""
    grouped = has_phrase("steps.counts", second) and not has_phrase("steps.counts", first)
    return not grouped and not has_phrase("steps.refers", second) and not _nouns(first) & _nouns(second)


def _nouns(text: str) -> frozenset[str]:
    """Return what a text speaks of, by the beginnings of words: "approved" and "approval" are one."""
    tokens = tokens_of(text)
    words = (token.word for at, token in enumerate(tokens) if not longest(tokens, at, "common", "asks", "verbs"))
    return frozenset(stem(word)[:5] for word in words if len(word) > 2 and word.isalpha())
