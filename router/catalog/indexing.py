"""Building the index of a schema's values: at once where there are few, else while nobody waits for it."""

import logging
from concurrent.futures import Future
from threading import Thread

from router.catalog.schema import Schema
from router.catalog.values import ValueIndex

log = logging.getLogger(__name__)

FEW = 5_000
"""So many values are indexed in less than the time of one query."""

PATIENCE = 1.0
"""Seconds that a question waits for an index under construction; then it goes on without."""

NONE = ValueIndex()
"""The index of a schema whose values nobody may know."""


class Indexing:
    """The index of one schema, under construction from now on."""

    def __init__(self, schema: Schema) -> None:
        self._index = Future[ValueIndex]()
        if sum(len(column.values) for table in schema.tables for column in table.columns) <= FEW:
            self._index.set_result(ValueIndex(schema))
        else:
            Thread(target=self._build, args=(schema,), name="index of values", daemon=True).start()

    def index(self) -> ValueIndex:
        """Return the index, or an empty one where it is not there in time."""
        try:
            return self._index.result(PATIENCE)
        except TimeoutError:
            return NONE

    def _build(self, schema: Schema) -> None:
        try:
            index = ValueIndex(schema)
        except Exception:
            log.exception("The values of %s were not indexed", schema.connection)
            index = NONE
        self._index.set_result(index)
