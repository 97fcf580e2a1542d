"""Files for people: kept in one folder for a day; a link to one is sealed, so that nobody makes or reads one."""

import asyncio
import base64
import hashlib
import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from threading import Lock
from urllib.parse import quote

from aiohttp import web
from cryptography.fernet import Fernet, InvalidToken

from adapters.rendering.attachment import Attached
from router.storage.clock import Clock, now

LINK_LIFETIME_SECONDS = 3600
FILE_LIFETIME = timedelta(days=1)
"""The time for which a text or a picture is kept, and an offer of a file is good."""


class Files:
    """The texts and pictures of messages, and links to them and to results; without a public address none are made."""

    def __init__(self, folder: Path, secret: bytes, url: str, clock: Clock = now) -> None:
        self._folder, self._url, self._clock = folder, url.rstrip("/"), clock
        self._seal = Fernet(base64.urlsafe_b64encode(secret))
        self._lock = Lock()
        """Keeps a file that is written again from being deleted as an old one."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def linked(self) -> bool:
        """Return whether there is an address that people can reach."""
        return bool(self._url)

    def keep(self, file: Attached, channel: str) -> Path:
        """Return the path of a file that belongs to a channel; what is only in memory is written, whole at once."""
        if isinstance(file.content, Path):
            return file.content
        content = file.content.encode() if isinstance(file.content, str) else file.content
        path = self._folder / f"{_owner(channel)}{hashlib.sha256(content).hexdigest()}"
        with self._lock:
            half = path.with_suffix(f".{secrets.token_hex(4)}")  # another process may have the same folder
            half.write_bytes(content)
            os.replace(half, path)
        return path

    def link(self, file: Attached, channel: str) -> str:
        """Return the link to what belongs to a message of a channel."""
        return f"{self._url}/files/{self.seal((file.name, str(self.keep(file, channel))))}"

    def seal(self, values: tuple[str, ...]) -> str:
        """Return a token that holds values, which nobody but this bot makes or reads."""
        return self._seal.encrypt_at_time(json.dumps(values).encode(), self._seconds()).decode()

    def unseal(self, token: str, seconds: float) -> list[str] | None:
        """Return the values that a token holds; None if it was not made here, or is older than these seconds."""
        try:
            found: list[str] = json.loads(self._seal.decrypt_at_time(token.encode(), int(seconds), self._seconds()))
        except InvalidToken:
            return None
        return found

    def expire(self) -> None:
        """Delete what is older than a day."""
        oldest = self._seconds() - FILE_LIFETIME.total_seconds()
        self._delete(lambda path: path.stat().st_mtime < oldest)

    def forget(self, channel: str) -> None:
        """Delete what belonged to the messages of a channel, or of a chat."""
        owner = _owner(channel)
        self._delete(lambda path: path.name.startswith(owner))

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """Send the file of a link; 403 if it was not made here, or is too old, 404 if the file is gone."""
        values = self.unseal(request.match_info["token"], LINK_LIFETIME_SECONDS)
        if values is None:
            raise web.HTTPForbidden(text="This link is too old, or was not made here. Ask for the file.")
        name, path, *_ = values
        if not await asyncio.to_thread(Path(path).is_file):
            raise web.HTTPNotFound(text="The file is gone with its rows. Ask again.")
        disposition = f"attachment; filename*=UTF-8''{quote(name)}"
        headers = {"Content-Disposition": disposition, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        return web.FileResponse(path, headers=headers)

    def _delete(self, goes: Callable[[Path], bool]) -> None:
        for path in self._folder.iterdir():
            with self._lock, suppress(FileNotFoundError):
                if goes(path):
                    path.unlink()

    def _seconds(self) -> int:
        return int(self._clock().timestamp())


def _owner(channel: str) -> str:
    """Return how the names of a channel's files begin."""
    return hashlib.sha256(channel.encode()).hexdigest()[:32] + "-"
