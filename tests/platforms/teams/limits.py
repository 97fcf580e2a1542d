"""Limits of a bot's calls about one conversation, over each of several spans of time."""

from collections import defaultdict, deque
from dataclasses import dataclass, field

TEAMS = ((7, 1.0), (60, 30.0), (1800, 3600.0))
"""Calls and seconds, as Teams documents them."""


@dataclass
class Limits:
    """The calls of late, by conversation; `over` names each that was one too many."""

    spans: tuple[tuple[int, float], ...] = TEAMS
    over: list[str] = field(default_factory=list)
    _calls: dict[str, deque[float]] = field(default_factory=lambda: defaultdict(deque))

    def wait(self, conversation: str, now: float) -> float:
        """Count a call and return 0, or return after how many seconds it may be made again."""
        calls = self._calls[conversation]
        while calls and now - calls[0] > max((span for _, span in self.spans), default=0.0):
            calls.popleft()
        for count, span in self.spans:
            of_late = [each for each in calls if now - each < span]
            if len(of_late) >= count:
                self.over.append(conversation)
                return of_late[0] + span - now
        calls.append(now)
        return 0.0
