"""Characters that cannot be seen, or that turn the order of reading: left out of texts, written out in source."""

import re

# What no client shows but some obey: control characters, changes of the writing direction, halves of characters.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# In SQL, what is invisible too would let it look like other SQL.
_HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def clean(text: str) -> str:
    """Return the text without what cannot be seen, its lines parted by newlines."""
    return _UNSEEN.sub("", re.sub("\r\n?|\u2028|\u2029", "\n", text))


def shown(source: str) -> str:
    """Return the source with what cannot be seen written out, so that what is approved is what is read."""
    return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", source.replace("\r\n", "\n"))
