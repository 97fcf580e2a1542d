"""Lists what Teams would not take, or not show, of a card, and what would look wrong to a person."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.platforms.teams.cards.model import INNER, STANDARD, problems, types_by_name
from tests.platforms.teams.world import Card

MOST_ACTIONS = 6
"""Of a row, without those behind its "…"."""
MARKS = re.compile(r"(?<!\\)\]\(|<")
NEWEST = (1, 5)
INNER_LISTS = ("body", "items", "columns", "rows", "cells", "inlines", "actions", "pages", "images", "menuActions")
INNER_OBJECTS = ("selectAction", "inlineAction", "card", "fallback", "popoverContent", "content")


def parts_of(value: Any, fallbacks: bool = False) -> Iterator[dict[str, Any]]:
    """Yield every element and action in a card, from top to bottom; with `fallbacks` also what stands in for them."""
    if not isinstance(value, dict):
        return
    yield value
    for name, held in value.items():
        if name in INNER_LISTS and isinstance(held, list):
            for each in held:
                yield from parts_of(each, fallbacks)
        elif name in INNER_OBJECTS and (fallbacks or name != "fallback"):
            yield from parts_of(held, fallbacks)


def card_problems(card: Any) -> list[str]:
    """Return why Teams refuses a card; nothing if it takes it."""
    if not isinstance(card, dict) or card.get("type") != "AdaptiveCard":
        return ["card: is no AdaptiveCard"]
    found = problems(card, types_by_name()["AdaptiveCard"], "card")
    version = str(card.get("version", ""))
    if not all(part.isdigit() for part in version.split(".")) or tuple(map(int, version.split("."))) > NEWEST:
        found.append(f"card.version: {version} is above {'.'.join(map(str, NEWEST))}")
    if (count := _primary(card)) > MOST_ACTIONS:
        found.append(f"card.actions: {count} of at most {MOST_ACTIONS}")
    parts = list(parts_of(card, fallbacks=True))
    for part in parts:
        kind = part.get("type")
        if kind not in STANDARD | INNER | {None} and kind in types_by_name() and not part.get("fallback"):
            found.append(f"card: {kind} is an extension of Teams and needs a fallback")
        if kind == "ActionSet" and (count := _primary(part)) > MOST_ACTIONS:
            found.append(f"card: an ActionSet has {count} of at most {MOST_ACTIONS} actions")
    return found + _same_ids(card)


def _primary(part: dict[str, Any]) -> int:
    """Return the number of actions that are not behind the "…"."""
    return sum(each.get("mode") != "secondary" for each in part.get("actions") or [])


def card_gaps(card: Card) -> list[str]:
    """Return what people would miss who hear a card, or whose client cannot show it."""
    found = [] if card.get("fallbackText") else ["the card has no fallbackText"]
    for part in parts_of(card):
        if str(part.get("type")).startswith("Input."):
            found += [] if part.get("label") else [f"{part['id']} has no label"]
            found += (
                [f"{part['id']} has no errorMessage"] if part.get("isRequired") and not part.get("errorMessage") else []
            )
    return found


def _same_ids(card: Card) -> list[str]:
    inputs = [part.get("id") for part in parts_of(card) if str(part.get("type")).startswith("Input.")]
    return [f"card: {count} inputs have the id {name!r}" for name, count in Counter(inputs).items() if count > 1]


def card_faults(card: Card) -> list[str]:
    """Return what Teams takes and a person would suffer from: data read as Markdown, empty tables and choices."""
    mentions = [each for each in (card.get("msteams") or {}).get("entities") or [] if each.get("type") == "mention"]
    found = [fault for each in mentions for fault in _mention(card, each)]
    for part in parts_of(card, fallbacks=True):
        kind = part.get("type")
        if kind == "TextBlock":
            text = str(part.get("text"))
            for each in mentions:
                text = text.replace(str(each.get("text")), "")
            found += marked(text, "a TextBlock")
        elif kind == "FactSet":
            for fact in part.get("facts") or []:
                found += marked(fact.get("title"), "a FactSet") + marked(fact.get("value"), "a FactSet")
        elif kind == "Table":
            found += _table(part)
        elif kind == "Input.ChoiceSet" and not part.get("choices") and not part.get("choices.data"):
            found.append(f"the choices of {part.get('id')} are none")
        elif str(kind).startswith("Action.") and not part.get("title") and not part.get("iconUrl"):
            found += [] if _selects(card, part) else [f"{kind} has neither title nor icon"]
    return found


def marked(text: Any, where: str) -> list[str]:
    """Return a complaint if a text holds a Markdown link or HTML, which only data brings there; `\\](` is none."""
    if isinstance(text, str) and MARKS.search(text):
        return [f"{where} reads this as a link or HTML: {text[:80]!r}"]
    return []


def _mention(card: Card, entity: dict[str, Any]) -> list[str]:
    """Return what is wrong with a mention: it is of somebody, and its text stands in a TextBlock."""
    who, text = entity.get("mentioned") or {}, str(entity.get("text"))
    blocks = [str(part.get("text")) for part in parts_of(card) if part.get("type") == "TextBlock"]
    found = [] if who.get("id") and who.get("name") else [f"the mention {text!r} is of nobody"]
    if not re.fullmatch(r"<at>[^<>]+</at>", text) or not any(text in each for each in blocks):
        found.append(f"the mention {text!r} does not stand in the card")
    return found


def _table(table: dict[str, Any]) -> list[str]:
    columns = len(table.get("columns") or [])
    wide = [row for row in table.get("rows") or [] if columns and len(row.get("cells") or []) != columns]
    return [f"{len(wide)} rows of a Table have not {columns} cells"] if wide else []


def _selects(card: Card, action: dict[str, Any]) -> bool:
    """Return whether an action is what happens at a tap on something, which shows no title."""
    return any(each.get(name) is action for each in parts_of(card) for name in ("selectAction", "inlineAction"))
