"""Values as the text of a table's cell: one line, short, and unable to disturb the cells beside it."""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Any

from router.jobs.results.codec import encode
from router.language.wording import size_words, truncate
from router.sql.cell_text import SIGN_MAX_BYTES, bytes_of, cut, number, plain, sign_of
from router.sql.databases.row_weight import Row, weight

# Shortening cells that are too long to be stored whole.


def shortened(row: Row, most: int) -> tuple[Row, int]:
    """Return the row with cells of about `most` bytes at most, and how many of them are cut, here or before."""
    cells = tuple(_short(cell, most) for cell in row)
    return cells, sum(mine is not its or bool(sign_of(its)) for mine, its in zip(cells, row, strict=True))


def stored_bytes(row: Row) -> int:
    """Return how many bytes a row takes in a result's file, but for what SQLite adds."""
    return sum(map(_stored, row))


def _short(cell: Any, most: int) -> Any:
    if _length(cell) <= most or (_length(cell) <= most + SIGN_MAX_BYTES and sign_of(cell)):
        return cell
    return cut(cell, most)


def _length(cell: Any) -> int:
    return bytes_of(cell) if isinstance(cell, str) else weight(cell)


def _stored(cell: Any) -> int:
    kept = encode(cell)
    if isinstance(kept, str):
        return len(kept) if kept.isascii() else len(kept.encode())
    return len(kept) if isinstance(kept, bytes) else 9


CELL_MAX_CHARS = 200
_BLANKS = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]+")
# Overrides, embeddings, isolates and marks of direction: one of them in a cell turns round what stands after it.
_TURNS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_ISOLATE, _END_ISOLATE = "\u2068", "\u2069"


def cell(value: Any) -> str | None:
    """Return the value's text for a preview, None for NULL; the exact value is what exports are for."""
    match value:
        case None:
            return None
        case str():
            return line(plain(value))
        case bool():
            return "yes" if value else "no"
        case float():
            return number(value)
        case bytes():
            return f"⟨blob, {size_words(len(value))}⟩"
    return line(plain(value))


def line(text: str, longest: int = CELL_MAX_CHARS) -> str:
    """Return the text as one line of at most `longest` characters, its writing direction kept to itself."""
    text = truncate(text, longest)
    if text.isascii() and text.isprintable():
        return text
    text = _CONTROL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", _TURNS.sub("", _BLANKS.sub(" ", text)))
    if any(unicodedata.bidirectional(character) in ("R", "AL", "AN") for character in text):
        return f"{_ISOLATE}{text}{_END_ISOLATE}"
    return text


def each_once(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts in order, each once: a second "North" is "North (2)", if no other one is called so."""
    taken, counts, shown = set(texts), Counter[str](), dict[str, None]()
    for text in texts:
        free = text
        while free in shown or (free != text and free in taken):
            counts[text] += 1
            free = f"{text} ({counts[text] + 1})"
        shown[free] = None
    return tuple(shown)
