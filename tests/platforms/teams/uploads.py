"""The address that the bot puts files to that somebody agreed to get: one PUT, or several parts in order."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server

RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")
UNIT = 320 * 1024
"""Every part but the last has a multiple of so many bytes."""
LARGEST = 60 * 1024 * 1024


def upload(teams: "Server", file_id: str, headers: Mapping[str, str], content: bytes) -> tuple[int, Any]:
    """Take a part of a file and return 202, or 201 when all of it is there."""
    file = teams.world.files.get(file_id)
    if "Authorization" in headers:
        teams.note("upload: the bot's token is none of the upload address's business")
    if file is None or file.uploaded:
        return 404, {"error": {"code": "itemNotFound", "message": "The upload session was not found."}}
    found = RANGE.fullmatch(headers.get("Content-Range", ""))
    if found is None:
        return 400, {"error": {"code": "invalidRequest", "message": "The Content-Range is missing or wrong."}}
    start, end, total = (int(each) for each in found.groups())
    if start != len(file.content) or end - start + 1 != len(content) or end >= total:
        return 416, {"error": {"code": "invalidRange", "message": f"{found[0]} does not fit."}}
    if not 0 < len(content) < LARGEST or (end + 1 < total and len(content) % UNIT):
        return 400, {"error": {"code": "invalidRequest", "message": f"{found[0]} is no part that OneDrive takes."}}
    if total != file.size:
        teams.note(f"upload: {file.name} was said to have {file.size} bytes and has {total}")
    file.content += content
    file.uploaded = len(file.content) == total
    if not file.uploaded:
        return 202, {"nextExpectedRanges": [f"{len(file.content)}-"]}
    return 201, {"id": file.id, "name": file.name, "size": total}


def wanted(teams: "Server", file_id: str) -> tuple[int, Any]:
    """Return which bytes of a file are still missing; once all are there, its address is not known any more."""
    file = teams.world.files.get(file_id)
    if file is None or file.uploaded:
        return 404, {"error": {"code": "itemNotFound", "message": "The upload session was not found."}}
    return 200, {"nextExpectedRanges": [f"{len(file.content)}-"]}
