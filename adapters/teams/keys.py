"""The keys that Microsoft signs incoming activities with, as it announces them.

The SDK fetches them with a blocking call without a time-out on the event loop, once an hour at most, and fails with an
index error where a key is unknown; so they are fetched here.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Final

from aiohttp import ClientError, ClientSession, ClientTimeout
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from adapters.teams.addresses import is_safe

log = logging.getLogger("icc_bot")

DAY: Final = 24 * 60 * 60.0
"""Seconds after which keys are fetched anew, as Microsoft asks for."""
MINUTE: Final = 60.0
"""Seconds between two looks for a key that is not among those known."""
SOON: Final = 5.0
"""Seconds between two tries while there are no keys at all."""
SECONDS: Final = 5.0
"""How long one of the two documents may take; Teams waits 15 seconds for the bot in all."""


class Unavailable(Exception):
    """It cannot be told now whether a key is good, since its issuer does not answer."""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key, and the channels that may sign with it."""

    public: RSAPublicKey
    endorsements: frozenset[str]


class Keys:
    """The keys announced at an address, remembered; one fetch at a time, however many ask."""

    def __init__(
        self,
        session: ClientSession,
        url: str,
        clock: Callable[[], float] = time.monotonic,
        patience: float = SECONDS,
    ) -> None:
        self._session, self._url, self._clock, self._patience = session, url, clock, patience
        self._keys: dict[str, Key] = {}
        self._fetched = self._tried = -inf
        self._problem = ""
        self._lock = asyncio.Lock()

    async def find(self, name: str) -> Key | None:
        """Return the key of this name, None where none is announced; raises Unavailable."""
        if self._due(name):
            async with self._lock:
                if self._due(name):  # not fetched by another in the meantime
                    await self._refresh()
        if name not in self._keys and self._problem:
            raise Unavailable(self._problem)
        return self._keys.get(name)

    def _due(self, name: str) -> bool:
        now = self._clock()
        wanted = name not in self._keys or now - self._fetched >= DAY
        return wanted and now - self._tried >= (MINUTE if self._keys else SOON)

    async def _refresh(self) -> None:
        """Fetch the keys; where that fails, those known stay good."""
        self._problem = "it is being asked"
        try:
            self._keys = await fetch(self._session, self._url, self._patience)
            self._fetched, self._problem = self._clock(), ""
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            self._problem = f"{self._url} gives no keys ({type(error).__name__})"
            log.error("the keys of incoming messages could not be fetched: %s", self._problem)
        finally:
            self._tried = self._clock()


async def fetch(session: ClientSession, url: str, patience: float = SECONDS) -> dict[str, Key]:
    """Return the keys announced at this address by name; raises ClientError, TimeoutError, OSError or ValueError."""
    document = await _json(session, url, patience)
    where = document.get("jwks_uri")
    if not isinstance(where, str) or not is_safe(where):
        raise ValueError("there is no address of keys")
    listed = (await _json(session, where, patience)).get("keys")
    keys = dict(filter(None, map(_key, listed if isinstance(listed, list) else [])))
    if not keys:
        raise ValueError("there are no keys")
    return keys


async def _json(session: ClientSession, url: str, patience: float) -> dict[str, Any]:
    async with session.get(url, timeout=ClientTimeout(total=patience), raise_for_status=True) as answer:
        found = await answer.json(content_type=None)
    if not isinstance(found, dict):
        raise ValueError("no object of JSON")
    return found


def _key(given: Any) -> tuple[str, Key] | None:
    """Return a key with its name, None where it is of a kind that is not used here."""
    try:
        name, endorsements = given["kid"], given.get("endorsements") or []
        public = PyJWK(given).key
        if not isinstance(name, str) or not isinstance(public, RSAPublicKey):
            return None
        return name, Key(public, frozenset(filter(lambda one: isinstance(one, str), endorsements)))
    except (PyJWTError, ValueError, TypeError, KeyError, AttributeError):
        return None
