"""Corrections of a plan: each names a step, or what is in one, and every word of it is understood."""

import pytest

from router.memory.draft import Step, Wish
from router.understanding.parameters.plan_patch import names_steps, plan_patch
from router.understanding.steps import mail_words
from tests.support.rows import every_row


def mailed(*people: str) -> Wish:
    """Return the step that mails the rows to people."""
    return Wish("email", mail_words(people))


MAIL, CHART = mailed("kim@example.com"), Wish("chart", "draw it as a chart")
WRITE, WEEKLY = Wish("write", "save it to tmp_parts"), Wish("repeat", "every Tuesday")
DRAWN, KEPT = (MAIL, CHART), (WRITE, WEEKLY, MAIL)


def corrected(text: str, steps: tuple[Wish, ...]) -> tuple[str, ...] | None:
    """Return the words of the corrected steps; None if a sentence corrects nothing."""
    found = plan_patch(text, steps)
    return None if found is None else tuple(step.text for step in found)


@pytest.mark.parametrize(
    ("text", "steps", "left"),
    [
        ("please drop the mail", DRAWN, {"chart"}),
        ("the e-mail isn't necessary", DRAWN, {"chart"}),
        ("a chart is enough", DRAWN, {"chart"}),
        ("everything but the chart", DRAWN, {"email"}),
        ("neither mail nor chart", DRAWN, set()),
        ("ohne Diagramm bitte", DRAWN, {"email"}),
        ("nur das Diagramm", DRAWN, {"chart"}),
        ("enlève le mail", DRAWN, {"chart"}),
        ("seulement le graphique", DRAWN, {"chart"}),
        ("quita el gráfico", DRAWN, {"email"}),
        ("solo el correo", DRAWN, {"email"}),
        ("don't save it", KEPT, {"repeat", "email"}),
    ],
)
def test_steps_are_left_out(text: str, steps: tuple[Wish, ...], left: set[Step]) -> None:
    """What was named goes, or is all that stays."""
    found = plan_patch(text, steps)
    assert found is not None
    assert left == {step.step for step in found}


@pytest.mark.parametrize(
    ("text", "steps", "expected"),
    [
        ("and save it to ops.parts too", DRAWN, (*DRAWN, Wish("write", "save it to ops.parts too"))),
        ("a csv file as well", DRAWN, (*DRAWN, Wish("csv", "export it as CSV"))),
        ("auch als Excel", DRAWN, (*DRAWN, Wish("xlsx", "export it as Excel"))),
        ("also every Friday at 6", (CHART,), (CHART, Wish("repeat", "repeat it every Friday at 6"))),
        ("mail it to jo@example.com instead", DRAWN, (mailed("jo@example.com"), CHART)),
        ("also to jo@example.com", DRAWN, (mailed("kim@example.com", "jo@example.com"), CHART)),
        ("copy jo@example.com too", DRAWN, (mailed("kim@example.com", "jo@example.com"), CHART)),
        ("the mail as csv", DRAWN, (Wish("email", "mail it to kim@example.com as CSV"), CHART)),
        ("tuesdays at 9", KEPT, (WRITE, Wish("repeat", "repeat it tuesdays at 9"), MAIL)),
        ("into ops.parts instead", KEPT, (Wish("write", "save it into table ops.parts"), WEEKLY, MAIL)),
    ],
)
def test_steps_are_changed(text: str, steps: tuple[Wish, ...], expected: tuple[Wish, ...]) -> None:
    """A step is added, or says something else, at its place."""
    assert tuple(step.text for step in expected) == corrected(text, steps)


@every_row(
    "text",
    [
        "last month, not this month",
        "only for Italy",
        "parts that were sent by mail",
        "only customers who got an e-mail",
        "instead of the mail a file",
        # Not surely read: the button, or the form of the step, is there for it.
        "excel instead of csv",
        "keep the mail, drop the others",
        "no chart, last year please",
        "only the first 3",
        "only 2",
        "only the chart, then we will see",
        "to ops.parts, not to tmp_parts",
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
    assert plan_patch(text, DRAWN) is None


def test_words_for_steps() -> None:
    """A sentence with such a word is not only about the question."""
    assert names_steps("the mail channel")
    assert not names_steps("only for Italy")


TWICE = (Wish("write", "write it to t_1"), Wish("write", "write it to t_2"), MAIL)


def test_two_steps_of_a_kind() -> None:
    """Both are kept; a line takes one of them out, and what may be meant of either changes nothing."""
    assert TWICE[1:] == plan_patch("without 1", TWICE, 1)
    assert TWICE[2:] == plan_patch("without saving", TWICE, 1)
    assert plan_patch("into ops.parts instead", TWICE, 1) is None
    assert plan_patch("mail it to a@x.de and mail it to b@x.de", DRAWN) is None
