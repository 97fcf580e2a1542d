"""Small checks that are put together into the shape of a block; a check adds what it finds wrong to `Found`."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Found:
    """Problems of one payload, and what has to be unique in the whole of it."""

    problems: list[str] = field(default_factory=list)
    action_ids: dict[str, str] = field(default_factory=dict)
    block_ids: dict[str, str] = field(default_factory=dict)

    def say(self, what: str, path: str) -> None:
        """Add a problem, worded as Slack words it."""
        self.problems.append(f"[ERROR] {what} [json-pointer:{path}]")

    def once(self, kind: str, value: str, path: str) -> None:
        """Complain if this id was seen before."""
        seen = self.action_ids if kind == "action_id" else self.block_ids
        if value in seen:
            self.say(f"{kind} `{value}` already exists at {seen[value]}", path)
        seen.setdefault(value, path)


Check = Callable[[Any, str, Found], None]


def string(most: int, least: int = 0, pattern: str = "") -> Check:
    """Demand a string of `least` to `most` characters."""

    def check(value: Any, path: str, found: Found) -> None:
        if not isinstance(value, str):
            found.say("must provide a string", path)
        elif len(value) > most:
            found.say(f"must be less than {most + 1} characters", path)
        elif len(value) < least:
            found.say(f"must be more than {least - 1} characters", path)
        elif pattern and not re.fullmatch(pattern, value):
            found.say("must match the required format", path)

    return check


def number(least: float | None = None, most: float | None = None, whole: bool = False, above: bool = False) -> Check:
    """Demand a number in a range; with `above`, `least` itself is too little."""

    def check(value: Any, path: str, found: Found) -> None:
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)) or value != value:
            found.say("must provide a number" if not whole else "must provide an integer", path)
        elif least is not None and (value < least or (above and value == least)):
            found.say(f"must be greater than {'' if above else 'or equal to '}{least}", path)
        elif most is not None and value > most:
            found.say(f"must be less than or equal to {most}", path)

    return check


def boolean(value: Any, path: str, found: Found) -> None:
    """Demand true or false."""
    if not isinstance(value, bool):
        found.say("must provide a boolean", path)


def one_of(*values: str) -> Check:
    """Demand one of these words."""

    def check(value: Any, path: str, found: Found) -> None:
        if value not in values:
            found.say(f"must be a valid enum value: {', '.join(values)}", path)

    return check


def many(each: Check, least: int = 1, most: int | None = None) -> Check:
    """Demand a list of `least` to `most` items that pass a check."""

    def check(value: Any, path: str, found: Found) -> None:
        if not isinstance(value, list):
            found.say("must provide an array", path)
            return
        if len(value) < least:
            found.say(f"no fewer than {least} items allowed", path)
        if most is not None and len(value) > most:
            found.say(f"no more than {most} items allowed", path)
            return
        for number, item in enumerate(value):
            each(item, f"{path}/{number}", found)

    return check


def shape(required: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """Demand an object with these fields and no other; `type` is judged by `typed`."""
    fields = {**required, **(optional or {})}

    def check(value: Any, path: str, found: Found) -> None:
        if not isinstance(value, dict):
            found.say("must provide an object", path)
            return
        for name in required:
            if value.get(name) is None:
                found.say(f"missing required field: {name}", path)
        for name, given in value.items():
            if name in fields:
                if given is not None or name not in required:
                    fields[name](given, f"{path}/{name}", found)
            elif name != "type":
                found.say(f"invalid additional property: {name}", path)

    return check


def typed(kinds: Mapping[str, Check], only: Collection[str] | None = None) -> Check:
    """Demand an object whose `type` is one of these kinds, and check it as that."""

    def check(value: Any, path: str, found: Found) -> None:
        kind = value.get("type") if isinstance(value, dict) else None
        if kind is None:
            found.say("missing required field: type", path)
        elif kind not in kinds or (only is not None and kind not in only):
            found.say(f"unsupported type: {kind}", f"{path}/type")
        else:
            kinds[kind](value, path, found)

    return check


def both(*checks: Check) -> Check:
    """Demand that all of these pass."""

    def check(value: Any, path: str, found: Found) -> None:
        for each in checks:
            each(value, path, found)

    return check


def text(most: int, *kinds: str, least: int = 1) -> Check:
    """Demand a text object; of kind plain_text, unless kinds are named."""
    words = {"text": string(most, least)}
    shapes = {
        "plain_text": shape(words, {"emoji": boolean}),
        "mrkdwn": shape(words, {"verbatim": boolean}),
    }
    return typed(shapes, kinds or ("plain_text",))


def any_text(most: int) -> Check:
    """Demand a text object of either kind."""
    return text(most, "plain_text", "mrkdwn")
