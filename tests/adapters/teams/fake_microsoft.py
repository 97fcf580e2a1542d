"""A tiny Microsoft on the test's own event loop: keys, a login, and a connector that answers what it is told."""

import asyncio
import base64
import hashlib
import hmac
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import jwt
from aiohttp import web
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import RSAAlgorithm
from pydantic import SecretStr

from adapters.serving import LOOPBACK, listening_on
from adapters.teams.access import TeamsAccess

APP = "11111111-2222-4333-8444-555555555555"
TENANT = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
PASSWORD = "very-s3cret~value"
ISSUER = "https://api.botframework.com"


@cache
def key(name: str) -> rsa.RSAPrivateKey:
    """Return the key of this name, made once."""
    return rsa.generate_private_key(65537, 2048)


def token(without: str = "", kid: Any = "good", signer: str = "good", **claims: Any) -> str:
    """Return a token as Microsoft would sign it for SERVICE, but for what is said."""
    now = int(time.time())
    whole = {"iss": ISSUER, "aud": APP, "nbf": now - 10, "exp": now + 3600, "serviceurl": SERVICE, **claims}
    whole.pop(without, None)
    return jwt.encode(whole, key(signer), "RS256", headers={"kid": kid} if kid is not None else None)


def handmade(header: dict[str, Any], body: str, secret: bytes | None) -> str:
    """Return a token that no library would make: unsigned, or signed by HMAC with a public key."""
    signed = f"{part(json.dumps(header).encode())}.{body}"
    signature = b"" if secret is None else hmac.new(secret, signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{part(signature)}"


def public_pem(name: str) -> bytes:
    """Return the public half of a key, which everybody knows."""
    return key(name).public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def part(content: bytes) -> str:
    """Return a part of a token."""
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


SERVICE = "https://smba.example/emea/"


def activity(**changes: Any) -> dict[str, Any]:
    """Return a message as Teams sends it."""
    return {
        "type": "message",
        "id": "1",
        "text": "how many orders?",
        "channelId": "msteams",
        "serviceUrl": SERVICE,
        "from": {"id": "29:alex", "name": "Alex", "aadObjectId": "a1"},
        "recipient": {"id": f"28:{APP}", "name": "icc-bot"},
        "conversation": {"id": "19:c@thread.tacv2;messageid=17", "conversationType": "channel", "tenantId": TENANT},
        "channelData": {"tenant": {"id": TENANT}, "team": {"id": "19:t@thread.tacv2"}},
        **changes,
    }


@dataclass(frozen=True)
class Call:
    """A call that was made of the connector."""

    method: str
    path: str
    token: str
    body: Any


@dataclass
class Microsoft:
    """Its answers, and what it was asked; `url` is its address."""

    url: str = ""
    keys: dict[str, list[str] | None] = field(
        default_factory=lambda: {"good": ["msteams"], "web": ["webchat"], "bare": None}
    )
    keys_status: int = 200
    keys_hang: bool = False
    keys_asked: int = 0
    tokens_given: int = 0
    token_life: int = 3600
    token_error: tuple[int, dict[str, Any]] | None = None
    forms: list[Mapping[str, Any]] = field(default_factory=list)
    answers: deque[tuple[int, dict[str, str], Any] | str] = field(default_factory=deque)
    """Answers to the next calls: status, headers and JSON; "drop" closes the connection after the call is taken."""
    calls: list[Call] = field(default_factory=list)
    gather: int = 0
    """The number of calls that must be there before any is answered."""
    _gathered: asyncio.Event = field(default_factory=asyncio.Event)

    def access(self, **changes: Any) -> TeamsAccess:
        """Return the settings of a bot that lives here."""
        given: dict[str, Any] = {
            "app_id": APP,
            "kind": "SingleTenant",
            "tenant": TENANT,
            "password": SecretStr(PASSWORD),
            "login_url": self.url,
            "openid_url": f"{self.url}/openid",
        }
        return TeamsAccess(**given | changes)

    async def openid(self, request: web.Request) -> web.Response:
        self.keys_asked += 1
        if self.keys_hang:
            await asyncio.sleep(3600)
        return web.json_response({"jwks_uri": f"{self.url}/keys"}, status=self.keys_status)

    async def jwks(self, request: web.Request) -> web.Response:
        listed: list[Any] = [{"kty": "EC", "kid": "other"}, "nonsense"]
        for name, endorsements in self.keys.items():
            jwk = RSAAlgorithm.to_jwk(key(name).public_key(), as_dict=True) | {"kid": name}
            listed.append(jwk if endorsements is None else jwk | {"endorsements": endorsements})
        return web.json_response({"keys": listed})

    async def login(self, request: web.Request) -> web.Response:
        self.forms.append({"path": request.path, **await request.post()})
        if self.token_error:
            return web.json_response(self.token_error[1], status=self.token_error[0])
        return web.json_response(self._token())

    async def identity(self, request: web.Request) -> web.Response:
        self.forms.append(dict(request.query))
        if self.token_error:
            return web.json_response(self.token_error[1], status=self.token_error[0])
        return web.json_response(self._token())

    def _token(self) -> dict[str, Any]:
        self.tokens_given += 1
        return {"access_token": f"token{self.tokens_given}", "expires_in": self.token_life, "token_type": "Bearer"}

    async def connector(self, request: web.Request) -> web.StreamResponse:
        body = await request.json() if request.can_read_body else None
        bearer = request.headers.get("Authorization", "").removeprefix("Bearer ")
        self.calls.append(Call(request.method, request.rel_url.raw_path, bearer, body))
        number = len(self.calls)
        if number >= self.gather:
            self._gathered.set()
        await self._gathered.wait()
        answer = self.answers.popleft() if self.answers else (200, {}, {"id": f"m{number}"})
        if isinstance(answer, str):
            assert request.transport is not None
            request.transport.close()
            return web.Response()
        status, headers, content = answer
        return web.json_response(content, status=status, headers=headers)


@asynccontextmanager
async def microsoft() -> AsyncIterator[Microsoft]:
    """Run a Microsoft until the end of the block."""
    here = Microsoft()
    site = web.Application()
    site.router.add_get("/openid", here.openid)
    site.router.add_get("/keys", here.jwks)
    site.router.add_post("/{tenant}/oauth2/v2.0/token", here.login)
    site.router.add_get("/metadata/identity/oauth2/token", here.identity)
    site.router.add_route("*", "/{path:.*}", here.connector)
    async with listening_on(site, 0, LOOPBACK) as port:
        here.url = f"http://{LOOPBACK}:{port}"
        yield here
