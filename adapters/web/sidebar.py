"""The list of one's conversations, beside the talk; on a phone it slides in."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import groupby

from nicegui import Client, ui
from starlette.requests import Request

from adapters.web.log import ListedThread, TalkLog
from router.engine import Router
from router.errors import BotError
from router.memory.draft import User
from router.schedules.listing import NOTHING_REPEATED, ListedSchedule, ScheduleList

# The person's schedules.


ADDRESS = "/schedules"

Framed = Callable[[Client, User, str], object]
"""Draws what is around a page: for a person, with a thread marked."""


def add_list(framed: Framed, router: Router, title: str) -> None:
    """Serve the list."""

    @ui.page(ADDRESS)
    async def schedules(client: Client, request: Request) -> None:
        user: User = request.scope["user"]
        client.title = f"What is repeated – {title}"
        framed(client, user, "")
        await RepeatedList(router.schedules, user).draw()


class RepeatedList:
    """The page's list of schedules."""

    def __init__(self, repeats: ScheduleList, user: User) -> None:
        self._repeats, self._user = repeats, user
        with ui.element("main").classes("talk repeated").props('aria-label="What is repeated"'):
            ui.label("What is repeated").classes("hello").props("role=heading aria-level=1")
            self._said = ui.label().classes("text quiet").props("role=status")
            self._list = ui.element("div").classes("letters")

    async def draw(self) -> None:
        """Draw the list as it is now."""
        found = await asyncio.to_thread(self._repeats.of, self._user)
        self._list.clear()
        with self._list:
            for listed in found:
                self._draw(listed)
            if not found:
                ui.label(NOTHING_REPEATED).classes("text quiet")

    def _draw(self, listed: ListedSchedule) -> None:
        with ui.element("div").classes("ask").props("role=group") as group:
            ui.label(listed.name).classes("prompt")
            ui.label(f"{listed.about} ({listed.id})").classes("text quiet")
            with ui.element("div").classes("buttons"):
                for way in listed.ways:
                    button = ui.button(way.label, color=None, on_click=partial(self._press, way.answer))
                    button.props("no-caps unelevated").classes("press plain").props["data-answer"] = way.answer
        group.props["aria-label"] = listed.name

    async def _press(self, answer: str) -> None:
        try:
            said = await asyncio.to_thread(self._repeats.act, self._user, answer)
        except BotError as error:
            said = str(error)
        self._said.set_text(said)
        await self.draw()


LISTED_THREADS_MAX = 100


class Sidebar:
    """Lists the person's threads, the last used first, by day."""

    def __init__(self, log: TalkLog, user: User) -> None:
        self._log, self._user = log, user
        self.drawer = ui.left_drawer(top_corner=True, bottom_corner=True).props("width=280 breakpoint=900")
        with self.drawer.classes("sidebar"):
            with ui.element("a").classes("new").props('href="/"'):
                ui.icon("add").props("aria-hidden=true")
                ui.label("New conversation")
            with ui.element("a").classes("repeats").props('href="/schedules"'):
                ui.label("What is repeated")
            self._list = ui.element("nav").props('aria-label="Conversations"').classes("threads")

    def draw(self, current: str) -> None:
        """Draw the list again, with one thread marked as the one that is open."""
        threads = self._log.threads(self._user.id, LISTED_THREADS_MAX)
        self._list.clear()
        with self._list:
            for day, of_day in groupby(threads, key=_day):
                ui.label(day).classes("day").props("role=heading aria-level=2")
                for thread in of_day:
                    self._link(thread, thread.id == current)
            if not threads:
                ui.label("Your conversations will be listed here.").classes("day")

    def _link(self, thread: ListedThread, open_now: bool) -> None:
        with ui.element("a").classes("thread").classes("now" if open_now else "") as link:
            ui.label(thread.title)
        link.props.update({"href": f"/t/{thread.id}", "title": thread.title})
        if open_now:
            link.props["aria-current"] = "page"


def _day(thread: ListedThread) -> str:
    """Return "Today", "Yesterday", "This week" or "Earlier", by the clock of this machine."""
    days = (datetime.now().astimezone().date() - thread.used.astimezone().date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    return "This week" if days < 7 else "Earlier"
