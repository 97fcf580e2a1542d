"""Values and rows as bytes, and back: between the bot and its children, and in the files that rows are sorted in.

Nobody's bytes are believed: reading them makes values of a few plain types, and runs no code.
"""

import io
import marshal
import pickle
from typing import Any

MARSHALLED, PICKLED = b"m", b"p"
"""The forms of encoded values, told by a letter."""

PLAIN_TYPES = frozenset(
    {
        ("datetime", "date"),
        ("datetime", "datetime"),
        ("datetime", "time"),
        ("datetime", "timedelta"),  # of a zone
        ("datetime", "timezone"),
        ("decimal", "Decimal"),
        ("uuid", "UUID"),
        ("router.sql.scope", "Scope"),  # on its way to a child
        ("router.sql.value_kinds", "ExactTime"),
        ("router.sql.value_kinds", "Interval"),
        ("router.sql.value_kinds", "JsonText"),
        ("pytz", "_UTC"),
        ("pytz", "_p"),  # pytz's zones
    }
)
"""The types that a value may be made of, besides Python's own literals."""


def encode(value: Any) -> tuple[bytes, bytes]:
    """Return the form of an encoded value, and its bytes."""
    try:
        return MARSHALLED, marshal.dumps(value)
    except ValueError:  # a date, a decimal, a UUID
        return PICKLED, pickle.dumps(value, 5)


def decode(form: bytes, body: "bytes | memoryview") -> Any:
    """Return the value that was encoded, or raise what malformed bytes make of it."""
    return marshal.loads(body) if form == MARSHALLED else _Unpickler(io.BytesIO(body)).load()  # noqa: S302


class _Unpickler(pickle.Unpickler):
    """Makes nothing but plain values."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in PLAIN_TYPES:
            raise pickle.UnpicklingError(f"{module}.{name} is no plain value")
        return super().find_class(module, name)
