"""Each kind of broken table is refused, with words that name the stage."""

import re
from collections.abc import Mapping
from typing import Any, Literal

import pytest

from router.cards import Card
from router.errors import FlowError
from router.flow import FLOW
from router.machine import Ask, Flow, Handler, Work, words_of
from router.memory.stage import Stage
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

    assert (
        refusal(changed)
        == "CHOOSE_CONNECTION: the handler says ['chosen', 'sql'], the table says ['chosen', 'later', 'sql']."
    )


def test_an_unreached_stage_is_named() -> None:
    """A stage that no way leads to is named."""
    changed = led(led(rows(), Stage.SHOW_RESULTS, share=Stage.DONE), Stage.UNDERSTAND_QUERY, share=Stage.DONE)

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


class Vague(Work):
    doing = "Guessing…"

    def work(self, turn: Turn) -> str:
        return "anything"


class Careful(Ask):
    help = ""

    def ask(self, turn: Turn) -> tuple[Card, ...]:
        return ()

    def decide_unasked(self, turn: Turn) -> Literal["skipped"] | None:
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


def test_a_sentence_leads_back_to_where_it_was_typed() -> None:
    """Once a sentence was answered, its word leads back to the stage at which it was typed."""
    ways = FLOW[Stage.UNDERSTAND_QUERY].to, FLOW[Stage.CONFIRM_PLAN].to
    stood = {stage: word for stage, word in FLOW.typed_at.items() if word != "open"}

    assert [(stage, stage) for stage in stood] == [tuple(to[word] for to in ways) for word in stood.values()]


def test_unclear_leads_nowhere() -> None:
    """A row that has a way out for what was no answer is refused: the question is repeated."""
    changed = led(rows(), Stage.CHOOSE_CONNECTION, unclear=Stage.DONE)

    assert (
        "CHOOSE_CONNECTION: the handler says ['chosen', 'sql'], the table says ['chosen', 'sql', 'unclear']."
        in refusal(changed)
    )


@pytest.mark.parametrize("part", FLOW.parts)
def test_a_part_has_its_edges_and_no_other(part: str) -> None:
    """Each edge of a part's stages stands in its diagram, to a stage of the part, to another part or to the end."""
    parts, names = FLOW.part_of(), list(FLOW.parts)
    drawn = re.findall(r"^    (\w+) --> (\S+): (.*)$", FLOW.mermaid_of(part), re.MULTILINE)

    assert sorted((stage, to, word) for stage, to, words in drawn for word in words.split(", ")) == sorted(
        (
            stage,
            "[*]" if to == FLOW.end else to if parts[to] == part else f"part{names.index(parts[to])}",
            word,
        )
        for stage, word, to in FLOW.edges()
        if parts.get(stage) == part
    )


def test_every_stage_is_in_a_part() -> None:
    """Only the last stage belongs to no part."""
    assert {stage for stage in Stage if not FLOW.part_of().get(stage)} == {FLOW.end}
