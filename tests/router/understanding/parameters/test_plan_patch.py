"""Corrections of a plan: each names a step, or what is in one, and every word of it is understood."""

import pytest

from router.memory.draft import Wish
from router.understanding.parameters.plan_patch import names_steps, plan_patch
from router.understanding.parameters.plan_steps import PlanStep, StepKind, joined, mail_step, plan_steps

MAIL, CHART = mail_step(["kim@example.com"]), PlanStep("chart", "draw it as a chart")
WRITE, WEEKLY = PlanStep("write", "save it to tmp_parts"), PlanStep("repeat", "every Tuesday")
DRAWN, KEPT = (MAIL, CHART), (WRITE, WEEKLY, MAIL)


def corrected(text: str, steps: tuple[PlanStep, ...]) -> tuple[str, ...] | None:
    """Return the words of the corrected steps; None where a sentence corrects nothing."""
    found = plan_patch(text, steps, ((), *((step.kind,) for step in steps)))
    return None if found is None else tuple(step.text for step in found)


@pytest.mark.parametrize(
    ("text", "steps", "left"),
    [
        ("please drop the mail", DRAWN, {"chart"}),
        ("the e-mail isn't necessary", DRAWN, {"chart"}),
        ("a chart is enough", DRAWN, {"chart"}),
        ("everything but the chart", DRAWN, {"email"}),
        ("could you leave out the chart?", DRAWN, {"email"}),
        ("the picture stays, nothing else", DRAWN, {"chart"}),
        ("without step 3", DRAWN, {"email"}),
        ("the last step isn't needed", DRAWN, {"email"}),
        ("neither mail nor chart", DRAWN, set()),
        ("ohne Diagramm bitte", DRAWN, {"email"}),
        ("nur das Diagramm", DRAWN, {"chart"}),
        ("enlève le mail", DRAWN, {"chart"}),
        ("seulement le graphique", DRAWN, {"chart"}),
        ("quita el gráfico", DRAWN, {"email"}),
        ("solo el correo", DRAWN, {"email"}),
        ("don't save it", KEPT, {"repeat", "email"}),
        ("no schedule, just once", KEPT, {"write", "email"}),
        ("keep the mail, drop the others", KEPT, {"email"}),
        ("saving it is fine, I don't need the rest", KEPT, {"write"}),
    ],
)
def test_steps_are_left_out(text: str, steps: tuple[PlanStep, ...], left: set[StepKind]) -> None:
    """What was named goes, or is all that stays."""
    found = plan_patch(text, steps, ((), *((step.kind,) for step in steps)))
    assert found is not None
    assert left == {step.kind for step in found}


@pytest.mark.parametrize(
    ("text", "steps", "expected"),
    [
        ("and save it to ops.parts too", DRAWN, (*DRAWN, PlanStep("write", "save it to ops.parts too"))),
        ("a csv file as well", DRAWN, (*DRAWN, PlanStep("csv", "export it as CSV"))),
        ("auch als Excel", DRAWN, (*DRAWN, PlanStep("xlsx", "export it as Excel"))),
        ("also every Friday at 6", (CHART,), (CHART, PlanStep("repeat", "repeat it every Friday at 6"))),
        ("mail it to jo@example.com instead", DRAWN, (mail_step(["jo@example.com"]), CHART)),
        ("also to jo@example.com", DRAWN, (mail_step(["kim@example.com", "jo@example.com"]), CHART)),
        ("excel instead of csv", (PlanStep("csv", "export it as CSV"),), (PlanStep("xlsx", "export it as Excel"),)),
        ("into ops.parts instead", KEPT, (PlanStep("write", "save it into table ops.parts"), WEEKLY, MAIL)),
        ("at 9 rather", KEPT, (WRITE, PlanStep("repeat", "repeat it every Tuesday at 09:00"), MAIL)),
        ("csv instead of the chart", DRAWN, (MAIL, PlanStep("csv", "export it as CSV"))),
        ("at 6:45", KEPT, (WRITE, PlanStep("repeat", "repeat it every Tuesday at 06:45"), MAIL)),
    ],
)
def test_steps_are_changed(text: str, steps: tuple[PlanStep, ...], expected: tuple[PlanStep, ...]) -> None:
    """A step is added, or says something else, at its place."""
    assert tuple(step.text for step in expected) == corrected(text, steps)


@pytest.mark.parametrize(
    "text",
    [
        "last month, not this month",
        "only for Italy",
        "parts that were sent by mail",
        "only customers who got an e-mail",
        "instead of the mail a file",
        # Not surely read: the button, or the form of the step, is there for it.
        "no chart, last year please",
        "only the first 3",
        "only 2",
        "only the chart, then we will see",
        "to ops.parts, not to tmp_parts",
        "copy jo@example.com too",
        "replace kim by jo@example.com",
        "to jo@example.com, not to kim",
        "the mail as csv",
        "the mail instead of the chart to jo@example.com",
        "no",
        "no, thank you",
        "yes, go",
        "what about the mail?",
        "only mondays",
        "the mail",
        "drop step 7",
    ],
)
def test_no_correction(text: str) -> None:
    """What is about the question, or only half understood, changes no step."""
    assert plan_patch(text, DRAWN, ((), ("email",), ("chart",))) is None


def test_words_for_steps() -> None:
    """A sentence with such a word is not only about the question."""
    assert names_steps("the mail channel")
    assert not names_steps("only for Italy")


def test_a_repetition_is_mailed_each_time() -> None:
    """The e-mail is part of the repetition, and can be taken out of it again."""
    wishes = joined(step.wish for step in KEPT)
    assert (WRITE.wish, Wish("schedule_agent", "every Tuesday, mail it to kim@example.com")) == wishes
    assert KEPT == plan_steps(wishes)
