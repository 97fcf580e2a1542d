"""Light and dark: the system decides until the person does; the choice is kept in a cookie."""

from typing import Literal

from nicegui import Client, ElementFilter, app, ui
from nicegui.events import GenericEventArguments

THEME_COOKIE = "icc_theme"


def draw_switch(client: Client, button: ui.button) -> None:
    """Make the button switch between light and dark, and keep the page's editors in step."""
    chosen = client.request.cookies.get(THEME_COOKIE, "")
    mode = ui.dark_mode({"dark": True, "light": False}.get(chosen))

    def told(event: GenericEventArguments) -> None:
        app.storage.client["dark"] = bool(event.args)
        button.props["icon"] = "light_mode" if event.args else "dark_mode"
        for editor in ElementFilter(kind=ui.codemirror):
            editor.theme = editor_theme()

    def switch() -> None:
        mode.value = not app.storage.client.get("dark", False)
        client.run_javascript(f"iccRemember('{'dark' if mode.value else 'light'}')")

    ui.on("icc-dark", told)
    button.on_click(switch)


def editor_theme() -> Literal["vscodeDark", "vscodeLight"]:
    """Return the editor's theme that fits what the browser shows."""
    return "vscodeDark" if app.storage.client.get("dark", False) else "vscodeLight"
