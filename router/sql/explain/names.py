"""Names of tables, columns and results as nouns: "order items" of `order_items`, "pet type" of `PetType`."""

import re
import tomllib
from pathlib import Path
from typing import Any

from router.language.inflection import plural, singular

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_MARKUP = str.maketrans({"*": "∗", "`": "ˋ"})
"""The signs that are markup in a text of ours, and signs that look the same."""


def harmless(text: str) -> str:
    """Return a text of somebody else's without signs that would be markup in ours, on one line."""
    return " ".join(text.translate(_MARKUP).split())


def is_english(name: str) -> bool:
    """Return whether a name may be put into the plural and into lower case as English words are."""
    parts = [part.lower().removesuffix("s") for part in re.split(r"[\W_]+", _HUMP.sub(" ", name))]
    return name.isascii() and not any(part.endswith(tuple(WORDS["not_english"])) for part in parts)


def words(name: str) -> str:
    """Return a name as words: in lower case, or as it is written if it is not English."""
    parts = [piece for part in harmless(name.replace("_", " ")).split() for piece in _humps(part)]
    parts = parts[len(parts) > 1 and parts[0].lower() in WORDS["prefixes"] :]
    kept = not is_english(name)
    cased = [part if kept or part in WORDS["acronyms"] or _HUMP.search(part) else part.lower() for part in parts]
    return " ".join(cased) or harmless(name)


def _humps(part: str) -> list[str]:
    """Return "Order", "Date" of "OrderDate"; "stuID" and "cName" stay whole, as their pieces say little."""
    pieces = _HUMP.split(part)
    telling = all(len(piece) > 2 or piece in ("ID", "Id") for piece in pieces) and len(pieces[0]) > 3
    return pieces if telling else [part]


def several(noun: str) -> str:
    """Return a noun in the plural, by its last word; as it is if the words are not English."""
    *head, last = noun.split(" ")
    known = last in WORDS["uncounted"] or any(singular(word) != word or word in WORDS["small"] for word in head)
    return (
        noun
        if known or len(last) < 3 or not last.isalpha() or not is_english(noun)
        else " ".join([*head, plural(last)])
    )


def one(noun: str) -> str:
    """Return a noun in the singular, by its last word."""
    head, _, last = noun.rpartition(" ")
    return f"{head} {singular(last)}".strip() if is_english(noun) else noun


def called(alias: str) -> str:
    """Return a name that the writer of the SQL made up, in quotes, as it claims what nobody checked."""
    return f"“{harmless(alias.replace('_', ' ')) or harmless(alias)}”"


def key_of(column: str) -> str:
    """Return what a column identifies by its name: "customer" of `customer_id`; "" if it is no key by its name."""
    parts, low = words(column).lower().split(), column.lower()
    if len(parts) > 1 and parts[-1] in WORDS["identifying"]:
        return " ".join(parts[:-1])
    return low[:-2] if low.endswith("id") and len(low) > 4 and len(parts) == 1 else ""


def identifies(column: str, table: str) -> bool:
    """Return whether a column is the key of a table by its name: `id`, or `customer_id` of customers."""
    key, name = key_of(column), words(table).lower()
    starts = len(key) > 2 and name.startswith(key) and " " not in name
    return column.lower() == "id" or bool(key and (key in (name, one(name), one(name.split()[-1])) or starts))


def names_it(column: str, table: str) -> bool:
    """Return whether a column holds the names of a table's rows: `name`, or `customer_name` of customers."""
    *rest, last = words(column).lower().split() or [""]
    said, name = " ".join(rest), words(table).lower()
    return last in WORDS["naming"] and (said in ("", "full", one(name)) or (len(said) > 2 and name.startswith(said)))


def is_time(column: str) -> bool:
    """Return whether a column holds days or times by its name."""
    return column.lower().removesuffix("s").endswith(tuple(WORDS["times"]))
