"""A talk with the real core over small real databases: say, press, fill; read what came back as text."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from threading import Event
from typing import Any

from adapters.rendering.plain_text import text_of
from bot.models.ollama_server import load_certificates
from router.approval_requests import ApprovalRequests
from router.cards import Buttons, Choice, Option, Reply
from router.catalog.catalog import Catalog
from router.catalog.connection import Connections
from router.catalog.reload import FollowedConnections
from router.catalog.targets import target_opener
from router.engine import Router
from router.errors import NotAllowed
from router.jobs.audit import Audit
from router.jobs.feedback import Feedback
from router.jobs.ledger import Ledger
from router.jobs.mail.mail_config import MailConfig
from router.jobs.results.access import ResultRights
from router.jobs.results.store import Results
from router.jobs.runner import Runner
from router.jobs.workers import workers
from router.knowledge.example_store import ExampleStore
from router.knowledge.examples import Examples
from router.knowledge.glossary import Glossary, TaughtKnowledge
from router.knowledge.glossary_changes import GlossaryChanges, Proposals
from router.llm.client import Llm
from router.memory.draft import User
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey
from router.notifier import Announcement
from router.policy import require_query, require_read
from router.schedules.scheduler import Scheduler
from router.schedules.store import Schedules
from router.services import Services
from router.storage.database import Database
from router.storage.threads import SqliteStore
from router.turn import Filled, Incoming, Input, Opened, Pressed, Said
from router.understanding.classifier import weigh
from tests.support.new_home import new_database
from tests.support.shop import write_connections

ANA = User("test:ana", "Ana", "ana@example.com")
BOB = User("test:bob", "Bob", "bob@example.com")
KEY = ThreadKey("test", "", "", "1")


class Clock:
    """A time that goes on only when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 15, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Heard:
    """Takes news, unless it is told to do something else."""

    def __init__(self) -> None:
        self.news: list[Announcement] = []
        self.people: dict[str, User] = {}
        """Those whom the platform knows otherwise by now."""
        self.channels: dict[str, str] = {}
        """The channels that the bot is in, by their ids and names."""
        self.seen: bool | None = None
        """What is known of news of an earlier process."""
        self.failure: BaseException | None = None
        self.came = Event()
        self.hears: Callable[[Announcement], None] = lambda news: None
        """Is told of each at once."""

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person."""
        return self.people.get(user.id, user)

    def tell(self, news: Announcement) -> None:
        """Take news."""
        if self.failure:
            raise self.failure
        self.news.append(news)
        self.hears(news)
        self.came.set()

    def channel(self, key: ThreadKey, named: str) -> str:
        """Return the channel."""
        if named not in self.channels:
            raise NotAllowed("I'm not in that channel.")
        return self.channels[named]

    @property
    def picks_channels(self) -> bool:
        """Return whether there are channels."""
        return bool(self.channels)

    def link(self, key: ThreadKey) -> str:
        """Return where the thread is."""
        return f"https://chat.example/{key.thread}"

    def was_delivered(self, news: Announcement) -> bool | None:
        """Return what is known."""
        return self.seen


class Talk:
    """One thread of one bot; `replies` has everything that was ever shown."""

    def __init__(
        self,
        folder: Path,
        model: Callable[[], Llm],
        connections: tuple[str, ...] = ("shop",),
        extra: str = "",
        page: int = 20,
        mail_config: MailConfig | None = None,
        database: Database | None = None,
    ) -> None:
        self.folder, self.user, self.clock = folder, ANA, Clock()
        self.replies: list[Reply] = []
        self.shared = False
        self.notifier = Heard()
        catalog = Catalog(FollowedConnections(write_connections(folder, list(connections), extra), {}, settle=0))
        audit = Audit(folder / "audit.jsonl", self.clock)
        results = Results(folder / "results", timedelta(days=7), self.clock)
        self.database = database or new_database(folder)
        feedback = Feedback(self.database, self.clock)
        self.kept = ExampleStore(self.database, self.clock)
        self.numbers = count(1)
        ledger = Ledger(self.database, self.clock, self.number)
        target = target_opener(catalog.connections)
        access = ResultRights(ledger, catalog, require_read, results)
        jobs = Runner(
            ledger, workers(catalog, target, results, audit, require_query, mail_config, access.require_result)
        )
        kept, proposed = Examples(self.kept, catalog, weigh), count(1)
        self.proposals = Proposals(self.database, self.clock, lambda kind: f"G-{next(proposed)}")
        changes = GlossaryChanges(Glossary(folder / "glossary.toml", catalog.connections), self.proposals)
        self.services = Services(
            catalog.connections,
            catalog,
            model,
            lambda schema: None,
            access,
            jobs,
            audit,
            feedback,
            self.clock,
            model,
            mail_config,
            self._schedules(),
            examples=kept,
            knowledge=TaughtKnowledge(changes.glossary, kept.near),
            glossary_changes=changes,
            approvals=ApprovalRequests(self.database, catalog.connections, clock=self.clock),
            page=page,
        )
        self.services.humans.open("test", self.notifier)
        assert self.services.schedules
        self.timer = Scheduler(self.services, self.services.schedules)
        self.timer.serve("test", self.notifier)
        self.store = SqliteStore(folder / "threads.sqlite")
        self.router = Router(self.store, self.services)

    def change(self, name: str, /, **keys: Any) -> None:
        """Give a connection other keys, as a change of the file does."""
        now = self.services.connections
        changed = [replace(each, **keys) if each.name == name else each for each in now.values()]
        now.renew(Connections(changed, now.default.name if now.default else "", now.channels))

    def _schedules(self) -> Schedules:
        numbers = count(1)
        return Schedules(
            self.database,
            self.clock,
            new_id=lambda kind: f"{kind[0].upper()}-{next(numbers)}",
        )

    def number(self, kind: str) -> str:
        """Return the number of the next job."""
        return f"{kind[0].upper()}-{next(self.numbers)}"

    def close(self) -> None:
        """Close what the bot holds open."""
        self.timer.close()
        self.store.close()
        self.services.jobs.close()
        self.services.catalog.close()
        self.database.close()

    def send(self, given: Input, event: str = "") -> list[Reply]:
        """Take one input and return what was shown for it."""
        shown: list[Reply] = []
        self.notifier.hears = lambda news: shown.append(replace(news.reply, working=True))
        self.router.turn(Incoming(KEY, self.user, given, event, self.shared), shown.append)
        self.notifier.hears = lambda news: None
        self.replies += shown
        return shown

    def due(self) -> list[Reply]:
        """Have run what is due now, and return what is announced."""
        before = len(self.notifier.news)
        for run in self.timer.look():
            run.result()
        announced = [news.reply for news in self.notifier.news[before:]]
        self.replies += announced
        return announced

    def open(self) -> str:
        """Look at the thread; returns the text of what is shown last."""
        return _last(self.send(Opened()))

    def say(self, text: str) -> str:
        """Type a line; returns the text of what is shown last."""
        return _last(self.send(Said(text)))

    def press(self, answer: str, turn: int | None = None, *more: str) -> str:
        """Press a button of the question that stands, or of question `turn`."""
        return _last(self.send(Pressed(answer, self.memory.turn if turn is None else turn, more)))

    def fill(self, **values: str) -> str:
        """Send the form of the question that stands."""
        return _last(self.send(Filled(values, self.memory.turn)))

    @property
    def memory(self) -> Memory:
        """What is remembered of the thread."""
        return self.store.load(KEY) or Memory()

    @property
    def stage(self) -> Stage:
        """Where the talk stands."""
        return self.memory.stage

    def options(self) -> tuple[str, ...]:
        """Return the answers that the question that stands offers."""
        cards = self.replies[-1].cards
        offered: list[Option] = [o for card in cards if isinstance(card, Buttons | Choice) for o in card.options]
        return tuple(option.answer for option in offered)


def _last(shown: list[Reply]) -> str:
    return text_of(shown[-1]) if shown else ""


def llm_at(url: str) -> Llm:
    """Return the model of an Ollama-style server."""
    from langchain_ollama import ChatOllama

    chat = ChatOllama(
        model="qwen2.5-coder:7b",
        base_url=url,
        temperature=0.1,
        client_kwargs={"verify": load_certificates(environment=False)},
    )
    return Llm(chat, "qwen2.5-coder:7b", timeout=30)
