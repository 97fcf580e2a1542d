"""Names of tables, columns and results as words: "order items" of `order_items`, "Pet Type" of `PetType`."""

import re
import tomllib
from pathlib import Path
from typing import Any

from router.language.inflection import singular

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ACRONYM_MAX_CHARS = 3
_MARKUP = str.maketrans({"*": "∗", "`": "ˋ"})
"""The signs that are markup in a text of ours, and signs that look the same."""


def harmless(text: str) -> str:
    """Return a text of somebody else's without signs that would be markup in ours, on one line."""
    return " ".join(text.translate(_MARKUP).split())


def words(name: str) -> str:
    """Return a name as words, in the case in which it is written unless that is upper case throughout."""
    if name.isupper() and len(name) > _ACRONYM_MAX_CHARS:
        name = name.lower()
    return harmless(_HUMP.sub(" ", name).replace("_", " ")) or harmless(name)


def one(name: str) -> str:
    """Return what a row of a table is called: "order item" of `order_items`."""
    head, _, last = words(name).rpartition(" ")
    return f"{head} {singular(last)}".strip()


def called(alias: str) -> str:
    """Return a name that the writer of the SQL made up, in quotes, as it claims what nobody checked."""
    return f"“{harmless(alias.replace('_', ' ')) or harmless(alias)}”"


def is_time(column: str) -> bool:
    """Return whether a column holds days or times by its name."""
    return column.lower().removesuffix("s").endswith(tuple(WORDS["times"]))
