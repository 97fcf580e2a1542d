"""The connection that a sentence names as a place, by its name or label."""

import re
from collections.abc import Mapping

from router.language.folding import unaccented
from router.language.phrases import phrase_at, tokens_of
from router.understanding.values.sentence import Sentence, is_plain, spoken


def find_connection(sentence: Sentence, connections: Mapping[str, str]) -> str:
    """Take the connection that is named as a place, or stands alone in its clause; the longest name wins."""
    plain = unaccented(sentence.left)
    plain = plain if len(plain) == len(sentence.left) else sentence.left.casefold()
    ways = {unaccented(way): name for name, label in connections.items() for way in spoken(name, label)}
    for way, name in sorted(ways.items(), key=lambda each: -len(each[0])):
        for found in re.finditer(rf"(?<![\w.-]){re.escape(way)}(?![\w-])(?!\.\w)", plain):
            if _is_place(sentence, *found.span()):
                denied = sentence.is_denied(*found.span())
                sentence.take(*found.span())
                if not denied:
                    return name
    return ""


def _is_place(sentence: Sentence, begin: int, end: int) -> bool:
    before = tokens_of(re.split(r"[,;:(.!?=]\s*", sentence.left[:begin])[-1])
    behind = tokens_of(re.split(r"[,;:).!?]", sentence.left[end:])[0])
    if behind and (phrase_at("writing.table", behind, 0) or phrase_at("writing.schema", behind, 0)):
        return False
    while before and (is_plain(before[-1].word) and not phrase_at("writing.into", before, len(before) - 1)):
        if phrase_at("writing.as", before, len(before) - 1) or phrase_at("writing.called", before, len(before) - 1):
            return False
        before = before[:-1]
    return bool(before and phrase_at("writing.into", before, len(before) - 1)) or (
        not before and all(is_plain(each.word) for each in behind)
    )
