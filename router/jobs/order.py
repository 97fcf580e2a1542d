"""The order of values when a result is sorted by a column: numbers, then times, then texts, then blobs."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from router.jobs.codec import decode
from router.sql.plain_text import plain

_FIRST_DAY = datetime(1, 1, 1)  # noqa: DTZ001 - only differences are taken
_MICROSECOND = timedelta(microseconds=1)
_SMALLEST = 2**70  # makes every count of microseconds positive


def folded(text: str | None) -> str | None:
    """Return the key of a column that holds texts only: no difference between "Éva" and "éva"."""
    return None if text is None else text.casefold()


def sort_key(stored: Any) -> bytes | None:
    """Return bytes that compare as the values do, None for NULL; times with a zone compare as moments."""
    match decode(stored):
        case None:
            return None
        case bool() | int() | float() | Decimal() as number:
            return b"1" + _number(Decimal(number))
        case datetime() as when:
            local = (when.replace(tzinfo=None) - _FIRST_DAY) // _MICROSECOND
            return b"2" + _moment(local - (when.utcoffset() or timedelta()) // _MICROSECOND)
        case date() as day:
            return b"2" + _moment((day - _FIRST_DAY.date()) // _MICROSECOND)
        case time() as clock:
            return b"2" + clock.isoformat("microseconds").encode()
        case timedelta() as length:
            return b"2" + _moment(length // _MICROSECOND)
        case bytes() as blob:
            return b"4" + blob
        case str() as text:
            return b"3" + text.casefold().encode("utf-8", "surrogatepass")
        case other:
            return b"3" + plain(other).casefold().encode("utf-8", "surrogatepass")


def _moment(microseconds: int) -> bytes:
    return (microseconds + _SMALLEST).to_bytes(10, "big")


def _number(value: Decimal) -> bytes:
    """Exact for any number of digits: sign, then size, then digits; for negative numbers all of it turned round."""
    if value.is_nan():
        return b"9"
    if value.is_infinite():
        return b"0" if value < 0 else b"8"
    if not value:
        return b"4"
    digits = bytes(value.as_tuple().digits).rstrip(b"\0")
    size = (value.adjusted() + _SMALLEST).to_bytes(10, "big")
    if value > 0:
        return b"5" + size + digits
    # The end is greater than any digit turned round: -1.05 comes before -1.
    return b"3" + bytes(255 - byte for byte in size) + bytes(254 - digit for digit in digits) + b"\xff"
