"""A picture of the dashboard, from figures of a bot that really runs: `docs/dashboard.png`.

`uv run python -m tests.bench.dashboard_picture [--minutes 4] [--into docs/dashboard.png]` runs `icc-bot slack` in a
process of its own in Slack's stand-in, has people ask and press Run, and reads its `/metrics` by a real Prometheus,
which must be there (`apt-get install prometheus`). Each query of `deploy/grafana/dashboard.json` is asked of that, and
its answer drawn by matplotlib: it shows what the panels show, and not how Grafana looks. The model is a stand-in, too:
it answers within some seconds, and refuses what comes when it is busy, so that there are retries to be seen.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket
from threading import Lock, Thread
from typing import Any

import httpx
import matplotlib

from tests.bench.bench_slack import CHANNELS
from tests.platforms.ollama import Answer, Ollama
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message
from tests.support.slack_bot import environment

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana" / "dashboard.json"
TOKEN = "a-token-of-prometheus"
SCRAPE_SECONDS = 2
RATE = "30s"
PEOPLE = 6
ROOM = 2
"""Questions that the model's stand-in answers at once."""
SQL = "SELECT r.name, COUNT(*) AS customers FROM regions AS r JOIN customers AS c ON c.region_id = r.id GROUP BY r.name"
QUESTIONS = ("How many customers has each region?", "Customers of each region?", "Count customers by region")
CHANCE = random.Random(7)


class BusyModel(Ollama):
    """A server that answers a few questions at once, and refuses the others."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._now, self._taking = 0, Lock()

    def answer(self, body: dict[str, Any]) -> Answer:
        """Take a question, or refuse it."""
        with self._taking:
            self.history.append(body)
            if self._now >= ROOM:
                return Answer("server busy, please try again", status=503, headers={"Retry-After": "2"})
            self._now += 1
        return Answer(SQL, pace=CHANCE.uniform(0.03, 0.2))

    def lines(self, model: str, answer: Answer) -> Iterator[dict[str, Any]]:
        """Answer, and have room for the next one."""
        try:
            yield from super().lines(model, answer)
        finally:
            with self._taking:
                self._now -= 1


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@contextmanager
def child(command: list[str], log: Path, variables: dict[str, str]) -> Iterator[None]:
    """Run a program until the end of the block."""
    with log.open("w") as written:
        process = subprocess.Popen(command, env={**os.environ, **variables}, stdout=written, stderr=written)
        try:
            yield
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(60)


@contextmanager
def prometheus(folder: Path, bot: int) -> Iterator[str]:
    """Read the bot's figures until the end of the block, which is given the address to ask."""
    program, port = shutil.which("prometheus"), free_port()
    if program is None:
        sys.exit("There is no Prometheus: apt-get install prometheus")
    scraped = {
        "job_name": "icc-bot",
        "scrape_interval": f"{SCRAPE_SECONDS}s",
        "authorization": {"credentials": TOKEN},
        "static_configs": [{"targets": [f"127.0.0.1:{bot}"]}],
    }
    (folder / "prometheus.yml").write_text(json.dumps({"scrape_configs": [scraped]}))  # JSON is YAML
    command = [program, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'tsdb'}"]
    with child([*command, f"--web.listen-address=127.0.0.1:{port}"], folder / "prometheus.log", {}):
        yield f"http://127.0.0.1:{port}"


def hold_talks(slack: Slack, person: int, until: float) -> None:
    """Ask and press Run, with pauses, as one person does; now and then SQL that the guard refuses."""
    user, channel, number = f"U{person}", CHANNELS[person], 0
    while time.monotonic() < until:
        time.sleep(CHANCE.uniform(0.5, 6.0))
        number += 1
        refused = number % 5 == 4
        words = "DELETE FROM regions" if refused else QUESTIONS[number % len(QUESTIONS)]
        with suppress(TimeoutError):
            root = slack.say(channel, words, user=user, mention=True)
            if not refused:
                slack.press(shown(slack, channel, "Run on", root), "Run", user=user)
                shown(slack, channel, "Download", root)


def shown(slack: Slack, channel: str, words: str, root: Message) -> Message:
    return slack.wait_message(channel, words, thread=root, seconds=90)


def asked(url: str, expression: str, begin: float, end: float) -> list[dict[str, Any]]:
    """Return the series that Prometheus has for a query of the dashboard."""
    query = expression.replace("$__rate_interval", RATE).replace("$instance", ".*")
    span = {"query": query, "start": str(begin), "end": str(end), "step": str(SCRAPE_SECONDS)}
    answer = httpx.get(f"{url}/api/v1/query_range", params=span, timeout=30).json()
    if answer["status"] != "success":
        sys.exit(f"Prometheus does not understand {query}: {answer}")
    series: list[dict[str, Any]] = answer["data"]["result"]
    return series


def named(legend: str, labels: dict[str, str]) -> str:
    """Return a series' name as Grafana makes it."""
    for name, value in labels.items():
        legend = legend.replace("{{" + name + "}}", value)
    return legend


def draw(url: str, begin: float, end: float, into: Path) -> None:
    """Draw every panel where it is on the dashboard."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = [each for each in json.loads(DASHBOARD.read_text())["panels"] if each["type"] != "row"]
    places = sorted({panel["gridPos"]["y"] for panel in panels})
    plt.rcParams.update({"font.size": 7, "axes.spines.top": False, "axes.spines.right": False})
    figure, axes = plt.subplots(len(places), 3, figsize=(13, 2.1 * len(places)), squeeze=False, layout="constrained")
    for each in axes.flat:
        each.set_axis_off()
    for panel in panels:
        place = panel["gridPos"]
        axis = axes[places.index(place["y"])][place["x"] // 8]
        axis.set_axis_on()
        draw_panel(axis, panel, url, begin, end)
    figure.savefig(into, dpi=110)


def draw_panel(axis: Any, panel: dict[str, Any], url: str, begin: float, end: float) -> None:
    """Draw the series of one panel."""
    unit = panel["fieldConfig"]["defaults"]["unit"]
    scale, sign = {"bytes": (1e-6, " MB"), "s": (1.0, " s"), "percentunit": (100.0, " %")}.get(unit, (1.0, ""))
    drawn = False
    for target in panel["targets"]:
        for series in asked(url, target["expr"], begin, end):
            points = [((at - begin) / 60, float(value) * scale) for at, value in series["values"] if value != "NaN"]
            if points:
                axis.plot(
                    *zip(*points, strict=True), linewidth=1, label=named(target["legendFormat"], series["metric"])
                )
                drawn = True
    axis.set_title(panel["title"], loc="left", fontsize=8, fontweight="bold")
    axis.set_xlim(0, (end - begin) / 60)
    axis.set_ylim(0, axis.get_ylim()[1] * 1.25)  # room for the legend
    axis.grid(alpha=0.25)
    axis.yaxis.set_major_formatter(lambda value, _: f"{value:g}{sign}")
    axis.xaxis.set_major_formatter(lambda value, _: f"{value:g} min")
    if drawn:
        axis.legend(fontsize=6, frameon=False, ncols=2, loc="upper left")
    else:
        axis.text(0.5, 0.5, "no data", ha="center", va="center", transform=axis.transAxes, color="grey")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=4.0)
    parser.add_argument("--into", type=Path, default=Path("docs/dashboard.png"))
    given = parser.parse_args()
    port = free_port()
    with tempfile.TemporaryDirectory() as room, Slack() as slack, BusyModel() as model:
        slack.scopes |= {"users:read", "channels:history", "groups:history"}
        for channel in CHANNELS:
            slack.channel(channel)
        folder = Path(room)
        variables = environment(folder, slack, model, "socket", port) | {"ICC_BOT_METRICS_TOKEN": TOKEN}
        with (
            child([sys.executable, "-m", "bot", "slack"], folder / "bot.log", variables),
            prometheus(folder, port) as url,
        ):
            slack.wait_socket()
            slack.fail_some(0.03, seed=4)
            begin = time.time()
            until = time.monotonic() + given.minutes * 60
            people = [Thread(target=hold_talks, args=(slack, number, until)) for number in range(PEOPLE)]
            for person in people:
                person.start()
            for person in people:
                person.join()
            draw(url, begin, time.time(), given.into)
    print(f"{given.into}: {len(model.history)} questions to the model in {given.minutes:g} minutes")


if __name__ == "__main__":
    main()
