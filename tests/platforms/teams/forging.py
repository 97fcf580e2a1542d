"""Attacks and failures on purpose, of the bot and of the stand-in: wrong tokens, raw requests, calls that go wrong."""

import base64
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.platforms.teams.delivery import read
from tests.platforms.teams.keys import confused, tampered, unsigned
from tests.platforms.teams.server import Server
from tests.platforms.teams.troubles import RANDOM, Trouble

HOUR = 3600
STRANGER = "99999999-0000-0000-0000-000000000000"
EMULATOR = "d6d49420-f39b-4df7-a1dc-d59a935871db"
RIGHT = "right"


def _bearer(**options: Any) -> Callable[["Forging"], str]:
    return lambda teams: f"Bearer {teams.mint(**options)}"


def _issued(issuer: str) -> Callable[["Forging"], str]:
    """Return a header as the emulator sends it: a token of the directory, for the app and from the app."""

    def made(teams: "Forging") -> str:
        iss = issuer.replace("TENANT", teams.tenant)
        return f"Bearer {teams.mint(iss=iss, ver='1.0', appid=teams.app_id, azp=teams.app_id)}"

    return made


HEADERS: dict[str, Callable[["Forging"], str | None]] = {
    RIGHT: _bearer(),
    "expired": lambda teams: f"Bearer {teams.mint(exp=int(time.time()) - HOUR)}",
    "not yet valid": lambda teams: f"Bearer {teams.mint(nbf=int(time.time()) + HOUR)}",
    "no exp": _bearer(without=("exp",)),
    "forged": _bearer(key="somebody else's"),
    "unknown kid": _bearer(kid="key-unknown"),
    "no kid": _bearer(kid=None),
    "wrong aud": _bearer(aud=STRANGER),
    "no aud": _bearer(without=("aud",)),
    "wrong iss": _bearer(iss="https://api.botframework.evil.example"),
    "no iss": _bearer(without=("iss",)),
    "wrong serviceurl": _bearer(serviceurl="https://evil.example/"),
    "no serviceurl": _bearer(without=("serviceurl",)),
    "not endorsed": _bearer(kid="key-web"),
    "no endorsements": _bearer(kid="key-bare"),
    "alg none": lambda teams: f"Bearer {unsigned(teams.mint(), teams.keys.kid)}",
    "HS256 confusion": lambda teams: f"Bearer {confused(teams.mint(), teams.keys.kid, 'teams')}",
    "tampered": lambda teams: f"Bearer {tampered(teams.mint(), {'exp': int(time.time()) + 9 * HOUR})}",
    "emulator": _issued(f"https://sts.windows.net/{EMULATOR}/"),
    "emulator v2": _issued(f"https://login.microsoftonline.com/{EMULATOR}/v2.0"),
    "own directory": _issued("https://sts.windows.net/TENANT/"),
    "no header": lambda teams: None,
    "empty": lambda teams: "",
    "Basic": lambda teams: "Basic " + base64.b64encode(f"{teams.app_id}:{teams.app_password}".encode()).decode(),
    "no scheme": lambda teams: teams.mint(),
    "nothing after Bearer": lambda teams: "Bearer",
    "garbage": lambda teams: "Bearer garbage",
    "garbage in three parts": lambda teams: "Bearer a.b.c",
}
"""The headers with which an activity may come, by name; only the first one is right."""
FORGED = tuple(name for name in HEADERS if name != RIGHT)


@dataclass
class Forging(Server):
    """The hands of a test that wants the bot to fail."""

    def mint(self, kid: str | None = "", key: str = "", without: tuple[str, ...] = (), **claims: Any) -> str:
        """Return a token such as Teams sends with an activity, with these claims in place of the right ones."""
        usual = {"aud": self.app_id, "serviceurl": self.service_url}
        return self.keys.token(usual | claims, kid, key, without)

    def header(self, name: str) -> str | None:
        """Return one of HEADERS."""
        return HEADERS[name](self)

    def post_raw(
        self,
        body: dict[str, Any] | str | bytes,
        header: str | None = RIGHT,
        content_type: str = "application/json",
        headers: dict[str, str] | None = None,
        seconds: float = 15.0,
    ) -> tuple[int, Any]:
        """Post a body to the bot and return the status and what it said.

        `header` is the name of one of HEADERS, else the Authorization itself; None sends none.
        """
        data = json.dumps(body) if isinstance(body, dict) else body
        raw = data.encode() if isinstance(data, str) else data
        sent = HEADERS[header](self) if header in HEADERS else header
        proof = {} if sent is None else {"Authorization": sent}
        typed = {"Content-Type": content_type} if content_type else {}
        return self.run(self._post({**typed, **proof, **(headers or {})}, raw), seconds)

    async def _post(self, headers: dict[str, str], body: bytes) -> tuple[int, Any]:
        skipped = () if "Content-Type" in headers else ("Content-Type",)
        async with self.client.post(self.bot_url, data=body, headers=headers, skip_auto_headers=skipped) as answer:
            return answer.status, read(await answer.text())

    def fail(
        self,
        method: str,
        how: str,
        times: int = 1,
        where: str = "*",
        retry_after: float = 1,
        seconds: float = 0.0,
        code: str = "",
    ) -> None:
        """Let the next calls of a method (`*`: of any) go wrong, in one conversation's id or everywhere.

        See Trouble for what `how` can be; besides the connector's methods there are token, openid, keys and upload.
        """
        with self.lock:
            self.troubles.add(method, Trouble(how, retry_after, seconds, code), times, where)

    def fail_some(
        self,
        rate: float,
        seed: int,
        hows: tuple[str, ...] = RANDOM,
        methods: tuple[str, ...] = (),
        retry_after: float = 1,
    ) -> None:
        """Let each call of the connector go wrong with this chance, the same ones for a seed; a rate of 0 ends it."""
        with self.lock:
            self.troubles.some(rate, seed, tuple(Trouble(how, retry_after) for how in hows), methods)

    def pass_time(self, seconds: float) -> None:
        """Set Teams' clock forward: the bot's tokens expire."""
        self.world.later += seconds
