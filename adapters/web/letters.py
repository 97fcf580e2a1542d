"""The e-mails that the demo kept in a folder in place of sending them, as values that a page can show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import default
from pathlib import Path

LISTED = 100
_NAME = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")
_WRONG = (AttributeError, IndexError, LookupError, TypeError, ValueError)
"""What the standard library raises over an e-mail that is none; anything on this machine may send one."""


@dataclass(frozen=True, slots=True)
class Heading:
    """What a list of e-mails says of one; `name` is that of its file."""

    name: str
    subject: str
    sender: str
    recipients: str
    came: datetime


@dataclass(frozen=True, slots=True)
class Enclosed:
    """A file that came along."""

    name: str
    mime: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Kept:
    """A whole e-mail; `html` is empty where it has none."""

    heading: Heading
    reply_to: str
    text: str
    html: str
    files: tuple[Enclosed, ...]


def headings(folder: Path) -> list[Heading]:
    """Return the e-mails of the folder, the latest first."""
    names = sorted((path.stem for path in folder.glob("*.eml") if _NAME.fullmatch(path.stem)), reverse=True)
    return list(_headings(folder, names[:LISTED]))


def kept(folder: Path, name: str) -> Kept | None:
    """Return the e-mail of this name; None where there is none."""
    if not _NAME.fullmatch(name):
        return None
    try:
        message = _read((folder / f"{name}.eml").read_bytes())
    except OSError:
        return None
    files = tuple(_enclosed(part, number) for number, part in enumerate(_attached(message), 1))
    return Kept(
        _heading(name, message), _line(message, "Reply-To"), _body(message, "plain"), _body(message, "html"), files
    )


def _headings(folder: Path, names: list[str]) -> Iterator[Heading]:
    for name in names:
        try:
            with (folder / f"{name}.eml").open("rb") as file:
                yield _heading(name, BytesParser(policy=default).parse(file, headersonly=True))
        except OSError:  # cleared away meanwhile
            continue


def _read(content: bytes) -> EmailMessage:
    message = BytesParser(policy=default).parsebytes(content)
    assert isinstance(message, EmailMessage)
    return message


def _heading(name: str, message: Message) -> Heading:
    came = datetime.strptime(f"{name[:15]}+0000", "%Y%m%d-%H%M%S%z").astimezone()
    subject = _line(message, "Subject") or "(no subject)"
    return Heading(name, subject, _line(message, "From"), _line(message, "To"), came)


def _line(message: Message, name: str) -> str:
    try:
        return " ".join(str(message.get(name, "")).split())
    except _WRONG:
        return ""


def _body(message: EmailMessage, kind: str) -> str:
    try:
        part = message.get_body((kind,))
        return str(part.get_content()) if part else ""
    except _WRONG:
        return ""


def _attached(message: EmailMessage) -> list[Message]:
    try:
        return list(message.iter_attachments())
    except _WRONG:
        return []


def _enclosed(part: Message, number: int) -> Enclosed:
    try:
        name = part.get_filename() or f"file {number}"
        content = part.get_payload(decode=True)
    except _WRONG:
        name, content = f"file {number}", b""
    return Enclosed(name, part.get_content_type(), content if isinstance(content, bytes) else b"")
