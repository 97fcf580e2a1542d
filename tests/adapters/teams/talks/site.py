"""A bot over several databases, people with different rights to them, and a Teams that all of them talk in."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.wiring.bot import Bot
from tests.adapters.slack.talks.site import COLUMNS, NASTY, REVENUE, ROWS, build_large
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.teams.cards.filling import inputs_of, visible
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.cards.words import words_of
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.looking import shown
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.talking import Place
from tests.platforms.teams.world import Call, Card, Message
from tests.support.shop import build_archive, build_shop, build_wide
from tests.support.teams_bot import running

__all__ = ["COLUMNS", "NASTY", "REVENUE", "ROWS", "TeamsCompany", "TeamsSite", "founded", "opened"]

PEOPLE = ("ana", "bob", "carla", "otto", "petra", "lars", "mia", "max", "moa")
CONNECTIONS = """
default = "shop"
[channels]
private = ["teams:19:secret@thread.tacv2"]
[connections.shop]
id = 1
label = "Shop"
url = "sqlite:///shop.sqlite"
readers = ["ana@example.com", "bob@example.com"]
teachers = ["bob@example.com"]
[connections.payroll]
id = 2
label = "Payroll"
url = "sqlite:///shop.sqlite"
readers = ["otto@example.com"]
approvers = ["Carla@example.com"]
[connections.vault]
id = 3
label = "Vault"
url = "sqlite:///shop.sqlite"
readers = ["petra@example.com"]
private = true
[connections.archive]
id = 4
label = "Archive"
url = "duckdb:///cellar.duckdb"
schemas = ["main", "archive"]
readers = ["mia@example.com", "max@example.com", "moa@example.com"]
[connections.wide]
id = 5
label = "Wide"
url = "sqlite:///wide.sqlite"
readers = ["mia@example.com", "max@example.com", "moa@example.com"]
[connections.large]
id = 6
label = "Large"
url = "sqlite:///large.sqlite"
readers = ["lars@example.com"]
"""
MOST_BYTES = 80_000
"""Of a message, in UTF-16; Teams takes a little more."""


@dataclass(repr=False)
class TeamsCompany:
    """A Teams full of people, databases and a model: what stays while bots come and go."""

    teams: Teams
    model: Ollama
    folder: Path
    slow: dict[str, Answer]
    """The model's answers to questions that hold these words."""

    @contextmanager
    def at_work(self, **settings: str) -> Iterator["TeamsSite"]:
        """Run a bot until the end of the block."""
        with running(self.folder, self.teams, self.model, **settings) as bot:
            yield TeamsSite(self.teams, self.model, self.folder, self.slow, bot)

    def ask(self, words: str, user: str = "ana", where: Place = "General", thread: Message | None = None) -> Message:
        """Ask the bot, with its mention where that is needed."""
        return self.teams.say(where, words, user=user, thread=thread)

    def shown(self, asked: Message, contains: str, seconds: float = 60.0) -> Message:
        """Return the bot's newest message after this one, in its thread, that shows these words.

        A message of the bot's own may be it: a result takes the place of its SQL.
        """

        def itself() -> Message | None:
            return asked if asked.from_bot and not asked.deleted and contains in shown(asked) else None

        def newest() -> Message | None:
            held = self.teams.messages(asked.conversation, asked.root or None, "bot")
            later = [each for each in held if int(each.id) > int(asked.id) and contains in shown(each)]
            return later[-1] if later else itself()

        found = self.teams.wait(newest, seconds)
        assert found is not None
        return found

    def offered(self, asked: Message, name: str, where: Place = "") -> Message:
        """Return the bot's newest message after this one, in its thread or elsewhere, that has this button."""

        def newest() -> Message | None:
            held = self.teams.messages(where or asked.conversation, None if where else asked.root or None, "bot")
            return next((m for m in reversed(held) if int(m.id) > int(asked.id) and has_button(m, name)), None)

        found = self.teams.wait(newest)
        assert found is not None
        return found

    def press(self, message: Message, name: str, user: str = "ana", sure: str = "", **more: Any) -> str:
        """Press a button of a card, and return what the person alone is told.

        A dialog that only asks whether it was meant has to say `sure`, and is answered with yes; without these words,
        none may open.
        """
        post = self.teams.press(message, name, user=user, **more).wait()
        dialog = self.teams.dialogs.get(user)
        asks = words_of([dialog.card]) if dialog and dialog.message is message and not inputs_of(dialog.card) else ""
        assert (sure in asks) if sure else not asks, f"asked {asks!r}"
        return told(self.teams.submit(user).wait() if asks else post)

    def ran(self, words: str, user: str = "ana", where: Place = "General") -> tuple[Message, Message]:
        """Ask, press Run, and return what was asked and the result."""
        asked = self.ask(words, user, where)
        self.press(self.shown(asked, "Run on"), "Run", user)
        return asked, self.shown(asked, "CSV")

    def runs(self) -> int:
        """Return how many queries were started so far."""
        return sum(entry["event"] == "started" for entry in self.trail())

    def trail(self) -> list[dict[str, Any]]:
        """Return the audit's entries."""
        path = self.folder / "home" / "audit.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def said(self, asked: Message) -> list[str]:
        """Return all that the bot says in a thread."""
        return [shown(each) for each in self.teams.messages(asked.conversation, asked.root or None, "bot")]

    def require_sound(self, calls: int = 0, faults: int = 0, posts: int = 0) -> None:
        """Fail if Teams refused or disliked anything since then, was sent too much, or not answered in time."""
        self.teams.wait_posted()
        refused: list[Call] = [each for each in self.teams.calls[calls:] if not each.ok and not each.asked]
        assert [(each.method, each.status, each.answer) for each in refused] == []
        assert self.teams.faults[faults:] == []
        assert [each.size for each in self.teams.calls[calls:] if each.size > MOST_BYTES] == []
        assert [each.type for each in self.teams.posts.late(8.0) if each in self.teams.posts[posts:]] == []


@dataclass(repr=False)
class TeamsSite(TeamsCompany):
    """One bot at work in its company."""

    bot: Bot


def has_button(message: Message, name: str) -> bool:
    """Return whether everybody sees this button in a message; "Run" stands for that on any database."""
    titles = buttons_in(message.card)
    return name in titles or (name == "Run" and any(title.startswith("Run on ") for title in titles))


def buttons_in(card: Card | None) -> list[str]:
    """Return the titles of all buttons of a card, those of a group behind it."""
    parts = parts_of(visible(card))
    return [part["title"] for part in parts if str(part.get("type")).startswith("Action.") and "title" in part]


def told(post: Post) -> str:
    """Return what the answer to a click tells: a sentence, or what is read in a card or dialog that it shows."""
    assert post.ok, post.attempts
    if not post.body:
        return ""  # a dialog that is closed, or a message
    value = post.body["task"]["value"] if "task" in post.body else post.body["value"]
    if isinstance(value, dict) and "title" in value:
        return f"{value['title']}\n{words_of([value['card']['content']])}"
    return words_of([value]) if isinstance(value, dict) else str(value)


@contextmanager
def founded(folder: Path) -> Iterator[TeamsCompany]:
    """Build the databases and let people in."""
    folder.mkdir(exist_ok=True, parents=True)
    if not (folder / "connections.toml").exists():
        build_shop(folder / "shop.sqlite")
        build_archive(folder / "cellar.duckdb")
        build_wide(folder / "wide.sqlite")
        build_large(folder / "large.sqlite")
        (folder / "connections.toml").write_text(CONNECTIONS)
    slow: dict[str, Answer] = {}

    def script(prompt: str) -> str | Answer:
        return next((answer for words, answer in slow.items() if words in prompt), REVENUE)

    with Teams() as teams, Ollama(script=script) as model:
        teams.channel("secret")
        for name in PEOPLE:
            person = teams.person(name, name.title(), f"{name}@example.com")
            for where in ("General", "sales", "secret", "board"):
                teams.conversation(where).members.append(person)
        yield TeamsCompany(teams, model, folder, slow)


@contextmanager
def opened(folder: Path) -> Iterator[TeamsSite]:
    """Run one bot in a company of its own."""
    with founded(folder) as company, company.at_work() as site:
        yield site
