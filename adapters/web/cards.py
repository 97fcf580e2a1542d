"""Every card, drawn into the slot at hand."""

from dataclasses import dataclass
from typing import Literal, assert_never

from nicegui import ui

from adapters.plain import count_of
from adapters.web.ask import Take, draw_ask
from adapters.web.chart import draw_chart
from adapters.web.code import draw_code
from adapters.web.table import ResultTable
from adapters.web.text import html_of
from router.cards import Buttons, Card, Chart, Choice, Code, File, Form, Link, Progress, Reply, Table, Text
from router.turn import Pressed


@dataclass(frozen=True, slots=True)
class Frame:
    """What the cards of one reply are drawn in: `take` is None where nothing can be answered any more."""

    turn: int
    take: Take | None
    files: str
    """The address under which the n-th card's file is found as /n."""
    lasting: Take | None = None
    """Takes what holds whatever was asked since."""


def draw_reply(reply: Reply, frame: Frame) -> None:
    """Draw all cards of a reply, one below the other."""
    for index, card in enumerate(reply.cards):
        draw(card, index, frame)
    if reply.sensitivity:
        ui.label(reply.sensitivity).classes("text quiet")


def draw(card: Card, index: int, frame: Frame) -> None:
    """Draw one card, the n-th of its reply."""
    match card:
        case Text(body, tone):
            ui.html(html_of(body)).classes(f"text {tone}")
        case Code():
            draw_code(card)
        case Table():
            draw_table(card, frame)
        case Buttons(lasting=True) | Choice(lasting=True):
            draw_ask(card, frame.turn, frame.lasting)
        case Buttons() | Choice() | Form():
            draw_ask(card, frame.turn, frame.take)
        case File(name):
            draw_file(name, f"{frame.files}/{index}")
        case Link(label, url):
            ui.link(label, url, new_tab=True).classes("text")
        case Chart():
            draw_chart(card)
        case Progress(text):
            ui.label(text).classes("text quiet")
        case _:
            assert_never(card)


def draw_table(table: Table, frame: Frame) -> None:
    """Draw a page of a result, its heads pressable while the question stands, and the line that counts it."""
    take = frame.take

    def sort(index: int, direction: Literal["up", "down"]) -> None:
        assert take is not None
        take(Pressed(f"sort:{index}:{direction}", frame.turn), f"Sorted by {table.columns[index].name}")

    ResultTable(table, sort if take else None)
    ui.label(count_of(table)).classes("text quiet count")


def draw_file(name: str, url: str) -> None:
    """Draw a link that downloads the file."""
    with ui.element("a").classes("file") as link:
        ui.icon("download").props("aria-hidden=true")
        ui.label(name)
    link.props.update({"href": url, "download": name, "aria-label": f"Download {name}"})
