"""The tokens that the bot sends with whatever it asks of Teams.

Passwords and certificates are shown to Entra here, in one request. The SDK's classes for them block a thread without a
time-out, ask Microsoft's public cloud about any other address, and sign with SHA-1. Managed identities, which differ
from one of Azure's hosts to the next, are msal's, in a thread and with a time-out.
"""

import asyncio
import base64
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from math import inf
from pathlib import Path
from typing import Any
from uuid import uuid4

import jwt
from aiohttp import ClientError, ClientSession, ClientTimeout
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from adapters.teams.access import TeamsAccess
from adapters.teams.cloud import cloud_of, token_url_of
from adapters.teams.failures import NoToken
from adapters.teams.json_fields import text

# The certificate, in place of a password.


@dataclass(frozen=True, slots=True)
class Certificate:
    """A private key with what Entra knows of it; the key does not show in its repr."""

    key: RSAPrivateKey = field(repr=False)
    thumbprint: str
    """SHA-256, base64url."""
    ends: datetime


def read_certificate(path: Path) -> Certificate:
    """Return the key and its certificate from a PEM file; raises ValueError with what is wrong, as a sentence's end."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"cannot be read ({error.strerror})") from error
    try:
        key = load_pem_private_key(content, password=None)
    except TypeError:
        raise ValueError("holds a key with a passphrase; write it without one, readable to the bot only") from None
    except ValueError:
        raise ValueError("holds no private key in PEM form") from None
    if not isinstance(key, RSAPrivateKey):
        raise ValueError("holds a key that is no RSA key")
    try:
        listed = x509.load_pem_x509_certificates(content)
    except ValueError:
        raise ValueError("holds no certificate; append it to the key") from None
    for one in listed:
        if one.public_key() == key.public_key():
            return Certificate(key, _base64(one.fingerprint(SHA256())), one.not_valid_after_utc)
    raise ValueError("holds a certificate that is not the key's")


def assertion(certificate: Certificate, app_id: str, audience: str) -> str:
    """Return the token by which Entra sees, for five minutes, that its sender has the key."""
    now = datetime.now(UTC)
    claims = {"aud": audience, "iss": app_id, "sub": app_id, "jti": str(uuid4())}
    times = {"iat": now, "nbf": now, "exp": now + timedelta(minutes=5)}
    return jwt.encode(claims | times, certificate.key, "PS256", headers={"x5t#S256": certificate.thumbprint})


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


TOKEN_MAX_SECONDS = 15.0
"""The time that a token may take."""
TOKEN_MARGIN_SECONDS = 300.0
"""Seconds before its end in which a token is not used if a new one can be had."""
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


class BotTokens:
    """The bot's token, fetched when it is needed; one fetch at a time, however many ask."""

    def __init__(
        self, session: ClientSession, access: TeamsAccess, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._session, self._access, self._clock = session, access, clock
        self._token, self._fresh, self._ends = "", -inf, -inf
        self._lock = asyncio.Lock()

    async def get(self) -> str:
        """Return a token that is good for a while; raises NoToken."""
        async with self._lock:
            if self._clock() >= self._fresh:
                try:
                    token, seconds = await self._fetch()
                except NoToken:
                    if self._clock() >= self._ends:
                        raise
                else:
                    self._token, self._ends = token, self._clock() + seconds
                    self._fresh = self._ends - min(TOKEN_MARGIN_SECONDS, seconds / 2)
            return self._token

    def forget(self, token: str) -> None:
        """Have the next call fetch another token than this one, which was not taken."""
        if token == self._token:
            self._fresh = self._ends = -inf

    async def _fetch(self) -> tuple[str, float]:
        """Return a token and the seconds for which it is good; raises NoToken."""
        if self._access.kind == "UserAssignedMSI":
            return await asyncio.to_thread(_of_identity, self._access)
        try:
            async with self._session.post(
                token_url_of(self._access),
                data=self._form(),
                timeout=ClientTimeout(total=TOKEN_MAX_SECONDS),
                allow_redirects=False,
            ) as answer:
                status, given = answer.status, await answer.json(content_type=None)
        except (ClientError, TimeoutError, OSError, ValueError) as error:
            raise NoToken(type(error).__name__, lasting=False) from None
        return _token(status, given)

    def _form(self) -> dict[str, str]:
        access = self._access
        form = {
            "grant_type": "client_credentials",
            "client_id": access.app_id,
            "scope": f"{cloud_of(access).scope}/.default",
        }
        if access.certificate is None:
            return form | {"client_secret": access.password.get_secret_value()}
        try:
            certificate = read_certificate(access.certificate)
        except ValueError as error:
            raise NoToken(f"{access.certificate} {error}", lasting=True) from None
        shown = assertion(certificate, access.app_id, token_url_of(access))
        return form | {"client_assertion_type": ASSERTION_TYPE, "client_assertion": shown}


def _of_identity(access: TeamsAccess) -> tuple[str, float]:
    """Return a token of the managed identity, and the seconds for which it is good; it blocks."""
    import msal  # needed for such identities alone
    import requests

    with requests.Session() as session:
        session.request = partial(session.request, timeout=TOKEN_MAX_SECONDS)  # type: ignore[method-assign]
        identity = msal.UserAssignedManagedIdentity(client_id=access.app_id)
        try:
            client = msal.ManagedIdentityClient(identity, http_client=session)
            given = client.acquire_token_for_client(resource=cloud_of(access).scope)
        except (requests.RequestException, msal.ManagedIdentityError, OSError, ValueError) as error:
            raise NoToken(type(error).__name__, lasting=False) from None
    return _token(400 if "error" in given else 200, given)


def _token(status: int, given: Any) -> tuple[str, float]:
    if token := text(given, "access_token"):
        seconds = given.get("expires_in", 0)
        return token, float(seconds) if isinstance(seconds, int | float) else 0.0
    code = text(given, "error_description").partition(":")[0].strip() or text(given, "error")
    known = code.replace("_", "").isalnum()  # and nothing that might hold what was sent
    raise NoToken(code if known else f"status {status}", lasting=400 <= status < 500 and status not in (408, 429))
