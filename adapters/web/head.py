"""The line at the top: the bot's name, what it can be asked about, the theme, and the About box."""

from nicegui import Client, ui

from adapters.web.info import WebInfo
from adapters.web.sidebar import Sidebar
from adapters.web.theme import draw_switch

LOGO = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28">'
    '<rect width="32" height="32" rx="8" fill="#2456c6"/>'
    '<path d="M8 10.5a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3h-5.5L11 25v-4.5a3 3 0 0 1-3-3z" fill="#fff"/>'
    '<path d="M12.5 12h7M12.5 16h4.5" stroke="#2456c6" stroke-width="2" stroke-linecap="round"/></svg>'
)


def draw_head(client: Client, title: str, info: WebInfo, sidebar: Sidebar, public: bool) -> None:
    """Draw the line, and the box that its info button opens; guests find no list of databases in the line."""
    about = _about(title, info)
    with ui.header().classes("head"):
        _icon_button("menu", "Conversations").on_click(sidebar.drawer.toggle)
        ui.html(LOGO, sanitize=False).classes("logo").props("aria-hidden=true")
        ui.label(title).classes("name")
        if info.notice:
            ui.label(info.notice).classes("notice")
        ui.space()
        if (databases := info.databases()) and not public:
            ui.label(_short(databases)).classes("databases").props["title"] = ", ".join(databases)
        if info.mail and not public:
            _icon_button("mail_outline", "Mailbox of the demo").on_click(lambda: ui.navigate.to("/mail"))
        draw_switch(client, _icon_button("dark_mode", "Light or dark"))
        _icon_button("info_outline", "About").on_click(about.open)


def _short(databases: tuple[str, ...]) -> str:
    more = len(databases) - 1
    return f"{databases[0]} and {more} more" if more else databases[0]


def _icon_button(icon: str, label: str) -> ui.button:
    button = ui.button(icon=icon, color=None).props("flat round dense").classes("icon")
    button.props.update({"aria-label": label, "title": label})
    return button


def _about(title: str, info: WebInfo) -> ui.dialog:
    rows = (
        ("Databases", ", ".join(info.databases())),
        ("Model", " ".join(part for part in (info.model, info.model_reason) if part)),
        ("Version", info.version),
        ("Note", info.notice),
    )
    with ui.dialog().props('aria-label="About"') as dialog, ui.element("div").classes("about"):
        ui.label(f"About {title}").classes("prompt").props("role=heading aria-level=2")
        ui.label("A model writes the SQL, the bot checks that it only reads, and you decide whether it runs.")
        for name, value in rows:
            if value:
                ui.label(name).classes("label")
                ui.label(value)
        ui.button("Close", color=None, on_click=dialog.close).props("no-caps unelevated").classes("press plain")
    return dialog
