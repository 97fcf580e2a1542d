"""A message taken apart: the order, number, times and groupings that it asks for, and what is left of it."""

import re
from dataclasses import dataclass, field, replace

from router.understanding.followup.filters import EXCLUDE, INCLUDE
from router.understanding.followup.groups import Group, groups_in, plainly
from router.understanding.followup.order import Limit, limit_in, number_of, order_in
from router.understanding.followup.times import Time, times_in

_SHARE = re.compile(
    r"(?:(?:and )?(?:as|in|with) (?:a )?(?:percent(?:ages?)?|per cent|%|shares?|proportions?|fractions?)(?: of (?:the"
    r" )?(?:total|whole|all|sum))?"
    r"|as (?:a )?(?:share|percentage|fraction|proportion) of (?:the )?(?:total|whole|all)|(?:as (?:a )?)?(?:running"
    r" total|cumulative(?:ly)?|(?:year|month|quarter|week)[ -](?:over|on)[ -](?:year|month|quarter|week)|yoy"
    r"|growth(?: rate)?|rolling average)|percentages?(?: of (?:the"
    r" )?total)?(?: (?:instead of|rather than|not) [\w ]+)?|relative(?:ly)?"
    r"|(?:in|als) prozent\w*|prozentual\w*|als anteil(?:e)?|en pourcentage|en porcentaje)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:(?:in|as|converted to|convert (?:it |that )?to|into) (?P<money>euros?|eur|€|(?:us )?dollars?|usd|\$"
    r"|pounds?|gbp|£|(?:swiss )?francs?|chf|yen|jpy))"
    r"|in (?P<size>thousands?|millions?|k|m|tausend|millionen)",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:as )?(?:opposed to|in comparison (?:to|with)|compare(?:d)? (?:(?:it|that|this|them) )?(?:to|with)"
    r"|versus|vs\.?|against|verglichen mit|im vergleich zu|comparé à|comparado con) (?P<what>\S.*)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r" (?:vs\.?|versus|against|compared (?:to|with)|or|gegen|contre|contra) ", re.IGNORECASE)
_EDGE = re.compile(
    r"^[\s,;&-]+|(?<![\s,;&-])[\s,;&-]+$|^(?:and|but|und|et|y(?! compris)|then)\b\s*"
    r"|(?<!\s)\s+(?:and|but|und|et|y|only|for|in)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class MessageParts:
    """The parts of a message; `left` is the rest."""

    left: str
    order: str = ""
    limit: Limit | None = None
    share: str = ""
    unit: str = ""
    money: bool = False
    compared: str = ""
    exclude: str = ""
    include: str = ""
    times: list[Time] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """True where anything was understood."""
        return bool(
            self.order
            or self.limit
            or self.share
            or self.unit
            or self.compared
            or self.exclude
            or self.include
            or self.times
            or self.groups
        )


def parts_of(text: str, only: bool) -> MessageParts:
    """Return what a message asks for; with `only`, a number alone is a number of rows."""
    parts = MessageParts(text)
    for take in (_compared, _excluded, _ordered, _limited, _shared, _in_unit, _timed, _grouped):
        take(parts)
        parts.left = _trimmed(parts.left)
    number = number_of(parts.left) if not parts.limit and (only or not parts.any) else None
    if number:
        parts.limit, parts.left = number, ""
    return parts


def _compared(parts: MessageParts) -> None:
    match = _COMPARED.match(parts.left)
    if match:
        parts.compared, parts.left = match["what"], ""


def _excluded(parts: MessageParts) -> None:
    """Take what is left out or put in; it ends where the message goes on with something else."""
    for name, pattern in (("exclude", EXCLUDE), ("include", INCLUDE)):
        match = re.search(rf"(?:^|(?<=[\s,])){pattern.pattern}", parts.left, re.IGNORECASE)
        if match is None:
            continue
        rest = parts.left[match.start() :]
        order, limit = order_in(rest), limit_in(rest)
        ends = [
            found.start()
            for found in (
                order,
                re.search(r",|\b(?:but|aber|mais|pero)\b|\band (?:by|per|sort|order|only|top|in 20)", rest),
            )
            if found
        ]
        ends += [limit[1]] if limit else []
        at = min([end for end in ends if end > 8], default=len(rest))
        setattr(parts, name, _trimmed(rest[:at]))
        parts.left = f"{parts.left[: match.start()]} {rest[at:]}".strip()


def _ordered(parts: MessageParts) -> None:
    match = order_in(parts.left)
    if match:
        parts.order = match[0].strip()
        _cut(parts, match.start(), match.end())


def _limited(parts: MessageParts) -> None:
    found = limit_in(parts.left)
    if found:
        parts.limit = found[0]
        _cut(parts, found[1], found[2])


def _shared(parts: MessageParts) -> None:
    match = _SHARE.fullmatch(parts.left) or re.search(rf"(?<!\w){_SHARE.pattern}$", parts.left, re.IGNORECASE)
    if match:
        parts.share = match[0]
        _cut(parts, match.start(), match.end())


def _in_unit(parts: MessageParts) -> None:
    match = re.search(rf"(?:^|(?<= ))(?:{_UNIT.pattern})$", parts.left, re.IGNORECASE)
    if match:
        parts.unit, parts.money = match[0], bool(match["money"])
        _cut(parts, match.start(), match.end())


def _timed(parts: MessageParts) -> None:
    times = times_in(parts.left)
    if len(times) == 2 and _BESIDE.fullmatch(parts.left[times[0].end : times[1].start]):
        parts.times.append(
            Time(0, 0, times[0].prep, parts.left[times[0].start : times[1].end].removeprefix(f"{times[0].prep} "), "")
        )
        _cut(parts, times[0].start, times[1].end)
        return
    for time in reversed(times):
        parts.times.insert(0, time)
        _cut(parts, time.start, time.end)


def _grouped(parts: MessageParts) -> None:
    parts.left = plainly(parts.left)
    for group in reversed(groups_in(parts.left)):
        parts.groups.insert(0, group)
        _cut(parts, group.start, group.end)
    if parts.groups and parts.left.startswith(":"):
        parts.groups[-1] = replace(parts.groups[-1], names=f"{parts.groups[-1].names}{parts.left}")
        parts.left = ""


def _cut(parts: MessageParts, start: int, end: int) -> None:
    parts.left = f"{parts.left[:start].rstrip()} {parts.left[end:].lstrip()}".strip()


def _trimmed(text: str) -> str:
    while (shorter := _EDGE.sub("", text)) != text:
        text = shorter
    return text
