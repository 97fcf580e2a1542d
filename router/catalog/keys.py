"""The keys of a connection in connections.toml, and what each may hold."""

TEXT, TEXTS, SWITCH = "a text", "a list of texts", "true or false"
WHOLE, POSITIVE = "a whole number above 0", "a number of seconds above 0"

KEYS = {
    "id": WHOLE,
    "label": TEXT,
    "url": TEXT,
    "write_url": TEXT,
    "schemas": TEXTS,
    "tables": TEXTS,
    "write_schemas": TEXTS,
    "samples": SWITCH,
    "values": SWITCH,
    "values_hidden": TEXTS,
    "columns_hidden": TEXTS,
    "max_rows": WHOLE,
    "max_result_mb": WHOLE,
    "max_compared_rows": WHOLE,
    "timeout": POSITIVE,
    "readers": TEXTS,
    "approvers": TEXTS,
    "writers": TEXTS,
    "teachers": TEXTS,
    "private": SWITCH,
    "examples": TEXTS,
    "sensitivity": TEXT,
}
"""What a connection may say."""


def fits(value: object, wanted: str) -> bool:
    """Tell whether a value is what a key wants."""
    match wanted:
        case "a text":
            return isinstance(value, str) and bool(value.strip())
        case "a list of texts":
            return isinstance(value, list) and all(isinstance(entry, str) for entry in value)
        case "true or false":
            return isinstance(value, bool)
        case "a whole number above 0":
            return isinstance(value, int) and not isinstance(value, bool) and value > 0
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def kind(value: object) -> str:
    """Say what a value is; texts are not repeated, since they may be secrets."""
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return "a text" if value.strip() else "an empty text"
        case list():
            return "a list of other things" if value else "a list"
    return "a table" if isinstance(value, dict) else "a date or time"
