"""Several wishes in one sentence: shown as a plan, which is confirmed once; each step is still approved by its rule."""

from dataclasses import replace
from typing import Literal

from router.cards import Buttons, Card, Option, Text
from router.language.phrases import has_phrase, is_all
from router.machine import Ask
from router.memory.draft import Wish
from router.memory.understanding import Understanding
from router.stages.dispatch import back, put_back, question
from router.stages.planned_steps import left_out, not_wanted, possible, why_not
from router.stages.side_questions import SIDE_CATEGORIES, heard
from router.stages.start import take
from router.turn import NO_ANSWER, Said, Turn
from router.understanding.categories import CATEGORY_TO_AGENT, Category
from router.understanding.kinds import asks_clearly, is_question
from router.understanding.parameters.plan_patch import names_steps, plan_patch
from router.understanding.parameters.plan_steps import StepKind, joined, plan_steps
from router.understanding.steps import PLAN_MAX_STEPS, only_points, wishes_of

Stood = Literal["rows", "sql", "own_sql", "email_sql", "provide", "provide_email"]
Planned = Stood | Literal["question", "changed", "heard", "typed_sql", "cancel", "unclear"]
"""The outcome of a plan; "cancel" leads to where questions are typed, as there was none of the others."""

NO_CHANGE = (
    "What should be different? Say it like `without 2`, `only the chart`, `also as Excel` "
    "or `mail it to ana@company.example instead`; or press a button."
)
WITHOUT = "without"
"""Stands before the number of the line in the answer of a button that takes a step out."""


class ConfirmPlan(Ask):
    """Show what a sentence asks for, step by step, and go on once the person says so."""

    card = "plan"
    accepts = frozenset(["without", "only", "alone", "add", "to", "when"])
    passing = True
    help = (
        "Press Go on for all of it, or The question alone, or type what to change, such as `without the "
        "mail`. Each step that runs, sends or writes something waits for your Yes."
    )

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        known = turn.memory.understanding
        lines = _lines(turn, known)
        cannot = tuple(Text(why_not(wish)[0], "problem") for wish in known.wishes if not possible(turn, wish))
        asks = any(CATEGORY_TO_AGENT[Category.ASK_DATA] == wish.agent_id for wish in known.wishes)
        one = (Text("If that is one question, type it again with `ask:` in front.", "quiet"),) if asks else ()
        denied = (Text(not_wanted(known.denied), "quiet"),) if known.denied else ()
        alone = Option("first", "The first question alone" if asks else "The question alone")
        steps = [number for number, (_, kinds) in enumerate(lines, 1) if kinds]
        ways = (
            Option("yes", "Go on", "primary"),
            *((alone,) if known.processed_query else ()),
            *(Option(f"{WITHOUT} {number}", f"Without {number}", overflow=True) for number in steps if len(steps) > 1),
            Option("cancel", "Cancel"),
        )
        numbered = "\n".join(text for text, _ in lines)
        return (
            Text(f"That's more than one step:\n{numbered}"),
            *cannot,
            *one,
            *denied,
            Buttons("Go on like this? I ask before each step that runs, sends or writes something.", ways),
        )

    def answer(self, turn: Turn) -> Planned:
        memory, known = turn.memory, turn.memory.understanding
        word: Literal["yes", "first", "cancel", "no"] | None = None
        if changed := _changed(turn, known):
            if changed == "unclear":
                return changed
            if changed.wishes:
                memory.understanding = changed
                return "changed"
            known, word = changed, "first" if known.processed_query else "cancel"
        word = word or turn.word("cancel", "no", "yes", "first")
        if word is None and is_all("steps.all", turn.text):
            word = "yes"
        if word in ("cancel", "no"):
            put_back(turn)
            turn.note("Nothing of it was done.", "quiet")
            return "cancel" if (stood := back(known)) == "ask" else stood
        if word is None:
            return _other(turn, known)
        plan = joined(_possible(turn, known)) if word == "yes" else ()
        if known.processed_query:
            question(turn, replace(known, classification_confidence=1.0, denied=()), plan)  # they saw it, and said so
            return "question"
        put_back(turn)
        if memory.answer:
            memory.answer = replace(memory.answer, draft=replace(memory.answer.draft, plan=plan))
        turn.achieved = "step"
        return "rows"


def _possible(turn: Turn, known: Understanding) -> tuple[Wish, ...]:
    """Return the steps that can be done here."""
    return tuple(wish for wish in known.wishes if possible(turn, wish))


def _lines(turn: Turn, known: Understanding) -> tuple[tuple[str, tuple[StepKind, ...]], ...]:
    """Return the lines of the card, each with the kinds of steps in it: none in that of the question."""
    wishes = joined(_possible(turn, known))
    steps = [(wish.text, tuple(step.kind for step in plan_steps((wish,)))) for wish in wishes]
    asked = [(known.processed_query, ())] if known.processed_query else []
    return tuple(
        (f"{number}. {text[:1].upper()}{text[1:]}", kinds) for number, (text, kinds) in enumerate((*asked, *steps), 1)
    )


def _changed(turn: Turn, known: Understanding) -> Understanding | Literal["unclear"] | None:
    """Return the plan as a button or a sentence changes it; None for any other sentence."""
    lines = tuple(kinds for _, kinds in _lines(turn, known))
    patch = plan_patch(turn.text, plan_steps(_possible(turn, known)), lines)
    if patch is None:
        return None
    wishes = tuple(step.wish for step in patch)
    if cannot := next((wish for wish in wishes if not possible(turn, wish)), None):
        return turn.unclear(" ".join(why_not(cannot)))
    if len(wishes) > PLAN_MAX_STEPS:
        return turn.unclear(f"A plan has at most {PLAN_MAX_STEPS} steps. Take one out first, such as `without 2`.")
    return replace(known, wishes=wishes, secondary_agent_ids=tuple(wish.agent_id for wish in wishes))


def _other(turn: Turn, known: Understanding) -> Planned:
    """Take a sentence that no button says: another question in the plan, or a new one."""
    of_steps = names_steps(turn.text)
    question = known.processed_query.rstrip(" .?!")
    points = only_points(turn.text) and not any(letter.isdigit() for letter in turn.text)
    if question and heard(turn).category == Category.REFINE_QUESTION and not (of_steps or points):
        turn.memory.understanding = replace(known, processed_query=f"{question}, {turn.text.strip(' .')}")
        return "changed"
    if is_question(turn.text) and has_phrase("steps.plan_words", turn.text):
        turn.note(ConfirmPlan.help)
        turn.answers(Category.HELP)
        return "changed"
    taken = take(turn) if _is_new(turn) else None
    if taken is None or taken == "unclear":
        return taken or turn.unclear(NO_CHANGE if of_steps else NO_ANSWER)
    turn.note(left_out(known.wishes), "quiet")
    return "heard" if taken == "question" else "typed_sql"


def _is_new(turn: Turn) -> bool:
    """Return whether a sentence stands in place of the one that is asked about."""
    if not isinstance(turn.incoming.input, Said):
        return False
    text, found = turn.text, heard(turn)
    asks = found.category == Category.ASK_DATA or (asks_clearly(text) and found.likely not in SIDE_CATEGORIES)
    return asks or turn.typed_sql() is not None or bool(wishes_of(text)[1])
