"""The list of one's conversations, beside the talk; on a phone it slides in."""

from datetime import datetime
from itertools import groupby

from nicegui import ui

from adapters.web.log import Log, Thread
from router.memory import User

LISTED = 100


class Sidebar:
    """Lists the person's threads, the last used first, by day."""

    def __init__(self, log: Log, user: User) -> None:
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
        threads = self._log.threads(self._user.id, LISTED)
        self._list.clear()
        with self._list:
            for day, of_day in groupby(threads, key=_day):
                ui.label(day).classes("day").props("role=heading aria-level=2")
                for thread in of_day:
                    self._link(thread, thread.id == current)
            if not threads:
                ui.label("Your conversations will be listed here.").classes("day")

    def _link(self, thread: Thread, open_now: bool) -> None:
        with ui.element("a").classes("thread").classes("now" if open_now else "") as link:
            ui.label(thread.title)
        link.props.update({"href": f"/t/{thread.id}", "title": thread.title})
        if open_now:
            link.props["aria-current"] = "page"


def _day(thread: Thread) -> str:
    """Return "Today", "Yesterday", "This week" or "Earlier", by the clock of this machine."""
    days = (datetime.now().astimezone().date() - datetime.fromtimestamp(thread.used).astimezone().date()).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    return "This week" if days < 7 else "Earlier"
