"""Several wishes in one sentence: shown as a plan, which is confirmed once; each step is still approved by its rule."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.language.phrases import is_all, tokens_of
from router.machine import Ask
from router.memory.draft import Wish
from router.memory.understanding import Stood, Understanding
from router.stages.dispatch import begin_question, restore_draft, return_stage
from router.stages.planned_steps import left_out, not_wanted, why_not
from router.stages.side_questions import SIDE_CATEGORIES, heard
from router.stages.start import take
from router.turn import NO_ANSWER, Said, Turn
from router.understanding.categories import Category
from router.understanding.interpretation import with_wishes
from router.understanding.kinds import asks_clearly
from router.understanding.parameters.plan_patch import named_steps, names_steps, plan_patch
from router.understanding.steps import PLAN_MAX_STEPS, read_steps

Planned = Stood | Literal["question", "changed", "heard", "typed_sql", "cancel", "unclear"]
"""The outcome of a plan; "cancel" leads to where questions are typed, as there was none of the others."""

NO_CHANGE = (
    "What should be different? Say it like `without 2`, `only the chart`, `also as Excel` "
    "or `mail it to ana@company.example instead`; or press a button."
)
REMOVE_PREFIX = "without"
"""Stands before the number of the line in the answer of a button that takes a step out."""


class ConfirmPlan(Ask):
    """Show what a sentence asks for, step by step, and go on once the person says so."""

    card = "plan"
    accepts = frozenset(["without", "only", "alone", "add", "to", "when"])
    skipped_by_back = True
    help = (
        "Press Go on for all of it, or The question alone, or type what to change, such as `without the "
        "mail`. Each step that runs, sends or writes something waits for your Yes."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        known = turn.memory.understanding
        wishes, first = _wishes(turn, known), _first_number(known)
        texts = ([known.processed_query] if known.processed_query else []) + [wish.text for wish in wishes]
        lines = [f"{number}. {text[:1].upper()}{text[1:]}" for number, text in enumerate(texts, 1)]
        notes = [Text(why[0], "problem") for wish in known.wishes if (why := why_not(turn, wish))]
        if asks := any(wish.step == "ask" for wish in wishes):
            notes.append(Text("If that is one question, type it again with `ask:` in front.", "quiet"))
        if known.denied:
            notes.append(Text(not_wanted(known.denied), "quiet"))
        alone = Option("first", "The first question alone" if asks else "The question alone")
        numbers = range(first, first + len(wishes)) if len(wishes) > 1 else ()
        ways = (
            Option("yes", "Go on", "primary"),
            *((alone,) if known.processed_query else ()),
            *(Option(f"{REMOVE_PREFIX} {number}", f"Without {number}", overflow=True) for number in numbers),
            Option("cancel", "Cancel"),
        )
        return (
            Text("\n".join(("That's more than one step:" if lines[1:] else "That is one step:", *lines))),
            *notes,
            Buttons("Go on like this? I ask before each step that runs, sends or writes something.", ways),
        )

    def answer(self, turn: Turn) -> Planned:
        known = turn.memory.understanding
        word: Literal["yes", "first", "cancel", "no"] | None = turn.word("cancel", "no", "yes", "first")
        if word is None and is_all("steps.all", turn.text):
            word = "yes"
        if word is None:
            changed = _changed(turn, known)
            if changed == "unclear":
                return changed
            if changed is None:
                return _other(turn, known)
            turn.memory.understanding = known = changed
            if known.wishes:
                return "changed"
            word = "first" if known.processed_query else "cancel"
        if word in ("cancel", "no"):
            restore_draft(turn)
            turn.note("Nothing of it was done.", "quiet")
            return "cancel" if (stood := return_stage(known)) == "ask" else stood
        return _go_on(turn, known, _wishes(turn, known) if word == "yes" else ())


def _go_on(turn: Turn, known: Understanding, plan: tuple[Wish, ...]) -> Literal["question", "rows"]:
    """Ask the question of a plan, or begin its steps with the rows on show."""
    memory = turn.memory
    if known.processed_query:
        begin_question(turn, replace(known, classification_confidence=1.0, denied=()), plan)  # they saw it, and said so
        return "question"
    restore_draft(turn)
    if memory.answer:
        memory.answer = replace(memory.answer, draft=replace(memory.answer.draft, plan=plan))
    turn.achieved = "step"
    return "rows"


def _wishes(turn: Turn, known: Understanding) -> tuple[Wish, ...]:
    """Return the steps that can be done here, as they are shown: one a line."""
    return tuple(wish for wish in known.wishes if not why_not(turn, wish))


def _first_number(known: Understanding) -> int:
    """Return the number of the first step on the card, if the question stands before the steps."""
    return 2 if known.processed_query else 1


def _changed(turn: Turn, known: Understanding) -> Understanding | Literal["unclear"] | None:
    """Return the plan as a button or a sentence changes it; None for any other sentence."""
    wishes, first = _wishes(turn, known), _first_number(known)
    patch = plan_patch(turn.text, wishes, first)
    if patch is None:
        words = turn.text.strip(" .!").split()
        if len(words) == 2 and words[1].isdigit() and is_all("steps.without", words[0]):
            return turn.unclear(f"There is no step {words[1]} to leave out.")
        about_plan = named_steps(tokens_of(turn.text), wishes, first)[0] or read_steps(turn.text).agreed
        return turn.unclear(NO_CHANGE) if about_plan else None
    if why := next(filter(None, (why_not(turn, step) for step in patch)), None):
        return turn.unclear(" ".join(why))
    if len(patch) > PLAN_MAX_STEPS:
        return turn.unclear(f"A plan has at most {PLAN_MAX_STEPS} steps. Take one out first, such as `without 2`.")
    return with_wishes(known, patch)


def _other(turn: Turn, known: Understanding) -> Planned:
    """Take a sentence that no button says: a change of the question in the plan, or a new question."""
    of_steps = names_steps(turn.text)
    if known.processed_query and heard(turn).category == Category.REFINE_QUESTION and not of_steps:
        asked = f"{known.processed_query.rstrip(' .?!')}, {turn.text.strip(' .')}"
        turn.memory.understanding = replace(known, processed_query=asked)
        return "changed"
    found, text = heard(turn), turn.text
    asks = found.category == Category.ASK_DATA or (asks_clearly(text) and found.likely not in SIDE_CATEGORIES)
    read = read_steps(text)
    new = turn.typed_sql() is not None or (asks and not of_steps) or bool(read.steps and asks_clearly(read.question))
    taken = take(turn) if new and isinstance(turn.incoming.input, Said) else None
    if taken is None or taken == "unclear":
        return taken or turn.unclear(NO_CHANGE if of_steps else NO_ANSWER)
    turn.note(left_out(known.wishes), "quiet")
    return "heard" if taken == "question" else "typed_sql"
