"""Forms: a card of the talk, or a dialog over it; what was typed stays until it was taken."""

from collections.abc import Awaitable, Callable
from functools import partial

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from adapters.web.theme import editor_theme
from router.cards import Field, Form

Input = ui.input | ui.textarea | ui.codemirror | ui.select | ui.radio | ui.input_chips

NOT_ON_THE_PAGE = ("channel",)
"""Kinds of fields that say nothing here: the page has no channels."""


INLINE_MAX_CHARS = 40
"""Characters of each choice up to which radio buttons stand in a line."""


class FormInputs:
    """The inputs of a form, in the slot at hand; those that do not apply are hidden, and keep what they hold."""

    def __init__(self, form: Form) -> None:
        self._boxes: list[tuple[Field, Input, Element, ui.label]] = []
        for field in form.fields:
            if field.kind not in NOT_ON_THE_PAGE:
                self._draw(field)
        self._show_what_applies()

    @property
    def values(self) -> dict[str, str]:
        """The values of all fields."""
        return {field.name: self._value(field, drawn) for field, drawn, _, _ in self._boxes}

    def complete(self) -> bool:
        """Return whether all required fields are filled; an empty one says so, and the first gets the focus."""
        values, first = self.values, None
        for field, drawn, box, problem in self._boxes:
            empty = box.visible and not field.optional and not values[field.name].strip()
            if empty:
                problem.set_text(f"Please fill in: {field.label}.")
                first = first or drawn
            problem.set_visibility(empty or bool(field.problem))
            drawn.props.set_optional("aria-invalid", "true" if empty else None)
        if first:
            first.run_method("focus")
        return first is None

    def _draw(self, field: Field) -> None:
        with ui.element("div").classes("line") as box:
            ui.label(field.label + (" (optional)" if field.optional else "")).classes("label")
            drawn = _input(field)
            drawn.classes("field").props["aria-label"] = field.label
            drawn.props["data-field"] = field.name
            if field.hint:
                ui.label(field.hint).classes("label tip")
            problem = ui.label(field.problem).classes("text problem").props('role="alert"')
            problem.set_visibility(bool(field.problem))
        if isinstance(drawn, ui.input_chips):
            box.on("focusout", partial(_add, drawn), js_handler=_TYPED)
        else:
            drawn.on_value_change(self._show_what_applies)
        self._boxes.append((field, drawn, box, problem))

    def _value(self, field: Field, drawn: Input) -> str:
        if isinstance(drawn, ui.input_chips):
            return ", ".join(drawn.value or [])
        return drawn.value or ""

    def _show_what_applies(self) -> None:
        values, shown = self.values, set[str]()
        for field, _, box, _ in self._boxes:
            other, fitting = field.when
            fits = not other or (other not in values) or (other in shown and values[other] in fitting)
            box.set_visibility(fits)
            shown |= {field.name} if fits else set()


# An address that is no chip yet when one leaves the field would be lost: Quasar empties the input then.
_TYPED = "(e) => { if (e.target.matches('input') && e.target.value.trim()) emit(e.target.value.trim()); }"


def _add(chips: ui.input_chips, event: GenericEventArguments) -> None:
    typed = str(event.args)
    if typed not in (chips.value or []):
        chips.value = [*(chips.value or []), typed]


def _input(field: Field) -> Input:
    match field.kind:
        case "line" | "channel":
            return ui.input(value=field.value).props("outlined dense")
        case "time":
            return ui.input(value=field.value).props("outlined dense type=time").classes("time")
        case "people":
            people = [each.strip() for each in field.value.split(",") if each.strip()]
            chips = ui.input_chips(value=people, new_value_mode="add-unique").props("outlined dense type=email")
            return chips.classes("people")
        case "text":
            return ui.textarea(value=field.value).props("outlined dense autogrow")
        case "code":
            code = ui.codemirror(field.value, language="SQL", line_wrapping=True, theme=editor_theme())
            return code.classes("editor")
        case "menu" | "radio":
            labels = {option.answer: option.label for option in field.options}
            value = field.value if field.value in labels else next(iter(labels), None)
            if field.kind == "radio":
                inline = max(map(len, labels.values()), default=0) <= INLINE_MAX_CHARS
                return ui.radio(labels, value=value).props("inline dense" if inline else "dense")
            return ui.select(labels, value=value).props("outlined dense options-dense").classes("menu")


# In a line alone: Enter starts a new one in a text, and makes a chip of an address.
_ENTER_IN_A_LINE = "(e) => { if (e.target.matches('input') && !e.target.closest('.people, .q-select')) emit(); }"
_TO_THE_FIRST_FIELD = """() => {
  if (document.activeElement?.closest(".q-dialog .line")) return;
  document.querySelector('.q-dialog .line:not(.hidden) :is(input, textarea, .cm-content, [tabindex="0"])')?.focus();
}"""
BUSY = "I'm still working on your last message. Send this again once that is done."


def open_form(form: Form, send: Callable[[dict[str, str]], Awaitable[bool]]) -> ui.dialog:
    """Open the form over the page; it is closed once `send` took its values, and says so if they were not taken.

    Escape closes it too; a press beside it does not, so that nothing typed is lost.
    """
    with ui.context.client.content, ui.dialog().props("no-backdrop-dismiss") as dialog:  # noqa: SIM117
        with ui.element("div").classes("ask form over").props("role=group") as group:
            group.props["aria-label"] = form.title
            ui.label(form.title).classes("prompt").props("role=heading aria-level=2")
            inputs = FormInputs(form)
            refused = ui.label(BUSY).classes("text problem").props('role="alert"')
            refused.set_visibility(False)

            async def submit() -> None:
                if not inputs.complete():
                    return
                if await send(inputs.values):
                    dialog.close()
                else:
                    refused.set_visibility(True)

            with ui.element("div").classes("buttons"):
                sent = ui.button(form.submit, color=None, on_click=submit).props("no-caps unelevated")
                sent.classes("press primary").props["data-answer"] = "submit"
                cancel = ui.button("Cancel", color=None, on_click=dialog.close).props("no-caps unelevated")
                cancel.classes("press plain").props["data-answer"] = "close"
            group.on("keydown.enter", submit, js_handler=_ENTER_IN_A_LINE)
    dialog.props.update({"aria-label": form.title})
    dialog.on("show", js_handler=_TO_THE_FIRST_FIELD)
    dialog.on("hide", dialog.delete)
    dialog.open()
    return dialog


def ask_first(question: str, label: str, style: str, go_on: Callable[[], object]) -> ui.dialog:
    """Ask a question over the page, and go on once it is answered with `label`."""

    def pressed() -> object:
        dialog.close()
        return go_on()

    with ui.context.client.content, ui.dialog() as dialog, ui.element("div").classes("ask form over"):
        ui.label(question).classes("text")
        with ui.element("div").classes("buttons"):
            yes = ui.button(label, color=None, on_click=pressed).props("no-caps unelevated autofocus")
            yes.classes(f"press {style}").props["data-answer"] = "confirm"
            no = ui.button("Cancel", color=None, on_click=dialog.close).props("no-caps unelevated")
            no.classes("press plain").props["data-answer"] = "close"
    dialog.props.update({"aria-label": question})
    dialog.on("hide", dialog.delete)
    dialog.open()
    return dialog
