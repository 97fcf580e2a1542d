"""What asks for an answer: buttons, menus and forms."""

from collections.abc import Callable
from functools import partial

from nicegui import ui
from nicegui.element import Element

from adapters.web.theme import editor_theme
from router.cards import Buttons, Choice, Field, Form, Option
from router.turn import Filled, Pressed

Take = Callable[[Pressed | Filled, str], None]
"""Called with an answer, and with how it reads in the log."""

_Input = ui.input | ui.textarea | ui.codemirror | ui.select

SEARCHED_FROM = 12
LONGEST_LABEL = 120


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
        take(Pressed(chosen[0], turn, tuple(chosen[1:])), label[:LONGEST_LABEL])

    with _group(choice.prompt):
        ui.label(choice.prompt).classes("prompt")
        with ui.element("div").classes("choose"):
            menu = ui.select(
                labels,
                multiple=choice.many,
                value=ticked if choice.many else next(iter(ticked), None),
                with_input=len(labels) > SEARCHED_FROM,
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
        case "line":
            drawn = ui.input(value=field.value).props("outlined dense")
        case "text":
            drawn = ui.textarea(value=field.value).props("outlined dense autogrow")
        case "code":
            drawn = ui.codemirror(field.value, language="SQL", line_wrapping=True, theme=editor_theme())
            drawn.classes("editor")
        case "menu":
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
