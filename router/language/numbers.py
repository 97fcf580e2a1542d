"""Numbers as people read them."""

_BYTE_UNITS = ("B", "kB", "MB", "GB")


def size_words(count: int) -> str:
    """Return a number of bytes as people say it: "1.2 kB"."""
    amount, unit = float(count), 0
    while amount >= 999.95 and unit < len(_BYTE_UNITS) - 1:
        amount, unit = amount / 1000, unit + 1
    return f"{count} B" if unit == 0 else f"{amount:.1f} {_BYTE_UNITS[unit]}"


def spoken_number(value: float) -> str:
    """Return a number as a chart names it: ten digits at most, with thousands parted: "12,345.6"."""
    return f"{value:,.10g}"
