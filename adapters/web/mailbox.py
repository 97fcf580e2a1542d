"""The demo's mailbox: the e-mails that were "sent", to be read as their recipients would."""

import asyncio
import re
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from urllib.parse import quote

from nicegui import app, ui
from starlette.responses import PlainTextResponse, Response

# Reading the folder in which the demo keeps e-mails in place of sending them.


LISTED_LETTERS_MAX = 100
_LETTER_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class Heading:
    """An e-mail's line in the list; `name` is that of its file."""

    name: str
    subject: str
    sender: str
    recipients: str
    reply_to: str
    came: datetime


@dataclass(frozen=True, slots=True)
class StoredLetter:
    """A whole e-mail; `html` is empty where it has none, `files` have their names and contents."""

    heading: Heading
    text: str
    html: str
    files: tuple[tuple[str, bytes], ...]


def headings(folder: Path) -> list[Heading]:
    """Return the e-mails of the folder, the latest first."""
    names = sorted((path.stem for path in folder.glob("*.eml") if _LETTER_ID.fullmatch(path.stem)), reverse=True)
    found = []
    for name in names[:LISTED_LETTERS_MAX]:
        with (folder / f"{name}.eml").open("rb") as file:
            found.append(_heading(name, BytesParser(policy=default).parse(file, headersonly=True)))
    return found


def kept(folder: Path, name: str) -> StoredLetter | None:
    """Return the e-mail of this name, as the bot sent it; None where there is none."""
    path = folder / f"{name}.eml"
    if not _LETTER_ID.fullmatch(name) or not path.is_file():
        return None
    message = BytesParser(policy=default).parsebytes(path.read_bytes())
    assert isinstance(message, EmailMessage)
    parts = [(part.get_filename() or "file", part.get_payload(decode=True)) for part in message.iter_attachments()]
    files = tuple((file, content) for file, content in parts if isinstance(content, bytes))
    return StoredLetter(_heading(name, message), _body(message, "plain"), _body(message, "html"), files)


def _heading(name: str, message: Message) -> Heading:
    came = datetime.strptime(f"{name[:15]}+0000", "%Y%m%d-%H%M%S%z").astimezone()
    subject, sender, recipients, reply_to = (
        str(message.get(line, "")) for line in ("Subject", "From", "To", "Reply-To")
    )
    return Heading(name, subject, sender, recipients, reply_to, came)


def _body(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()) if part else ""


_NOTHING_ELSE = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    'img-src data:">'
)
"""The policy for an e-mail's frame: it may bring its own looks. The frame's sandbox forbids all that would run."""

_NO_MAIL = "Nothing was sent yet. Ask a question, press E-mail below its rows, and the e-mail is kept here."


def add_files(folder: Path) -> None:
    """Serve the files that came along with e-mails, to be saved and never to be shown."""

    @app.get("/mail/{name}/{index:int}")
    async def file(name: str, index: int) -> Response:
        letter = await asyncio.to_thread(kept, folder, name)
        if letter is None or not 0 <= index < len(letter.files):
            return PlainTextResponse("There is no such file in the mailbox.", 404)
        file_name, content = letter.files[index]
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(file_name, safe='')}"}
        return Response(content, media_type="application/octet-stream", headers=named)


def draw_list(found: list[Heading]) -> None:
    """Draw the list of e-mails in their order."""
    with ui.element("main").classes("talk mail").props('aria-label="Mailbox"'):
        ui.label("Mailbox of the demo").classes("hello").props("role=heading aria-level=1")
        ui.label("The demo sends nothing: each e-mail is kept on this machine, for you to see it.").classes("lead")
        if not found:
            ui.label(_NO_MAIL).classes("text quiet")
        with ui.element("nav").props('aria-label="E-mails"').classes("letters"):
            for heading in found:
                _link(heading)


def draw_letter(letter: StoredLetter) -> None:
    """Draw one e-mail: its top, what it says in a frame of its own, and its files."""
    heading = letter.heading
    with ui.element("main").classes("talk mail").props('aria-label="E-mail"'):
        with ui.element("a").classes("back").props('href="/mail"'):
            ui.icon("arrow_back").props("aria-hidden=true")
            ui.label("All e-mails")
        ui.label(heading.subject).classes("hello").props("role=heading aria-level=1")
        lines = (("From", heading.sender), ("To", heading.recipients), ("Reply to", heading.reply_to))
        with ui.element("dl").classes("top"):
            for name, value in (*lines, ("Kept", f"{heading.came:%Y-%m-%d %H:%M:%S}")):
                if value:
                    with ui.element("dt"):
                        ui.label(name)
                    with ui.element("dd"):
                        ui.label(value)
        for index, (file_name, _) in enumerate(letter.files):
            with ui.element("a").classes("file") as link:
                ui.icon("attach_file").props("aria-hidden=true")
                ui.label(file_name)
            link.props.update({"href": f"/mail/{heading.name}/{index}", "download": file_name})
        if letter.html:
            frame = ui.element("iframe").classes("letter")
            frame.props.update({"sandbox": "", "srcdoc": _NOTHING_ELSE + letter.html, "title": "The e-mail in HTML"})
        with ui.element("details").classes("plain") as text:
            if not letter.html:
                text.props["open"] = True
            with ui.element("summary"):
                ui.label("As plain text")
            with ui.element("pre"):
                ui.label(letter.text)


def _link(heading: Heading) -> None:
    with ui.element("a").classes("entry") as link:
        ui.label(heading.subject).classes("prompt")
        ui.label(f"{heading.recipients} · {heading.came:%Y-%m-%d %H:%M}").classes("label")
    link.props.update({"href": f"/mail/{heading.name}"})
