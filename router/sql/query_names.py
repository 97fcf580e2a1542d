"""Names of tables and columns as nouns: "order items" of `order_items`, "pet type" of `PetType`."""

import re

from sqlglot import exp

from router.language.inflection import plural, singular
from router.language.phrases import listed

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
NAME_PART = re.compile(r"[\W_]+")
_PREFIXES = frozenset({"tbl", "dim", "fact", "vw"})
_ACRONYMS = frozenset({"ID", "VAT", "GDP", "GNP", "SKU", "URL", "IP", "HR", "KPI", "ROI", "CEO", "USA", "EU", "UK"})
_MARKUP = str.maketrans({"*": "∗", "`": "ˋ"})
"""The signs that are markup in a text of ours, and signs that look the same."""

NAMING = frozenset({"name", "title", "label", "description"})
_IDENTIFYING = frozenset({"id", "key", "code", "nr", "no", "number"})


def harmless(text: str) -> str:
    """Return a text of somebody else's without signs that would be markup in ours, on one line."""
    return " ".join(text.translate(_MARKUP).split())


def foreign(tree: exp.Expr) -> bool:
    """Tell whether names of a query are not English, so that they have no English plural."""
    ends = tuple(listed("sql.foreign_names"))
    names = [each.name for each in tree.find_all(exp.Identifier)]
    parts = (part.lower() for name in names for word in _HUMP.split(name) for part in NAME_PART.split(word))
    return not all(map(str.isascii, names)) or any(part.removesuffix("s").endswith(ends) for part in parts)


def words(name: str, *, kept: bool = False) -> str:
    """Return a name as words in lower case, or in its own case if that is to be `kept`."""
    parts = [piece for part in harmless(name.replace("_", " ")).split() for piece in _humps(part)]
    if len(parts) > 1 and parts[0].lower() in _PREFIXES:
        parts = parts[1:]
    return " ".join(part if kept or part in _ACRONYMS or _HUMP.search(part) else part.lower() for part in parts)


def _humps(part: str) -> list[str]:
    """Return "Order", "Date" of "OrderDate"; "stuID" and "cName" stay whole, as their pieces say little."""
    pieces = _HUMP.split(part)
    telling = all(len(piece) > 2 or piece in ("ID", "Id") for piece in pieces) and len(pieces[0]) > 3
    return pieces if telling else [part]


def several(noun: str, *, kept: bool = False) -> str:
    """Return a noun in the plural, by its last word; as it is where the words are not English."""
    head, _, last = noun.rpartition(" ")
    uncounted = listed("sql.uncounted") | listed("sql.small")
    known = any(singular(word) != word for word in head.split()) or last.lower() in uncounted
    if kept or known or len(last) < 3 or not last.isalpha():
        return noun
    return f"{head} {plural(last)}".strip()


def one(noun: str, *, kept: bool = False) -> str:
    """Return a noun in the singular, by its last word; as it is where the words are not English."""
    head, _, last = noun.rpartition(" ")
    return noun if kept else f"{head} {singular(last)}".strip()


def key_of(column: str) -> str:
    """Return what a column identifies by its name: "customer" of `customer_id`; "" where it is no key by its name."""
    parts = words(column).lower().split()
    if len(parts) > 1 and parts[-1] in _IDENTIFYING:
        return " ".join(parts[:-1])
    low = column.lower()
    return low[:-2] if low.endswith("id") and len(low) > 4 and len(parts) == 1 else ""


def identifies(column: str, table: str) -> int:
    """Return how surely a column's name makes it the key of a table: 2 surely, 1 perhaps, 0 not."""
    if column.lower() == "id":
        return 2
    key, name = key_of(column).replace(" ", ""), words(table).lower().replace(" ", "")
    if not key:
        return 0
    last = one(name)
    if key in (name, last) or key == one(words(table).lower()).replace(" ", ""):
        return 2
    return 1 if len(key) >= 3 and name.startswith(key) and " " not in words(table) else 0


def names_it(column: str, table: str) -> bool:
    """Tell whether a column holds the names of a table's rows: `name`, or `customer_name` of customers."""
    parts = words(column).lower().split()
    if parts[-1] not in NAMING:
        return False
    rest = " ".join(parts[:-1])
    if len(rest) >= 3 and words(table).lower().startswith(rest):
        return True
    return not rest or rest in (one(words(table).lower()), words(table).lower()) or rest == "full"


def is_time(column: str) -> bool:
    """Tell whether a column holds days or times by its name."""
    ends = (*listed("sql.times"), "_at", "_on", "_dt")
    return column.lower().removesuffix("s").endswith(ends)
