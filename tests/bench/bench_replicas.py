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
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from tests.platforms.slack.stand_in import Slack
from tests.support.mail_servers import SENDER, PostOffice, post_office
from tests.support.players import Players, Sending, Talk, channels_of
from tests.support.replicas import FRONT, WHOLE, WORKER, Replica, Replicas, replicas
from tests.support.shop import build_shop

KILL_EVERY_SECONDS = 5.0
REPEATED, FAILING = 0.3, 0.05


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
    channels_of(slack)
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
