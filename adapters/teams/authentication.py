"""Lets in what Teams itself sends on behalf of the tenants that are served, and nothing else.

The tokens are validated with PyJWT directly. The SDK's validation accepts tokens that never expire, sends tokens of
Microsoft's tenants ("the emulator") past the checks of audience and service address, lets keys without endorsement
pass, and raises ten kinds of errors for what is one answer; around PyJWT each rule is one line.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any, Protocol

import jwt
from aiohttp import ClientError, ClientSession, ClientTimeout
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from jwt import PyJWK
from jwt.exceptions import PyJWTError

from adapters.teams.access import TeamsAccess, is_here, is_safe
from adapters.teams.cloud import cloud_of
from adapters.teams.json_fields import text

# Microsoft's keys are fetched here: the SDK does it with a blocking call without a time-out on the event loop, once an
# hour at most, and fails with an index error if a key is unknown.


log = logging.getLogger("icc_bot")

KEYS_LIFETIME_SECONDS = 24 * 60 * 60.0
"""Seconds after which keys are fetched again, as Microsoft asks for."""
KEYS_PACE_SECONDS = 5.0
"""Seconds between two looks for keys, whatever names are invented."""
KEYS_MAX_SECONDS = 5.0
"""The time that one of the two documents may take; Teams waits 15 seconds for the bot in all."""


class Unavailable(Exception):
    """The issuer of a key does not answer, so that the key cannot be checked."""


@dataclass(frozen=True, slots=True)
class Key:
    """A public key, and the channels that may sign with it."""

    public: RSAPublicKey
    endorsements: frozenset[str]


class SigningKeys:
    """The keys announced at an address, remembered; one fetch at a time, however many ask."""

    def __init__(
        self,
        session: ClientSession,
        url: str,
        clock: Callable[[], float] = time.monotonic,
        patience: float = KEYS_MAX_SECONDS,
    ) -> None:
        self._session, self._url, self._clock, self._patience = session, url, clock, patience
        self._keys: dict[str, Key] = {}
        self._fetched = self._tried = -inf
        self._problem = ""
        self._lock = asyncio.Lock()

    async def find(self, name: str) -> Key | None:
        """Return the key of this name, None if none is announced; raises Unavailable."""
        looked = self._due(name)
        if looked:
            async with self._lock:
                if self._due(name):  # not fetched by another in the meantime
                    await self._refresh()
        if name not in self._keys and (self._problem or not looked):
            # A new key may hide among invented names: told to come back, Teams sends it again.
            raise Unavailable(self._problem or "an unknown key was looked for just now")
        return self._keys.get(name)

    def _due(self, name: str) -> bool:
        now = self._clock()
        old = name not in self._keys or now - self._fetched >= KEYS_LIFETIME_SECONDS
        return old and now - self._tried >= KEYS_PACE_SECONDS

    async def _refresh(self) -> None:
        """Fetch the keys; if that fails, those known stay good."""
        self._problem = "it is being asked"
        try:
            self._keys = await fetch(self._session, self._url, self._patience)
            self._fetched, self._problem = self._clock(), ""
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            self._problem = f"{self._url} gives no keys ({type(error).__name__})"
            log.error("the keys of incoming messages could not be fetched: %s", self._problem)
        finally:
            self._tried = self._clock()


async def fetch(session: ClientSession, url: str, patience: float = KEYS_MAX_SECONDS) -> dict[str, Key]:
    """Return the keys announced at this address by name; raises ClientError, TimeoutError, OSError or ValueError."""
    document = await _json(session, url, patience)
    where = document.get("jwks_uri")
    if not isinstance(where, str) or not is_safe(where):
        raise ValueError("there is no address of keys")
    listed = (await _json(session, where, patience)).get("keys")
    keys = {}
    for given in listed if isinstance(listed, list) else []:
        with suppress(PyJWTError, ValueError, TypeError, KeyError, AttributeError):  # of a kind that is not used here
            public, endorsements = PyJWK(given).key, given.get("endorsements") or []
            if isinstance(public, RSAPublicKey):
                keys[str(given["kid"])] = Key(public, frozenset(map(str, endorsements)))
    if not keys:
        raise ValueError("there are no keys")
    return keys


async def _json(session: ClientSession, url: str, patience: float) -> dict[str, Any]:
    async with session.get(url, timeout=ClientTimeout(total=patience), raise_for_status=True) as answer:
        found = await answer.json(content_type=None)
    if not isinstance(found, dict):
        raise ValueError("no object of JSON")
    return found


TEAMS = "msteams"
SERVICE_URL = "serviceurl"
"""The claim that names the address to which answers go."""
CLOCK_LEEWAY_SECONDS = 300
"""Seconds by which clocks may differ, as Microsoft allows."""
PROXIED = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Original-Host", "Via")
"""Headers of a request that came through a proxy or a tunnel, from wherever."""


class NotAuthenticated(Exception):
    """The request is not let in; `status` is the answer, the text is for the log only."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class Proof:
    """The claims of a good token."""

    service_url: str
    endorsements: frozenset[str]


class RequestCheck(Protocol):
    """Decides in two steps, so that nothing of a body is read before its sender is known."""

    async def open(self, headers: Mapping[str, str]) -> Proof | None:
        """Return what the headers prove; raises Refused."""

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused if the activity is not what was proven, or of nobody who is served."""


class Authentication:
    """Demands a token that Microsoft has signed for this bot."""

    def __init__(self, access: TeamsAccess, keys: SigningKeys) -> None:
        self._app_id, self._tenants, self._keys = access.app_id, access.tenants, keys
        self._issuer = cloud_of(access).issuer

    async def open(self, headers: Mapping[str, str]) -> Proof:
        """Return what the token of the headers says; raises Refused."""
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise NotAuthenticated(401, "it has no token")
        try:
            name = jwt.get_unverified_header(token).get("kid")
            if not isinstance(name, str):
                raise NotAuthenticated(401, "its token names no key")
            key = await self._keys.find(name)
            if key is None:
                raise NotAuthenticated(401, "the key of its token is unknown")
            claims = jwt.decode(
                token,
                key.public,
                algorithms=["RS256"],
                audience=self._app_id,
                issuer=self._issuer,
                leeway=CLOCK_LEEWAY_SECONDS,
                options={"require": ["exp", "iss", "aud"], "strict_aud": True},
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:  # what is no text, or nested beyond measure
            raise NotAuthenticated(401, f"its token is not good ({type(error).__name__})") from None
        except Unavailable as error:
            raise NotAuthenticated(503, f"its token cannot be judged now: {error}") from None
        return Proof(text(claims, SERVICE_URL), key.endorsements)

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused unless the token was made for this activity, in Teams, of a tenant that is served."""
        if proof is None or not proof.service_url or proof.service_url != activity["serviceUrl"]:
            raise NotAuthenticated(401, "its token is for another service address")
        if not is_safe(proof.service_url):
            raise NotAuthenticated(401, "answers to it could be read by others")
        if activity["channelId"] not in proof.endorsements:
            raise NotAuthenticated(401, "the key of its token is not for its channel")
        if activity["channelId"] != TEAMS:
            # In a web chat anybody may call himself by any name.
            raise NotAuthenticated(403, "it does not come from Teams")
        tenants = tenants_of(activity)
        if not tenants or not tenants <= self._tenants:
            raise NotAuthenticated(403, "it comes from a tenant that is not served")


class Loopback:
    """Demands no token, and lets in what a client on this machine sends directly."""

    async def open(self, headers: Mapping[str, str]) -> None:
        """Raise Refused if the request may come from another machine: through a tunnel, or by another name."""
        if any(name in headers for name in PROXIED):
            raise NotAuthenticated(403, "it came through a proxy; without tokens, only this machine is answered")
        if not is_here(f"http://{headers.get('Host', '')}"):
            raise NotAuthenticated(403, "it was sent to another name than this machine's")

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused if answers would leave this machine."""
        if not is_here(activity["serviceUrl"]):
            raise NotAuthenticated(403, "answers to it would leave this machine")


def tenants_of(activity: dict[str, Any]) -> set[str]:
    """Return the tenants that an activity names, in lower case: one, if all is well."""
    named = text(activity["conversation"], "tenantId"), text(activity["channelData"].get("tenant"), "id")
    return {tenant.lower() for tenant in named if tenant}
