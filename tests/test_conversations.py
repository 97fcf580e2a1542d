"""Whole talks as golden text. `uv run pytest tests/test_conversations.py --update` writes them anew: read them."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Buttons, Form, Reply
from router.engine import Router
from router.flow import FLOW
from router.interactions.persistent_buttons import is_persistent
from router.machine import Flow
from router.memory.stage import Stage
from router.notifier import Channel, Responders
from router.stages.confirm import READING_PREFIX
from router.stages.understand import OPTION_PREFIX
from router.turn import Filled, Input, Opened, Pressed, Said
from router.understanding.button_words import word_of
from tests.platforms.ollama import Answer, Ollama
from tests.support.mail_servers import PostOffice, post_office
from tests.support.talk import ANA, BOB, KEY, Talk, llm_at
from tests.support.transcript import play, read, write

FOLDER = Path(__file__).parent / "conversations"
FILES = sorted(FOLDER.glob("*.txt"))
TALKS_SHOWN = 5
FILE_OF = {"depot": "depot.duckdb", "store": "store.duckdb"}
INDEX = FOLDER / "stages.md"
WALKED: dict[tuple[Stage, str], set[str]] = defaultdict(set)
"""Each way out of a stage that was taken, and the talks that took it; "" where another file's test did."""
PLAYED: list[str] = []
"""The names of the talks that were played; the last one is at it."""
LABELS: set[tuple[str, str]] = set()
TOLD = re.compile(
    r"(\((?:Sending the e-mail|Writing the rows|Comparing|Looking at the columns of both queries)…\)\n\n)"
    r"(?:\([^()]*…\)\n\n)+"
)
pytestmark = pytest.mark.usefixtures("told_often")

REACHES = {
    "": Responders(),
    "channel": Responders((Channel("test", "CHELP", "#data-help"),)),
    "email": Responders(email="help@example.com"),
}
"""Where people can be asked."""


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


class Play:
    """Plays one file with the bare router."""

    kind = Talk

    def __init__(self, folder: Path, server: Ollama, post: PostOffice) -> None:
        self.folder, self.server, self.post = folder, server, post
        self.mails = False
        self.names: tuple[str, ...] = ("shop",)
        self.extra = ""
        self.reach = Responders()
        self._talk: Talk | None = None

    @property
    def talk(self) -> Talk:
        if self._talk is None:
            mail_config = self.post.mail_config() if self.mails else None
            model = partial(llm_at, self.server.url)
            self._talk = self.kind(self.folder, model, self.names, self.extra, mail_config=mail_config)
            self._talk.router = Router(self._talk.store, self._talk.services, walked_flow())
            self._talk.services.humans.reach = self.reach
        return self._talk

    def say(self, text: str) -> str:
        """Type a line."""
        return self.sent(Said(text))

    def press(self, answers: list[str]) -> str:
        """Press a button of the question that stands, or choose in its menu."""
        first, *more = answers
        return self.sent(Pressed(first, self.talk.memory.turn, tuple(more)))

    def fill(self, values: dict[str, str]) -> str:
        """Send the form of the question that stands, as it was shown but for these values."""
        shown = (card for reply in reversed(self.talk.replies) for card in reply.cards if isinstance(card, Form))
        fields = {field.name: field.value for field in next(shown).fields}
        return self.sent(Filled(fields | values, self.talk.memory.turn))

    def look(self) -> str:
        """Look at the thread."""
        return self.sent(Opened())

    def due(self) -> str:
        """Have run what is due."""
        return self.shown(self.talk.due())

    def direct(self, word: str, rest: str) -> None:
        """Change what is around the talk."""
        match word:
            case "connections":
                self.names = tuple(name.strip() for name in rest.split(","))
            case "model":
                failure = Answer("out of order", status=500)
                self.server.enqueue(failure if rest == "!500" else rest.replace("\\n", "\n"))
            case "as":
                self.talk.user = {"Ana": ANA, "Bob": BOB}[rest]
            case "killed":
                memory = self.talk.memory
                stage, _, again = rest.partition(" ")
                memory.stage, memory.rewritten = Stage(stage), bool(again)
                self.talk.store.save(KEY, memory)
            case "later":
                self.talk.clock.now += timedelta(days=int(rest))
            case "mail":
                self.mails = True
                self.post.be(*rest.partition(" ")[::2])
            case "at":
                self.talk.clock.now = datetime.fromisoformat(f"{rest}+00:00")
            case "channel" | "private" | "humans":
                self.among(word, rest)
            case _:
                self.move(word, rest or "shop")

    def among(self, word: str, rest: str) -> None:
        """Change who reads along, and who can be asked."""
        match word:
            case "channel":
                self.talk.shared = True
            case "private":
                self.extra = '[channels]\nprivate = ["*"]\n'
            case "humans":
                self.reach = REACHES[rest]
                if self._talk:
                    self._talk.services.humans.reach = self.reach

    def move(self, word: str, name: str) -> None:
        """Take a database's file away, put something else in its place, or put it back."""
        file = self.folder / FILE_OF.get(name, f"{name}.sqlite")
        away = file.with_suffix(".away")
        match word:
            case "glossary":
                (self.folder / "glossary.toml").write_text(name.replace("\\n", "\n"))
            case "gone":
                file.rename(away)
                self.talk.services.catalog.refresh(name)
            case "spoilt":
                file.rename(away)
                file.write_text("this is no database" * 500)
                self.talk.services.catalog.refresh(name)
            case "there":
                away.rename(file)
            case _:
                raise AssertionError(f"there is no direction @{word}")

    def sent(self, given: Input) -> str:
        """Give the input to the bot and return its replies, progress in brackets."""
        return self.shown(self.talk.send(given))

    def shown(self, answered: list[Reply]) -> str:
        """Return what is shown, without what differs every time."""
        LABELS.update(
            (option.label, option.answer)
            for reply in answered
            for card in reply.cards
            if isinstance(card, Buttons)
            for option in card.options
        )
        shown = [f"({text_of(reply)})" if reply.working else text_of(reply) for reply in answered]
        text = "\n\n".join(shown)
        text = text.replace(str(self.folder), "…").replace(self.server.url, "http://model")
        text = re.sub(r"localhost:\d+", "…", text)
        # How far a job is, is told now and then.
        text = TOLD.sub(r"\1", text)
        text = re.sub(r"\((?:Sending [\d.]+ kB|[\d,]+ rows (?:read|written))…\)\n\n", "", text)
        text = re.sub(r"\d+\.\d s\b", "0.0 s", text)
        text = re.sub(r"( rows?), \d+ s\)", r"\1)", text)
        text = re.sub(r"results/[\w-]+\.", "results/….", text)
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE)


@pytest.fixture(name="server")
def _server() -> Iterator[Ollama]:
    with Ollama(script=lambda prompt: Answer("no answer was prepared", status=500)) as server:
        yield server


@pytest.fixture(name="post")
def _post() -> Iterator[PostOffice]:
    with post_office() as post:
        yield post


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_talk(file: Path, tmp_path: Path, server: Ollama, post: PostOffice, request: pytest.FixtureRequest) -> None:
    """The talk goes as it is written down."""
    PLAYED.append(file.stem)
    written = file.read_text(encoding="utf-8")
    title, steps = read(written)
    player = Play(tmp_path, server, post)
    played = write(title, play(steps, player))
    player.talk.close()
    if request.config.getoption("--update"):
        file.write_text(played, encoding="utf-8")

    assert file.read_text(encoding="utf-8") == played
    assert server.left == ()  # an answer that nobody asked for would be given in the talk that is played next


def test_every_edge_is_walked() -> None:
    """Together, the talks walk every edge of the flow."""
    if not WALKED:
        pytest.skip("the talks were not played in this run")

    assert [(str(stage), word) for stage, word, _ in FLOW.edges() if (stage, word) not in WALKED] == []


def test_the_index_of_stages_is_true(request: pytest.FixtureRequest) -> None:
    """For each stage, tests/conversations/stages.md names the talks that go through it; `--update` writes it anew."""
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
    """Whoever types what stands on a button is understood as if it were pressed."""
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
