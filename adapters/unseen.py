"""Characters that cannot be seen, or that turn the order of reading: left out of texts, written out in source."""

import re
from unicodedata import category

# What no client shows but some obey: control characters, changes of the writing direction, halves of characters.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

_PLAIN = re.compile(r"[^\n\t -~]")
"""All that is not plain ASCII is looked at more closely."""

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
"""Controls, formats, halves of characters, what has no meaning (yet), and everything that looks like a blank."""

_BLANK = frozenset(
    map(
        chr,
        (
            0x034F,  # joins graphemes
            *(0x115F, 0x1160, 0x3164, 0xFFA0),  # letters of Hangul that fill a place
            *(0x17B4, 0x17B5),  # vowels of Khmer that are not written
            *(0x180B, 0x180C, 0x180D, 0x180F),  # variants of Mongolian letters
            0x2800,  # Braille without a dot
            *range(0xFE00, 0xFE10),  # variants of all letters
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Letters and marks, by their categories, of which nothing is seen."""


def clean(text: str) -> str:
    """Return the text without what cannot be seen, its lines parted by newlines."""
    return _UNSEEN.sub("", re.sub("\r\n?|\u2028|\u2029", "\n", text))


def shown(source: str) -> str:
    """Return the source with what cannot be seen written out, so that what is approved is what is read."""
    return _PLAIN.sub(_written, source.replace("\r\n", "\n"))


def _written(found: re.Match[str]) -> str:
    character = found[0]
    if character not in _BLANK and category(character) not in _HIDDEN:
        return character
    number = ord(character)
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
