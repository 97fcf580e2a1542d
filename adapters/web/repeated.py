"""What is repeated for the person, with buttons to stop or resume each."""

import asyncio
from collections.abc import Callable
from functools import partial

from nicegui import Client, ui
from starlette.requests import Request

from router.engine import Router
from router.errors import BotError
from router.memory import User
from router.repeats import NOBODY, Listed, Repeats

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
        await RepeatedList(router.repeats, user).draw()


class RepeatedList:
    """The page's list of schedules."""

    def __init__(self, repeats: Repeats, user: User) -> None:
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
                ui.label(NOBODY).classes("text quiet")

    def _draw(self, listed: Listed) -> None:
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
