"""Puts files into people's OneDrive: piece by piece, as often as it takes, and never with the bot's token."""

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from aiohttp import ClientError, ClientSession, ClientTimeout
from yarl import URL

from adapters.teams.access import ONEDRIVE, is_here, is_safe, is_under
from adapters.teams.calls import RETRY_STATUSES, wait_of
from router.language.outside_json import parse_json

log = logging.getLogger("icc_bot")

PART_BYTES: Final = 16 * 320 * 1024
"""Bytes that are sent at once: OneDrive wants a multiple of 320 KiB, below 60 MiB."""
WRITE_BYTES: Final = 256 * 1024
"""Bytes that are written at a time."""
PART_TRIES: Final = 6
"""The number of times that a part is sent before the file is given up."""
PART_MAX_SECONDS: Final = 120.0
"""The time that one part may take."""
UPLOADS_AT_ONCE: Final = 4
"""The number of files that are put at the same time; the others wait."""

NO_ANSWER: Final = 0
TAKEN_STATUSES: Final = frozenset({200, 201, 202})
GONE_STATUSES: Final = frozenset({404, 410})
AGAIN_STATUSES: Final = RETRY_STATUSES | {NO_ANSWER, 416}
"""Answers after which a part is sent again, from where OneDrive says."""
UPLOAD_REFUSALS: Final = {
    401: "OneDrive did not allow it",
    403: "OneDrive did not allow it",
    404: "OneDrive does not know the place any more",
    409: "OneDrive has another file of that name there",
    410: "OneDrive does not know the place any more",
    413: "the file is too large for OneDrive",
    423: "the file is open or locked in OneDrive",
    507: "the OneDrive is full",
}


class NotUploaded(Exception):
    """The file could not be put there; says why, as a part of a sentence."""


@dataclass(frozen=True, slots=True)
class UploadResponse:
    """An answer of OneDrive; `next` is the first byte that it still wants, None where it does not say."""

    status: int
    next: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Uploads:
    """Puts files under OneDrive's domains, under `others`, which are in lower case, and on this machine.

    `pause` is the unit of waiting between tries, in seconds, and `part` the bytes sent at once.
    """

    def __init__(
        self, http: ClientSession, others: frozenset[str] = frozenset(), pause: float = 1.0, part: int = PART_BYTES
    ) -> None:
        self._http, self._pause, self._part = http, pause, part
        self._domains = ONEDRIVE | others
        self._few = asyncio.Semaphore(UPLOADS_AT_ONCE)

    async def put(self, url: str, path: Path) -> None:
        """Have all of a file be at this address; raises NotUploaded, and OSError where the file cannot be read."""
        if not is_safe(url):
            raise NotUploaded("the address that Teams gave is not safe to send it to")
        if not is_here(url) and not is_under(url, self._domains):  # it comes from a person's client, which may lie
            raise NotUploaded("the address that Teams gave is none of OneDrive's; an administrator can allow it")
        size = (await asyncio.to_thread(path.stat)).st_size
        if not size:
            raise NotUploaded("there is nothing in it")
        async with self._few:
            await self._put(url, path, size)

    async def _put(self, url: str, path: Path, size: int) -> None:
        at = tries = 0
        lost = False  # whether the last byte may be there, though nobody said so
        while at < size:
            body = await asyncio.to_thread(_read, path, at, self._part)
            end = at + len(body)
            said = await self._ask("PUT", url, body, f"bytes {at}-{end - 1}/{size}")
            if said.status in TAKEN_STATUSES and (wanted := end if said.next is None else said.next) > at:
                at, tries = wanted, 0
                continue
            if said.status in GONE_STATUSES and lost:
                return
            if said.status not in AGAIN_STATUSES | TAKEN_STATUSES:
                log.warning("a file is not taken: %d", said.status)
                raise NotUploaded(UPLOAD_REFUSALS.get(said.status, "OneDrive did not take it"))
            lost = lost or (end == size and (said.status == NO_ANSWER or said.status >= 500))
            tries += 1
            if tries == PART_TRIES:
                raise NotUploaded("OneDrive did not take it, however often I tried")
            await asyncio.sleep(wait_of(self._pause, tries, said.headers))
            there = await self._ask("GET", url)
            if there.status == 200 and there.next is not None:
                at = there.next

    async def _ask(self, method: str, url: str, body: bytes = b"", span: str = "") -> UploadResponse:
        """Make one request; its status is NO_ANSWER where none came, or one that OneDrive does not give.

        The bytes come from a generator, which can be read once: what aiohttp could repeat by itself, it would, and
        nobody could tell.
        """
        headers = {}
        if span:
            length, kind = str(len(body)), "application/octet-stream"
            headers = {"Content-Range": span, "Content-Length": length, "Content-Type": kind}
        try:
            async with self._http.request(
                method,
                URL(url, encoded=True),
                data=_pieces(body) if span else None,
                headers=headers,
                timeout=ClientTimeout(total=PART_MAX_SECONDS, sock_connect=PART_MAX_SECONDS / 8),
                allow_redirects=False,
            ) as answer:
                told = _told(await answer.read())
                if answer.status in TAKEN_STATUSES and told is None:
                    return UploadResponse(NO_ANSWER)
                return UploadResponse(answer.status, _next(told), answer.headers)
        except (ClientError, TimeoutError, OSError):
            return UploadResponse(NO_ANSWER)


def _read(path: Path, at: int, most: int) -> bytes:
    with path.open("rb") as file:
        file.seek(at)
        if not (body := file.read(most)):
            raise OSError("the file has become shorter")
        return body


async def _pieces(body: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(body), WRITE_BYTES):
        yield body[at : at + WRITE_BYTES]


def _told(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object of an answer, None where it is none."""
    try:
        told = parse_json(body)
    except ValueError:
        return None
    return told if isinstance(told, dict) else None


def _next(told: dict[str, Any] | None) -> int | None:
    """Return the first byte of the first range that an answer asks for."""
    try:
        (first, *_) = (told or {})["nextExpectedRanges"]
        return int(str(first).partition("-")[0])
    except (ValueError, KeyError, TypeError):
        return None
