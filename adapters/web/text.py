"""The two marks that a Text card may carry, as HTML; everything else in it is escaped."""

import re
from html import escape

# `code`, or *bold* that starts and ends at a word's border: "2 * 3 * 4" and count(*) stay as they are.
_MARK = re.compile(r"`([^`\n]+)`|(?<![\w*(])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*)])")


def html_of(text: str) -> str:
    """Return the text as HTML that holds no tags but <code> and <strong>."""
    parts: list[str] = []
    end = 0
    for mark in _MARK.finditer(text):
        code, bold = mark.groups()
        marked = f"<code>{escape(code)}</code>" if code else f"<strong>{escape(bold)}</strong>"
        parts += [escape(text[end : mark.start()]), marked]
        end = mark.end()
    return "".join([*parts, escape(text[end:])])
