"""Whether rows are the same as before: a number that the order of rows does not change."""

import hashlib

from router.jobs.shelf import Shelf
from router.memory import ResultRef

_SIZE = 2**256


def digest_of(shelf: Shelf, ref: ResultRef) -> str:
    """Return what stands for a result's columns and rows, however a database ordered them; raises JobFailed."""
    total = 0
    for rows in shelf.rows(ref):
        for row in rows:
            total += int.from_bytes(hashlib.sha256(repr(row).encode("utf-8", "surrogatepass")).digest())
    names = repr([head.name for head in ref.columns])
    return hashlib.sha256(f"{names} {ref.total} {ref.capped} {total % _SIZE}".encode()).hexdigest()
