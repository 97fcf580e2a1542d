"""One tab: the talk in the middle of the page, drawn as it goes on."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic

from nicegui import Client, ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments
from sqlalchemy.exc import SQLAlchemyError

from adapters.rendering.outcome import conclude_reply
from adapters.rendering.progress_line import waiting_time
from adapters.web.cards import Frame, draw_reply
from adapters.web.controls import BUTTONS_IN_SIGHT_MAX, in_sight
from adapters.web.forms import open_form
from adapters.web.log import LogEntry
from adapters.web.sidebar import Sidebar
from adapters.web.talks import Talk, Talks
from router.cards import Chart, Field, File, Form, Progress, Table
from router.errors import JobFailed
from router.memory.draft import User
from router.memory.recurrence import zone_known
from router.turn import Filled, Pressed, Said

log = logging.getLogger("icc_bot")


@dataclass(frozen=True, slots=True)
class WebInfo:
    """Facts about the bot, shown in the page's head, its empty state and its About box; every text is plain."""

    databases: Callable[[], tuple[str, ...]] = tuple
    """Gives the labels of the connections that everybody who sees the page may ask about now."""
    model: str = ""
    """The model that writes SQL."""
    examples: Callable[[User], tuple[str, ...]] = lambda user: ()
    """Gives the questions that a person may begin with by one press."""
    notice: str = ""
    """A sentence that everybody should read, such as that the data is invented."""
    version: str = ""
    mail: Path | None = None
    """The folder of the e-mails that the demo kept in place of sending them; None if they are sent."""


# The box at the bottom.


class Composer(Element, component="composer.js"):
    """Calls `on_send` with the text; it is cleared only when that returns True, so that nothing typed is lost."""

    def __init__(self, placeholder: str, draft: str, on_send: Callable[[str], Awaitable[bool]]) -> None:
        """`draft` is the name under which the browser keeps what is not sent yet."""
        super().__init__()
        self.props["placeholder"] = placeholder
        self.keep_as(draft)

        async def send(event: GenericEventArguments) -> None:
            text = str(event.args)
            if await on_send(text):
                self.run_method("taken", text)

        self.on("send", send)

    def keep_as(self, draft: str) -> None:
        """Have the browser keep under this name what it kept under another."""
        self.props["draft"] = f"icc-draft:{draft}"


WELCOME = "Ask about your data in your own words, and get the rows, a chart or a file."
WHAT_RUN_DOES = "You see the SQL first. Run reads the data with it and shows the rows; nothing is changed."
EXAMPLES_MAX = 4
HINT = "Nothing runs before you approve it."
DRAWN_ENTRIES_MAX = 100
"""Entries that are drawn at once; earlier ones come on demand."""


NOT_KEPT = "I can't reach my own database just now, so I didn't take that. Please try again in a minute."


@dataclass(frozen=True, slots=True)
class DrawnEntry:
    """An entry on the page, and the box that it is drawn in."""

    entry: LogEntry
    box: ui.element


class ChatView:
    """A tab that looks at one thread, or at none until something is said."""

    def __init__(self, client: Client, talks: Talks, user: User, draft: str, info: WebInfo, sidebar: Sidebar) -> None:
        """`draft` names what the browser keeps of words that are not sent."""
        self._client, self._talks, self._user, self._info, self._sidebar = client, talks, user, info, sidebar
        self._talk: Talk | None = None
        self._drawn: dict[int, DrawnEntry] = {}
        self._busy_since = 0.0
        self._pressed: ui.element | None = None
        """The box of a question that was answered here, and of which nothing came yet."""
        self._sending = asyncio.Lock()
        with ui.element("main").classes("talk").props("aria-label=Conversation") as talk:
            self._earlier = _press("Show earlier messages", self._show_earlier)
            self._earlier.set_visibility(False)
            self._greeting = ui.element("div").classes("greeting")
            self._entries = ui.element("div").classes("entries").props("role=log aria-live=polite")
            self._progress = ui.element("div").classes("progress").props("role=status")
        ui.skip_link("Skip to the conversation", target=talk)
        with ui.footer().classes("foot"):
            self._composer = Composer("Ask a question about your data", draft, self._send)
            self._hint = ui.label(HINT).classes("hint").props("role=status")
        talks.enter(self, user)
        ui.on("icc-zone", lambda event: self._dwell(str(event.args)))
        client.on_delete(lambda: talks.leave(self, self._talk))

    def _dwell(self, zone: str) -> None:
        """Note the time zone of the browser."""
        self._user = replace(self._user, zone=zone_known(zone))
        if self._talk:
            self._talk.owner = self._user

    def greet(self) -> None:
        """Show the empty page, from which a thread begins: it says in a few words what happens here."""
        with self._greeting:
            ui.label("What would you like to know?").props("role=heading aria-level=1").classes("hello")
            ui.label(WELCOME).classes("lead")
            if self._info.notice:
                ui.label(self._info.notice).classes("lead notice")
            self._offer(self._info.examples(self._user)[:EXAMPLES_MAX])
            ui.label(WHAT_RUN_DOES).classes("lead run")

    def _offer(self, questions: Sequence[str], label: str = "") -> None:
        """Draw buttons that ask these questions, below a label if there is one."""
        if questions:
            with ui.element("div").classes("examples").props('role=group aria-label="Examples"'):
                if label:
                    ui.label(label).classes("label")
                for question in questions:
                    _press(question, partial(self._send, question)).classes("example")

    async def look(self, thread: str) -> None:
        """Show the end of a thread, and from now on what happens in it."""
        self._talk = self._talks.look(thread, self._user, self)
        async with self._talk.showing:
            entries = await self._talks.latest(thread, self._user, DRAWN_ENTRIES_MAX + 1)
            self._earlier.set_visibility(len(entries) > DRAWN_ENTRIES_MAX)
            for entry in entries[-DRAWN_ENTRIES_MAX:]:
                self._draw(entry, self._box())
        self.show_progress(self._talk.progress)
        ui.on("icc-seek", lambda event: self._seek(str(event.args)))
        await self._talks.catch_up(self._talk)

    async def look_again(self) -> None:
        """Draw what the thread has now, each entry in its place: something may have been missed."""
        assert self._talk
        for entry in await self._talks.latest(self._talk.thread, self._user, DRAWN_ENTRIES_MAX):
            self._draw_in_place(entry)

    def show(self, entry: LogEntry) -> None:
        """Draw an entry, in its place if it is drawn already."""
        drawn = self._drawn.get(entry.number)
        self._draw_in_place(entry)
        if self._talk and self._talk.asker is self:
            before = drawn.entry.reply.cards if drawn else ()
            for index, card in enumerate(entry.reply.cards):
                if isinstance(card, File) and card not in before:
                    self._client.download(f"{self._files(entry)}/{index}", card.name)
        while len(self._drawn) > 2 * DRAWN_ENTRIES_MAX:
            self._drawn.pop(min(self._drawn)).box.delete()
            self._earlier.set_visibility(True)

    def drop(self, number: int) -> None:
        """Draw an entry no more."""
        if drawn := self._drawn.pop(number, None):
            drawn.box.delete()

    def show_progress(self, progress: Progress | None) -> None:
        """Show what is being done, with a Stop button, in place of what was."""
        self._progress.clear()
        if progress is None:
            self._hint.set_text(HINT)
            self._busy_since = 0.0
            if self._pressed:
                self._pressed.classes(remove="waiting").props(remove="inert")
                self._pressed = None
            return
        self._busy_since = self._busy_since or monotonic()
        with self._progress:
            ui.spinner(size="1.2em", color=None).props("aria-hidden=true")
            ui.label(progress.text)
            time = ui.label().props("aria-hidden=true")  # else a screen reader would count aloud
            ui.timer(1.0, lambda: time.set_text(waiting_time(monotonic() - self._busy_since)))
            if progress.stoppable:
                _press("Stop", self._stop).classes("stop")

    def notify(self, remark: str) -> None:
        """Show a passing remark, for as long as the work goes on."""
        self._hint.set_text(remark)

    async def list_threads(self) -> None:
        """Draw the list of the person's threads again."""
        await self._sidebar.draw(self._talk.thread if self._talk else "")

    def _box(self) -> ui.element:
        with self._entries:
            return ui.element("div")

    def _draw_in_place(self, entry: LogEntry) -> None:
        drawn = self._drawn.get(entry.number)
        self._draw(entry, drawn.box if drawn else self._box())

    def _draw(self, entry: LogEntry, box: ui.element) -> None:
        self._drawn[entry.number] = DrawnEntry(entry, box)
        box.clear()
        box.props(remove="inert").classes(replace="")
        with box:
            box.props["id"] = f"m{entry.number}"
            if entry.said:
                box.classes("said")
                self._draw_said(entry)
                return
            box.classes("shown stands" if entry.stands else "shown")
            take = partial(self._answer, box) if entry.stands else None
            reply = conclude_reply(entry.reply) if entry.answer else entry.reply
            files = self._files(entry)
            frame = Frame(reply.turn, take, files, lasting=self._take, viewer=self._user.id, rate=self._rate)
            draw_reply(reply, frame)
            if entry.answer:
                with ui.element("div").classes("chosen"):
                    ui.icon("check").props("aria-hidden=true")
                    ui.label(entry.answer)
            if any(isinstance(card, Table | Chart) for card in reply.cards):
                self._draw_link(entry)
            if entry.stands and not entry.answer:
                self._offer(reply.suggestions[: BUTTONS_IN_SIGHT_MAX - in_sight(reply)], "Ask next")

    def _draw_said(self, entry: LogEntry) -> None:
        pencil = ui.button(icon="edit", color=None).props("flat round dense size=sm").classes("icon pencil")
        pencil.props.update({"aria-label": "Change the question and ask again", "title": "Change and ask again"})
        ui.label(entry.said).classes("bubble")
        form = Form("Change the question", (Field("words", "The question", "text", entry.said),), "Ask again")
        pencil.on_click(lambda: open_form(form, partial(self._change, entry)))

    async def _change(self, entry: LogEntry, values: dict[str, str]) -> bool:
        assert self._talk
        try:
            return await self._talks.change(self._talk, entry.number, values["words"], self)
        except SQLAlchemyError:
            log.exception("a change of %s could not be kept", self._talk.thread)
            self.notify(NOT_KEPT)
            return False

    def _draw_link(self, entry: LogEntry) -> None:
        assert self._talk
        link = ui.link("Link to this", f"/c/{self._talk.thread}#m{entry.number}").classes("permalink")
        link.on("click", js_handler="(event) => iccCopyLink(event)")

    async def _rate(self, result: str, good: bool) -> None:
        self._hint.set_text(await asyncio.to_thread(self._talks.router.history.rate, self._user, result, good))

    def leave_deleted(self) -> None:
        """Go to a new conversation: the one that was looked at is deleted."""
        self._client.open("/")

    def _files(self, entry: LogEntry) -> str:
        return f"/files/{self._talk.thread if self._talk else ''}/{entry.number}"

    async def _seek(self, anchor: str) -> None:
        """Draw earlier messages until there is the one that a link leads to."""
        wanted = anchor.removeprefix("#m")
        if not wanted.isdigit() or not self._talk:
            return
        if await asyncio.to_thread(self._talks.log.entry, self._talk.thread, int(wanted)) is None:
            return
        while int(wanted) not in self._drawn and self._earlier.visible:
            await self._show_earlier()
        self._client.run_javascript(f"iccSeek({json.dumps(anchor)})")

    async def _show_earlier(self) -> None:
        assert self._talk
        first = min(self._drawn)
        found = await self._talks.latest(self._talk.thread, self._user, DRAWN_ENTRIES_MAX + 1, before=first)
        if min(self._drawn) != first:
            return  # a second press was faster
        self._earlier.set_visibility(len(found) > DRAWN_ENTRIES_MAX)
        for place, entry in enumerate(found[-DRAWN_ENTRIES_MAX:]):
            box = self._box()
            box.move(target_index=place)
            self._draw(entry, box)

    async def _send(self, text: str) -> bool:
        """Say something; returns whether it was taken."""
        async with self._sending:  # or what is sent twice at once would begin two threads
            if self._talk is None:
                thread = await self._talks.begin(self._user, text)
                self._talk = self._talks.look(thread, self._user, self)
                self._greeting.delete()
                self._composer.keep_as(thread)
                self._client.run_javascript(f"iccBegan({json.dumps(thread)}, {json.dumps(text[:80])})")
            return await self._give(Said(text))

    async def _give(self, given: Said | Pressed | Filled) -> bool:
        assert self._talk
        try:
            return await self._talks.take(self._talk, given, self)
        except JobFailed as error:
            self.notify(str(error))
        except SQLAlchemyError:
            log.exception("an input of %s could not be kept", self._talk.thread)
            self.notify(NOT_KEPT)
        return False

    async def _answer(self, box: ui.element, given: Pressed | Filled) -> bool:
        """Answer the question that stands in a box: until something comes of that, no second press is taken."""
        box.classes(add="waiting").props("inert")
        self._pressed = box
        return await self._take(given)

    async def _take(self, given: Pressed | Filled) -> bool:
        taken = await self._give(given)
        if taken:
            self._client.run_javascript("iccFollow()")  # the press may have been in a menu or a dialog
        return taken

    async def _stop(self) -> None:
        assert self._talk
        if self._talk.running:
            await self._give(Pressed("stop", turn=0))


def _press(label: str, on_click: Callable[[], object]) -> ui.button:
    return ui.button(label, color=None, on_click=on_click).props("no-caps unelevated").classes("press plain")
