"""Fields of what Teams sends, each read as what it ought to be."""

from typing import Any

Json = dict[str, Any]


def text(given: Any, name: str) -> str:
    """Return a text of a JSON object, empty if there is no such thing."""
    value = given.get(name) if isinstance(given, dict) else None
    return value if isinstance(value, str) else ""
