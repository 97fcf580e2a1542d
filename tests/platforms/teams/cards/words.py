"""The words that a person reads in a card."""

from typing import Any

OWN = ("label", "title", "text", "placeholder", "codeSnippet", "subtitle", "altText", "xAxisTitle", "yAxisTitle")
INSIDE = ("body", "items", "columns", "rows", "images", "pages", "actions", "card")
POINT = ("legend", "x", "y", "value")


def words_of(value: Any) -> str:
    """Return all that is read in a card, or in a list of cards, line by line; a row of a table is one line.

    Hidden elements are left out, and so are fallbacks.
    """
    if isinstance(value, list):
        return "\n".join(filter(None, (words_of(each) for each in value)))
    if not isinstance(value, dict) or value.get("isVisible") is False:
        return ""
    kind = str(value.get("type"))
    if kind == "RichTextBlock":
        return "".join(_run(each) for each in value.get("inlines") or [])
    if "cells" in value:
        return " | ".join(words_of(cell.get("items")) for cell in value["cells"])
    own = [value[name] for name in OWN if isinstance(value.get(name), str)]
    inside = [words_of(value[name]) for name in INSIDE if isinstance(value.get(name), (list, dict))]
    facts = [f"{fact.get('title')} {fact.get('value')}" for fact in value.get("facts") or []]
    choices = [str(choice.get("title")) for choice in value.get("choices") or []]
    points = _points(value.get("data")) if kind.startswith("Chart.") else []
    return "\n".join(filter(None, [*own, *inside, *facts, *choices, *points]))


def _run(inline: Any) -> str:
    return inline if isinstance(inline, str) else str(inline.get("text", ""))


def _points(data: Any) -> list[str]:
    """Return the points of a chart, a line each, under the legend of their series."""
    lines = []
    for each in data or []:
        lines.append(" ".join(str(each[name]) for name in POINT if name in each))
        lines += _points(each.get("values"))
    return lines
