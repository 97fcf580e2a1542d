"""The bot in Slack beside a bare Bolt app that answers each mention, and each press, with one message.

`uv run python -m tests.bench.bench_slack [questions]` runs one after the other, each in a process of its own, through
sockets, against one stand-in for Slack. Questions are SQL that is typed, so that no model is asked. All times begin
when the event is sent and end when a call arrives. A whole talk is a question, its SQL, Run, and the rows. The last
column compares with Bolt in the same run: the machine is as busy for both. `--profile` says where the loop of the bot
spends its time.
"""

import asyncio
import os
import pstats
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aiohttp import ClientSession
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.async_app import AsyncApp
from slack_sdk.web.async_client import AsyncWebClient
from tabulate import tabulate

from tests.platforms.ollama import Ollama
from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Call
from tests.support.slack_bot import environment

QUESTIONS = 200
CHANNELS = [f"C{number}" for number in range(100, 120)]
RUN, ROWS = "Run on Shop", "rows"
SIGNS = ("agents.sessions.setStatus", "chat.postMessage")


@dataclass(frozen=True)
class Figures:
    """What was measured of one app: milliseconds, seconds of CPU, counts."""

    acked: list[float]
    sign: list[float]
    answer: list[float]
    cpu: float
    talk_cpu: float
    calls: Counter[str]
    talk_calls: Counter[str]
    burst_acked: float
    burst_answered: float


async def bare() -> None:
    """Answer each mention with a message, with one session for all calls."""
    async with ClientSession() as session:
        client = AsyncWebClient(os.environ["SLACK_BOT_TOKEN"], base_url=os.environ["SLACK_API_URL"], session=session)
        app = AsyncApp(client=client)

        async def mentioned(event: dict[str, Any], client: AsyncWebClient) -> None:
            run = {"type": "button", "text": {"type": "plain_text", "text": RUN}, "action_id": "run", "value": "yes"}
            await client.chat_postMessage(
                channel=event["channel"],
                thread_ts=event["ts"],
                text=event["text"],
                blocks=[{"type": "actions", "elements": [run]}],
            )

        async def pressed(ack: Any, body: dict[str, Any], client: AsyncWebClient) -> None:
            await ack()
            await client.chat_postMessage(
                channel=body["channel"]["id"], thread_ts=body["message"]["thread_ts"], text=f"2 {ROWS}"
            )

        async def heard() -> None:
            """Slack tells of each mention as a message, too, and of each answer."""

        app.event("app_mention")(mentioned)
        app.event("message")(heard)
        app.action("run")(pressed)
        await AsyncSocketModeHandler(app, os.environ["SLACK_APP_TOKEN"], ping_interval=5).start_async()


@contextmanager
def process(command: list[str], slack: Slack, folder: Path, model: Ollama, **more: str) -> Iterator[int]:
    """Run an app that Slack reaches, until the end of the block; gives its id. Further variables are for it alone."""
    variables = {**os.environ, **environment(folder, slack, model, "socket"), **more}
    with (folder / "log").open("w") as log:
        child = subprocess.Popen([sys.executable, *command], env=variables, stdout=log, stderr=log)
        try:
            until(lambda: bool(slack.sockets.open) or child.poll() is not None, 90)
            if child.poll() is not None:
                raise RuntimeError((folder / "log").read_text())
            time.sleep(1.0)
            yield child.pid
        finally:
            child.send_signal(signal.SIGINT)
            child.wait()


def cpu_of(pid: int) -> float:
    """Return the seconds that a process has computed."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ask(slack: Slack, number: int) -> Delivery:
    """Ask one question."""
    with slack.lock:
        slack.say(
            CHANNELS[number % 20], f"SELECT {number} AS number FROM regions", user=f"U{number % 50}", mention=True
        )
        return slack.acks[-1]


def calls_about(slack: Slack, asked: list[Delivery]) -> dict[str, list[Call]]:
    """Return the calls for each question, by its ts."""
    found: dict[str, list[Call]] = {each.payload["event"]["ts"]: [] for each in asked}
    with slack.lock:
        for call in slack.calls:
            if call.arguments.get("thread_ts") in found:
                found[call.arguments["thread_ts"]].append(call)
    return found


def talk(slack: Slack, number: int) -> None:
    """Ask, press Run, and return when the rows are there."""
    asked = ask(slack, number)
    root = asked.payload["event"]["ts"]
    until(lambda: answered(slack, [asked]))
    with slack.lock:
        card = slack.messages(CHANNELS[number % 20], root, by=slack.bot_user)[-1]
        before = len(slack.calls)
    slack.press(card, RUN, user=f"U{number % 50}")
    until(lambda: any(ROWS in str(call.arguments) for call in slack.calls[before:]))


def answered(slack: Slack, asked: list[Delivery]) -> bool:
    """Return whether each question has its answer, and is acknowledged."""
    about = calls_about(slack, asked)
    return all(each.over.is_set() for each in asked) and all(
        any(call.method == "chat.postMessage" for call in calls) for calls in about.values()
    )


def quiet(slack: Slack, seconds: float = 0.1) -> None:
    """Return when there were no calls for a while."""
    count = -1
    while count != len(slack.calls):
        count = len(slack.calls)
        time.sleep(seconds)


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)


def milliseconds(slack: Slack, asked: list[Delivery], methods: tuple[str, ...]) -> list[float]:
    """Return how long it took from each event to the first call of these methods."""
    about = calls_about(slack, asked)
    first = [min(c.time for c in about[each.payload["event"]["ts"]] if c.method in methods) for each in asked]
    return [(when - each.attempts[0].sent) * 1000 for when, each in zip(first, asked, strict=True)]


def measure(command: list[str], count: int) -> Figures:
    """Ask one by one, then all at once."""
    with tempfile.TemporaryDirectory() as room, Slack(retries=(5.0, 10.0, 20.0)) as slack, Ollama() as model:
        slack.scopes |= {"users:read", "channels:history", "groups:history"}
        for channel in CHANNELS:
            slack.channel(channel)
        with process(command, slack, Path(room), model) as pid:
            ask(slack, 0)
            quiet(slack, 1.0)
            before, cpu, asked = len(slack.calls), cpu_of(pid), []
            for number in range(count):
                asked.append(ask(slack, number))
                until(lambda: answered(slack, asked[-1:]))
                quiet(slack, 0.03)
            cpu = (cpu_of(pid) - cpu) / count
            calls = Counter(call.method for call in slack.calls[before:])
            before, talk_cpu = len(slack.calls), cpu_of(pid)
            for number in range(count):
                talk(slack, number)
                quiet(slack, 0.03)
            talk_cpu = (cpu_of(pid) - talk_cpu) / count
            talk_calls = Counter(call.method for call in slack.calls[before:])
            burst = [ask(slack, number) for number in range(count)]
            began = time.time()
            until(lambda: answered(slack, burst))
            answers = milliseconds(slack, burst, ("chat.postMessage",))
            quiet(slack, 0.5)
        if slack.refused or slack.faults:
            print(slack.refused[:3], slack.faults[:3])
        return Figures(
            [(each.latency or 0.0) * 1000 for each in asked],
            milliseconds(slack, asked, SIGNS),
            milliseconds(slack, asked, ("chat.postMessage",)),
            cpu * 1000,
            talk_cpu * 1000,
            calls,
            talk_calls,
            count / (max(each.attempts[0].sent + (each.latency or 0.0) for each in burst) - began),
            count / (max(a / 1000 + each.attempts[0].sent for a, each in zip(answers, burst, strict=True)) - began),
        )


def row(name: str, bare: list[float], ours: list[float]) -> list[str]:
    """Return a line with median and 95th percentile of both."""
    middle, late = statistics.median, lambda values: statistics.quantiles(values, n=20)[-1]
    figures = [middle(bare), late(bare), middle(ours), late(ours), middle(ours) / middle(bare)]
    return [name, *(f"{figure:.2f}" for figure in figures)]


def ratio(bolt: Figures, ours: Figures) -> str:
    return f"{ours.talk_cpu / bolt.talk_cpu:.2f}"


def main(count: int) -> None:
    """Print the table."""
    bolt = measure(["-m", "tests.bench.bench_slack", "--bare"], count)
    ours = measure(["-m", "bot", "slack"], count)
    lines = [
        row("event to acknowledgement, ms", bolt.acked, ours.acked),
        row("event to the first sign of life, ms", bolt.sign, ours.sign),
        row("event to the answer, ms", bolt.answer, ours.answer),
        ["CPU of a question, ms", f"{bolt.cpu:.2f}", "", f"{ours.cpu:.2f}", "", f"{ours.cpu / bolt.cpu:.2f}"],
        ["CPU of a whole talk, ms", f"{bolt.talk_cpu:.2f}", "", f"{ours.talk_cpu:.2f}", "", ratio(bolt, ours)],
        ["acknowledged a second", f"{bolt.burst_acked:.0f}", "", f"{ours.burst_acked:.0f}", "", ""],
        ["answered a second", f"{bolt.burst_answered:.0f}", "", f"{ours.burst_answered:.0f}", "", ""],
    ]
    print(tabulate(lines, ["", "Bolt", "p95", "icc-bot", "p95", "to Bolt"], disable_numparse=True))
    for name, figures in (("Bolt", bolt), ("icc-bot", ours)):
        print(name, {method: round(number / count, 2) for method, number in figures.calls.items()})
        print(f"{name}, a whole talk", {method: round(n / count, 2) for method, n in figures.talk_calls.items()})


def profile(count: int) -> None:
    """Print the functions in which the loop of the bot spends most."""
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / "profile"
        measure(["-m", "cProfile", "-o", str(path), "-m", "bot", "slack"], count)
        pstats.Stats(str(path)).sort_stats("tottime").print_stats(40)
        pstats.Stats(str(path)).sort_stats("cumtime").print_stats("adapters|router|bot/", 40)


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:] if word.isdecimal()]
    if "--bare" in sys.argv:
        asyncio.run(bare())
    elif "--profile" in sys.argv:
        profile(*numbers or [QUESTIONS])
    else:
        main(*numbers or [QUESTIONS])
