"""A model for platforms on which others than who runs the bot ask."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from router.agents.call import never, silent
from router.agents.shape import Shape
from router.agents.sql import Model
from router.errors import AgentAway

log = logging.getLogger("icc_bot")

AWAY: Final = (
    "The model that writes SQL cannot be reached right now. Your question is kept; try again later, or tell whoever "
    "runs this bot."
)


class Discreet:
    """Asks the model; what whoever runs the bot must mend stands in the log, and the person reads one sentence."""

    def __init__(self, model: Callable[[], Model]) -> None:
        self._model = model

    def text(
        self,
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None] = silent,
        stopped: Callable[[], bool] = never,
        agent: str,
        temperature: float | None = None,
    ) -> str:
        """Return the model's answer; raises AgentFailed or Stopped."""
        with self._discreet():
            return self._model().text(
                system, user, asker=asker, progress=progress, stopped=stopped, agent=agent, temperature=temperature
            )

    def fill(
        self,
        shape: type[Shape],
        system: str,
        user: str,
        *,
        asker: str,
        progress: Callable[[str], None] = silent,
        stopped: Callable[[], bool] = never,
        agent: str,
        temperature: float | None = None,
    ) -> Shape:
        """Return a valid `shape`; raises AgentFailed or Stopped."""
        with self._discreet():
            return self._model().fill(
                shape,
                system,
                user,
                asker=asker,
                progress=progress,
                stopped=stopped,
                agent=agent,
                temperature=temperature,
            )

    @contextmanager
    def _discreet(self) -> Iterator[None]:
        try:
            yield
        except AgentAway as error:
            log.error("the model that writes SQL: %s", error)
            raise AgentAway(AWAY) from error
