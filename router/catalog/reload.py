"""connections.toml while the bot is at work: read again when it changes, so that rights hold at once."""

import logging
import time
from collections.abc import Mapping
from pathlib import Path
from threading import Lock

from router.catalog.availability import log_away
from router.catalog.connection import Connections, ConnectionsSnapshot
from router.catalog.connections_file import connections_in, read_text
from router.errors import SettingsError
from router.storage.edited_files import sign_of

log = logging.getLogger("icc_bot")

SETTLE_SECONDS = 0.3
"""Seconds that a file must stand unchanged before it counts: half of one that is being written may be valid TOML."""

TIMESTAMP_SETTLED_SECONDS = 2.0
"""Seconds after which a file that changes once more has another time than before, on any file system."""


class FollowedConnections(Connections):
    """The connections of a file as it is now; thread-safe.

    Every look at them looks at the file's time, size and number first, which takes microseconds, so that no way into
    the bot can forget to. A change counts once the file stood still for `settle` seconds. A file that is not in order
    changes nothing: the log has what is wrong with it, once.
    """

    def __init__(
        self,
        path: Path,
        environ: Mapping[str, str],
        settle: float = SETTLE_SECONDS,
        opens: bool = True,
    ) -> None:
        """Read the file, of whose databases this process `opens` any, or none. Raises SettingsError."""
        super().__init__([])
        self._path, self._environ, self._settle, self._opens = path, dict(environ), settle, opens
        self._reading = Lock()
        self._state, self._fresh = sign_of(path), True
        self._text = read_text(path)
        self._take_over(self._found())

    def _now(self) -> ConnectionsSnapshot:
        # A caller that comes while another thread reads goes on with what was in force before.
        if (self._fresh or sign_of(self._path) != self._state) and self._reading.acquire(blocking=False):
            try:
                self._look()
            except Exception:  # rights stay as they are, whatever it is
                log.exception("%s could not be read again", self._path.name)
            finally:
                self._reading.release()
        return self._held

    def _look(self) -> None:
        """Read the file, and take it over if it is another one and in order."""
        state = sign_of(self._path)
        changed = state != self._state
        found: Connections | None = None
        if state and abs(time.time() - max(state[:2]) / 1e9) < self._settle:
            self._fresh = True  # somebody may be writing it still: the next call looks again
            return
        try:
            text = read_text(self._path)
            if sign_of(self._path) != state:
                self._fresh = True
                return
            changed |= text != self._text
            self._text = text
            found = self._found() if changed else None
        except SettingsError as error:
            if changed:
                log.warning(
                    "%s is not in order any more, so all connections and rights stay as they were: %s",
                    self._path.name,
                    error,
                )
        # A change within the same tick of the clock leaves time and size as they are.
        self._fresh = state is not None and abs(time.time() - state[0] / 1e9) < TIMESTAMP_SETTLED_SECONDS
        self._state = state
        if found is not None:
            log.info("%s was read again: %s", self._path.name, ", ".join(found))
            self._take_over(found)

    def _found(self) -> Connections:
        return connections_in(self._path, self._text, self._environ, self._opens)

    def _take_over(self, found: Connections) -> None:
        log_away(found.values())
        self.renew(found)
