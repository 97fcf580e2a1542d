"""A bot over several databases, people with different rights to them, and a Slack that all of them talk in."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from adapters.slack import scopes
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.troubles import Troubles
from tests.platforms.slack.world import Message
from tests.support.shop import build_archive, build_shop, build_wide
from tests.support.slack_bot import Mode, Running, running

REVENUE = (
    "SELECT r.name, SUM(o.total) AS revenue FROM regions AS r JOIN customers AS c ON c.region_id = r.id "
    "JOIN orders AS o ON o.customer_id = c.id GROUP BY r.name ORDER BY revenue DESC"
)
ON_BOTH = pytest.mark.parametrize(
    "shared_site", ["socket", pytest.param("http", marks=pytest.mark.thorough)], indirect=True
)
"""For talks that use each kind of event once: over a socket every day, over HTTP in CI."""
SCOPES = {*scopes.SCOPES, *scopes.OPTIONAL_SCOPES}
PEOPLE = {
    "UANA": "ana",
    "UBOB": "bob",
    "UCARLA": "carla",
    "UOTTO": "otto",
    "UPETRA": "petra",
    "UMIA": "mia",
    "ULARS": "lars",
}
CONNECTIONS = """
default = "shop"
[channels]
allowed = ["slack:C1", "slack:C2", "slack:CSECRET", "slack:COUTSIDE", "slack:CSHUT", "slack:GROUP", "slack:C0SALES01"]
private = ["slack:CSECRET"]
[connections.shop]
id = 1
label = "Shop"
url = "sqlite:///shop.sqlite"
readers = ["ana@example.com", "bob@example.com"]
teachers = ["bob@example.com"]
examples = ["Which region brings the most revenue?"]
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
readers = ["mia@example.com"]
[connections.wide]
id = 5
label = "Wide"
url = "sqlite:///wide.sqlite"
readers = ["mia@example.com"]
[connections.large]
id = 6
label = "Large"
url = "sqlite:///large.sqlite"
readers = ["lars@example.com"]
"""
NASTY = (
    "<!channel>",
    "<@U1> <https://example.com|x>",
    "x" * 10_000,
    "",
    "مرحبا بالعالم",
    None,
    "98765432109876543210",
    "line\nbreak",
)
COLUMNS = 40
ROWS = 5_000


@dataclass(repr=False)
class SlackSite:
    """One bot at work, and what its Slack refused before this talk began."""

    slack: Slack
    model: Ollama
    folder: Path
    mode: Mode
    running: Running
    slow: dict[str, Answer] = field(default_factory=dict)
    """The model's answers to questions that hold these words."""
    explained: set[str] = field(default_factory=set)
    """Words of Slack for calls that this talk wants to be refused."""

    def ask(self, words: str, user: str = "UANA", channel: str = "C1") -> Message:
        """Mention the bot with a question, and return that message: the root of the thread."""
        return self.slack.say(channel, words, user=user, mention=True)

    def shown(self, root: Message, contains: str) -> Message:
        """Return the bot's newest message in the thread that shows these words."""
        return self.slack.wait_message(root.channel, contains, thread=root)

    def told(self, user: str, contains: str, after: Message | None = None) -> Message:
        """Return what the bot told this person alone, in whatever channel."""

        def found() -> Message | None:
            held = [m for c in self.slack.world.channels.values() for m in c.messages.values()]
            mine = [m for m in held if m.ephemeral_to == user and contains in m.text]
            return next((m for m in mine if after is None or m.ts > after.ts), None)

        message = self.slack.wait(found)
        assert message is not None
        return message

    def download(self, table: Message, form: str, user: str = "UANA") -> None:
        """Press what to download below a result."""
        self.slack.press(table, form, user=user)

    def home(self, user: str, contains: str) -> str:
        """Open the Home tab as this person, and return its words once it has been drawn with these among them."""
        before = len(self.slack.asked("views.publish"))
        self.slack.open_home(user)

        def drawn() -> str:
            home = self.slack.home(user)
            words = words_of(home.blocks) if home and len(self.slack.asked("views.publish")) > before else ""
            return words if contains in words else ""

        return self.slack.wait(drawn)

    def refuse(self, drawings: int) -> None:
        """Have Slack refuse so many drawings of the next message, also if it takes the place of progress."""
        self.slack.troubles = Troubles()
        for method in ("chat.postMessage", "chat.update"):
            self.slack.fail(method, "invalid_blocks", times=drawings)

    def runs(self) -> int:
        """Return how many queries were started so far."""
        return sum(entry["event"] == "started" for entry in self.trail())

    def trail(self, root: Message | None = None) -> list[dict[str, Any]]:
        """Return the audit's entries, those of one thread or all."""
        lines = (self.folder / "home" / "audit.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines if root is None or root.ts in line]

    def idle(self, root: Message, turns: int) -> None:
        """Return once the bot has worked on so many inputs in this thread: it says so after each."""
        thread = root.thread or root.ts

        def rests() -> int:
            return len([e for e in self.slack.statuses if e.thread == thread and e.status != "processing"])

        self.slack.wait(lambda: rests() >= turns)

    def require_sound(self, calls: int, faults: int, acks: int) -> None:
        """Fail if Slack refused or disliked anything since then, or was not acknowledged in time."""
        self.slack.wait_delivered()
        late = [each for each in self.slack.acks.late(3.0) if each in self.slack.acks[acks:]]
        refused = [call for call in self.slack.calls[calls:] if not call.ok and not call.asked]
        assert [(c.method, c.answer) for c in refused if c.answer.get("error") not in self.explained] == []
        assert self.slack.faults[faults:] == []
        assert late == []


@dataclass(repr=False)
class SlackCompany:
    """A Slack full of people and a model: what stays while bots come and go."""

    slack: Slack
    model: Ollama
    folder: Path
    slow: dict[str, Answer]

    @contextmanager
    def at_work(self, mode: Mode = "socket", **settings: str) -> Iterator[SlackSite]:
        """Run a bot until the end of the block."""
        with running(self.folder, self.slack, self.model, mode, **settings) as bot:
            yield SlackSite(self.slack, self.model, self.folder, mode, bot, self.slow)


@contextmanager
def founded(folder: Path) -> Iterator[SlackCompany]:
    """Build the databases and let people in."""
    build(folder)
    slow: dict[str, Answer] = {}

    def script(prompt: str) -> str | Answer:
        return next((answer for words, answer in slow.items() if words in prompt), REVENUE)

    with Slack() as slack, Ollama(script=script) as model:
        slack.scopes = set(SCOPES)
        for id, name in PEOPLE.items():
            slack.user(id, name.title(), f"{name}@example.com")
        for channel in ("C2", "CSECRET", "CFORBIDDEN", "CSHUT"):
            slack.channel(channel)
        slack.channel("COUTSIDE", bot=False)
        slack.world.channels["C1"].members |= set(PEOPLE)
        yield SlackCompany(slack, model, folder, slow)


@contextmanager
def opened(folder: Path, mode: Mode, **settings: str) -> Iterator[SlackSite]:
    """Run one bot in a company of its own."""
    with founded(folder) as company, company.at_work(mode, **settings) as site:
        yield site


def table_in(message: Message) -> list[list[dict[str, Any]]]:
    """Return the cells of the table in a message, its head first."""
    (table,) = [block for block in message.blocks if block["type"] == "data_table"]
    rows: list[list[dict[str, Any]]] = table["rows"]
    return rows


def buttons_in(message: Message) -> list[str]:
    """Return the labels of the buttons in sight below a message, without those of menus."""
    rows = [block["elements"] for block in message.blocks if block["type"] == "actions"]
    return [each["text"]["text"] for row in rows for each in row if each["type"] == "button"]


def revealed(message: Message) -> list[dict[str, Any]]:
    """Return a message's blocks as a client sends them that hides nothing from anybody."""
    return [_revealed(block) for block in message.blocks]


def _revealed(value: Any) -> Any:
    if isinstance(value, list):
        return [_revealed(each) for each in value]
    if isinstance(value, dict):
        return {name: _revealed(each) for name, each in value.items() if name != "visible_to_user_ids"}
    return value


def build(folder: Path) -> None:
    """Make the databases and connections.toml, once."""
    if (folder / "connections.toml").exists():
        return
    folder.mkdir(exist_ok=True)
    build_shop(folder / "shop.sqlite")
    build_archive(folder / "cellar.duckdb")
    build_wide(folder / "wide.sqlite")
    build_large(folder / "large.sqlite")
    (folder / "connections.toml").write_text(CONNECTIONS)


def build_large(path: Path) -> None:
    """Build a table of 40 columns and 5,000 rows, and one of 12 columns with all that is hard to show."""
    names = ", ".join(f"c{n:02}" for n in range(1, COLUMNS))
    nasty = ", ".join(f"n{n:02} TEXT" for n in range(1, 12))
    with sqlite3.connect(path) as file:
        file.execute(f"CREATE TABLE measurements (id INTEGER PRIMARY KEY, {names})")
        file.execute(f"CREATE TABLE oddities (id INTEGER PRIMARY KEY, {nasty})")
        marks = ", ".join("?" * COLUMNS)
        values = ((row, *(row * 100 + n for n in range(1, COLUMNS))) for row in range(1, ROWS + 1))
        file.executemany(f"INSERT INTO measurements VALUES ({marks})", values)
        odd = ((row, *(NASTY[(row + n) % len(NASTY)] for n in range(11))) for row in range(1, 121))
        file.executemany(f"INSERT INTO oddities VALUES ({', '.join('?' * 12)})", odd)
    file.close()
