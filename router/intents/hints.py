"""A person's own hint for the question at hand, typed below it, behind it, or alone: "hint: churned = no order"."""

import re

_HINT = re.compile(
    r"(?:^|\n|[ \t]+[-–—(]?)[ \t]*(?:my )?(?:hints?|hinweis|tipp|indice|pista|evidence)"
    r"[ \t]*:[ \t]*",
    re.IGNORECASE,
)


def unhinted(text: str) -> tuple[str, str]:
    """Return a text without its hint, and the hint on one line; nothing for what is not there."""
    first, *hints = _HINT.split(text)
    if not hints:
        return text, ""
    parts = (" ".join(each.split()).strip(" ;") for each in hints)
    question = first.strip().rstrip(",;")
    hint = "; ".join(part for part in parts if part)
    # What opened a bracket for the hint closes it, too.
    return question, hint.removesuffix(")") if hint.count(")") > hint.count("(") else hint
