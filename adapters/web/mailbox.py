"""The demo's mailbox: the e-mails that were "sent", to be read as their recipients would."""

import asyncio
import re
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from pathlib import Path
from urllib.parse import quote

from nicegui import app, ui
from starlette.responses import PlainTextResponse, Response

LISTED_LETTERS_MAX = 100
_LETTER_ID = re.compile(r"\d{8}-\d{6}-[0-9a-f]{8}")


def latest(folder: Path) -> dict[str, EmailMessage]:
    """Return the heads of the e-mails in the folder by their files' names, the latest first."""
    names = sorted((path.stem for path in folder.glob("*.eml")), reverse=True)[:LISTED_LETTERS_MAX]
    return {name: letter for name in names if (letter := read(folder, name, headsonly=True))}


def read(folder: Path, name: str, *, headsonly: bool = False) -> EmailMessage | None:
    """Return the e-mail of this name, as the bot sent it; None if there is none."""
    path = folder / f"{name}.eml"
    if not _LETTER_ID.fullmatch(name) or not path.is_file():
        return None
    message = BytesParser(policy=default).parsebytes(path.read_bytes(), headersonly=headsonly)
    assert isinstance(message, EmailMessage)
    return message


def kept_at(name: str) -> datetime:
    """Return when an e-mail was kept, which its name says."""
    return datetime.strptime(f"{name[:15]}+0000", "%Y%m%d-%H%M%S%z").astimezone()


def body_of(letter: EmailMessage, kind: str) -> str:
    """Return what an e-mail says as "plain" or "html"; empty if it has none of that."""
    part = letter.get_body((kind,))
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
        letter = await asyncio.to_thread(read, folder, name)
        files = list(letter.iter_attachments()) if letter else []
        if not 0 <= index < len(files):
            return PlainTextResponse("There is no such file in the mailbox.", 404)
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(_name_of(files[index]), safe='')}"}
        content = files[index].get_payload(decode=True)
        return Response(content, media_type="application/octet-stream", headers=named)


def _name_of(file: EmailMessage) -> str:
    return file.get_filename() or "file"


def draw_list(found: dict[str, EmailMessage]) -> None:
    """Draw the list of e-mails in their order."""
    with ui.element("main").classes("talk mail").props('aria-label="Mailbox"'):
        ui.label("Mailbox of the demo").classes("hello").props("role=heading aria-level=1")
        ui.label("The demo sends nothing: each e-mail is kept on this machine, for you to see it.").classes("lead")
        if not found:
            ui.label(_NO_MAIL).classes("text quiet")
        with ui.element("nav").props('aria-label="E-mails"').classes("letters"):
            for name, letter in found.items():
                with ui.element("a").classes("entry") as link:
                    ui.label(letter["Subject"]).classes("prompt")
                    ui.label(f"{letter['To']} · {kept_at(name):%Y-%m-%d %H:%M}").classes("label")
                link.props.update({"href": f"/mail/{name}"})


def draw_letter(name: str, letter: EmailMessage) -> None:
    """Draw one e-mail: its top, what it says in a frame of its own, and its files."""
    with ui.element("main").classes("talk mail").props('aria-label="E-mail"'):
        with ui.element("a").classes("back").props('href="/mail"'):
            ui.icon("arrow_back").props("aria-hidden=true")
            ui.label("All e-mails")
        ui.label(letter["Subject"]).classes("hello").props("role=heading aria-level=1")
        lines = [(line.replace("-", " "), letter[line]) for line in ("From", "To", "Reply-To")]
        with ui.element("dl").classes("top"):
            for line, value in (*lines, ("Kept", f"{kept_at(name):%Y-%m-%d %H:%M:%S}")):
                if value:
                    with ui.element("dt"):
                        ui.label(line)
                    with ui.element("dd"):
                        ui.label(value)
        for index, file in enumerate(letter.iter_attachments()):
            with ui.element("a").classes("file") as link:
                ui.icon("attach_file").props("aria-hidden=true")
                ui.label(_name_of(file))
            link.props.update({"href": f"/mail/{name}/{index}", "download": _name_of(file)})
        html = body_of(letter, "html")
        if html:
            frame = ui.element("iframe").classes("letter")
            frame.props.update({"sandbox": "", "srcdoc": _NOTHING_ELSE + html, "title": "The e-mail in HTML"})
        with ui.element("details").classes("plain") as text:
            text.props.set_bool("open", not html)
            with ui.element("summary"):
                ui.label("As plain text")
            with ui.element("pre"):
                ui.label(body_of(letter, "plain"))
