"""Text as elements that show it literally: TextBlock reads Markdown and is never used, RichTextBlock reads nothing."""

import re
from typing import Any

from adapters.rendering.attachment import Attached
from adapters.rendering.text import Mark, pieces, remove_unseen, reveal, split
from adapters.teams.drawing import CardElements, Element
from router.cards import Code, Text
from router.language.wording import truncate

TEXT_LINES_MAX = 80
"""Lines of a text that are elements of their own; the others share the last one."""

_MARK_STYLES: dict[Mark, dict[str, Any]] = {"": {}, "code": {"fontType": "Monospace"}, "bold": {"weight": "Bolder"}}
_SMALL_TEXT: dict[str, Any] = {"size": "Small", "isSubtle": True}
_ALARM: dict[str, Any] = {"color": "Attention"}
_TONES: dict[str, dict[str, Any]] = {
    "quiet": _SMALL_TEXT,
    "problem": _ALARM,
    "title": {"weight": "Bolder", "size": "Medium"},
    "plain": {},
}


def draw_text(card: Text, most: int) -> CardElements:
    """Draw a Text card of at most so many characters."""
    body = remove_unseen(card.body).strip()
    if not body:
        return CardElements()
    parts = split(("⚠️ " if card.tone == "problem" else "") + body[: most + 1], most)
    cut = len(parts) > 1
    drawn = paragraphs(parts[0].strip() + (" …" if cut else ""), **_TONES[card.tone])
    return CardElements(tuple(drawn), cut=cut)


def paragraphs(body: str, **look: Any) -> list[Element]:
    """Return the body of a Text card, a line an element; an empty line is seen as a wider gap."""
    drawn: list[Element] = []
    gap = True
    lines = remove_unseen(body).strip().split("\n", TEXT_LINES_MAX - 1)
    for line in lines:
        runs = [run(text, **look, **_MARK_STYLES[mark]) for text, mark in pieces(line.strip())]
        if runs:
            drawn.append(block(*runs) if gap else block(*runs) | {"spacing": "None"})
        gap = not runs
    return drawn


def block(*runs: Element) -> Element:
    """Return an element of some texts in one line."""
    return {"type": "RichTextBlock", "inlines": list(runs)}


def run(text: str, **look: Any) -> Element:
    """Return a piece of text."""
    return {"type": "TextRun", "text": literal(text), **look}


def draw_small(text: str) -> Element:
    """Return a line of small print, without markup; its lines may be several."""
    return block(run(remove_unseen(text), **_SMALL_TEXT))


def draw_heading(text: str) -> Element:
    """Return a heading, without markup."""
    return block(run(remove_unseen(text), weight="Bolder"))


def draw_alarm(text: str) -> Element:
    """Return what is wrong, without markup."""
    return block(run(f"⚠️ {remove_unseen(text)}", **_ALARM))


def literal(text: str) -> str:
    """Return the text with a joiner in what clients would read as a date of their own: {{DATE(...)}}."""
    return re.sub(r"\{(?=\{(?:DATE|TIME)\()", "{\u2060", text)


# Source text: all of it that fits, and the whole as a file if it does not.


CAPTION_MAX_CHARS = 100
KIND_MAX_CHARS = 40

_LANGUAGES = {name.lower(): name for name in ("Bash", "JavaScript", "Json", "Python", "Sql", "Xml")}


def draw_code(code: Code, most: int, fold: str) -> CardElements:
    """Draw a Code card of at most so many characters; a folded one behind a line that opens it, whose ids end so."""
    parts = split((reveal(code.body).strip("\n") or "(empty)")[: most + 1], most)
    kind = code.language.upper()[:KIND_MAX_CHARS] or "Text"
    caption = truncate(" ".join(reveal(code.caption).split()), CAPTION_MAX_CHARS)
    steps = [_step(step) | ({"spacing": "Small"} if n else {}) for n, step in enumerate(code.steps)]
    source = [_snippet(parts[0].rstrip() or "(empty)", code.language)]
    files: tuple[Attached, ...] = ()
    if len(parts) > 1:
        whole = Attached("query.sql" if code.language == "sql" else "code.txt", code.body)
        files = (whole,)
        cut = f"⚠️ Cut here. Read the whole of it, {len(code.body):,} characters, in the file {whole.name}."
        source.append(draw_small(cut))
    if code.folded:
        return CardElements(tuple(_folded(kind, caption, [*steps, *source], fold)), files)
    return CardElements((*steps, draw_heading(f"{caption} — {kind}" if caption else kind), *source), files)


def _step(step: str) -> Element:
    """Return a line of a list; a name in `code` looks like one."""
    return block(run("• "), *(run(text, **_MARK_STYLES[mark]) for text, mark in pieces(step)))


def _folded(kind: str, caption: str, elements: list[Element], fold: str) -> list[Element]:
    """Return a line that shows or hides what is below it; its caption stands behind it."""
    title = f"Show or hide the {kind}"
    toggle = {"type": "Action.ToggleVisibility", "title": title, "targetElements": [fold]}
    about = [run(f"  ·  {caption}", **_SMALL_TEXT)] if caption else []
    said = block(run(f"▸ {title}", color="Accent"), *about)
    hidden = {"type": "Container", "id": fold, "isVisible": False, "items": elements}
    return [{"type": "Container", "selectAction": toggle, "items": [said]}, hidden]


def _snippet(body: str, language: str) -> Element:
    return {
        "type": "CodeBlock",
        "codeSnippet": body,
        "language": _LANGUAGES.get(language.lower(), "PlainText"),
        "fallback": block(run(body, fontType="Monospace")),
    }
