"""Puts files into people's OneDrive: piece by piece, as often as it takes, and never with the bot's token."""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from aiohttp import ClientError, ClientSession, ClientTimeout
from yarl import URL

from adapters.teams.access import ONEDRIVE, is_here, is_safe, is_under
from adapters.teams.calls import RETRY_STATUSES, wait_of
from router.language.outside_json import parse_json

log = logging.getLogger("icc_bot")

PART_BYTES = 16 * 320 * 1024
"""Bytes that are sent at once: OneDrive wants a multiple of 320 KiB, below 60 MiB."""
WRITE_BYTES = 256 * 1024
"""Bytes that are written at a time."""
PART_TRIES = 6
"""The number of times that a part is sent before the file is given up."""
PART_MAX_SECONDS = 120.0
"""The time that one part may take."""

NO_ANSWER = 0
TAKEN_STATUSES = frozenset({200, 201, 202})
THERE_STATUS = 416
"""The answer to bytes that are there already."""
OVER_STATUSES = frozenset({404, 410, THERE_STATUS})
"""Answers to the last part, if it is there already: with it, OneDrive forgets the address."""
UPLOAD_REFUSALS = {
    **dict.fromkeys((401, 403), "OneDrive did not allow it"),
    **dict.fromkeys((404, 410), "OneDrive does not know the place any more"),
    409: "OneDrive has another file of that name there",
    413: "the file is too large for OneDrive",
    423: "the file is open or locked in OneDrive",
    507: "the OneDrive is full",
}


class NotUploaded(Exception):
    """The file could not be put there; says why, as a part of a sentence."""


class Uploads:
    """Puts files under OneDrive's domains, under `others`, which are in lower case, and on this machine.

    `pause` is the unit of waiting between tries, in seconds, and `part` the bytes sent at once.
    """

    def __init__(
        self, http: ClientSession, others: frozenset[str] = frozenset(), pause: float = 1.0, part: int = PART_BYTES
    ) -> None:
        self._http, self._pause, self._part = http, pause, part
        self._domains = ONEDRIVE | others

    async def put(self, url: str, path: Path) -> None:
        """Have all of a file be at this address; raises NotUploaded, and OSError if the file cannot be read."""
        if not is_safe(url):
            raise NotUploaded("the address that Teams gave is not safe to send it to")
        if not is_here(url) and not is_under(url, self._domains):  # it comes from a person's client, which may lie
            raise NotUploaded("the address that Teams gave is none of OneDrive's; an administrator can allow it")
        size = (await asyncio.to_thread(path.stat)).st_size
        if not size:
            raise NotUploaded("there is nothing in it")
        for at in range(0, size, self._part):
            await self._put(url, await asyncio.to_thread(_read, path, at, self._part), at, size)

    async def _put(self, url: str, body: bytes, at: int, size: int) -> None:
        """Have a part be there; an earlier try, or an earlier process, may have sent it without hearing so."""
        last, lost = at + len(body) == size, False
        for tries in range(1, PART_TRIES + 1):
            status = await self._send(url, body, f"bytes {at}-{at + len(body) - 1}/{size}")
            if status in TAKEN_STATUSES or (status == THERE_STATUS and not last) or (status in OVER_STATUSES and lost):
                return
            if status not in RETRY_STATUSES | {NO_ANSWER}:
                log.warning("a file is not taken: %d", status)
                raise NotUploaded(UPLOAD_REFUSALS.get(status, "OneDrive did not take it"))
            lost = lost or status == NO_ANSWER or status >= 500
            await asyncio.sleep(wait_of(self._pause, tries))
        raise NotUploaded("OneDrive did not take it, however often I tried")

    async def _send(self, url: str, body: bytes, span: str) -> int:
        """Send a part; returns the answer's status, NO_ANSWER if none came, or one that OneDrive does not give.

        The bytes come from a generator, which can be read once: what aiohttp could repeat by itself, it would, and
        nobody could tell.
        """
        kind = "application/octet-stream"
        try:
            async with self._http.put(
                URL(url, encoded=True),
                data=_pieces(body),
                headers={"Content-Range": span, "Content-Length": str(len(body)), "Content-Type": kind},
                timeout=ClientTimeout(total=PART_MAX_SECONDS, sock_connect=PART_MAX_SECONDS / 8),
                allow_redirects=False,
            ) as answer:
                if answer.status in TAKEN_STATUSES:
                    parse_json(await answer.read())
                return answer.status
        except (ClientError, TimeoutError, OSError, ValueError):
            return NO_ANSWER


def _read(path: Path, at: int, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        if not (body := file.read(most)):
            raise OSError("the file has become shorter")
        return body


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(body), WRITE_BYTES):
        yield body[at : at + WRITE_BYTES]
