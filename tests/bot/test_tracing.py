"""Traces by OTLP: a question in Slack with Run, as a real collector's protocol shows it."""

import json
import logging
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot.commands.service import JsonLines
from bot.tracing import send_traces
from router.errors import Failed
from router.observing.metrics import TURNS_UNDER_WAY
from router.observing.spans import span
from tests.adapters.slack.talks.site import SlackSite, opened
from tests.platforms.ollama import Answer
from tests.platforms.otlp import Collector, Taken
from tests.support.bot_settings import settings_of

QUESTION = "Which region brings the most revenue?"


class Lines(logging.Handler):
    """Keeps the lines of a JSON log."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonLines())
        self.kept: list[dict[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.kept.append(json.loads(self.format(record)))


@pytest.fixture
def collector() -> Iterator[Collector]:
    with Collector() as running:
        yield running


@contextmanager
def traced_to(url: str, monkeypatch: pytest.MonkeyPatch, **environment: str) -> Iterator[None]:
    """Send traces there until the end of the block."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    with send_traces(settings_of({"OTEL_EXPORTER_OTLP_ENDPOINT": url})):
        yield


def ask_and_run(site: SlackSite) -> None:
    """Ask a question and press Run; return once nothing is under way, so that each span ended by itself."""
    before = TURNS_UNDER_WAY.read()
    root = site.ask(QUESTION)
    site.slack.press(site.shown(root, "Run on"), "Run", user="UANA")
    site.shown(root, "CSV")
    site.idle(root, 2)
    site.slack.wait(lambda: TURNS_UNDER_WAY.read() == before)


def test_a_question_is_one_trace_an_input(
    collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """From the event through stages, model and database to the card: connected, timed, and under the log's trace."""
    lines = Lines()
    logger = logging.getLogger("router.llm.client")
    caplog.set_level(logging.INFO, logger.name)
    logger.addHandler(lines)
    try:
        with traced_to(collector.root, monkeypatch), opened(tmp_path, "socket") as site:
            ask_and_run(site)
    finally:
        logger.removeHandler(lines)

    asked, pressed = collector.named("event slack")
    assert ("said", "pressed") == (asked.attributes["icc_bot.input"], pressed.attributes["icc_bot.input"])
    for event in (asked, pressed):
        require_connected(collector, event)
    of_question, of_run = of(collector, asked), of(collector, pressed)
    assert {"turn slack", "model sql", "database dry run", "deliver slack"} <= {each.name for each in of_question}
    assert {"turn slack", "job read_sql", "database read", "deliver slack"} <= {each.name for each in of_run}
    assert (asked.trace, pressed.trace) == tuple(dict.fromkeys(each.trace for each in (asked, pressed)))
    (model,) = [each for each in of_question if each.name == "model sql"]
    assert (11, 32) == (model.attributes["icc_bot.tokens_read"], model.attributes["icc_bot.tokens_written"])
    assert asked.trace in {line.get("trace") for line in lines.kept if "tokens read" in line["message"]}
    walked = [each.attributes for each in of_run if each.name.startswith("stage ")]
    assert all({"icc_bot.from", "icc_bot.outcome", "icc_bot.to"} <= set(each) for each in walked)
    (read,) = [each for each in of_run if each.name == "database read"]
    (job,) = [each for each in of_run if each.name == "job read_sql"]
    assert (read.parent, "shop") == (job.id, job.attributes["icc_bot.connection"])
    assert job.attributes["icc_bot.rows"] == read.attributes["icc_bot.rows"]
    assert ("icc-bot", True) == (collector.resource["service.name"], "service.version" in collector.resource)


def test_no_text_is_in_a_trace(collector: Collector, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither questions nor SQL, rows, names of people, channels, secrets or the words of an error are sent."""
    with traced_to(collector.root, monkeypatch), opened(tmp_path, "socket") as site:
        ask_and_run(site)
        site.slow["broken"] = Answer("strange words of a server", status=500)
        root = site.ask("broken: how many?")
        site.shown(root, "Put it in other words")
        site.idle(root, 1)
        secrets = (site.slack.bot_token, site.slack.app_token, site.slack.signing_secret, site.model.url)

    sent = b"".join(collector.bodies)
    assert b"stage " in sent
    texts = (
        "region",
        "revenue",
        "SELECT",
        "Ana",
        "ana@",
        "UANA",
        "C1/",
        "T1/",
        "strange words",
        "North",
    )
    assert [text for text in (*texts, *secrets, str(tmp_path)) if text and text.encode() in sent] == []
    (failed,) = [each for each in collector.named("model") if each.failed]
    assert "AgentAway" == failed.attributes["error.type"]
    assert {len(str(each.attributes["icc_bot.talk"])) for each in collector.named("event")} == {16}


def of(collector: Collector, event: Taken) -> list[Taken]:
    """Return the spans of an event's trace."""
    return [each for each in collector.named("") if each.trace == event.trace]


def require_connected(collector: Collector, event: Taken) -> None:
    """Fail unless each span of the event's trace lies within its parent, and the event alone has none."""
    spans = {each.id: each for each in of(collector, event)}
    assert [each.name for each in spans.values() if not each.parent] == [event.name]
    for each in spans.values():
        around = spans[each.parent] if each.parent else each
        assert around.begun <= each.begun <= each.ended <= around.ended, (each.name, around.name)


def test_nobody_traces_without_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a collector, or with the standard switches, a span is the same nothing each time."""
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    unseen = span("turn")
    with send_traces(settings_of({})):
        assert span("turn", "slack", rows=1) is unseen
    for name, value in (("OTEL_SDK_DISABLED", "true"), ("OTEL_TRACES_EXPORTER", "none")):
        with monkeypatch.context() as patch, traced_to("http://127.0.0.1:9", patch, **{name: value}):
            assert span("turn") is unseen


def test_a_failure_is_named_by_its_kind(collector: Collector, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of an error stay here."""
    with traced_to(collector.root, monkeypatch), pytest.raises(Failed), span("job", "read_sql"):
        raise Failed("row 7 has 'Ana'")

    (taken,) = collector.spans
    assert ("job read_sql", True, {"error.type": "Failed"}) == (taken.name, taken.failed, taken.attributes)


def test_a_collector_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds up neither the work nor the end of the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{free.getsockname()[1]}"
    with traced_to(away, monkeypatch):
        began = time.monotonic()
        for _ in range(1000):
            with span("turn"):
                pass
        assert time.monotonic() - began < 3.0
    assert time.monotonic() - began < 8.0
