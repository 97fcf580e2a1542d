"""The list of one's conversations, beside the talk; on a phone it slides in."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from itertools import groupby

from nicegui import Client, ui
from starlette.requests import Request

from adapters.web.forms import ask_first, open_form
from adapters.web.log import ListedThread
from adapters.web.talks import Talks
from router.cards import Field, Form
from router.engine import Router
from router.errors import BotError
from router.language.folding import caseless
from router.memory.draft import User
from router.schedules.listing import NOTHING_REPEATED, ListedSchedule, ScheduleList

# The person's schedules.


ADDRESS = "/schedules"

Framed = Callable[[Client, User, str], Awaitable[object]]
"""Draws what is around a page: for a person, with a thread marked."""


def add_list(framed: Framed, router: Router, title: str) -> None:
    """Serve the list."""

    @ui.page(ADDRESS)
    async def schedules(client: Client, request: Request) -> None:
        user: User = request.scope["user"]
        client.title = f"What is repeated – {title}"
        await framed(client, user, "")
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
SEARCHED_THREADS_MAX = 5000


DELETES = (
    "This deletes its messages, the rows and files that were kept for it, and what it repeats. "
    "What was written into tables or sent by e-mail stays. It can't be undone."
)
NOT_DELETED = "Something is still being worked on there. Stop it first, then delete the conversation."


class Sidebar:
    """Lists the person's threads, the last used first, by day; each is found by its title, renamed and deleted."""

    def __init__(self, talks: Talks, user: User) -> None:
        self._talks, self._user, self._current, self._draws = talks, user, "", 0
        self.drawer = ui.left_drawer(top_corner=True, bottom_corner=True).props("width=280 breakpoint=900")
        with self.drawer.classes("sidebar"):
            with ui.element("a").classes("new").props('href="/"'):
                ui.icon("add").props("aria-hidden=true")
                ui.label("New conversation")
            with ui.element("a").classes("repeats").props('href="/schedules"'):
                ui.label("What is repeated")
            self._wanted = ui.input(placeholder="Search").props("outlined dense clearable debounce=150 type=search")
            self._wanted.classes("search").props["aria-label"] = "Search conversations"
            self._wanted.on_value_change(lambda: self.draw(self._current))
            self._said = ui.label().classes("day").props("role=status")
            self._list = ui.element("nav").props('aria-label="Conversations"').classes("threads")

    async def draw(self, current: str) -> None:
        """Draw the list again, with one thread marked as the one that is open."""
        self._current = current
        self._draws += 1
        draws = self._draws
        wanted = caseless(self._wanted.value or "").split()
        most = SEARCHED_THREADS_MAX if wanted else LISTED_THREADS_MAX
        every = await asyncio.to_thread(self._talks.log.threads, self._user.id, most)
        if draws != self._draws:
            return  # it is drawn again already
        threads = [each for each in every if all(word in caseless(each.title) for word in wanted)][:LISTED_THREADS_MAX]
        self._list.clear()
        with self._list:
            for day, of_day in groupby(threads, key=_day):
                ui.label(day).classes("day").props("role=heading aria-level=2")
                for thread in of_day:
                    self._link(thread, thread.id == current)
            if not threads:
                ui.label(
                    "No conversation has this in its title." if wanted else "Your conversations will be listed here."
                ).classes("day")

    def _link(self, thread: ListedThread, open_now: bool) -> None:
        with ui.element("div").classes("listed"):
            with ui.element("a").classes("thread").classes("now" if open_now else "") as link:
                ui.label(thread.title)
            link.props.update({"href": f"/t/{thread.id}", "title": thread.title})
            if open_now:
                link.props["aria-current"] = "page"
            with ui.button(icon="more_horiz", color=None).props("flat round dense size=sm").classes("icon") as more:
                more.props.update({"aria-label": f"More about {thread.title}", "aria-haspopup": "menu"})
                with ui.menu().classes("ways").props("role=menu auto-close"):
                    ui.menu_item("Rename", on_click=partial(self._rename, thread)).props("role=menuitem")
                    ui.menu_item("Delete", on_click=partial(self._delete, thread)).props("role=menuitem")

    def _rename(self, thread: ListedThread) -> None:
        form = Form("Rename the conversation", (Field("title", "Title", value=thread.title),), "Rename")
        open_form(form, lambda values: self._talks.rename(thread.id, self._user, values["title"]))

    def _delete(self, thread: ListedThread) -> None:
        async def delete() -> None:
            deleted = await self._talks.delete(thread.id, self._user)
            self._said.set_text("" if deleted else NOT_DELETED)

        ask_first(f"Delete “{thread.title}”? {DELETES}", "Delete", "danger", delete)


def _day(thread: ListedThread) -> str:
    """Return "Today", "Yesterday", "This week" or "Earlier", by the clock of this machine."""
    days = (datetime.now().astimezone().date() - thread.used.astimezone().date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    return "This week" if days < 7 else "Earlier"
