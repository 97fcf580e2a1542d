"""Text as Teams reads it outside of cards: Markdown with HTML in it."""

import re

from adapters.rendering.text import pieces, remove_unseen, split

JOINER = "\u2060"
"""A zero-width character: it breaks what would become a link or a person, and nobody sees it."""

_MARK = re.compile(r"[\\`*_~\[\]|]")
_START = re.compile(r"^(?:[#+=-]+(?=\s|$)|\d+(?=[.)](?:\s|$)))")
_LINK = re.compile(r"(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?=@\w)", re.IGNORECASE)

_SPECIAL = re.compile(r"[\\`*_~\[\]|<>&#@{}=]|://|\bwww\.|^\s*(?:[-+]|\d+[.)])(?:\s|$)|^ {4}", re.MULTILINE | re.I)


def escaped(text: str, most: int) -> str:
    """Return Markdown of at most `most` characters that shows exactly this text, or as much of it as fits."""
    text = "\n".join(line for line in map(str.strip, remove_unseen(text).split("\n")) if line)
    if len(text) <= most and len(whole := _escaped(text)) <= most:
        return whole
    return _escaped(split(text[:most], most - 2, _escaped)[0]) + " …"


def marked(body: str) -> str | None:
    """Return the body of a Text card as Markdown; None if only a card would show it exactly."""
    said = []
    for text, mark in pieces(remove_unseen(body).strip()):
        if re.search("[<>&{}]", text) if mark == "code" else _SPECIAL.search(text):
            return None
        said.append({"": text, "code": f"`{text}`", "bold": f"**{text}**"}[mark])
    return re.sub(r"\n+", "\n\n", "".join(said))


def _escaped(text: str) -> str:
    return "\n\n".join(map(_line, text.strip().split("\n")))


def _line(line: str) -> str:
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    line = _MARK.sub(r"\\\g<0>", line)
    line = _START.sub(lambda start: f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}", line)
    return _LINK.sub(JOINER, line)
