"""The two marks that a Text card may carry: `code` and *bold*."""

import re
from collections.abc import Iterator
from typing import Literal

from adapters.unseen import clean

Mark = Literal["", "code", "bold"]

# `code`, or *bold* at a word's border: "2 * 3 * 4" and count(*) stay as they are.
_MARK = re.compile(r"`([^`\n]+)`|(?<![\w*(])\*(?=[^\s*])([^*\n]*[^\s*])\*(?![\w*)])")


def pieces(body: str) -> Iterator[tuple[str, Mark]]:
    """Yield the parts of a Text card's body with their marks; no part is empty."""
    body, end = clean(body), 0
    for mark in _MARK.finditer(body):
        if mark.start() > end:
            yield body[end : mark.start()], ""
        yield (mark[1], "code") if mark[1] else (mark[2], "bold")
        end = mark.end()
    if end < len(body):
        yield body[end:], ""


def bare(body: str) -> str:
    """Return the body of a Text card without its marks."""
    return "".join(text for text, _ in pieces(body))
