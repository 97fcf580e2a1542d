"""Lets in what Teams itself sends on behalf of the tenants that are served, and nothing else.

The tokens are validated with PyJWT directly. The SDK's validation accepts tokens that never expire, sends tokens of
Microsoft's tenants ("the emulator") past the checks of audience and service address, lets keys without endorsement
pass, and raises ten kinds of errors for what is one answer; around PyJWT each rule is one line.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

import jwt
from botframework.connector import Channels
from botframework.connector.auth import ChannelValidation

from adapters.teams.access import Access
from adapters.teams.addresses import is_loopback, is_safe
from adapters.teams.cloud import cloud_of
from adapters.teams.fields import text
from adapters.teams.keys import Keys, Unavailable

TEAMS: Final[str] = Channels.ms_teams
SERVICE_URL: Final[str] = ChannelValidation.SERVICE_URL_CLAIM
LEEWAY: Final = 300
"""Seconds by which clocks may differ, as Microsoft allows."""
PROXIED: Final = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Original-Host", "Via")
"""Headers of a request that came through a proxy or a tunnel, from wherever."""


class Refused(Exception):
    """The request is not let in; `status` is the answer, the text is for the log only."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True, slots=True)
class Proof:
    """What a good token says."""

    service_url: str
    endorsements: frozenset[str]


class Gate(Protocol):
    """Decides in two steps, so that nothing of a body is read before its sender is known."""

    async def open(self, headers: Mapping[str, str]) -> Proof | None:
        """Return what the headers prove; raises Refused."""

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused where the activity is not what was proven, or of nobody who is served."""


class Authentication:
    """Demands a token that Microsoft has signed for this bot."""

    def __init__(self, access: Access, keys: Keys) -> None:
        self._app_id, self._tenants, self._keys = access.app_id, access.tenants, keys
        self._issuer = cloud_of(access).issuer

    async def open(self, headers: Mapping[str, str]) -> Proof:
        """Return what the token of the headers says; raises Refused."""
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise Refused(401, "it has no token")
        try:
            name = jwt.get_unverified_header(token).get("kid")
            if not isinstance(name, str):
                raise Refused(401, "its token names no key")
            key = await self._keys.find(name)
            if key is None:
                raise Refused(401, "the key of its token is unknown")
            claims = jwt.decode(
                token,
                key.public,
                algorithms=["RS256"],
                audience=self._app_id,
                issuer=self._issuer,
                leeway=LEEWAY,
                options={"require": ["exp", "iss", "aud"], "strict_aud": True},
            )
        except (jwt.PyJWTError, ValueError, RecursionError) as error:  # what is no text, or nested beyond measure
            raise Refused(401, f"its token is not good ({type(error).__name__})") from None
        except Unavailable as error:
            raise Refused(503, f"its token cannot be judged now: {error}") from None
        return Proof(text(claims, SERVICE_URL), key.endorsements)

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused unless the token was made for this activity, in Teams, of a tenant that is served."""
        if proof is None or not proof.service_url or proof.service_url != activity["serviceUrl"]:
            raise Refused(401, "its token is for another service address")
        if not is_safe(proof.service_url):
            raise Refused(401, "answers to it could be read by others")
        if activity["channelId"] not in proof.endorsements:
            raise Refused(401, "the key of its token is not for its channel")
        if activity["channelId"] != TEAMS:
            # In a web chat anybody may call himself by any name.
            raise Refused(403, "it does not come from Teams")
        tenants = tenants_of(activity)
        if not tenants or not tenants <= self._tenants:
            raise Refused(403, "it comes from a tenant that is not served")


class Loopback:
    """Demands no token, and lets in what a client on this machine sends directly."""

    async def open(self, headers: Mapping[str, str]) -> None:
        """Raise Refused where the request may come from another machine: through a tunnel, or by another name."""
        if any(name in headers for name in PROXIED):
            raise Refused(403, "it came through a proxy; without tokens, only this machine is answered")
        if not is_loopback(urlsplit(f"//{headers.get('Host', '')}").hostname or ""):
            raise Refused(403, "it was sent to another name than this machine's")

    def admit(self, proof: Proof | None, activity: dict[str, Any]) -> None:
        """Raise Refused where answers would leave this machine."""
        if not is_loopback(urlsplit(activity["serviceUrl"]).hostname or ""):
            raise Refused(403, "answers to it would leave this machine")


def tenants_of(activity: dict[str, Any]) -> set[str]:
    """Return the tenants that an activity names, in lower case: one, if all is well."""
    named = text(activity["conversation"], "tenantId"), text(activity["channelData"].get("tenant"), "id")
    return {tenant.lower() for tenant in named if tenant}
