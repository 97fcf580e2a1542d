"""Each kind of broken table is refused, with words that name the stage."""

from collections.abc import Mapping
from typing import Any, Literal

import pytest

from router.cards import Card
from router.errors import FlowError
from router.flow import FLOW
from router.machine import Ask, Flow, Handler, Work, words_of
from router.memory import Stage
from router.turn import Turn

Rows = dict[Stage, tuple[Handler, Mapping[str, Stage]]]


def rows() -> Rows:
    return {stage: (row.handler, dict(row.to)) for stage, row in FLOW.rows.items()}


def refusal(changed: Rows) -> str:
    with pytest.raises(FlowError) as caught:
        Flow(changed, Stage.START, Stage.DONE)
    return str(caught.value)


def led(changed: Rows, stage: Stage, **to: Stage) -> Rows:
    handler, ways = changed[stage]
    return changed | {stage: (handler, {**ways, **to})}


def test_the_table_is_sound() -> None:
    """The project's own table passes every check."""
    assert len(Stage) == len(Flow(rows(), Stage.START, Stage.DONE).rows)


def test_a_missing_stage_is_named() -> None:
    """A stage without a row is named."""
    changed = rows()
    del changed[Stage.EXECUTE_SQL]

    assert "No row for EXECUTE_SQL." in refusal(changed)


def test_words_must_agree() -> None:
    """A way out that no handler speaks of is named with both sides."""
    changed = led(rows(), Stage.CHOOSE_CONNECTION, later=Stage.DONE)

    assert refusal(changed) == "CHOOSE_CONNECTION: the handler says ['chosen'], the table says ['chosen', 'later']."


def test_an_unreached_stage_is_named() -> None:
    """A stage that no way leads to is named."""
    changed = led(rows(), Stage.SHOW_RESULTS, share=Stage.DONE)

    assert refusal(changed) == "SHARE_RESULT is never reached."


def test_a_stage_without_end_is_named() -> None:
    """A stage from which the end cannot be reached is named."""
    changed = rows()
    for stage, (handler, to) in changed.items():
        leads = {word: Stage.SHOW_RESULTS if next == Stage.DONE else next for word, next in to.items()}
        changed[stage] = (handler, leads)

    assert "START cannot end." in refusal(changed)


def test_a_loop_of_work_only_is_named() -> None:
    """Work that leads to itself without asking a person is named."""
    changed = led(rows(), Stage.READ_SCHEMA, failed=Stage.READ_SCHEMA)

    assert "READ_SCHEMA can loop without a person." in refusal(changed)


def test_only_the_end_ends() -> None:
    """A table whose end still asks is refused."""
    changed = rows()
    changed[Stage.DONE] = changed[Stage.NEED_WRITE_OR_EMAIL]

    assert "DONE alone must have an End as its handler" in refusal(changed)


class Vague(Work):
    doing = "Guessing…"

    def work(self, turn: Turn) -> str:
        return "anything"


class Careful(Ask):
    help = ""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return ()

    def settle(self, turn: Turn) -> Literal["skipped"] | None:
        return None

    def answer(self, turn: Turn) -> Literal["yes", "no"]:
        return "yes"


def test_words_must_be_declared() -> None:
    """A handler that returns any string is refused by name."""
    with pytest.raises(FlowError, match=r"Vague\.work must return Literal words"):
        words_of(Vague())


def test_words_are_read_from_annotations() -> None:
    """The words of answer and settle together are the handler's words."""
    words: Any = words_of(Careful())

    assert words == {"yes", "no", "skipped"}


def test_the_diagram_shows_every_edge() -> None:
    """Each edge of the table stands in the Mermaid text."""
    drawn = FLOW.mermaid()

    assert [
        (stage, word)
        for stage, word, to in FLOW.edges()
        if not any(
            line.startswith(f"    {stage} --> {to}: ") and word in line.split(": ")[1].split(", ")
            for line in drawn.splitlines()
        )
    ] == []
