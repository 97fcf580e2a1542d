"""Source text: highlighted here, with a button that copies it, and folded if it is long."""

import re

from nicegui import ui
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.lexers.special import TextLexer
from pygments.util import ClassNotFound

from adapters.rendering.text import reveal
from router.cards import Code

_FORMATTER: HtmlFormatter[str] = HtmlFormatter(nowrap=True)


SHOW_SQL = "Show the SQL"


def draw_code(code: Code) -> None:
    """Draw the code with what is said of its steps; what is folded opens at a press, or by Enter."""
    if not code.folded:
        _draw_steps(code)
        _draw_source(code)
        return
    with ui.element("details").classes("fold"):
        with ui.element("summary"):
            ui.label(SHOW_SQL if code.language == "sql" else "Show it")
        _draw_steps(code)
        _draw_source(code)


def _draw_steps(code: Code) -> None:
    if code.steps:
        with ui.element("ul").classes("steps"):
            for step in code.steps:
                with ui.element("li"):
                    ui.label(step)


def _draw_source(code: Code) -> None:
    with ui.element("figure").classes("code"):
        with ui.element("figcaption"):
            ui.label(reveal(code.caption) or code.language.upper())
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
    html: str = highlight(reveal(body), lexer, _FORMATTER)
    # A table's alias of one letter is no keyword, though SQL knows the word C.
    return re.sub(r'<span class="k">(\w)</span>', r"\1", html)
