"""A model's value is believed where the sentence has it, and returned as the sentence spells it."""

import re
from collections.abc import Iterator, Mapping

from router.agents.params.known import NO_NAME, NO_VALUE, unknown_words


def phrase_in(sentence: str, value: str) -> str:
    """Return the words as the sentence spells them; "" where it does not, or they are the request's."""
    wanted = " ".join(value.split()).strip(" .,;:\"'“”„«»`")
    if wanted.lower() in NO_VALUE or not unknown_words(wanted):
        return ""
    found = re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", " ".join(sentence.split()), re.IGNORECASE)
    return found[0] if found else ""


def name_in(sentence: str, value: str) -> str:
    """Return the name as the sentence spells it; "" where it does not have it, or it is a word that names nothing."""
    found = phrase_in(sentence, value)
    return "" if len(found) > 128 or all(word in NO_NAME for word in found.lower().split()) else found


def connection_in(sentence: str, value: str, connections: Mapping[str, str]) -> str:
    """Return the name of the connection, where it is one of those given and the sentence has its name or label."""
    wanted = value.casefold().strip()
    for name, label in connections.items():
        ways = list(spoken(name, label))
        if wanted in (way.casefold() for way in ways) and any(phrase_in(sentence, way) for way in ways):
            return name
    return ""


def spoken(name: str, label: str) -> Iterator[str]:
    """Yield the ways to say a connection's name."""
    yield from {name, name.replace("_", " "), label, label.partition("(")[0].strip()} - {""}
