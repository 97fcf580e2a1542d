"""Reads what a sentence changes of a write that a card shows: "append instead", "not sales but orders_2026".

Only what was understood to the last word is a correction: a question about the card, or a new one, is none.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from router.language.folding import without_accents
from router.memory.thread import Mode
from router.understanding.kinds import is_question
from router.understanding.parameters.columns import column_pairs
from router.understanding.parameters.sentence import CHANGE_WORDS, QUOTED, Rest, WritingWish, unknown_words, unquoted
from router.understanding.parameters.wording import wish_in
from router.understanding.parameters.writing import keeps_rows, mode_of, rules_of_writing


@dataclass(frozen=True, slots=True)
class WritingCorrection:
    """Changes of a write; empty is what stays.

    `columns` are names of the table by those of the result, "" to leave one out.
    """

    connection: str = ""
    schema: str = ""
    table: str = ""
    mode: Mode | Literal[""] = ""
    name: str = ""
    columns: Mapping[str, str] | None = None

    def __bool__(self) -> bool:
        return bool(self.connection or self.schema or self.table or self.mode or self.name or self.columns)


_JOB: Final = re.compile(
    r"(?:(?:change|set|make|use|put|rename|call|name|nenn\w*|appelle\w*|llama)\s+(?:(?:the|this|den|der|le|el)\s+)?"
    r"job(?:'?s)?(?: name)?(?:\s+(?:to|as|in|zu|auf|en|à|a|por)|\s*[:=])?\s+"
    r"|(?:(?:the|this|der|den|le|el)\s+)?job(?:'?s)?(?: name)?(?:\s*[:=]|\s+(?:is|should be|must be|ist|heißt)"
    r"(?: called| named)?|\s+(?:called|named))\s*)(?P<value>\S.*)$"
    r"|(?:der|den)\s+job\s+(?:soll|bitte)?\s*(?P<behind>\S.*?)\s+(?:heißen|nennen)$",
    re.IGNORECASE,
)
_EXCHANGED: Final = (
    re.compile(r"(?:lieber|rather|better|plutôt|mejor)\s+(?P<new>.+?)\s+(?:als|than|que)\s+(?P<old>.+)", re.IGNORECASE),
    re.compile(
        r"(?:.*\s)?(?:not|nicht|pas|no)\s+(?:to\s+|an\s+|à\s+|a\s+)?(?P<old>\S+?),?\s+"
        r"(?:but|to|rather|it'?s|it is|sondern|mais|c'est|sino|es)\s+(?P<new>.+)",
        re.IGNORECASE,
    ),
    re.compile(
        r"(?P<new>.+?)\s*,?\s*\b(?:instead of|rather than|not|statt|anstatt|anstelle von|nicht|au lieu de|pas|en vez de"
        r"|en lugar de|no)\b\s*(?P<old>.+)",
        re.IGNORECASE,
    ),
)
_NAMED_NEW: Final = re.compile(
    r"\b(?:new|neue[rn]?|nouvelle|nueva)\s+(?:table|tabelle|tabla)\b|\b(?:table|tabelle|tabla)\s+(?:nueva|nouvelle)\b"
    r"|\b(?:call(?:ed)?|named?|namens|genannt|nenn\w*|llam\w+|appel\w+|nomm\w+|cr[eé]+[ae]?[rz]?|create|make|lege)\b",
    re.IGNORECASE,
)


def writing_correction(
    text: str,
    connections: Mapping[str, str],
    columns: Sequence[str] = (),
    targets: Sequence[str] = (),
    tables: Sequence[str] = (),
    spare: int = 0,
) -> WritingCorrection:
    """Return what a sentence changes of the write on show; nothing where it says something else, too.

    `connections` are labels by name, `columns` those of the result, `targets` those of the table, and `tables` those
    that there are: any other is believed only where it looks like a name, or is said to be one. A table that is there,
    or a mode alone, may be said with `spare` words more than are known.
    """
    typed = wish_in(text)
    if not typed or is_question(typed):
        return WritingCorrection()
    if pairs := column_pairs(typed, columns, targets):
        return WritingCorrection(columns=pairs)
    if named := _JOB.fullmatch(typed):
        return WritingCorrection(name=unquoted((named["value"] or named["behind"]).strip(" .")))
    new = next((found["new"] for rule in _EXCHANGED if (found := rule.fullmatch(typed))), typed)
    mode = "append" if keeps_rows(typed) else mode_of(typed)
    rest, table = _without_table(new, tables)
    wish = _wish(Rest(rest), connections, spare if mode else 0) if not table else WritingWish(table=table)
    if wish is None:
        return WritingCorrection()
    if table:
        further = Rest(rest)
        connection = rules_of_writing(further, connections).connection
        return (
            WritingCorrection()
            if len(_unknown(further.left)) > spare
            else WritingCorrection(connection, "", table, mode)
        )
    return WritingCorrection(wish.connection, wish.schema, wish.table, mode or wish.mode, wish.name)


def _wish(rest: Rest, connections: Mapping[str, str], spare: int) -> WritingWish | None:
    """Return what rules read, where nothing else is said; None for anything else."""
    wish = rules_of_writing(rest, connections)
    if len(_unknown(rest.left)) > (0 if wish.table else spare):
        return None
    return None if wish.table and not _believed(rest.text, wish.table) else wish


def _unknown(left: str) -> list[str]:
    words = (word for word in unknown_words(left) if word.lower() not in CHANGE_WORDS)
    return [word for word in words if not (mode_of(word) or keeps_rows(f"not {word}"))]


def _believed(typed: str, table: str) -> bool:
    """Tell a name that can be made a table: it looks like one, stands in quotes, or is said to be a new table's."""
    if _DENIED.search(typed[: typed.casefold().find(table.casefold())]):
        return False
    like_one = bool(re.search(r"[\d_$#]", table)) or bool(re.search(rf"(?:{QUOTED})", typed))
    known = not unknown_words(table) or table.lower() in CHANGE_WORDS
    lead = r"(?:\.|(?:^|\b(?:as|to|into|in|use|als|nach|dans|en|como) )(?:the )?(?:table|tabelle|tabla) )"
    said = rf"{lead}{re.escape(table)}\b"
    return like_one or (not known and bool(_NAMED_NEW.search(typed) or re.search(said, typed, re.IGNORECASE)))


_DENIED: Final = re.compile(
    r"\b(?:not|nicht|pas|no|instead of|rather than|statt|anstatt|au lieu de|en vez de|isn'?t|ohne|without|except)"
    r"(?: (?:in|into|to|the|table|die|der|das|tabelle|nach|dans|la|le|en|tabla|a))*\s*$",
    re.IGNORECASE,
)


_TOLD_OF: Final = re.compile(
    r"\s+(?:has|have|is|isn'?t|does|doesn'?t|was|looks|hat|ist|sieht|fehlt|est|n'est|tiene)\b(?!\s+(?:right|better))",
    re.IGNORECASE,
)


def _without_table(typed: str, tables: Sequence[str]) -> tuple[str, str]:
    """Return the sentence without the one table that it names and that is there, and that table; else both as before.

    Its words may stand apart, and in any order: "the archive one for customers" is customers_archive.
    """
    if re.search(QUOTED, typed):  # "places two" is no word about the table places
        return typed, ""
    plain = typed.casefold()
    named: list[tuple[str, str]] = []
    for table in sorted(tables, key=len, reverse=True):
        words = without_accents(table).casefold()
        whole = rf"(?<![\w.]){re.escape(words)}(?!\w)|(?<![\w.]){re.escape(words).replace('_', '[ -]')}(?!\w)"
        found = re.search(whole, plain)
        if found and not _DENIED.search(typed[: found.start()]) and not _TOLD_OF.match(typed[found.end() :]):
            named.append((f"{typed[: found.start()]} , {typed[found.end() :]}", table))
            plain = plain[: found.start()] + " " * len(found[0]) + plain[found.end() :]
    if not named:
        parts = {table: set(without_accents(table).casefold().split("_")) for table in tables}
        said = re.findall(r"\w+", plain)
        having = [table for table, words in parts.items() if len(words) > 1 and words <= set(said)]
        if len(having) == 1 and not re.search(r"\b(?:not|nicht|pas|no)\b", plain):
            return " ".join(word for word in said if word not in parts[having[0]]), having[0]
    return named[0] if len(named) == 1 else (typed, "")
