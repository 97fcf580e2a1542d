"""A golden talk with the bare router: what is done in it, and what the bot shows, by its words or by its structure."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

from adapters.rendering.plain_text import text_of
from router.cards import Form, Reply
from router.engine import Router
from router.flow import FLOW
from router.machine import Flow
from router.memory.stage import Stage
from router.notifier import Channel, Responders
from router.turn import Filled, Input, Opened, Pressed, Said
from tests.platforms.ollama import Answer, Ollama
from tests.support.mail_servers import PostOffice, post_office
from tests.support.structure import Shown, structure_of, tasks_of
from tests.support.talk import ANA, BOB, KEY, Talk, llm_at
from tests.support.transcript import Step, play, read

FOLDER = Path(__file__).parents[1] / "conversations"
FILES = sorted(FOLDER.glob("*.txt"))
FILE_OF = {"depot": "depot.duckdb", "store": "store.duckdb"}


TOLD = re.compile(
    r"(\((?:Sending the e-mail|Writing the rows|Comparing|Looking at the columns of both queries)…\)\n\n)"
    r"(?:\([^()]*…\)\n\n)+"
)
REACHES = {
    "": Responders(),
    "channel": Responders((Channel("test", "CHELP", "#data-help"),)),
    "email": Responders(email="help@example.com"),
}
"""Where people can be asked."""


class Play:
    """Plays one file with the bare router, and shows the structure of what the bot says."""

    kind = Talk

    def __init__(self, folder: Path, server: Ollama, post: PostOffice, flow: Flow = FLOW) -> None:
        self.folder, self.server, self.post, self.flow = folder, server, post, flow
        self.stage, self.letters = FLOW.start, 0
        self.tasks: list[str] = []
        self.cards: Shown = {}
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
            self._talk.router = Router(self._talk.store, self._talk.services, self.flow)
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
        """Give the input to the bot and return what is shown for it."""
        return self.shown(self.talk.send(given))

    def shown(self, answered: list[Reply]) -> str:
        """Return the structure of what is shown, what came of it, and the stage where that leads to another one."""
        memory, letters = self.talk.memory, self.post.letters[self.letters :]
        told = [each for each in tasks_of(memory.tasks) if each not in self.tasks]
        sent = [f"sent to {', '.join(to)}" for to, _ in letters]
        led = [f"→ {memory.stage}"] if memory.stage != self.stage else []
        self.stage, self.tasks, self.letters = memory.stage, tasks_of(memory.tasks), len(self.post.letters)
        return "\n".join(filter(None, [structure_of(answered, self.cards), *told, *sent, *led]))


class PlayInWords(Play):
    """Plays one file with the bare router, and shows the words."""

    def shown(self, answered: list[Reply]) -> str:
        """Return the words, progress in brackets, without what differs every time."""
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
        return re.sub(r"[ \t]+$", "", text, flags=re.MULTILINE).strip("\n")


@contextmanager
def servers() -> Iterator[tuple[Ollama, PostOffice]]:
    """Serve a model that answers what was prepared, and e-mail."""
    with Ollama(script=lambda prompt: Answer("no answer was prepared", status=500)) as server, post_office() as post:
        yield server, post


@cache
def in_words(name: str) -> tuple[str, tuple[Step, ...]]:
    """Return the title of a golden talk, and its steps with the words that the bot shows today."""
    title, steps = read_talk(name)
    with servers() as (server, post), TemporaryDirectory() as folder:
        player = PlayInWords(Path(folder), server, post)
        played = play(steps, player)
        player.talk.close()
    return title, tuple(played)


def read_talk(name: str) -> tuple[str, list[Step]]:
    """Return the title of a golden talk, and its steps as they are written down."""
    return read((FOLDER / f"{name}.txt").read_text(encoding="utf-8"))


def check_words(folder: Path, talk: str) -> None:
    """Fail unless each step of a talk shows the sentences that are written below it, whatever else it shows."""
    _, steps = read(talk)
    with servers() as (server, post):
        player = PlayInWords(folder, server, post)
        played = play(steps, player)
        player.talk.close()
    lost = [
        f"{step.line}\n{now.shown}\nshould say: {sentence}"
        for step, now in zip(steps, played, strict=True)
        for sentence in filter(None, step.shown.splitlines())
        if sentence not in now.shown
    ]
    assert not lost, "\n\n".join(lost)
