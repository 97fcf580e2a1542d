"""The connection that a sentence names as a place, by its name or label."""

import re
from collections.abc import Iterator, Mapping

from router.language.folding import unaccented
from router.language.phrases import phrase_at, phrase_before, tokens_of
from router.understanding.values.sentence import TAKEN_MARK, Sentence, unknown_words


def spoken(name: str, label: str) -> Iterator[str]:
    """Yield the ways to say a connection's name."""
    yield from {name, name.replace("_", " "), label, label.partition("(")[0].strip()} - {""}


def find_connection(sentence: Sentence, connections: Mapping[str, str]) -> str:
    """Take the connection that is named as a place, or stands alone in its clause; the longest name wins."""
    ways = {unaccented(way): name for name, label in connections.items() for way in spoken(name, label)}
    for way, name in sorted(ways.items(), key=lambda each: -len(each[0])):
        for found in re.finditer(rf"(?<![\w.-]){re.escape(way)}(?![\w-])(?!\.\w)", sentence.folded):
            if _is_place(sentence, *found.span()):
                denied = sentence.is_denied(*found.span())
                sentence.take(*found.span())
                if not denied:
                    return name
    return ""


def _is_place(sentence: Sentence, begin: int, end: int) -> bool:
    before = tokens_of(re.split(r"[,;:(.!?=]", sentence.left[:begin])[-1])
    clause = re.split(rf"[,;:.!?{TAKEN_MARK}]", sentence.left[end:])[0]
    behind = tokens_of(clause)
    if phrase_at("writing.table", behind, 0) or phrase_at("writing.schema", behind, 0):
        return False
    if phrase_at("connections.database", behind, 0) or phrase_before("connections.database", before, len(before)):
        return True
    while length := phrase_before("values.article", before, len(before)):
        before = before[:-length]
    return phrase_before("writing.into", before, len(before)) > 0 or not (before or unknown_words(clause))
