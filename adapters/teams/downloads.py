"""Files that people fetch by a link: signed, and good for an hour."""

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from aiohttp import web

from adapters.attached import Attached
from router.cards import File

LIFETIME = 3600.0
"""Seconds that a link is good for."""


class Downloads:
    """Makes links and answers them; without a public address there are none."""

    def __init__(self, folder: Path, secret: bytes, url: str, clock: Callable[[], float]) -> None:
        self._folder, self._secret, self._url, self._clock = folder, secret, url.rstrip("/"), clock
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def offered(self) -> bool:
        """Whether there is an address that people can reach."""
        return bool(self._url)

    def file(self, file: File) -> str:
        """Return the link to a file of the bot's disk."""
        return self._link(file.name, file.path)

    def attached(self, attached: Attached) -> str:
        """Return the link to what belongs to a message."""
        if isinstance(attached.content, Path):
            return self._link(attached.name, attached.content)
        content = attached.content.encode() if isinstance(attached.content, str) else attached.content
        path = self._folder / hashlib.sha256(content).hexdigest()
        path.write_bytes(content)
        return self._link(attached.name, path)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send the file of a link; 403 where it was not made here, 410 where it is too old, 404 where the file is."""
        body, _, signature = request.match_info["token"].partition(".")
        if not hmac.compare_digest(signature.encode(), self._signed(body).encode()):
            raise web.HTTPForbidden(text="This link was not made here.")
        name, path, until, _ = json.loads(base64.urlsafe_b64decode(body))
        if until < self._clock():
            raise web.HTTPGone(text="This link is too old. Ask for the file again.")
        if not await asyncio.to_thread(Path(path).is_file):
            raise web.HTTPNotFound(text="The file is gone with its rows. Ask again.")
        disposition = f"attachment; filename*=UTF-8''{quote(name)}"
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return web.FileResponse(path, headers=headers)

    def _link(self, name: str, path: Path) -> str:
        values = json.dumps([name, str(path), self._clock() + LIFETIME, secrets.token_hex(4)])
        body = base64.urlsafe_b64encode(values.encode()).decode()
        return f"{self._url}/files/{body}.{self._signed(body)}"

    def _signed(self, body: str) -> str:
        return hmac.new(self._secret, body.encode(), hashlib.sha256).hexdigest()
