"""The demo's mailbox: the e-mails that were "sent", to be read as their recipients would."""

import asyncio
from pathlib import Path
from urllib.parse import quote

from nicegui import app, ui
from starlette.responses import PlainTextResponse, Response

from adapters.web.letters import Heading, Kept, kept

_NOTHING_ELSE = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    'img-src data:">'
)
"""What an e-mail may bring into its frame: its own looks. The frame's sandbox forbids all that would run."""

_EMPTY = "Nothing was sent yet. Ask a question, press E-mail below its rows, and the e-mail is kept here."


def add_files(folder: Path) -> None:
    """Serve the files that came along with e-mails, to be saved and never to be shown."""

    @app.get("/mail/{name}/{index:int}")
    async def file(name: str, index: int) -> Response:
        letter = await asyncio.to_thread(kept, folder, name)
        if letter is None or not 0 <= index < len(letter.files):
            return PlainTextResponse("There is no such file in the mailbox.", 404)
        found = letter.files[index]
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(found.name, safe='')}"}
        return Response(found.content, media_type="application/octet-stream", headers=named)


def draw_list(found: list[Heading]) -> None:
    """Draw the list of e-mails in their order."""
    with ui.element("main").classes("talk mail").props('aria-label="Mailbox"'):
        ui.label("Mailbox of the demo").classes("hello").props("role=heading aria-level=1")
        ui.label("The demo sends nothing: each e-mail is kept on this machine, for you to see it.").classes("lead")
        if not found:
            ui.label(_EMPTY).classes("text quiet")
        with ui.element("nav").props('aria-label="E-mails"').classes("letters"):
            for heading in found:
                _link(heading)


def draw_letter(letter: Kept) -> None:
    """Draw one e-mail: its top, what it says in a frame of its own, and its files."""
    heading = letter.heading
    with ui.element("main").classes("talk mail").props('aria-label="E-mail"'):
        with ui.element("a").classes("back").props('href="/mail"'):
            ui.icon("arrow_back").props("aria-hidden=true")
            ui.label("All e-mails")
        ui.label(heading.subject).classes("hello").props("role=heading aria-level=1")
        lines = (("From", heading.sender), ("To", heading.recipients), ("Reply to", letter.reply_to))
        with ui.element("dl").classes("top"):
            for name, value in (*lines, ("Kept", f"{heading.came:%Y-%m-%d %H:%M:%S}")):
                if value:
                    with ui.element("dt"):
                        ui.label(name)
                    with ui.element("dd"):
                        ui.label(value)
        for index, found in enumerate(letter.files):
            with ui.element("a").classes("file") as link:
                ui.icon("attach_file").props("aria-hidden=true")
                ui.label(found.name)
            link.props.update({"href": f"/mail/{heading.name}/{index}", "download": found.name})
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
