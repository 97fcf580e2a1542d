"""Every card, drawn into the slot at hand."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Literal, assert_never, cast

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from adapters.rendering.plain_text import count_of, text_of_card
from adapters.rendering.text import pieces
from adapters.web.charts import draw_chart
from adapters.web.code import draw_code
from adapters.web.controls import Take, draw_ask
from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    File,
    Form,
    Link,
    Progress,
    Reply,
    Table,
    Text,
    Waiting,
)
from router.language.wording import truncate
from router.turn import Pressed

# Text: its two marks as HTML; everything else is escaped.


_TAGS = {"": "{}", "code": "<code>{}</code>", "bold": "<strong>{}</strong>"}


def html_of(text: str) -> str:
    """Return the text as HTML that holds no tags but <code> and <strong>."""
    return "".join(_TAGS[mark].format(escape(part)) for part, mark in pieces(text))


# Tables: a page of a result, whose heads sort.


PAGE_CELL_MAX_CHARS = 400
"""Characters of a cell that are sent to a browser."""

Sort = Callable[[int, Literal["up", "down"]], Awaitable[None]]


def cells_for_page(table: Table) -> list[list[str | None]]:
    """Return the rows as a browser gets them."""
    return [[None if cell is None else truncate(cell, PAGE_CELL_MAX_CHARS) for cell in row] for row in table.rows]


class ResultTable(Element, component="table.js"):
    """The table itself; `on_sort` is called with the column's index and the direction that its head was pressed for."""

    def __init__(self, table: Table, on_sort: Sort | None) -> None:
        super().__init__()
        self.props["columns"] = [
            {"name": truncate(head.name, PAGE_CELL_MAX_CHARS), "kind": head.kind} for head in table.columns
        ]
        self.props["rows"] = cells_for_page(table)
        self.props["sort"] = list(table.sort) if table.sort else None
        self.props["sortable"] = on_sort is not None and bool(table.result) and table.total > 1
        self.props["caption"] = f"{table.title or 'Result'}: {count_of(table)}"

        async def sort(event: GenericEventArguments) -> None:
            index, direction = event.args
            assert on_sort is not None
            await on_sort(int(index), cast(Literal["up", "down"], direction))

        if on_sort:
            self.on("sort", sort)


Rate = Callable[[str, bool], object]


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame that the cards of one reply are drawn in: `take` is None if nothing can be answered any more."""

    turn: int
    take: Take | None
    files: str
    """The address under which the n-th card's file is found as /n."""
    lasting: Take | None = None
    """Takes what holds whatever was asked since."""
    viewer: str = ""
    """The id of the person who looks."""
    rate: Rate | None = None
    """Keeps whether the answer with a result was a good one."""


def draw_reply(reply: Reply, frame: Frame) -> None:
    """Draw all cards of a reply, one below the other."""
    for index, card in enumerate(reply.cards):
        draw(card, index, frame)
    if reply.sensitivity:
        ui.label(reply.sensitivity).classes("text quiet")


def draw(card: Card, index: int, frame: Frame) -> None:  # noqa: C901  one case a card
    """Draw one card, the n-th of its reply."""
    match card:
        case Text(body, "title"):
            ui.label(body).classes("text title").props("role=heading aria-level=2")
        case Text(body, tone):
            ui.html(html_of(body)).classes(f"text {tone}")
        case Code():
            draw_code(card)
        case Table():
            draw_table(card, frame)
        case Buttons(lasting=True) | Choice(lasting=True):
            draw_ask(card, frame.turn, frame.lasting, frame.viewer)
        case Buttons() | Choice() | Form():
            draw_ask(card, frame.turn, frame.take, frame.viewer)
        case File(name):
            draw_file(name, f"{frame.files}/{index}")
        case Link(label, url):
            ui.link(label, url, new_tab=True).classes("text")
        case Chart():
            draw_chart(card)
        case Progress() | Waiting():
            ui.label(text_of_card(card)).classes("text quiet")
        case _:
            assert_never(card)


def draw_table(table: Table, frame: Frame) -> None:
    """Draw a page of a result, its heads pressable while the question stands, and the line that counts it."""
    take = frame.lasting

    async def sort(index: int, direction: Literal["up", "down"]) -> None:
        assert take is not None
        await take(Pressed(f"sort:{index}:{direction}@{table.result}", frame.turn))

    if table.title or table.source:
        with ui.element("div").classes("heading"):
            if table.title:
                ui.label(table.title).classes("prompt").props("role=heading aria-level=2")
            if table.source:
                ui.label(table.source).classes("source")
    ResultTable(table, sort if take and table.result else None)
    with ui.element("div").classes("below"):
        ui.label(count_of(table)).classes("text quiet count")
        if frame.rate and table.result:
            for good, icon, name in (
                (True, "thumb_up_off_alt", "Good answer"),
                (False, "thumb_down_off_alt", "Bad answer"),
            ):
                thumb = ui.button(icon=icon, color=None, on_click=partial(frame.rate, table.result, good))
                thumb.props("flat round dense size=sm").classes("icon thumb")
                thumb.props.update({"aria-label": name, "title": name})


def draw_file(name: str, url: str) -> None:
    """Draw a link that downloads the file."""
    with ui.element("a").classes("file") as link:
        ui.icon("download").props("aria-hidden=true")
        ui.label(name)
    link.props.update({"href": url, "download": name, "aria-label": f"Download {name}"})
