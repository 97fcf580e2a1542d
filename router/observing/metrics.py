"""Metrics: counts and durations of this process, read at `/metrics`; thread-safe, a microsecond a call.

Their labels have few values, which no person and no talk makes more of: a platform, a kind, an outcome. Nothing here
knows Prometheus, whose library takes longer to import than a tenth of a start.
"""

from bisect import bisect_left
from collections.abc import Sequence
from copy import deepcopy
from threading import Lock
from typing import Final, Generic, TypeVar

Labels = tuple[str, ...]
N = TypeVar("N")

DURATION_BUCKETS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 180.0, 600.0)
"""The upper ends of the classes that durations are counted in."""


class _Tally(Generic[N]):
    """A number, or several, for each combination of labels."""

    def __init__(self, name: str, about: str, labels: Sequence[str] = ()) -> None:
        self.name, self.about, self.labels = name, about, tuple(labels)
        self._lock, self._numbers = Lock(), dict[Labels, N]()

    def read(self) -> dict[Labels, N]:
        """Return the numbers now."""
        with self._lock:
            return deepcopy(self._numbers)


class Counter(_Tally[float]):
    """A number that only grows."""

    def add(self, *labels: str, by: float = 1) -> None:
        """Count one more, or `by`."""
        with self._lock:
            self._numbers[labels] = self._numbers.get(labels, 0) + by


class Durations(_Tally[tuple[list[int], float]]):
    """Seconds: how many were in each class, the last of which has no end, and their sum."""

    def add(self, seconds: float, *labels: str) -> None:
        """Count a duration."""
        with self._lock:
            counts, total = self._numbers.get(labels, ([0] * (len(DURATION_BUCKETS) + 1), 0.0))
            counts[bisect_left(DURATION_BUCKETS, seconds)] += 1
            self._numbers[labels] = counts, total + seconds


class Gauge:
    """A number that goes up and down."""

    def __init__(self, name: str, about: str) -> None:
        self.name, self.about = name, about
        self._lock, self._number = Lock(), 0

    def change(self, by: int) -> None:
        """Go up, or down."""
        with self._lock:
            self._number += by

    def read(self) -> int:
        """Return the number now."""
        return self._number


TURNS = Counter("icc_bot_turns", "Inputs that were worked on.", ("platform", "outcome"))
TURN_SECONDS = Durations("icc_bot_turn_seconds", "From the begin of a turn to its last reply.", ("platform",))
WAIT_SECONDS = Durations("icc_bot_turn_wait_seconds", "From an input to the begin of its turn.", ("platform",))
TURNS_UNDER_WAY = Gauge("icc_bot_turns_under_way", "Turns that are worked on, or wait for a thread.")
DELIVERIES = Counter("icc_bot_deliveries", "Replies given to a platform.", ("platform", "outcome"))
RETRIES = Counter("icc_bot_retries", "Calls of a platform that were tried again.", ("platform",))
MODEL_SECONDS = Durations("icc_bot_model_seconds", "Answers of a model.", ("task",))
MODEL_WAIT_SECONDS = Durations("icc_bot_model_wait_seconds", "Waiting for a model that is busy.", ("task",))
MODEL_FAILURES = Counter("icc_bot_model_failures", "Answers of a model that failed or were stopped.", ("task",))
MODEL_RETRIES = Counter(
    "icc_bot_model_retries", "Questions asked again of a model that was busy or away.", ("task", "reason")
)
MODELS_AWAY = Gauge("icc_bot_models_away", "Questions that wait for a model which could not be reached.")
TOKENS = Counter("icc_bot_model_tokens", "Tokens that models read and wrote.", ("task", "direction"))
JOB_SECONDS = Durations("icc_bot_job_seconds", "Reading, writing, e-mailing and comparing.", ("kind", "outcome"))
DECISIONS = Counter("icc_bot_audited", "Lines of the audit trail, refusals among them.", ("event", "outcome"))

COUNTERS: Final = (TURNS, DELIVERIES, RETRIES, MODEL_FAILURES, MODEL_RETRIES, TOKENS, DECISIONS)
DURATIONS: Final = (TURN_SECONDS, WAIT_SECONDS, MODEL_SECONDS, MODEL_WAIT_SECONDS, JOB_SECONDS)
GAUGES: Final = (TURNS_UNDER_WAY, MODELS_AWAY)
