"""Files that people fetch by a link: sealed, so that nobody makes or reads one, and good for an hour."""

import asyncio
import base64
import json
from pathlib import Path
from urllib.parse import quote

from aiohttp import web
from cryptography.fernet import Fernet, InvalidToken

from adapters.rendering.attachment import Attached
from adapters.teams.file_offers import FileStore
from router.cards import File
from router.storage.clock import Clock, now

LINK_LIFETIME_SECONDS = 3600.0
"""Seconds that a link is good for."""


class Downloads:
    """Makes links and answers them; without a public address there are none."""

    def __init__(self, folder: Path, secret: bytes, url: str, clock: Clock = now) -> None:
        self._shelf, self._url, self._clock = FileStore(folder), url.rstrip("/"), clock
        self._seal = Fernet(base64.urlsafe_b64encode(secret))

    @property
    def offered(self) -> bool:
        """Tells whether there is an address that people can reach."""
        return bool(self._url)

    def file(self, file: File) -> str:
        """Return the link to a file of the bot's disk."""
        return self._link(file.name, file.path)

    def attached(self, attached: Attached, channel: str = "") -> str:
        """Return the link to what belongs to a message of a channel."""
        return self._link(attached.name, self._shelf.keep(attached, channel))

    def expire(self) -> None:
        """Delete what no link leads to any more."""
        oldest = self._clock().timestamp() - LINK_LIFETIME_SECONDS
        self._shelf.sweep(lambda path: path.stat().st_mtime >= oldest)

    def forget(self, channel: str) -> None:
        """Delete what belonged to the messages of a channel, or of a chat."""
        self._shelf.forget(channel)

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send the file of a link; 403 where it was not made here, 410 where it is too old, 404 where the file is."""
        token, read_at = request.match_info["token"].encode(), int(self._clock().timestamp())
        try:
            name, path = json.loads(self._seal.decrypt(token))
            self._seal.decrypt_at_time(token, int(LINK_LIFETIME_SECONDS), read_at)
        except InvalidToken:
            raise self._refusal(token) from None
        if not await asyncio.to_thread(Path(path).is_file):
            raise web.HTTPNotFound(text="The file is gone with its rows. Ask again.")
        disposition = f"attachment; filename*=UTF-8''{quote(name)}"
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return web.FileResponse(path, headers=headers)

    def _link(self, name: str, path: Path) -> str:
        values = json.dumps([name, str(path)]).encode()
        return f"{self._url}/files/{self._seal.encrypt_at_time(values, int(self._clock().timestamp())).decode()}"

    def _refusal(self, token: bytes) -> web.HTTPException:
        try:
            self._seal.extract_timestamp(token)
        except InvalidToken:
            return web.HTTPForbidden(text="This link was not made here.")
        return web.HTTPGone(text="This link is too old. Ask for the file again.")
