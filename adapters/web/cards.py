"""Every card, drawn into the slot at hand."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Literal, assert_never, cast

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from adapters.rendering.chart_png import SERIES
from adapters.rendering.plain_text import count_of, text_of_card
from adapters.rendering.text import pieces, shown
from adapters.web.theme import editor_theme
from router.cards import (
    Buttons,
    Card,
    Chart,
    Choice,
    Code,
    Field,
    File,
    Form,
    Link,
    Option,
    Progress,
    Reply,
    Series,
    Table,
    Text,
    Waiting,
)
from router.language.wording import truncate
from router.turn import Filled, Pressed

# Questions: buttons, menus and forms.


Take = Callable[[Pressed | Filled, str], None]
"""Called with an answer, and with how it reads in the log."""

_Input = ui.input | ui.textarea | ui.codemirror | ui.select

MENU_SEARCH_FROM = 12
PRESSED_LABEL_MAX_CHARS = 120


def draw_ask(ask: Buttons | Choice | Form, turn: int, take: Take | None) -> None:
    """Draw the controls while an answer can be given by `take`; later only what was asked, if it says anything."""
    match ask:
        case Buttons() if take:
            draw_buttons(ask, turn, take)
        case Choice() if take:
            draw_choice(ask, turn, take)
        case Form() if take:
            draw_form(ask, turn, take)
        case Choice(prompt):
            ui.label(prompt).classes("text quiet")
        case Form(title):
            ui.label(title).classes("text quiet")


def draw_buttons(buttons: Buttons, turn: int, take: Take) -> None:
    """Draw a question with a button for each answer."""
    with _group(buttons.prompt or "Answers"):
        if buttons.prompt:
            ui.label(buttons.prompt).classes("prompt")
        with ui.element("div").classes("buttons"):
            for option in buttons.options:
                _button(option, partial(take, Pressed(option.answer, turn), option.label))


def draw_choice(choice: Choice, turn: int, take: Take) -> None:
    """Draw a menu, and a button that sends what was chosen; long menus can be searched by typing."""
    labels = {option.answer: option.label for option in choice.options}
    ticked = [answer for answer in choice.chosen if answer in labels]

    def send() -> None:
        chosen = list(menu.value or []) if choice.many else [menu.value] if menu.value else []
        if not chosen:
            error.set_visibility(True)
            return
        label = ", ".join(labels[answer] for answer in chosen)
        take(Pressed(chosen[0], turn, tuple(chosen[1:])), label[:PRESSED_LABEL_MAX_CHARS])

    with _group(choice.prompt):
        ui.label(choice.prompt).classes("prompt")
        with ui.element("div").classes("choose"):
            menu = ui.select(
                labels,
                multiple=choice.many,
                value=ticked if choice.many else next(iter(ticked), None),
                with_input=len(labels) > MENU_SEARCH_FROM,
            )
            menu.props("outlined dense options-dense").props.set_bool("use-chips", choice.many)
            menu.classes("menu").props["aria-label"] = choice.prompt
            _button(Option("ok", "OK", "primary"), send)
        error = ui.label("Choose an entry first.").classes("text problem").props('role="alert"')
        error.set_visibility(False)


def draw_form(form: Form, turn: int, take: Take) -> None:
    """Draw the fields, and a button that sends them once none is empty that must not be."""
    inputs: dict[str, tuple[Field, _Input]] = {}

    def send() -> None:
        needed = {field.label: drawn for field, drawn in inputs.values() if not field.optional}
        empty = [label for label, drawn in needed.items() if not (drawn.value or "").strip()]
        error.set_text(f"Please fill in: {', '.join(empty)}." if empty else "")
        error.set_visibility(bool(empty))
        if not empty:
            take(Filled({name: drawn.value or "" for name, (_, drawn) in inputs.items()}, turn), form.submit)

    with _group(form.title).classes("form"):
        ui.label(form.title).classes("prompt")
        for field in form.fields:
            inputs[field.name] = (field, _input(field))
            if field.problem:
                ui.label(field.problem).classes("text problem")
        error = ui.label().classes("text problem").props('role="alert"')
        error.set_visibility(False)
        with ui.element("div").classes("buttons"):
            _button(Option("submit", form.submit, "primary"), send)


def _input(field: Field) -> _Input:
    ui.label(field.label + (" (optional)" if field.optional else "")).classes("label")
    drawn: _Input
    match field.kind:
        case "line" | "time" | "people" | "channel":
            drawn = ui.input(value=field.value).props("outlined dense")
        case "text":
            drawn = ui.textarea(value=field.value).props("outlined dense autogrow")
        case "code":
            drawn = ui.codemirror(field.value, language="SQL", line_wrapping=True, theme=editor_theme())
            drawn.classes("editor")
        case "menu" | "radio":
            labels = {option.answer: option.label for option in field.options}
            drawn = ui.select(labels, value=field.value if field.value in labels else next(iter(labels), None))
            drawn.props("outlined dense options-dense").classes("menu")
    drawn.classes("field").props["aria-label"] = field.label
    drawn.props["data-field"] = field.name
    return drawn


def _group(name: str) -> Element:
    group = ui.element("div").classes("ask").props("role=group")
    group.props["aria-label"] = name
    return group


def _button(option: Option, press: Callable[[], None]) -> None:
    button = ui.button(option.label, color=None, on_click=press).props("no-caps unelevated")
    button.classes(f"press {option.style}").props["data-answer"] = option.answer


# Source text: highlighted here, with a button that copies it.


_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


def draw_code(code: Code) -> None:
    """Draw the code with its caption and a copy button."""
    with ui.element("figure").classes("code"):
        with ui.element("figcaption"):
            ui.label(shown(code.caption) or code.language.upper())
            copy = ui.button("Copy", icon="content_copy", color=None).props('flat no-caps dense size="sm"')
            copy.props["aria-label"] = "Copy the code"
            copy.on("click", js_handler="(event) => iccCopy(event.currentTarget)")
        ui.html(highlighted(code.body, code.language), tag="pre").props('tabindex="0"')


def highlighted(body: str, language: str) -> str:
    """Return the text as HTML of <span>s with Pygments' classes, all else escaped; unknown languages stay plain.

    What cannot be seen is written out.
    """
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        lexer = TextLexer()
    html: str = highlight(shown(body), lexer, _FORMATTER)
    # A table's alias of one letter is no keyword, though SQL knows the word C.
    return re.sub(r'<span class="k">(\w)</span>', r"\1", html)


# Text: its two marks as HTML; everything else is escaped.


_TAGS = {"": "{}", "code": "<code>{}</code>", "bold": "<strong>{}</strong>"}


def html_of(text: str) -> str:
    """Return the text as HTML that holds no tags but <code> and <strong>."""
    return "".join(_TAGS[mark].format(escape(part)) for part, mark in pieces(text))


# Tables: a page of a result, whose heads sort.


PAGE_CELL_MAX_CHARS = 400
"""Characters of a cell that are sent to a browser."""

Sort = Callable[[int, Literal["up", "down"]], None]


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
        self.props["caption"] = f"Result: {count_of(table)}"

        def sort(event: GenericEventArguments) -> None:
            index, direction = event.args
            assert on_sort is not None
            on_sort(int(index), cast(Literal["up", "down"], direction))

        if on_sort:
            self.on("sort", sort)


@dataclass(frozen=True, slots=True)
class Frame:
    """The frame that the cards of one reply are drawn in: `take` is None where nothing can be answered any more."""

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
        case Progress() | Waiting():
            ui.label(text_of_card(card)).classes("text quiet")
        case _:
            assert_never(card)


def draw_table(table: Table, frame: Frame) -> None:
    """Draw a page of a result, its heads pressable while the question stands, and the line that counts it."""
    take = frame.lasting

    def sort(index: int, direction: Literal["up", "down"]) -> None:
        assert take is not None
        take(Pressed(f"sort:{index}:{direction}@{table.result}", frame.turn), f"Sorted by {table.columns[index].name}")

    ResultTable(table, sort if take and table.result else None)
    ui.label(count_of(table)).classes("text quiet count")


def draw_file(name: str, url: str) -> None:
    """Draw a link that downloads the file."""
    with ui.element("a").classes("file") as link:
        ui.icon("download").props("aria-hidden=true")
        ui.label(name)
    link.props.update({"href": url, "download": name, "aria-label": f"Download {name}"})


# A chart that the browser draws: its words and lines take the page's colours, and turn dark when the page does.


_LYING_BARS_MAX = 40
"""Bars that lie one below the other, all with their label; more of them stand, and some labels are left out."""
_DOTS_MAX = 40
_INK, _MUTED, _LINE, _PANEL = "var(--ink)", "var(--muted)", "var(--line)", "var(--panel)"
_FACE = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
_STRIPES = {"symbol": "rect", "color": "rgba(255, 255, 255, 0.6)", "dashArrayX": [1, 0], "dashArrayY": [2, 4]}


def draw_chart(chart: Chart) -> None:
    """Draw the chart with its title; a screen reader hears what it shows, the numbers are in the table beside it."""
    with ui.element("figure").classes("chart"):
        ui.label(chart.title).classes("prompt")
        # As SVG, colours may be the page's variables.
        drawn = ui.echart(options_of(chart), renderer="svg").style(f"height: {_height(chart)}px")
        drawn.props.update({"role": "img", "aria-label": _spoken(chart)})


def options_of(chart: Chart) -> dict[str, Any]:
    """Return the chart as Apache ECharts draws it."""
    several, lying = len(chart.series) > 1, _lies(chart)
    labels = _labels(chart, lying)
    numbers = {
        "type": "value",
        "scale": chart.kind == "line",
        "axisLabel": {"color": _MUTED, "hideOverlap": True},
        "splitLine": {"lineStyle": {"color": _LINE}},
        "splitNumber": 4,
        "minInterval": 1 if _whole(chart) else 0,
    }
    return {
        "animation": False,
        "textStyle": {"fontFamily": _FACE},
        "grid": {
            "left": 8,
            "right": 64 if lying else 24,
            "top": 40 if several else 12,
            "bottom": 4,
            "containLabel": True,
        },
        "xAxis": numbers if lying else labels,
        "yAxis": labels if lying else numbers,
        "series": [_series(series, chart.kind, number, lying) for number, series in enumerate(chart.series)],
        "tooltip": {
            "trigger": "axis",
            "confine": True,
            "axisPointer": {"type": "line" if chart.kind == "line" else "shadow"},
            "backgroundColor": _PANEL,
            "borderColor": _LINE,
            "textStyle": {"color": _INK},
        },
        "legend": {
            "show": several,
            "type": "scroll",
            "top": 0,
            "left": 0,
            "textStyle": {"color": _INK},
            "pageTextStyle": {"color": _MUTED},
            "pageIconColor": _INK,
            "pageIconInactiveColor": _LINE,
        },
    }


def _series(series: Series, kind: str, number: int, lying: bool) -> dict[str, Any]:
    again = number >= len(SERIES)
    # 0.1 + 0.2 reads 0.3.
    values = [None if value is None else float(f"{value:.12g}") for value in series.values]
    drawn: dict[str, Any] = {
        "name": series.name,
        "type": kind,
        "data": values,
        "color": SERIES[number % len(SERIES)],
        "emphasis": {"disabled": True},
    }
    if kind == "line":
        dotted = "circle" if len(values) <= _DOTS_MAX else "none"
        drawn |= {"lineStyle": {"type": "dashed" if again else "solid"}, "symbol": dotted, "symbolSize": 5}
        drawn |= {"showAllSymbol": True, "data": _dotted(values)}
    elif again:
        drawn["itemStyle"] = {"decal": {**_STRIPES, "rotation": -0.8}}
    if lying:  # a bar that is too short to be seen has its number
        drawn["label"] = {"show": True, "position": "right", "color": _MUTED, "fontSize": 11}
    return drawn


def _dotted(values: list[float | None]) -> list[Any]:
    """Return the values with a dot on each that stands between two gaps: it has no line to be seen by."""
    beside = [None, *values, None]
    return [
        {"value": value, "symbol": "circle"} if value is not None and before is after is None else value
        for before, value, after in zip(beside, values, beside[2:], strict=False)
    ]


def _labels(chart: Chart, lying: bool) -> dict[str, Any]:
    """Return the axis of labels: the first is on top where bars lie, to the left where they stand."""
    look: dict[str, Any] = {
        "color": _MUTED,
        "hideOverlap": True,
        "overflow": "truncate",
        "width": 180 if lying else 120,
    }
    if lying:
        look |= {"interval": 0}
    elif chart.kind == "bar":
        look |= {"rotate": 40}
    return {
        "type": "category",
        "data": list(chart.labels),
        "inverse": lying,
        "axisLabel": look,
        "axisLine": {"lineStyle": {"color": _MUTED}},
        "axisTick": {"show": False},
        "boundaryGap": chart.kind == "bar",
    }


def _whole(chart: Chart) -> bool:
    """Tell whether all values are whole numbers, so that no half of one stands at the axis."""
    return all(value is None or float(value).is_integer() for series in chart.series for value in series.values)


def _lies(chart: Chart) -> bool:
    return chart.kind == "bar" and len(chart.labels) * len(chart.series) <= _LYING_BARS_MAX


def _height(chart: Chart) -> int:
    """Return the pixels that the chart is high: long names need room where bars lie."""
    if not _lies(chart):
        return 340
    bars = len(chart.labels) * (len(chart.series) * 14 + 14)
    return bars + (90 if len(chart.series) > 1 else 50)


def _spoken(chart: Chart) -> str:
    names = ", ".join(series.name for series in chart.series)
    ends = f", from {chart.labels[0]} to {chart.labels[-1]}" if len(chart.labels) > 1 else ""
    return f"{chart.kind.capitalize()} chart of {names}: {chart.title} ({len(chart.labels)} values{ends})"
