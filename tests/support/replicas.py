"""Several processes of the bot that share the work, over one PostgreSQL and one stand-in for Slack.

Each has a home of its own, as on machines of their own. Their group is looked up in /proc, so that what children of
theirs compute counts, too.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.postgres import PostgresDatabase, fresh_database, running_server

FRONT, WORKER, WHOLE = ("slack", "--concurrency", "0"), ("worker",), ("slack",)
"""The arguments of a process that takes in, of one that works, and of one that does both."""

GREETINGS = ("is at work in Slack", "icc-bot works on")
START_SECONDS = 90.0

CONNECTIONS = """
[connections.shop]
id = 1
label = "Shop"
url = "env:SHOP_URL"
write_url = "env:SHOP_URL"
writers = ["*"]
"""


@dataclass
class Replica:
    """One process; `args` are what `icc-bot` is given."""

    args: tuple[str, ...]
    process: "subprocess.Popen[bytes]"
    log: Path

    def wait_ready(self) -> None:
        """Return when it says that it is at work."""
        end = time.monotonic() + START_SECONDS
        while not any(greeting in self.log.read_text() for greeting in GREETINGS):
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(self.log.read_text())
            time.sleep(0.05)

    def kill(self) -> None:
        """End it without a word, and what it had begun with it."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> int:
        """End it; returns its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    @property
    def cpu(self) -> float:
        """The seconds that it and its children have computed so far."""
        return sum(seconds for pid, group, _, seconds in processes() if self.process.pid in (pid, group))

    @property
    def megabytes(self) -> float:
        """The memory that it alone has, without what it shares with others."""
        rollup = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()
        return sum(int(line.split()[1]) for line in rollup if line.startswith("Pss:")) / 1024


@dataclass
class Replicas:
    """All of them, with their database; a process that is begun again has its home of before."""

    folder: Path
    slack: Slack
    database: PostgresDatabase | None
    more: dict[str, str] = field(default_factory=dict)
    running: list[Replica] = field(default_factory=list)
    program: Sequence[str] = (sys.executable, "-m", "bot")
    begun: int = 0

    def begin(self, args: tuple[str, ...], *, cwd: Path | None = None, lacks: Collection[str] = ()) -> Replica:
        """Begin one, which may not be ready yet; `cwd` is the checkout that it is run from.

        It `lacks` these variables, which the others have.
        """
        self.begun += 1
        home = self.folder / f"home-{self.begun}"
        log = self.folder / f"log-{self.begun}"
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("ICC_BOT", "SLACK"))},
            "ICC_BOT_HOME": str(home),
            "ICC_BOT_CONNECTIONS": str(self.connections()),
            "SLACK_API_URL": self.slack.url,
            "SLACK_BOT_TOKEN": self.slack.bot_token,
            "SLACK_APP_TOKEN": self.slack.app_token,
            "SLACK_SIGNING_SECRET": self.slack.signing_secret,
            "SLACK_MODE": "socket",
            "SLACK_PING_INTERVAL": "1",
            "OLLAMA_BASE_URL": "http://127.0.0.1:9",
            "SQL_MODEL_NAME": "qwen2.5-coder:7b",
            **({"ICC_BOT_DATABASE_URL": self.database.owner_url} if self.database else {}),
            **self.more,
        }
        if args != FRONT:
            environment.setdefault("SHOP_URL", f"sqlite:///{self.folder / 'shop.sqlite'}")
        environment = {name: value for name, value in environment.items() if name not in lacks}
        with log.open("wb") as out:
            process = subprocess.Popen(
                [*self.program, *args], env=environment, stdout=out, stderr=out, start_new_session=True, cwd=cwd
            )
        replica = Replica(args, process, log)
        self.running.append(replica)
        return replica

    def connections(self) -> Path:
        """Return the file of connections; a worker has the address in its environment."""
        path = self.folder / "connections.toml"
        if not path.exists():
            path.write_text(CONNECTIONS)
        return path

    def begin_all(self, *several: tuple[str, ...]) -> None:
        """Begin some, and return when all are ready."""
        begun = [self.begin(args) for args in several]
        for each in begun:
            each.wait_ready()

    def replace(self, replica: Replica) -> Replica:
        """Begin another one in place of one that is dead."""
        self.running.remove(replica)
        return self.begin(replica.args)

    @property
    def cpu(self) -> float:
        """The seconds that those which run have computed so far."""
        return sum(each.cpu for each in self.running)

    @property
    def database_cpu(self) -> float:
        """The seconds that the server has computed so far."""
        if self.database is None:
            return 0.0
        server = self.database.server.pid
        return sum(seconds for pid, _, parent, seconds in processes() if server in (pid, parent))


@contextmanager
def replicas(folder: Path, slack: Slack, *, server: bool = True, **more: str) -> Iterator[Replicas]:
    """Lend a place for processes, over a fresh PostgreSQL, or in homes of their own; all are killed at the end."""
    if not server:
        yield from _lent(Replicas(folder, slack, None, more))
        return
    with running_server() as postgres, fresh_database(postgres) as database:
        yield from _lent(Replicas(folder, slack, database, more))


def _lent(lent: Replicas) -> Iterator[Replicas]:
    try:
        yield lent
    finally:
        for replica in lent.running:
            if replica.process.poll() is None:
                replica.kill()


def processes() -> Iterator[tuple[int, int, int, float]]:
    """Give the id of each process, its group, its parent, and the seconds that it and its late children computed."""
    ticks = os.sysconf("SC_CLK_TCK")
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        yield int(path.parent.name), int(fields[2]), int(fields[1]), sum(map(int, fields[11:15])) / ticks


# What becomes of talks in them.

TALKS = 8
"""Talks that go on at once, each of a person of its own."""

SECONDS = 30.0
"""After which a talk that did not go on is lost; a process that is killed is missed after 20."""


def until(what: Callable[[], bool], seconds: float = SECONDS) -> None:
    """Return once it is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def shown(slack: Slack, root: Message, words: str) -> list[Message]:
    """Return the bot's messages in a thread that say this."""
    with slack.lock:
        said = slack.messages(root.channel, root.ts, by=slack.bot_user)
        return [each for each in said if words in f"{each.text} {each.blocks}"]


def environment_of(pid: int) -> set[str]:
    """Return the names of the variables that a process was begun with."""
    pairs = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return {pair.partition(b"=")[0].decode() for pair in pairs}
