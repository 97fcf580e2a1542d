"""The seals of the audit trail: its key, the MAC at the end of each line, and the head that says where the trail ends.

Key and head lie in files of their own beside the trail. Without the key nobody can make a line;
if its end is cut off, the head names a line which is not there any more.
"""

import hmac
import os
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from router.language.outside_json import parse_json

KEY_MIN_CHARS = 32

_BEGINNING = b'{"time": "'
_MAC = re.compile(rb', "mac": "([0-9a-f]{64})"\}$')
_HEAD = re.compile(rb"(\d{20}) ([0-9a-f]{64}) ([0-9a-f]{64})\n")


@dataclass(frozen=True, slots=True)
class TrailHead:
    """The number of a line, counted from 1 over the whole life of the trail, and its MAC."""

    number: int = 0
    mac: str = "0" * 64

    @property
    def short(self) -> str:
        """The number and the first digits of the MAC: enough to find the line again, and to note on paper."""
        return f"{self.number}-{self.mac[:12]}"


def key_path(trail: Path) -> Path:
    """Return where the key is kept that was not given in the settings."""
    return trail.with_suffix(".key")


def head_path(trail: Path) -> Path:
    """Return where the head is kept."""
    return trail.with_suffix(".head")


def read_key(trail: Path, given: str) -> bytes | None:
    """Return the key: the one given, else the one kept beside the trail; None if there is none."""
    if given:
        return given.strip().encode()
    try:
        kept = key_path(trail).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    if len(kept) < KEY_MIN_CHARS:
        raise OSError(f"the key in {key_path(trail)} is damaged; put it back from your backup")
    return kept.encode()


def make_key(trail: Path) -> bytes:
    """Make a key beside the trail that its owner alone can read; another process must not do so at the same time."""
    key = secrets.token_urlsafe(32)
    half = key_path(trail).with_suffix(f".key-{secrets.token_hex(4)}")
    _write_new(half, key.encode() + b"\n")
    half.replace(key_path(trail))
    return key.encode()


def mac_of(key: bytes, text: bytes) -> str:
    """Return the HMAC-SHA-256 of a text in hexadecimal digits."""
    return hmac.digest(key, text, "sha256").hex()


def sealed(key: bytes, text: str) -> tuple[str, str]:
    """Return a JSON object's text with its MAC as the last field, and the MAC."""
    mac = mac_of(key, text.encode())
    return f'{text[:-1]}, "mac": "{mac}"}}', mac


def seal_of(key: bytes, text: bytes) -> TrailHead | None:
    """Return the number and the MAC of a line that was made with the key; None for anything else."""
    bare = text.rstrip(b"\n")
    mac, number = _MAC.search(bare), _fields(bare).get("number")
    if mac is None or not isinstance(number, int):
        return None
    made = hmac.compare_digest(mac_of(key, bare[: mac.start()] + b"}"), mac[1].decode())
    return TrailHead(number, mac[1].decode()) if made else None


def alarm_of(text: bytes) -> str:
    """Return what a line says was wrong when it was added."""
    return str(_fields(text).get("alarm", ""))


def _fields(text: bytes) -> dict[str, Any]:
    try:
        fields = parse_json(text)
    except ValueError:
        return {}
    return fields if isinstance(fields, dict) else {}


def may_be_torn(text: bytes) -> bool:
    """Return whether a crash could leave such a line: how one of ours begins, and no JSON, as its end is not there.

    What a power cut kept from the disk is zeros.
    """
    bare = text.rstrip(b"\n")
    begun = bare.rstrip(b"\0")
    if not begun:
        return b"\0" in bare
    return (begun.startswith(_BEGINNING) or _BEGINNING.startswith(begun)) and not _fields(begun)


def read_head(trail: Path, key: bytes) -> TrailHead | None:
    """Return the head, None if there is none; raises ValueError if the key did not make it."""
    try:
        text = head_path(trail).read_bytes()
    except FileNotFoundError:
        return None
    found = _HEAD.fullmatch(text)
    if not found or not hmac.compare_digest(_head_mac(key, found[1], found[2]), found[3].decode()):
        raise ValueError("not made with the key")
    return TrailHead(int(found[1]), found[2].decode())


def write_head(trail: Path, key: bytes, head: TrailHead) -> None:
    """Write the head over the one before; a kill leaves the one or the other.

    It is one write of 150 bytes in one place, less than a disk's sector. It need not reach the disk at once: after a
    power cut the head may be older than the trail, never younger, and the next line brings it up to date.
    """
    number, mac = b"%020d" % head.number, head.mac.encode()
    text = b"%s %s %s\n" % (number, mac, _head_mac(key, number, mac).encode())
    path = head_path(trail)
    try:
        with open(path, "rb+", buffering=0) as file:
            file.write(text)
            file.truncate()
    except FileNotFoundError:
        _write_new(path, text)


def _head_mac(key: bytes, number: bytes, mac: bytes) -> str:
    return mac_of(key, b"head %s %s" % (number, mac))


def _write_new(path: Path, text: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
