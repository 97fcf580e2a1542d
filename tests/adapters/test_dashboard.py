"""The dashboard for Grafana asks for nothing but what `/metrics` gives."""

import json
import re
from pathlib import Path
from typing import Any

from adapters.watching import exposition
from router.observing.metrics import COUNTERS, DURATIONS

DASHBOARD = Path(__file__).parents[2] / "deploy" / "grafana" / "dashboard.json"
QUEUE = {"icc_bot_queue_waiting", "icc_bot_queue_oldest_seconds"}
"""Metrics of the queue that several processes share: a process without one gives none."""
METRIC = re.compile(r"\b(?:icc_bot|process|python)_\w+")


def panels() -> list[dict[str, Any]]:
    """Return the panels that show something."""
    every: list[dict[str, Any]] = json.loads(DASHBOARD.read_text())["panels"]
    return [panel for panel in every if panel["type"] != "row"]


def expressions() -> list[str]:
    """Return all queries of the dashboard."""
    return [target["expr"] for panel in panels() for target in panel["targets"]]


def given() -> set[str]:
    """Return the names under which `/metrics` gives figures, as Prometheus keeps them."""
    names: set[str] = set()
    for name, kind in re.findall(r"^# TYPE (\S+) (\w+)$", exposition().decode(), re.MULTILINE):
        names |= {f"{name}_bucket", f"{name}_sum", f"{name}_count"} if kind == "histogram" else {name}
    return names


def test_every_metric_is_given() -> None:
    """No panel stays empty because a name is wrong or was changed."""
    asked = {name for expression in expressions() for name in METRIC.findall(expression)}

    assert len(asked) > 15
    assert asked - given() - QUEUE == set()


def test_every_tally_is_shown() -> None:
    """What the bot counts has a panel."""
    shown = " ".join(expressions())

    assert [tally.name for tally in (*COUNTERS, *DURATIONS) if f"{tally.name}_" not in shown] == []


def test_every_label_is_one_of_its_metric() -> None:
    """What figures are added up by is a label that they have."""
    labels = {f"{each.name}_total": {*each.labels} for each in COUNTERS}
    for each in DURATIONS:
        labels |= {f"{each.name}_bucket": {*each.labels, "le"}, f"{each.name}_count": {*each.labels}}
    for expression in expressions():
        (name,) = METRIC.findall(expression)
        by = {label for group in re.findall(r"by \(([^)]*)\)", expression) for label in group.split(", ")}
        chosen = set(re.findall(r'[{, ](\w+)=~?"', expression))
        assert (by | chosen) - labels.get(name, set()) - {"instance"} == set(), expression
