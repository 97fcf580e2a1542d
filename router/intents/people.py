"""The wish to have a person asked, with why, where that is said."""

import re

from router.intents.words import word_of

_REASON = re.compile(
    r"(?P<wish>.+?)\s*(?::|,|—|\bbecause\b|\babout\b|\bwhy\b)\s*(?P<why>\S.*)", re.DOTALL | re.IGNORECASE
)


LONGEST = 500
"""Characters of a sentence that is looked at."""


def human_wished(text: str) -> str | None:
    """Return why somebody wants a person asked, empty where they do not say; None where they do not want that."""
    if len(text) > LONGEST:
        return None
    if word_of(text, ("human",)):
        return ""
    if (found := _REASON.fullmatch(text.strip())) and word_of(found["wish"], ("human",)):
        return found["why"].strip()
    return None
