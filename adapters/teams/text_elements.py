"""Text as elements that show it literally: TextBlock reads Markdown and is never used, RichTextBlock reads nothing."""

import re
from typing import Any

from adapters.rendering.attachment import Attached
from adapters.rendering.text import Mark, clean, pieces, shown, split
from adapters.teams.drawing import CardElements, Element, size_of
from router.cards import Code, Text
from router.language.wording import truncate

CARD_MIN_BYTES = 1_000
"""Bytes below which it makes no sense to begin a card."""

TEXT_LINES_MAX = 40
"""Lines of a text that are elements of their own; the others share the last one."""

_MARK_STYLES: dict[Mark, dict[str, Any]] = {"": {}, "code": {"fontType": "Monospace"}, "bold": {"weight": "Bolder"}}
_SMALL_TEXT: dict[str, Any] = {"size": "Small", "isSubtle": True}
_ALARM: dict[str, Any] = {"color": "Attention"}
_TITLE: dict[str, Any] = {"weight": "Bolder", "size": "Medium"}


def draw_text(card: Text, room: int) -> CardElements:
    """Draw a Text card in at most `room` bytes."""
    body = clean(card.body).strip()
    if not body:
        return CardElements()
    if room < CARD_MIN_BYTES:
        return CardElements(cut=True)
    look = {"quiet": _SMALL_TEXT, "problem": _ALARM, "plain": {}, "title": _TITLE}[card.tone]
    body = ("⚠️ " if card.tone == "problem" else "") + body
    most = room // 2
    while True:
        parts = split(body[: most + 1], most)
        drawn = paragraphs(parts[0].strip() + (" …" if len(parts) > 1 else ""), **look)
        if (size := size_of(drawn)) <= room or most < 10:
            break
        most = min(most, len(body)) * room // (size + 1) * 9 // 10
    return CardElements(tuple(drawn), cut=len(parts) > 1) if size <= room else CardElements(cut=True)


def paragraphs(body: str, **look: Any) -> list[Element]:
    """Return the body of a Text card, a line an element; an empty line is seen as a wider gap."""
    drawn: list[Element] = []
    gap = True
    lines = clean(body).strip().split("\n")
    if len(lines) > TEXT_LINES_MAX:
        lines = [*lines[: TEXT_LINES_MAX - 1], "\n".join(lines[TEXT_LINES_MAX - 1 :])]
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


def small(text: str) -> Element:
    """Return a line of small print, without markup; its lines may be several."""
    return block(run(clean(text), **_SMALL_TEXT))


def bold(text: str) -> Element:
    """Return a heading, without markup."""
    return block(run(clean(text), weight="Bolder"))


def alarm(text: str) -> Element:
    """Return what is wrong, without markup."""
    return block(run(f"⚠️ {clean(text)}", **_ALARM))


def literal(text: str) -> str:
    """Return the text with a joiner in what clients would read as a date of their own: {{DATE(...)}}."""
    return re.sub(r"\{(?=\{(?:DATE|TIME)\()", "{\u2060", text)


# Source text: all of it that fits, and the whole as a file where it does not.


CODE_MAX_CHARS = 10_000
"""Characters that are shown: it stands in a card twice, for old clients know no CodeBlock."""

CAPTION_MAX_CHARS = 100

_LANGUAGES = {
    "bash": "Bash",
    "javascript": "JavaScript",
    "json": "Json",
    "python": "Python",
    "sql": "Sql",
    "xml": "Xml",
}


def draw_code(code: Code, room: int, *, fold: str = "", closed: bool = False) -> CardElements:
    """Draw a Code card in at most `room` bytes; with `closed` behind a line that opens it, by ids that begin so."""
    whole = shown(code.body).strip("\n") or "(empty)"
    most = CODE_MAX_CHARS
    while most > 10:
        parts = split(whole[: most + 1], most)
        rest = [small(_rest(code))] if len(parts) > 1 else []
        source = [_snippet(parts[0].rstrip() or "(empty)", code.language), *rest]
        steps = [_step(step) | ({"spacing": "Small"} if n else {}) for n, step in enumerate(code.steps)]
        drawn = _folded(code, [*steps, *source], fold) if closed else [*steps, bold(_title(code)), *source]
        if (size := size_of(drawn)) <= room:
            return CardElements(tuple(drawn), (_file(code),) if rest else ())
        most = min(most, len(whole)) * room // (size + 1) * 9 // 10 if room >= CARD_MIN_BYTES else 0
    return CardElements(files=(_file(code),), cut=True)


def _step(step: str) -> Element:
    """Return a line of a list; a name in `code` looks like one."""
    return block(run("• "), *(run(text, **_MARK_STYLES[mark]) for text, mark in pieces(step)))


def _folded(code: Code, elements: list[Element], fold: str) -> list[Element]:
    """Return a line that shows or hides what is below it; its caption stands behind it."""
    caption = truncate(" ".join(shown(code.caption).split()), CAPTION_MAX_CHARS)
    ids = [f"show:{fold}", f"hide:{fold}", fold]

    def line(id: str, sign: str, verb: str, visible: bool) -> Element:
        title = f"{verb} the {_kind(code)}"
        toggle = {"type": "Action.ToggleVisibility", "title": title, "targetElements": ids}
        about = [run(f"  ·  {caption}", **_SMALL_TEXT)] if caption else []
        said = block(run(f"{sign} {title}", color="Accent"), *about)
        return {"type": "Container", "id": id, "isVisible": visible, "selectAction": toggle, "items": [said]}

    hidden = {"type": "Container", "id": fold, "isVisible": False, "items": elements}
    return [line(ids[0], "▸", "Show", True), line(ids[1], "▾", "Hide", False), hidden]


def _snippet(body: str, language: str) -> Element:
    return {
        "type": "CodeBlock",
        "codeSnippet": body,
        "language": _LANGUAGES.get(language.lower(), "PlainText"),
        "fallback": block(run(body, fontType="Monospace")),
    }


def _title(code: Code) -> str:
    caption = truncate(" ".join(shown(code.caption).split()), CAPTION_MAX_CHARS)
    return f"{caption} — {_kind(code)}" if caption else _kind(code)


def _kind(code: Code) -> str:
    return code.language.upper()[:40] or "Text"


def _file(code: Code) -> Attached:
    return Attached("query.sql" if code.language == "sql" else "code.txt", code.body)


def _rest(code: Code) -> str:
    return f"⚠️ Cut here. Read the whole of it, {len(code.body):,} characters, in the file {_file(code).name}."
