"""The structure of whole talks, as golden text. `pytest tests/test_conversations.py --update` writes it: read it."""

from collections import defaultdict
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from router.cards import Buttons, Reply
from router.flow import FLOW
from router.interactions.persistent_buttons import is_persistent
from router.machine import Flow
from router.memory.stage import Stage
from router.stages.confirm import READING_PREFIX
from router.stages.understand import OPTION_PREFIX
from router.understanding.button_words import word_of
from tests.support.golden_talk import FILES, FOLDER, Play, read_talk, servers
from tests.support.transcript import play, write

TALKS_SHOWN = 5
INDEX = FOLDER / "stages.md"
WALKED: dict[tuple[Stage, str], set[str]] = defaultdict(set)
"""Each way out of a stage that was taken, and the talks that took it; "" if another file's test did."""
PLAYED: list[str] = []
"""The names of the talks that were played; the last one is at it."""
LABELS: set[tuple[str, str]] = set()
pytestmark = pytest.mark.usefixtures("told_often")


class Walked(dict[str, Stage]):
    """The ways out of one stage; notes each that is taken."""

    def __init__(self, stage: Stage, to: dict[str, Stage]) -> None:
        super().__init__(to)
        self.stage = stage

    def __getitem__(self, word: str) -> Stage:
        WALKED[self.stage, word].add(PLAYED[-1] if PLAYED else "")
        return super().__getitem__(word)


@cache
def walked_flow() -> Flow:
    """Return the project's table with ways that note when they are taken, the same one to all talks."""
    flow = Flow(
        {stage: (row.handler, dict(row.to)) for stage, row in FLOW.rows.items()}, FLOW.start, FLOW.end, FLOW.typed_at
    )
    flow.rows = {stage: replace(row, to=Walked(stage, dict(row.to))) for stage, row in flow.rows.items()}
    return flow


class RecordedPlay(Play):
    """Plays one file, and notes the ways that it takes and the buttons that it shows."""

    def shown(self, answered: list[Reply]) -> str:
        """Return the structure of what is shown."""
        LABELS.update(
            (option.label, option.answer)
            for reply in answered
            for card in reply.cards
            if isinstance(card, Buttons)
            for option in card.options
        )
        return super().shown(answered)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_talk(file: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The talk goes as it is written down."""
    PLAYED.append(file.stem)
    title, steps = read_talk(file.stem)
    with servers() as (server, post):
        player = RecordedPlay(tmp_path, server, post, walked_flow())
        played = write(title, play(steps, player))
        player.talk.close()
    if request.config.getoption("--update"):
        file.write_text(played, encoding="utf-8")

    assert file.read_text(encoding="utf-8") == played
    assert server.left == ()  # nothing was prepared that nobody asked for


def test_every_edge_is_walked() -> None:
    """Together, the talks walk every edge of the flow."""
    if not WALKED:
        pytest.skip("the talks were not played in this run")

    assert [(str(stage), word) for stage, word, _ in FLOW.edges() if (stage, word) not in WALKED] == []


def test_the_index_of_stages_is_true(request: pytest.FixtureRequest) -> None:
    """For each stage, tests/conversations/stages.md names the talks that go through it; `--update` writes it again."""
    if len(PLAYED) < len(FILES):
        pytest.skip("not all talks were played in this run")
    lines = ["# The talks that go through each stage", "", "| stage | talks | among them |", "|---|---|---|"]
    for stage in FLOW.rows:
        names = sorted({name for (walked, _), talks in WALKED.items() if walked == stage for name in talks if name})
        lines.append(f"| {stage} | {len(names)} | {', '.join(names[:TALKS_SHOWN])} |")
    index = "\n".join([*lines, ""])
    if request.config.getoption("--update"):
        INDEX.write_text(index, encoding="utf-8")

    assert INDEX.read_text(encoding="utf-8") == index


def test_every_label_can_be_typed() -> None:
    """A person who types what stands on a button is understood as if it were pressed."""
    if not LABELS:
        pytest.skip("the talks were not played in this run")

    # Edit is "no" for one's own SQL, and "edit" for SQL that was written: each stage offers one of them. What can be
    # pressed whatever was asked since names what it is about, and words do not. Values are typed as they stand.
    found = [
        (label, answer)
        for label, answer in sorted(LABELS)
        if label != "Edit"
        and not is_persistent(answer)
        and not answer.startswith((READING_PREFIX, OPTION_PREFIX))
        and word_of(label.partition(" on ")[0], (answer.partition("@")[0],)) is None
    ]
    assert found == []
