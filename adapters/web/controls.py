"""Questions: buttons in sight and in menus, choices, and forms."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from nicegui import ui
from nicegui.element import Element

from adapters.rendering.controls import with_short_labels
from adapters.web.forms import FormInputs, ask_first, open_form
from router.cards import Buttons, Choice, Form, Option, Reply
from router.turn import Filled, Pressed

Take = Callable[[Pressed | Filled], Awaitable[bool]]
"""Called with an answer; returns whether it was taken."""

BUTTONS_IN_SIGHT_MAX = 4
MENU_SEARCH_FROM = 12


def draw_ask(ask: Buttons | Choice | Form, turn: int, take: Take | None, viewer: str = "") -> None:
    """Draw the controls while an answer can be given by `take`; later only what was asked, if it says anything."""
    match ask:
        case Buttons() if take:
            draw_buttons(ask, turn, take, viewer)
        case Choice() if take:
            draw_choice(ask, turn, take)
        case Form() if take:
            draw_form(ask, turn, take)
        case Choice(prompt):
            ui.label(prompt).classes("text quiet")
        case Form(title):
            ui.label(title).classes("text quiet")


# Buttons: a few in sight, the others in menus.


def parted(options: Sequence[Option]) -> tuple[list[Option | list[Option]], list[Option]]:
    """Return what is in sight, a list being a menu named by its group, and what the menu of further ways holds."""
    sight: list[Option | list[Option]] = []
    more: list[Option] = []
    groups: dict[str, list[Option]] = {}
    for option in options:
        if option.overflow:
            more.append(option)
        elif not option.group:
            sight.append(option)
        elif option.group in groups:
            groups[option.group].append(option)
        else:
            sight.append(groups.setdefault(option.group, [option]))
    room = BUTTONS_IN_SIGHT_MAX - bool(more or len(sight) > BUTTONS_IN_SIGHT_MAX)
    rest = [option for each in sight[room:] for option in (each if isinstance(each, list) else [each])]
    return sight[:room], [*rest, *more]


def in_sight(reply: Reply) -> int:
    """Return the number of buttons of a reply that can be pressed without opening a menu."""
    return sum(len(parted(card.options)[0]) for card in reply.cards if isinstance(card, Buttons))


def draw_buttons(buttons: Buttons, turn: int, take: Take, viewer: str = "") -> None:
    """Draw a question with a button for each answer that this person may see."""
    short = with_short_labels(buttons)
    labels = dict(zip((each.answer for each in buttons.options), (each.label for each in short.options), strict=True))
    sight, more = parted([each for each in buttons.options if not each.only or viewer in each.only])
    with _group(buttons.prompt or "Answers"):
        if short.prompt:
            ui.label(short.prompt).classes("prompt").style("white-space: pre-line")
        with ui.element("div").classes("buttons"):
            for each in sight:
                if isinstance(each, list):
                    _menu(f"{each[0].group} ▾", each[0].group, each, turn, take)
                else:
                    _button(each, partial(_press, each, turn, take), labels[each.answer])
            if more:
                _menu("⋯", "More", more, turn, take)


async def _press(option: Option, turn: int, take: Take) -> None:
    """Have an option taken, once what is asked before is answered."""

    async def send(values: dict[str, str]) -> bool:
        return await take(Filled(values, turn, answer=option.answer))

    if option.form:
        open_form(option.form, send)
    elif option.confirm:
        ask_first(option.confirm, option.label, option.style, lambda: take(Pressed(option.answer, turn)))
    else:
        await take(Pressed(option.answer, turn))


def _menu(sign: str, name: str, options: Sequence[Option], turn: int, take: Take) -> None:
    with (
        ui.button(sign, color=None)
        .props("no-caps unelevated aria-haspopup=menu")
        .classes("press plain opens") as button
    ):
        button.props.update({"aria-label": name, "title": name})
        with ui.menu().classes("ways").props("role=menu auto-close no-focus=false") as menu:
            menu.props["aria-label"] = name
            for option in options:
                entry = ui.menu_item(option.label, on_click=partial(_press, option, turn, take))
                entry.props("role=menuitem").classes(f"way {option.style}").props["data-answer"] = option.answer


def draw_choice(choice: Choice, turn: int, take: Take) -> None:
    """Draw a menu, and a button that sends what was chosen; long menus can be searched by typing."""
    labels = {option.answer: option.label for option in choice.options}
    ticked = [answer for answer in choice.chosen if answer in labels]

    async def send() -> None:
        chosen = list(menu.value or []) if choice.many else [menu.value] if menu.value else []
        if not chosen:
            error.set_visibility(True)
            return
        await take(Pressed(chosen[0], turn, tuple(chosen[1:])))

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
    with _group(form.title).classes("form"):
        ui.label(form.title).classes("prompt")
        inputs = FormInputs(form)

        async def send() -> None:
            if inputs.complete():
                await take(Filled(inputs.values, turn))

        with ui.element("div").classes("buttons"):
            _button(Option("submit", form.submit, "primary"), send)


def _group(name: str) -> Element:
    group = ui.element("div").classes("ask").props("role=group")
    group.props["aria-label"] = name
    return group


def _button(option: Option, press: Callable[[], Awaitable[None]], label: str = "") -> None:
    button = ui.button(label or option.label, color=None, on_click=press).props("no-caps unelevated")
    button.classes(f"press {option.style}").props["data-answer"] = option.answer
