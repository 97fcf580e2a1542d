"""The words of a picture: in fonts that are installed here, and no longer than there is room for."""

import unicodedata
from functools import cache

from wcwidth import wcswidth

# What people have installed for the scripts that DejaVu Sans lacks: Linux, Windows, macOS.
_FONTS = (
    "DejaVu Sans",
    *(f"Noto Sans{script}" for script in ("", " CJK SC", " CJK JP", " CJK KR", " Arabic", " Hebrew", " Devanagari")),
    *("Noto Sans Thai", "WenQuanYi Zen Hei", "Droid Sans Fallback", "IPAexGothic", "Microsoft YaHei", "Yu Gothic"),
    *("Malgun Gothic", "Nirmala UI", "Leelawadee UI", "PingFang SC", "Hiragino Sans", "Arial Unicode MS"),
)


def cut(text: str, columns: int) -> str:
    """Return as much of the text as takes this many columns, with … where some is missing."""
    if width(text) <= columns:
        return text
    while width(text) > columns - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def width(text: str) -> int:
    """Return how many columns the text takes: two for a Chinese character, none for an accent."""
    return max(wcswidth(text), 0)


@cache
def fonts() -> list[str]:
    """Return those of the fonts that are installed here."""
    from matplotlib.font_manager import fontManager

    installed = set(fontManager.get_font_names())
    return [name for name in _FONTS if name in installed]


@cache
def _known() -> frozenset[int]:
    """Return the characters that one of the fonts has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found = (get_font(findfont(FontProperties(family=[name]))) for name in fonts())
    return frozenset(code for font in found for code in font.get_charmap())


def drawable(text: str) -> str:
    """Return the text with a box for each character that no font has, and without marks that turn its direction."""
    known, shown = _known(), []
    for character in unicodedata.normalize("NFC", text):
        kind = unicodedata.category(character)
        if ord(character) in known and kind not in ("Cf", "Cc"):
            shown.append(character)
        elif kind[0] not in "CM":
            shown.append("□")
    return "".join(shown)
