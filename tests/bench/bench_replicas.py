"""Whole talks on several processes that share the work: how much they take, and what becomes of talks when some die.

`uv run python -m tests.bench.bench_replicas load [TALKS]` plays the same talks on one process over files, on one over
PostgreSQL, and on one front end with one, two and three workers: CPU a talk, events a second and core, and how long an
answer takes. `... kills [TALKS] [SECONDS]` plays talks on three front ends and three workers, of whose events three in
ten come again and of whose calls one in twenty fails, while a process is killed every five seconds; every talk has to
come to its end, exactly once. `... outage [TALKS] [SECONDS]` stops PostgreSQL as six people press Send.
`... upgrade [TALKS] CHECKOUT` begins half of the processes from another checkout, and replaces them by today's.
`--keep` tells what is kept and logged of talks that went wrong; `--program=PATH` is another `icc-bot`.

A talk is SQL that is typed, Run, and the rows; one in six sends them by e-mail, one in ten writes them into a table.
"""

import random
import re
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread

from tabulate import tabulate

from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.forms import Impossible
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.postgres import PostgresServer
from tests.support.replicas import FRONT, WHOLE, WORKER, Replica, Replicas, replicas
from tests.support.shop import build_shop

CHANNELS = [f"C{number}" for number in range(100, 300)]
AT_ONCE = 40
"""Talks under way at the same time."""

PATIENCE_SECONDS = 45.0
"""After which people look what stands in a talk, and press that."""

KILL_EVERY_SECONDS = 5.0
REPEATED, FAILING = 0.3, 0.05
LOST_SECONDS, AGAIN_MAX = 180.0, 6
"""After which a talk that did not go on counts as lost, however often its person asked again."""


@dataclass
class Talk:
    """One talk: the message that began it, what is waited for now and since when, and how long each wait took."""

    number: int
    root: Message = field(init=False)
    stage: str = "card"
    since: float = field(default_factory=time.time)
    waits: list[float] = field(default_factory=list)
    again: int = 0
    """How often it was told that something was interrupted, and asked again."""
    pressed: tuple[Delivery, Message, str, str] | None = None
    """The last press: of what, which name, and what was waited for before."""
    looked: float = 0.0
    """When it was looked at again, since nothing happened for long."""
    told: set[str] = field(default_factory=set)
    """The messages that told of an interruption, and were read."""
    lost: int = 0
    """How often Slack told that a press did not arrive, and it was pressed again."""

    @property
    def sql(self) -> str:
        return f"SELECT {self.number} AS number, name FROM regions"

    @property
    def mails(self) -> bool:
        return self.number % 6 == 3

    @property
    def writes(self) -> bool:
        return self.number % 10 == 7 and not self.mails

    def goes_on(self, stage: str) -> None:
        """Note that what was waited for is there."""
        self.waits.append(time.time() - self.since)
        self.stage, self.since = stage, time.time()


class Players:
    """People who play talks: each goes on as soon as the bot answered."""

    def __init__(self, slack: Slack, count: int, seed: int, *, repeated: float = 0.0, delivers: bool = False) -> None:
        """`delivers`: some results are sent, or written into a table."""
        self.slack, self.count, self.repeated, self.dice = slack, count, repeated, random.Random(seed)
        self.delivers = delivers
        self.talks: dict[str, Talk] = {}
        self.over: list[Talk] = []
        self._begun = self._seen = self.unsure = 0
        self.on_lost: Callable[[Talk], None] = lambda talk: None

    def play(self, meanwhile: Callable[[], None] = lambda: None, seconds: float = 3600.0) -> None:
        """Play all of them; returns when they are over, or lost."""
        end = time.time() + seconds
        while (self._begun < self.count or self.talks) and time.time() < end:
            while self._begun < self.count and len(self.talks) < AT_ONCE:
                self._begin()
            for root in self._changed():
                if talk := self.talks.get(root):
                    self._look(talk)
            for talk in list(self.talks.values()):
                self._press_again(talk)
                if time.time() - max(talk.since, talk.looked) > PATIENCE_SECONDS:
                    talk.looked = time.time()
                    self._look_again(talk)
            for talk in [each for each in self.talks.values() if each.again > AGAIN_MAX or _waits(each) > LOST_SECONDS]:
                self.on_lost(talk)
                print("lost:", talk.number, talk.stage, [each.text[:300] for each in self._messages(talk)])
                self._end(talk)
            meanwhile()
            time.sleep(0.01)

    def _begin(self) -> None:
        number, self._begun = self._begun, self._begun + 1
        talk = Talk(number)
        user, channel = f"U{number % 500}", CHANNELS[number % len(CHANNELS)]
        talk.root = root = self.slack.say(channel, talk.sql, user=user, mention=True)
        self.talks[root.ts] = talk
        self._repeat(root.ts)

    def _repeat(self, mark: str) -> None:
        """Have some events come twice."""
        with self.slack.lock:
            last = [each for each in self.slack.acks[-4:] if mark in str(each.payload)]
        for each in last:
            if self.dice.random() < self.repeated:
                self.slack.redeliver(each)

    def _changed(self) -> set[str]:
        """Return the threads in which the bot wrote or changed anything since the last look."""
        with self.slack.lock:
            new, self._seen = self.slack.calls[self._seen :], len(self.slack.calls)
        found = {str(call.arguments.get("thread_ts")) for call in new if call.method == "chat.postMessage"}
        for call in new:
            if call.method == "chat.update":
                message = self.slack.world.find(call.arguments["channel"], call.arguments["ts"])
                found.add(message.thread or "" if message else "")
        return found

    def _said(self, talk: Talk) -> list[str]:
        return [str(each.blocks) for each in self._messages(talk)]

    def _messages(self, talk: Talk) -> list[Message]:
        return self.slack.messages(talk.root.channel, talk.root, by=self.slack.bot_user)

    def _look(self, talk: Talk) -> None:
        """Do what comes next in a talk, where the bot is done with what came before."""
        for message in reversed(self._messages(talk)):
            shown = str(message.blocks)
            if talk.stage == "card" and "Run on Shop" in shown:
                self._press(talk, message, "Run on Shop", "rows")
            elif talk.stage == "rows" and "'CSV'" in shown:
                if self.delivers and (talk.mails or talk.writes):
                    self._deliver(talk)
                else:
                    self._finish(talk)
            elif talk.stage == "preview" and ("Send this e-mail?" in shown or "Write this?" in shown):
                self._press(talk, message, "Send" if talk.mails else "Write", "done")
            elif talk.stage == "done" and ("✓ Sent" in shown or "✓ Added" in shown or "✓ Created" in shown):
                self._finish(talk)
            elif talk.stage == "done" and "may or may not have gone out" in shown:
                self.unsure += 1  # it asks, and a person looks: it is not sent again unasked
                self._finish(talk)
            elif "I was interrupted" in shown and message.ts not in talk.told:
                self._ask_again(talk, message)
            else:
                continue
            return

    def _press(self, talk: Talk, message: Message, name: str, then: str) -> None:
        try:
            delivery = self.slack.press(message, name, user=talk.root.user)
        except Impossible:
            return
        talk.pressed = delivery, message, name, talk.stage
        talk.goes_on(then)
        if self.dice.random() < self.repeated:
            self.slack.redeliver(delivery)

    def _ask_again(self, talk: Talk, message: Message) -> None:
        """Do once more what was interrupted: by the card that stands there, else by words."""
        talk.told.add(message.ts)
        talk.again += 1
        for name, then in (("Run on Shop", "rows"), ("Send", "done"), ("Write", "done")):
            if name in str(message.blocks):
                self._press(talk, message, name, then)
                return
        self._say_again(talk)

    def _say_again(self, talk: Talk) -> None:
        if talk.stage == "card":
            self.slack.say(talk.root.channel, talk.sql, user=talk.root.user, thread=talk.root, mention=True)
        elif talk.stage in ("preview", "done"):
            self._deliver(talk)

    def _look_again(self, talk: Talk) -> None:
        """Press what stands there, or say it again, where a process died over what was done before."""
        for message in reversed(self._messages(talk)):
            for asks, name in (("Run on Shop", "Run on Shop"), ("Send this e-mail?", "Send"), ("Write this?", "Write")):
                if asks in str(message.blocks) and talk.stage in ("rows", "done"):
                    talk.again += 1
                    self._press(talk, message, name, talk.stage)
                    return
        if talk.stage in ("card", "preview"):
            talk.again += 1
            self._say_again(talk)

    def _deliver(self, talk: Talk) -> None:
        words = f"send it to u{talk.number}@example.com" if talk.mails else f"write it into w{talk.number}"
        talk.goes_on("preview")
        self.slack.say(talk.root.channel, words, user=talk.root.user, thread=talk.root, mention=True)

    def _press_again(self, talk: Talk) -> None:
        """Press once more what Slack says did not arrive: unlike messages, it does not send presses again."""
        if talk.pressed is None or not talk.pressed[0].over.is_set() or talk.pressed[0].acked:
            return
        _, message, name, before = talk.pressed
        talk.pressed, talk.lost = None, talk.lost + 1
        then, talk.stage = talk.stage, before
        self._press(talk, message, name, then)
        if talk.pressed is None:
            talk.stage = then  # it had arrived: the button is gone

    def _finish(self, talk: Talk) -> None:
        talk.goes_on("over")
        self._end(talk)

    def _end(self, talk: Talk) -> None:
        self.over.append(self.talks.pop(talk.root.ts))

    def problems(self, talk: Talk) -> list[str]:
        """Return the sentences about what went wrong that stand in a talk."""
        texts = [message.text.partition("\n")[0] for message in self._messages(talk)]
        return [text for text in texts if re.search("cannot|could not|interrupted|stopped", text)]

    def faults(self) -> list[str]:
        """Return what is wrong with talks that are over: not ended, or something said twice."""
        found = []
        for talk in self.over:
            said = self._said(talk)
            rows = len(set(re.findall(r"csv@([\w-]+)", " ".join(said))))
            # Whoever said it again because it took long may have a second card below the rows.
            last = max((place for place, each in enumerate(said) if "'CSV'" in each), default=len(said))
            standing = sum("Run on Shop" in each for each in said[:last])
            if talk.stage != "over" or rows != 1 or standing:
                found.append(f"{talk.number} {talk.stage}: {rows} results, {standing} cards, {len(said)} messages")
        return found


def _waits(talk: Talk) -> float:
    return time.time() - talk.since


@dataclass(frozen=True)
class Figures:
    """What was measured of one arrangement, of talks without e-mails."""

    cpu: float
    database_cpu: float
    rate: float
    waits: list[float]
    megabytes: list[float]


def stage(stack: ExitStack, post: PostOffice | None = None, *, server: bool = True) -> tuple[Slack, Replicas]:
    """Return a Slack with its channels, and a place for processes that send e-mails."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    slack = stack.enter_context(Slack(retries=(1.0, 5.0, 15.0)))
    slack.scopes |= {"users:read", "users:read.email", "channels:history", "groups:history"}
    for channel in CHANNELS:
        slack.channel(channel)
    for number in range(500):
        slack.user(f"U{number}", f"Ana {number}", f"ana{number}@example.com")
    build_shop(folder / "shop.sqlite")
    mail = {"SMTP_URL": f"smtp://localhost:{post.port}?starttls=no", "EMAIL_FROM": SENDER} if post else {}
    group = stack.enter_context(replicas(folder, slack, server=server, **mail))
    if program := [word.partition("=")[2] for word in sys.argv if word.startswith("--program=")]:
        group.program = program  # another installation than the one that the bench runs in
    return slack, group


def measure(count: int, *args: tuple[str, ...], server: bool = True) -> Figures:
    """Play talks on these processes."""
    with ExitStack() as stack:
        slack, group = stage(stack, server=server)
        group.begin_all(*args)
        slack.wait_socket(sum(each != WORKER for each in args))
        Players(slack, 20, 0).play()  # what is imported late
        cpu, database, began = group.cpu, group.database_cpu, time.time()
        players = Players(slack, count, 1)
        players.play()
        seconds = time.time() - began
        time.sleep(2)
        if faults := players.faults():
            print(faults[:5])
        waits = [wait for talk in players.over for wait in talk.waits]
        cpu, database = (group.cpu - cpu) / count, (group.database_cpu - database) / count
        return Figures(cpu, database, 2 * count / seconds, waits, [each.megabytes for each in group.running])


def load(count: int) -> None:
    """Print the table of arrangements."""
    if "--short" in sys.argv:  # what PostgreSQL costs
        for server in (False, True):
            each = measure(count, WHOLE, server=server)
            print(f"{1000 * each.cpu:.1f} {1000 * each.database_cpu:.1f}")
        return
    arrangements = {
        "one process, files": measure(count, WHOLE, server=False),
        "one process, PostgreSQL": measure(count, WHOLE),
        **{f"1 front end, {n} workers": measure(count, FRONT, *[WORKER] * n) for n in (1, 2, 3)},
    }
    lines = []
    for name, each in arrangements.items():
        late = statistics.quantiles(each.waits, n=20)[-1]
        core = 2 / (each.cpu + each.database_cpu)
        megabytes = ", ".join(f"{mb:.0f}" for mb in each.megabytes)
        figures = f"{1000 * each.cpu:.1f} {1000 * each.database_cpu:.1f} {each.rate:.1f} {core:.1f}".split()
        times = f"{1000 * statistics.median(each.waits):.0f} {1000 * late:.0f}".split()
        lines.append([name, *figures, *times, megabytes])
    heads = ["CPU a talk, ms", "of the server, ms", "events a second", "a core of CPU", "p50, ms", "p95, ms", "MB"]
    print(tabulate(lines, ["", *heads], disable_numparse=True))


def kills(count: int, seconds: float, seed: int = 1) -> None:
    """Print what becomes of talks while processes are killed."""
    with ExitStack() as stack:
        post = stack.enter_context(post_office())
        slack, group = stage(stack, post)
        group.begin_all(FRONT, FRONT, FRONT, WORKER, WORKER, WORKER)
        slack.wait_socket(3)
        slack.fail_some(FAILING, seed, ("ratelimited", "500", "503", "drop"), retry_after=0)
        dice, killed = random.Random(seed), Counter[str]()
        began = last = time.time()
        fresh: list[Replica] = []

        def kill() -> None:
            nonlocal last
            if time.time() - last < KILL_EVERY_SECONDS or time.time() - began > seconds:
                return
            last = time.time()
            one = dice.choice([each for each in group.running if each not in fresh])
            one.kill()
            killed[one.args[0]] += 1
            fresh[:] = [*fresh[-1:], group.replace(one)]

        players = Players(slack, count, seed, repeated=REPEATED, delivers=True)
        if "--keep" in sys.argv:
            players.on_lost = lambda talk: print_story(talk, group)
        players.play(kill)
        taken = time.time() - began
        time.sleep(10)
        report(players, post, group, f"{taken:.0f} s, {dict(killed)} killed")


AT_SEND = 6
"""Talks whose e-mails are sent in the same moment, right before an outage."""


class Sending(Players):
    """People of whom some press Send at once, and PostgreSQL goes away as they do."""

    def __init__(self, slack: Slack, count: int, server: PostgresServer, seconds: float) -> None:
        super().__init__(slack, count, 1, delivers=True)
        self._server, self._seconds = server, seconds
        self._held: list[tuple[Talk, Message, str, str]] = []
        self._outage: Thread | None = None

    def play(self, meanwhile: Callable[[], None] = lambda: None, seconds: float = 3600.0) -> None:
        """Play all of them; returns when they are over, or lost, and the server is back."""
        super().play(meanwhile, seconds)
        assert self._outage
        self._outage.join()

    def _press(self, talk: Talk, message: Message, name: str, then: str) -> None:
        """Press, but for the first Sends: these together, and then nothing is kept for a while."""
        if name != "Send" or self._outage:
            super()._press(talk, message, name, then)
            return
        talk.stage = "holds"
        self._held.append((talk, message, name, then))
        if len(self._held) == AT_SEND:
            self._outage = Thread(target=self._interrupt)
            for each in self._held:
                each[0].stage = "preview"
                super()._press(*each)
            self._outage.start()

    def _interrupt(self) -> None:
        with self._server.away():
            time.sleep(self._seconds)


def outage(count: int, seconds: float = 30.0) -> None:
    """Print what becomes of talks while PostgreSQL is away."""
    with ExitStack() as stack:
        post = stack.enter_context(post_office())
        slack, group = stage(stack, post)
        group.begin_all(FRONT, FRONT, WORKER, WORKER)
        slack.wait_socket(2)
        assert group.database
        players = Sending(slack, count, group.database.server, seconds)
        players.play()
        time.sleep(5)
        report(players, post, group, f"{seconds:.0f} s without PostgreSQL")
        told = Counter(text for talk in players.over for text in players.problems(talk))
        print("told:", dict(told))


def upgrade(count: int, checkout: Path) -> None:
    """Print what becomes of talks while half of the processes are of another version, and are replaced by this one."""
    with ExitStack() as stack:
        post = stack.enter_context(post_office())
        slack, group = stage(stack, post)
        begun = [group.begin(args, cwd=place) for args in (FRONT, WORKER, WORKER) for place in (checkout, Path.cwd())]
        for each in begun:
            each.wait_ready()
        slack.wait_socket(2)
        old, began = begun[::2], time.time()

        def replaced() -> None:
            if old and time.time() - began > 10:
                one = old.pop()
                one.stop()
                group.replace(one)

        players = Players(slack, count, 1, delivers=True)
        players.play(replaced)
        report(players, post, group, f"{len(begun) // 2} processes of another version, all replaced: {not old}")


def print_story(talk: Talk, group: Replicas) -> None:
    """Print what is kept of a talk, and what the processes logged of it."""
    assert group.database
    with group.database.connect() as connection:
        for table in ("inbox WHERE event", "jobs WHERE thread", "messages WHERE thread"):
            for row in connection.execute(f"SELECT * FROM {table} LIKE '%{talk.root.ts}%'".encode()):
                print("   ", str(row)[:300])
        for row in connection.execute(
            f"SELECT * FROM inbox WHERE channel = '{talk.root.channel}' ORDER BY at".encode()
        ):
            print("   ", str(row)[:300])
    for log in sorted(group.folder.glob("home-*/log/*")):
        for line in log.read_text().splitlines():
            if talk.root.ts in line:
                print("   ", log.parent.parent.name, line[:300])


def report(players: Players, post: PostOffice, group: Replicas, about: str) -> None:
    """Print what talks came to, and what was done twice or never."""
    over, letters = players.over, Counter(to for people, _ in post.letters for to in people)
    mailed = {f"u{talk.number}@example.com" for talk in over if talk.mails}
    jobs: Counter[str] = Counter()
    if group.database:
        with group.database.connect() as connection:
            for kind, state, number in connection.execute("SELECT kind, state, count(*) FROM jobs GROUP BY 1, 2"):
                jobs[f"{kind} {state}"] = number
            left = connection.execute("SELECT count(*) FROM inbox WHERE heard IS NOT NULL").fetchone()
    waits = sorted(wait for talk in over for wait in talk.waits)
    print(f"{len(over)} talks, {len(players.slack.acks)} deliveries, {about}")
    faults = players.faults()
    print("faults:", faults or "none")
    if "--keep" in sys.argv:
        wrong = [talk for talk in over if any(fault.startswith(f"{talk.number} ") for fault in faults)]
        for talk in (*wrong[:2], max(over, key=lambda talk: max(talk.waits, default=0.0))):
            print(talk.number, [f"{wait:.1f}" for wait in talk.waits])
            print_story(talk, group)
    print("e-mails sent twice:", [to for to, number in letters.items() if number > 1] or "none")
    print("e-mails never sent:", sorted(mailed - set(letters)) or "none")
    print("asked again after an interruption:", sum(talk.again for talk in over))
    print("e-mails of which nobody knows, and was asked:", players.unsure)
    print("presses that Slack lost, pressed again:", sum(talk.lost for talk in over))
    print("jobs:", dict(jobs), "inputs left:", left if group.database else "")
    print(f"an answer took {statistics.median(waits):.2f} s in the middle, {waits[-1]:.1f} s at most")


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[2:] if re.fullmatch(r"\d+", word)]
    match sys.argv[1:2]:
        case ["kills"]:
            kills(*numbers, *[1000, 600][len(numbers) :])
        case ["outage"]:
            outage(*numbers or [300])
        case ["upgrade"]:
            upgrade(next(iter(numbers), 300), Path(sys.argv[-1]))
        case _:
            load(*numbers or [200])
