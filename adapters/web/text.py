"""The two marks that a Text card may carry, as HTML; everything else in it is escaped."""

from html import escape

from adapters.markup import pieces

_TAGS = {"": "{}", "code": "<code>{}</code>", "bold": "<strong>{}</strong>"}


def html_of(text: str) -> str:
    """Return the text as HTML that holds no tags but <code> and <strong>."""
    return "".join(_TAGS[mark].format(escape(part)) for part, mark in pieces(text))
