"""Small pictures for products: a coloured square with a lighter disc, as a PNG."""

import struct
import zlib

THUMBNAIL_PIXELS = 16


def draw_thumbnail(number: int) -> bytes:
    """Return a 16 by 16 PNG whose colours depend on `number` alone; stored, not packed, so the bytes never vary."""
    dark = bytes((number * 37 % 160, number * 71 % 160, number * 113 % 160))
    light = bytes(channel + 80 for channel in dark)
    middle = (THUMBNAIL_PIXELS - 1) / 2
    pixels = b"".join(
        b"\0" + bytes((x - middle) ** 2 + (y - middle) ** 2 < 30 for x in range(THUMBNAIL_PIXELS))
        for y in range(THUMBNAIL_PIXELS)
    )
    header = struct.pack(">IIBBBBB", THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", dark + light), (b"IDAT", zlib.compress(pixels, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
