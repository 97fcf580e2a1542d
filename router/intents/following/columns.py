"""The columns and groupings that a question lists, and what becomes of it when one of them is not wanted."""

import re

from router.catalog.stems import stem
from router.intents.following.asked import Asked, Homes
from router.intents.following.groups import groups_in

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_VERB = re.compile(
    r"(?:drop|remove|hide|omit|skip|leave out|leave away|exclude|ignore|without|no|ohne|sans|sin) "
    r"(?:the |their |its |all |den |die |das |les? |la |los |las |el )*",
    re.IGNORECASE,
)
_TAKES_OUT = re.compile(r"(?:drop|remove|hide|omit|skip|leave (?:out|away))\b", re.IGNORECASE)
_COLUMN = re.compile(r" (?:columns?|fields?|grouping|breakdown|split|spalte|colonne|columna)$", re.IGNORECASE)
_LONGER = re.compile(r" (?:numbers?|address(?:es)?|names?|dates?|codes?)\b", re.IGNORECASE)
"""What may stand behind a column's name: "phone" is "phone number"."""
_BEHIND = frozenset(stem(word) for word in ("number", "address", "name", "date", "code"))
_LISTS = frozenset(stem(word) for word in ("list", "show", "give", "display", "get", "me", "us", "the", "and"))
_OF = re.compile(r" (?:of|von|de|des) ", re.IGNORECASE)
_ADDED = re.compile(r", (?:with|plus|including|mit|avec|con) (?:the|their|its) $", re.IGNORECASE)
_ALONE = re.compile(r",? (?:with|plus|including|mit|avec|con) (?:(?:the|their|its|a) )?$", re.IGNORECASE)
_JOINED = re.compile(r"(?:, and| and|,| und| et| y) (?:(?:the|their|its|a) )?$", re.IGNORECASE)
_GOES_ON = re.compile(
    r"(?:, and|,| and| und| et| y) (?=[^\W\d])(?!only\b|nur\b|without\b|with\b|sorted\b|top\b)", re.IGNORECASE
)
_ENDS = re.compile(
    r"$|,| (?:of|for|in|from|by|per|and|who|that|with|since|at|on|last|this|only|sorted|von|im|für|und|de|en|pour|et|y"
    r"|por)\b",
    re.IGNORECASE,
)


def without_column(body: str, words: str, asked: Asked, homes: Homes) -> str:
    """Return the question without the column that "remove the phone number" names; "" where it lists none of it.

    Values are no columns. "without" and "no" may mean rows that have none of it, and only take out what cannot be a
    condition.
    """
    name = _COLUMN.sub("", _VERB.sub("", words, count=1))
    wanted, known = _keys(name), {_key(part) for each in (*asked.names, *asked.columns) for part in each.split("_")}
    if not wanted or homes(name):
        return ""
    is_column = all(key in known or key in _BEHIND for key in wanted)
    groups = groups_in(body)
    for group in groups:
        if _keys(group.names) == wanted:
            return f"{body[: group.start].rstrip()}{body[group.end :]}"
    found = list(_WORD.finditer(body))
    for at in range(len(found) - len(wanted) + 1):
        span = found[at : at + len(wanted)]
        start, end = span[0].start(), span[-1].end()
        if [_key(word[0]) for word in span] != wanted:
            continue
        if longer := _LONGER.match(body[end:]):
            end += longer.end()
        grouped = any(group.start < start < group.end for group in groups)
        listed = is_column and (_TAKES_OUT.match(words) or _is_listed(body, start, known))
        if (grouped or listed) and (shorter := _cut(body[:start], body[end:])):
            return shorter
    return ""


def _is_listed(body: str, start: int, known: set[str]) -> bool:
    """Tell whether a name stands in a list of columns for certain: ", with the phone", "Name and phone of all …"."""
    if _ADDED.search(body[:start]):
        return True
    of = _OF.search(body)
    return bool(of and start < of.start()) and all(
        key in known or key in _BEHIND or key in _LISTS for key in _keys(body[: of.start() if of else 0])
    )


def _cut(before: str, after: str) -> str:
    """Return both sides of a column without it; "" where nothing of a list would be left, or it goes on otherwise."""
    ends = _ENDS.match(after)
    goes_on = _GOES_ON.match(after)
    if (alone := _ALONE.search(before)) and ends:
        return f"{before}{after[goes_on.end() :]}" if goes_on else f"{before[: alone.start()]}{after}"
    if (joined := _JOINED.search(before)) and ends:
        head = before[: joined.start()]
        listed = re.fullmatch(r"(?P<first>.*), (?P<last>[^,]*)", head) if "," not in joined[0] else None
        head = f"{listed['first']}{joined[0].split(',')[-1].rstrip()} {listed['last']}" if listed else head
        return f"{head}{after}"
    return (
        f"{before}{after[goes_on.end() :]}"
        if goes_on and re.search(r"(?:^|\b(?:the|list|show|by|per) )$", before, re.I)
        else ""
    )


def _keys(text: str) -> list[str]:
    return [_key(word) for word in _WORD.findall(text)]


def _key(word: str) -> str:
    return stem(word.lower().replace("-", ""))
