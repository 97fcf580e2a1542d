"""The path that a typed sentence takes in a talk, from each kind of card, without a model and without doing anything.

A talk of its own is brought to the card once, on the sample company; each sentence then begins from what is remembered
there, and is cut off where a model would write SQL, a query would run, or something would be written or sent.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, get_args

from pydantic import SecretStr

from bot.demo.company import ensure_samples
from bot.settings.environment import Settings
from bot.wiring.bot import build_bot
from router.cards import Reply, Text
from router.engine import Router
from router.errors import AgentAway
from router.interactions.recognisers import RECOGNISERS, Recogniser
from router.jobs.mail.mail_config import build_mail_config
from router.machine import Work
from router.memory.draft import Draft, User, Wish
from router.memory.stage import Stage
from router.memory.thread import Memory, ThreadKey
from router.memory.understanding import Clarification, ClarificationAnswer, Understanding
from router.services import Services
from router.stages.target import FetchColumns, FetchSchemas
from router.stages.write_or_email import ReadParameters
from router.storage.clock import now
from router.storage.threads import from_json, to_json
from router.turn import Filled, Incoming, Input, Pressed, Said, Turn
from router.understanding.categories import CATEGORY_TO_AGENT, Category
from router.understanding.interpretation import REPHRASE

Card = Literal[
    "open",
    "rows",
    "sql",
    "own_sql",
    "asked_back",
    "plan",
    "write_table",
    "write_mode",
    "write_columns",
    "write_confirm",
    "job_name",
    "email_form",
    "email_confirm",
    "schedule_form",
    "schedule_confirm",
    "compare_setup",
    "compare_columns",
    "compare_confirm",
]
"""The kinds of card at which a sentence can be typed."""

CARDS: Final[tuple[Card, ...]] = get_args(Card)

PERSON: Final = User("test:ana", "Ana", "ana@firma.de", "Europe/Berlin")
KEY: Final = ThreadKey("eval", "", "", "1")

UNDERSTANDS: Final = (ReadParameters, FetchSchemas, FetchColumns)
"""Work that belongs to understanding, and is done; all other work ends the path."""

STEPS: Final[Mapping[str, Wish]] = {
    "email": Wish("email", "mail it to ana@firma.de"),
    "chart": Wish("chart", "as a chart"),
    "csv": Wish("csv", "as CSV"),
    "xlsx": Wish("xlsx", "as Excel"),
    "write": Wish("write", "write it to tmp_open"),
    "schedule": Wish("repeat", "every Monday"),
    "compare": Wish("ask", "compare it"),
}
"""The steps of a plan, and how each is said."""

_COLUMNS = (
    "id, name, email, city, country_id AS country, {revenue}, {amount}, 3 AS order_count, '2024-01-01' AS hire_date,"
    " '2024-01-02' AS order_date, 1 AS store_id, 2 AS product_id, 3 AS customer_id, 4 AS sku, segment"
)
QUERY: Final = f"SELECT {_COLUMNS.format(revenue='1.5 AS revenue', amount='2.5 AS amount')} FROM customers LIMIT 10"
OTHER_QUERY: Final = (
    f"SELECT {_COLUMNS.format(revenue='1.5 AS turnover', amount='2.5 AS total')} FROM customers LIMIT 10"
)

_TO_ROWS: Final[tuple[Input, ...]] = (Said(QUERY), Pressed("menu:sample", 0), Pressed("yes", 0))
_TO_CARD: Final[Mapping[Card, tuple[Input, ...]]] = {
    "open": (),
    "own_sql": _TO_ROWS[:2],
    "sql": _TO_ROWS[:2],
    "rows": _TO_ROWS,
    "asked_back": _TO_ROWS,
    "plan": _TO_ROWS,
    "write_table": (*_TO_ROWS, Pressed("write", 0)),
    "write_mode": (*_TO_ROWS, Pressed("write", 0)),
    "write_columns": (*_TO_ROWS, Pressed("write", 0), Said("sales_report")),
    "write_confirm": (*_TO_ROWS, Pressed("write", 0), Said("new table archive_2024")),
    "job_name": (*_TO_ROWS, Pressed("write", 0), Said("new table archive_2024"), Pressed("edit", 0)),
    "email_form": (*_TO_ROWS, Pressed("email", 0)),
    "email_confirm": (*_TO_ROWS, Pressed("email", 0), Said("ana@firma.de")),
    "schedule_form": (*_TO_ROWS, Pressed("repeat", 0)),
    "schedule_confirm": (
        *_TO_ROWS,
        Pressed("repeat", 0),
        Filled({"every": "week", "day": "mon", "at": "08:00", "to": "email", "people": "ana@firma.de"}, 0),
    ),
    "compare_setup": (*_TO_ROWS, Pressed("compare", 0)),
    "compare_columns": (
        *_TO_ROWS,
        Pressed("compare", 0),
        Said(OTHER_QUERY),
        Pressed("menu:sample", 0),
        Pressed("yes", 0),
    ),
    "compare_confirm": (
        *_TO_ROWS,
        Pressed("compare", 0),
        Said(QUERY),
        Pressed("menu:sample", 0),
        Pressed("yes", 0),
        Pressed("accept", 0),
        Pressed("differences", 0),
    ),
}

_TABLES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "warehouse": (
        "Warehouse",
        {
            "sales_report": "country, land, umsatz, sales_total, total, order_count, order_day, revenue",
            "customers_archive": "id, name, email, country, land",
            "channel_numbers": "channel, orders, amount, total",
            "tmp_open": "id, name, start_date, staff_name, shop, since, contact_email",
        },
    ),
    "shop": ("Shop", {"baskets": "id, customer, total", "orders": "id, customer, total, order_date"}),
    "hr": ("HR", {"people": "id, name, vacation_days, salary", "absences": "id, person_id, day, reason"}),
    "finance": ("Finance", {"invoices": "id, customer, amount, due_date, paid_date", "payments": "id, amount"}),
}
"""The databases besides the sample company, with their tables."""


class _CutOff(BaseException):
    """The path ends here: a model, a query or something outside would be next."""


class _Threads:
    """The memory of the one talk, as it would be stored."""

    def __init__(self) -> None:
        self.text = ""

    def load(self, key: ThreadKey) -> Memory | None:
        return from_json(self.text) if self.text else None

    def save(self, key: ThreadKey, memory: Memory) -> None:
        self.text = to_json(memory)

    def keys(self, platform: str, team: str) -> list[ThreadKey]:
        return [KEY]

    def forget(self, key: ThreadKey) -> None:
        self.text = ""


class _CutOffRouter(Router):
    """The router of talks, which goes no further than understanding; `last` is the turn that it took."""

    cuts_off = False
    last: Turn | None = None

    def asks(self, recognisers: Sequence[Recogniser]) -> None:
        """Have these recognisers be asked."""
        self._recognisers = recognisers

    def _work(self, turn: Turn, handler: Work) -> str:
        self.last = turn
        if self.cuts_off and not isinstance(handler, UNDERSTANDS):
            raise _CutOff
        return super()._work(turn, handler)

    def _show(self, turn: Turn, *args: Any, **kwargs: Any) -> None:
        self.last = turn
        super()._show(turn, *args, **kwargs)

    def _show_beside(self, turn: Turn) -> None:
        self.last = turn
        super()._show_beside(turn)


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a sentence: a kind of card, the question before it, the choices or the steps that it shows."""

    card: Card
    before: str = ""
    choices: tuple[str, ...] = ()
    plan: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypedOutcome:
    """What became of a sentence: what was remembered before and after it, and what was said.

    `category` is that of a sentence that was answered at once, `taken_by` the name of the recogniser that took it.
    """

    before: Memory
    after: Memory
    said: str
    category: str
    taken_by: str = ""

    @property
    def stays(self) -> bool:
        """True if the same card stands."""
        return self.before.stage == self.after.stage

    @property
    def changed(self) -> bool:
        """True if the card shows something else, or another one stands."""
        return state_of(self.before) != state_of(self.after)


def state_of(memory: Memory) -> tuple[object, ...]:
    """Return what a card shows, without what goes on with each message."""
    draft, known = memory.draft, memory.understanding
    return memory.stage, draft.question, draft.sql, draft.plan, memory.tasks, known.wishes, known.processed_query


class RealPath:
    """Types sentences at cards, and tells what became of each."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self._threads = _Threads()
        self._router = _CutOffRouter(self._threads, services)
        self._begun: dict[Card, str] = {}

    def typed(self, text: str, at: Standing, recognisers: Sequence[Recogniser] = RECOGNISERS) -> TypedOutcome:
        """Return what became of a sentence that was typed there, by these recognisers."""
        before = self._at(at)
        self._router.asks(recognisers)
        self._threads.text, self._router.cuts_off, self._router.last = to_json(before), True, None
        replies = self._send(Said(text))
        said = "\n".join(card.body for reply in replies for card in reply.cards if isinstance(card, Text))
        last = self._router.last
        answered_as, taken_by = (last.answered_as, last.taken_by) if last else ("", "")
        return TypedOutcome(before, self._memory(), said, answered_as, taken_by)

    def would_take(self, text: str, at: Standing) -> list[Recogniser]:
        """Return the recognisers that would take a sentence there if they were asked alone."""
        return [each for each in RECOGNISERS if self.typed(text, at, (each,)).taken_by]

    def _memory(self) -> Memory:
        return self._threads.load(KEY) or Memory(owner=PERSON)

    def _send(self, given: Input) -> list[Reply]:
        replies: list[Reply] = []
        try:
            self._router.turn(Incoming(KEY, PERSON, given), replies.append)
        except _CutOff:
            assert self._router.last
            self._threads.save(KEY, self._router.last.memory)
        return replies

    def _at(self, at: Standing) -> Memory:
        """Return what is remembered at a card."""
        memory = self._begun_at(at.card)
        if memory.answer:
            draft = replace(memory.answer.draft, question=at.before, method="generate")
            memory.answer = replace(memory.answer, draft=draft)
        match at.card:
            case "sql":
                memory.stage = Stage.CONFIRM_GENERATED_SQL
                plan, asked = _planned(at).wishes, Category.ASK_DATA
                memory.draft = replace(memory.draft, question=at.before, method="generate", intent=asked, plan=plan)
            case "asked_back":
                memory.stage, memory.draft = Stage.UNDERSTAND_QUERY, Draft(at.before, "generate")
                memory.understanding = _asked_back(at)
            case "plan":
                memory.stage, memory.draft, memory.answer = Stage.CONFIRM_PLAN, Draft(at.before, "generate"), None
                memory.understanding = _planned(at)
        return memory

    def _begun_at(self, card: Card) -> Memory:
        """Return what is remembered at a kind of card; a talk is brought there once."""
        if card not in self._begun:
            self._threads.text, self._router.cuts_off = "", False
            for given in _TO_CARD[card]:
                turn = self._memory().turn
                self._send(replace(given, turn=turn) if isinstance(given, Pressed | Filled) else given)
            self._begun[card] = to_json(self._memory())
        return from_json(self._begun[card])


def _asked_back(at: Standing) -> Understanding:
    ways = [ClarificationAnswer(category, text) for category, text in zip(Category, at.choices, strict=False)]
    asked = Clarification(
        "I am not sure what you would like. Is it:", (*ways, ClarificationAnswer(REPHRASE, "Something else"))
    )
    return Understanding(
        at.before,
        at.before,
        needs_clarification=True,
        clarification=asked,
        typed_at="open",
    )


def _planned(at: Standing) -> Understanding:
    return Understanding(
        at.before,
        at.before,
        primary_agent_id=CATEGORY_TO_AGENT[Category.ASK_DATA],
        classified_intent=Category.ASK_DATA,
        classification_confidence=1.0,
        wishes=tuple(STEPS[step] for step in at.plan),
        typed_at="open",
    )


@contextmanager
def real_path(settings: Settings, folder: Path) -> Iterator[RealPath]:
    """Yield the path over the sample company and four small databases, which are made in an empty folder."""
    connections = _connections(settings, folder)
    mine = settings.model_copy(update={"home": folder / "home", "connections": connections})
    with build_bot(mine, repeats=True) as bot:
        mail = build_mail_config(SecretStr("smtp://127.0.0.1:9"), "Bot <bot@firma.de>", "*", 20, 10)
        yield RealPath(replace(bot.services, mail_config=mail, reader=_no_model))


def _no_model() -> NoReturn:
    raise AgentAway("No model reads parameters here.")


def _connections(settings: Settings, folder: Path) -> Path:
    """Make the databases, and return the file that names them."""
    company, _ = ensure_samples(settings.home / "samples", now().date())
    blocks = ['default = "sample"', _block("sample", 1, "Sample company", company)]
    for number, (name, (label, tables)) in enumerate(_TABLES.items(), 2):
        path = folder / f"{name}.db"
        with closing(sqlite3.connect(path)) as database:
            for table, columns in tables.items():
                database.execute(f"CREATE TABLE {table} ({columns})")
        writable = f'write_url = "sqlite:///{path}"\nwriters = ["*"]\n' if name == "warehouse" else ""
        blocks.append(_block(name, number, label, path) + writable)
    file = folder / "connections.toml"
    file.write_text("\n".join(blocks), encoding="utf-8")
    return file


def _block(name: str, number: int, label: str, path: Path) -> str:
    return f'[connections.{name}]\nid = {number}\nlabel = "{label}"\nurl = "sqlite:///{path}"\n'
