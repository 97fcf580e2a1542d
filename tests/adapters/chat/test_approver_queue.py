"""Approvers are told by any worker: several processes over one PostgreSQL and one Slack."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import pytest

from adapters.chat.approver_queue import ApproverQueue
from adapters.chat.approvers import Approvers
from adapters.chat.surface import MessagePlace, Shape
from adapters.chat.underway import Underway
from adapters.slack import scopes
from adapters.slack.clients import Clients
from adapters.slack.open_modals import OpenModals
from adapters.slack.surface import People, SlackSurface
from adapters.slack.writer import Writer
from adapters.task_queue import TaskQueue
from router.approval_requests import BEING_TOLD, ApprovalRequest, ApprovalRequests
from router.cards import Reply, Text
from router.catalog.connections_file import connections_in
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.storage.clock import now
from router.storage.database import Database
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.support.postgres import PostgresDatabase

KEY = ThreadKey("slack", "T1", "C1", "1.0")
OTTO = User("slack:UOTTO", "Otto", "otto@example.com")
CARLA = "slack:UCARLA"
CONNECTIONS = (
    '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\napprovers = ["carla@example.com"]\n'
)
AT_ONCE_SECONDS = 5.0
"""Much less than the age at which a request is told of by whoever looks for such."""
assert AT_ONCE_SECONDS < BEING_TOLD.total_seconds() / 10


@dataclass(frozen=True)
class Process:
    """A process, as far as it tells approvers."""

    approvers: Approvers
    requests: ApprovalRequests
    surface: SlackSurface
    database: Database

    @property
    def tasks(self) -> int:
        """The number of tasks that wait or are done, wherever."""
        with self.database.reading() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM procrastinate_jobs").scalar_one())


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with an approver, whose address the bot may look for."""
    with Slack() as slack:
        slack.scopes |= {*scopes.SCOPES, *scopes.OPTIONAL_SCOPES}
        slack.user("UCARLA", "carla", "carla@example.com")
        yield slack


@asynccontextmanager
async def process(postgres: PostgresDatabase, slack: Slack, *, works: bool = True) -> AsyncIterator[Process]:
    """Be a process that may have approvers told, and tells them where it works."""

    async def token(team: str) -> str:
        return slack.teams[team].token

    async with AsyncExitStack() as stack:
        database = stack.enter_context(closing(Database(postgres.owner_url)))
        clients = Clients(token, slack.url)
        stack.push_async_callback(clients.close)
        surface = SlackSurface(clients, Writer(clients, 0.01), People(clients), OpenModals(database))
        connections = connections_in(Path("connections.toml"), CONNECTIONS, {})
        requests = ApprovalRequests(database, connections)
        approvers = Approvers("slack", surface, requests, connections)
        tasks = TaskQueue(database, heartbeat=0.2, dead_after=1.5)
        ApproverQueue(database, tasks, approvers, Underway().spawn)
        await tasks.open()
        stack.push_async_callback(tasks.close)
        if works:
            tasks.work(["slack"], 4)
        yield Process(approvers, requests, surface, database)


def ask(requests: ApprovalRequests, digest: str = "d") -> ApprovalRequest:
    """Have a talk wait for Carla."""
    asked = ApprovalRequest(KEY, digest, OTTO, "shop", "query", f"revenue {digest}", ("carla@example.com",), now())
    requests.stand(KEY, [asked])
    [request] = requests.untold("slack", KEY)
    return request


def told(slack: Slack) -> list[str]:
    """Return what the bot told Carla."""
    return [words_of(each.blocks) for each in slack.messages(slack.world.direct("UCARLA").id) if each.bot_id]


async def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is true."""
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(true):
            await asyncio.sleep(0.02)


async def test_a_worker_tells_them(postgres: PostgresDatabase, slack: Slack) -> None:
    """However often it is asked for: of what is new, and of what became of it. Without either, there is no task."""
    async with process(postgres, slack, works=False) as front:
        await front.approvers.tell(KEY)
        assert 0 == front.tasks
        ask(front.requests)
        for _ in range(3):
            await front.approvers.tell(KEY)
        assert 1 == front.tasks
        async with process(postgres, slack), process(postgres, slack):
            await until(lambda: not front.tasks)
            [asked] = told(slack)
            assert "Otto needs your approval on" in asked
            front.requests.stand(KEY, [], by=User(CARLA, "Carla"))
            await front.approvers.tell(KEY)
            await until(lambda: not front.tasks)
            [over] = told(slack)
            assert "✓ Approved by you" in over


@pytest.mark.parametrize("posted", [False, True])
async def test_whom_a_process_told_that_died(postgres: PostgresDatabase, slack: Slack, posted: bool) -> None:
    """They are told soon and once, also where it died between the message and the note of it.

    Slack finds a message only for whoever knows the channel, as from what a person was told before.
    """
    async with process(postgres, slack, works=False) as dead:
        ask(dead.requests, "before")
        await dead.approvers.tell_now(KEY)
        request = ask(dead.requests)
        await dead.approvers.tell(KEY)
        with dead.database.writing() as connection:
            connection.exec_driver_sql("UPDATE procrastinate_jobs SET status = 'doing'")  # by nobody who lives
        await dead.approvers.tell(KEY)
        assert 2 == dead.tasks  # whoever is at it may have looked before
        assert dead.requests.begin_notice(request, CARLA)
        if posted:
            shape = Shape(Reply((Text("Otto needs your approval"),)), KEY)
            place = MessagePlace("T1", dead.surface.home(CARLA))
            await dead.surface.show(place, shape, f"approval {request.number} {CARLA}")
        async with process(postgres, slack) as other:
            began = monotonic()
            await other.approvers.tell()  # as every minute: somebody may be at it
            assert 1 + posted == len(told(slack))
            await until(lambda: not other.requests.untold("slack"))
            assert monotonic() - began < AT_ONCE_SECONDS
            await until(lambda: not other.tasks)
    assert 2 == len(told(slack))
