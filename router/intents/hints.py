"""A person's own hint for the question at hand, typed below it, behind it, or alone: "hint: churned = no order"."""

import re

_HINT = re.compile(
    r"(?:(?<!\S)|(?<=\s[(–—-]))(?:my )?(?:hints?|hinweis|tipp|indice|pista|evidence)[ \t]*:[ \t]*", re.IGNORECASE
)
"""It begins with its word, so that long blanks are passed over once."""


def unhinted(text: str) -> tuple[str, str]:
    """Return a text without its hint, and the hint on one line; nothing for what is not there."""
    *before, last = _HINT.split(text)
    if not before:
        return text, ""
    # Before a hint stands what leads to it: a dash, or a bracket that it closes.
    first, *hints = (*(each.rstrip(" \t-–—(") for each in before), last)
    parts = (" ".join(each.split()).strip(" ;") for each in hints)
    question = first.strip().rstrip(",;")
    hint = "; ".join(part for part in parts if part)
    return question, hint.removesuffix(")") if hint.count(")") > hint.count("(") else hint
