"""All that people taught the bot: the glossary's terms, and the examples that somebody found right."""

import logging
from collections.abc import Callable

from router.catalog.schema import Schema
from router.knowledge.glossary import Glossary
from router.knowledge.known import Example, Known

log = logging.getLogger("icc_bot")

Near = Callable[[str, str, Schema], tuple[Example, ...]]
"""Returns the examples nearest to a question about these tables of a connection."""


class Taught:
    """What was taught about all connections; safe to use from several threads."""

    def __init__(self, glossary: Glossary, near: Near | None = None) -> None:
        self._glossary, self._near = glossary, near

    def about(self, connection: str, question: str, schema: Schema) -> Known:
        """Return what helps with this question; what cannot be read is logged and left out."""
        try:
            terms = self._glossary.used_in(connection, question)
            return Known(terms, self._near(connection, question, schema) if self._near else ())
        except Exception:  # a question can be answered without
            log.exception("what was taught about %s was not read", connection)
            return Known()
