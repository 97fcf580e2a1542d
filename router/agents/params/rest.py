"""A sentence while it is read, and what of it is not read yet."""

import re

READ = "\0"
"""Stands in the place of each letter that was read, so that no later rule reads it again, or reads across it."""

QUOTES = (('"', '"'), ("“", "”"), ("„", "“"), ("«", "»"), ("`", "`"), ("'", "'"))
QUOTED = "|".join(rf"(?<!\w){a}[^{a}{b}]+{b}(?!\w)" for a, b in QUOTES)


class Rest:
    """The sentence in single blanks; `left` is as long as `text`, and holds what was not read yet.

    `unnamed` has all words but those that were read as values.
    """

    def __init__(self, sentence: str) -> None:
        self.text = " ".join(sentence.replace("’", "'").replace(READ, " ").split())
        self.left = self.unnamed = self.text

    def take(self, *patterns: re.Pattern[str]) -> str:
        """Return the group `value` of the first pattern that is found, which is read with all around it; "" if none."""
        for pattern in patterns:
            if found := pattern.search(self.left):
                return self.read(found)
        return ""

    def read(self, found: re.Match[str]) -> str:
        """Return the group `value` without its quotes; what was found counts as read."""
        begin, end = found.span("value")
        self.cut(*found.span())
        self.unnamed = self.unnamed[:begin] + READ * (end - begin) + self.unnamed[end:]
        return unquoted(self.text[begin:end])

    def cut(self, begin: int, end: int) -> None:
        """Count this part as read."""
        self.left = self.left[:begin] + READ * (end - begin) + self.left[end:]


def unquoted(value: str) -> str:
    """Return the value without blanks and quotes around it."""
    bare = value.strip()
    for begin, end in QUOTES:
        if len(bare) > 1 and bare.startswith(begin) and bare.endswith(end):
            return bare[1:-1].strip()
    return bare
