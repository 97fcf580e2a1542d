"""The CPU that a start of the program costs, and its first question beside the second.

`uv run python -m tests.bench.bench_start [rounds]` starts `icc-bot slack` and `icc-bot teams` against the stand-ins,
asks two questions that a scripted model answers, and prints the best of all rounds. The figures are seconds of CPU,
never of the clock, so that a busy machine changes little; they come in steps of 10 ms. Python's bytecode is there, as
after `pip install`; with `--source` it is not, and each start compiles every module that it imports. `--imports` prints
instead what each package costs at `import bot.commands.slack`; its figures are of the clock.
"""

import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Thread

from tabulate import tabulate

from tests.platforms.ollama import Ollama
from tests.platforms.slack import Slack
from tests.platforms.teams import Teams
from tests.support import slack_bot, teams_bot

ROOT = Path(__file__).parents[2]
QUESTIONS = ("Which customers are in the region North?", "How many orders are paid?")
ANSWERS = ("SELECT name FROM customers WHERE region_id = 1", "SELECT count(*) FROM orders WHERE status = 'paid'")


@dataclass(frozen=True)
class StartCosts:
    """Seconds of CPU of the process and its children."""

    listening: float
    """From the start of the process until it says that it is at work."""
    settled: float
    """What is computed after that, before a question comes."""
    first: float
    """The first question, until its card is shown and nothing is left to do."""
    second: float
    third: float
    mib: float


def measured(pid: int, ask: Callable[[str], None]) -> StartCosts:
    """Return what a program has cost that says it is at work; `ask` returns when the question has its card."""
    figures = [0.0, cpu_of(pid), settled_cpu_of(pid)]
    for question in (*QUESTIONS, QUESTIONS[0]):
        ask(question)
        figures.append(settled_cpu_of(pid))
    steps = [after - before for before, after in pairwise(figures)]
    resident = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert resident is not None
    return StartCosts(*steps, mib=int(resident[1]) / 1024)


def of_slack(folder: Path, model: Ollama) -> StartCosts:
    """Measure `icc-bot slack`."""
    with Slack() as slack:
        slack.scopes |= {"users:read", "channels:history", "groups:history"}
        slack.channel("C100")

        def ask(question: str) -> None:
            root = slack.say("C100", question, mention=True)
            slack.wait_message("C100", "Run on", thread=root)

        with program("slack", folder, slack_bot.environment(folder, slack, model, "socket")) as (pid, _):
            slack.wait_socket()
            return measured(pid, ask)


def of_teams(folder: Path, model: Ollama) -> StartCosts:
    """Measure `icc-bot teams`."""
    with Teams() as teams:

        def ask(question: str) -> None:
            root = teams.say("General", question)
            teams.wait_message("General", "Run on", thread=root)

        with program("teams", folder, teams_bot.environment(folder, teams, model)) as (pid, port):
            teams.bot_url = f"http://127.0.0.1:{port}/api/messages"
            return measured(pid, ask)


def environment() -> dict[str, str]:
    """Return the environment of what is measured: the bytecode lies beside the homes, or nowhere."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if "--source" in sys.argv:
        inherited["PYTHONDONTWRITEBYTECODE"] = "1"
    prefix = Path(tempfile.gettempdir()) / f"bench-start-{'source' if '--source' in sys.argv else 'bytecode'}"
    return {**inherited, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(prefix)}


@contextmanager
def program(name: str, folder: Path, variables: dict[str, str]) -> Iterator[tuple[int, int]]:
    """Run a command of icc-bot until the end of the block; gives its id and the port it names."""
    with subprocess.Popen(
        [sys.executable, "-m", "bot", name],
        cwd=folder,
        env={**environment(), **variables},
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        try:
            said = ""
            while "at work in" not in said:
                line = child.stdout.readline()
                if not line:
                    raise RuntimeError(said)
                said += line
            Thread(target=child.stdout.read, daemon=True).start()
            port = re.search(r"port (\d+)", said)
            yield child.pid, int(port[1]) if port else 0
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()


def cpu_of(pid: int) -> float:
    """Return the seconds that a process has computed, with the children it has and had."""
    found = 0
    for each in (pid, *children_of(pid)):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        found += sum(int(field) for field in fields[11:15])
    return found / os.sysconf("SC_CLK_TCK")


def children_of(pid: int) -> list[int]:
    """Return the ids of the children that a process has now."""
    return [
        int(child) for task in Path(f"/proc/{pid}/task").iterdir() for child in (task / "children").read_text().split()
    ]


def settled_cpu_of(pid: int) -> float:
    """Return what a process has computed, once it computes next to nothing in a second."""
    before, now = -1.0, cpu_of(pid)
    while now - before > 0.03:
        time.sleep(1.0)
        before, now = now, cpu_of(pid)
    return now


def cpu_of_help() -> float:
    """Return what `icc-bot --help` costs."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-m", "bot", "--help"], env=environment(), stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def best(measure: Callable[[Path, Ollama], StartCosts], rounds: int) -> StartCosts:
    """Return the smallest of each figure, each round in a home of its own; the first only writes the bytecode."""
    found = []
    for _ in range(rounds + 1):
        with tempfile.TemporaryDirectory() as room, Ollama(script=answer) as model:
            found.append(measure(Path(room), model))
    columns = zip(*(vars(each).values() for each in found[1:]), strict=True)
    return StartCosts(*(min(column) for column in columns))


def answer(prompt: str) -> str:
    """Answer both questions with their SQL."""
    return ANSWERS[0] if "North" in prompt.rpartition("uestion")[2] else ANSWERS[1]


def main(rounds: int) -> None:
    """Print the table."""
    lines = []
    for name, measure in (("slack", of_slack), ("teams", of_teams)):
        found = best(measure, rounds)
        costs = [found.listening, found.settled, found.first, found.second, found.third, found.first - found.second]
        lines.append([f"icc-bot {name}", *(f"{cost:.2f}" for cost in costs), f"{found.mib:.0f}"])
    lines.append(["icc-bot --help", f"{min(cpu_of_help() for _ in range(rounds)):.2f}"])
    titles = ["CPU, seconds", "until it listens", "after that", "first", "second", "third", "first - second", "MiB"]
    print(tabulate(lines, titles, disable_numparse=True))


def imports() -> None:
    """Print what each package costs at `import bot.commands.slack`, without those that it imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", "import bot.commands.slack"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    packages: Counter[str] = Counter()
    modules: Counter[str] = Counter()
    for own, name in re.findall(r"^import time:\s+(\d+) \|\s+\d+ \|\s+(\S+)$", done.stderr, re.MULTILINE):
        packages[name.partition(".")[0]] += int(own)
        modules[name.partition(".")[0]] += 1
    lines = [[name, modules[name], f"{cost / 1000:.0f}"] for name, cost in packages.most_common(25)]
    lines.append(["all", modules.total(), f"{packages.total() / 1000:.0f}"])
    print(tabulate(lines, ["package", "modules", "ms"], disable_numparse=True))


if __name__ == "__main__":
    if "--imports" in sys.argv:
        imports()
    else:
        main(*[int(word) for word in sys.argv[1:] if word.isdecimal()] or [2])
