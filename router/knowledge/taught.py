"""All that people taught the bot: the glossary's terms, and the examples that somebody found right."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from router.catalog.schema import Schema
from router.knowledge.glossary import Glossary
from router.knowledge.known import Example, Known, Term

log = logging.getLogger("icc_bot")

Near = Callable[[str, str, Schema], tuple[Example, ...]]
"""Returns the examples nearest to a question about these tables of a connection."""


class Taught:
    """What was taught about all connections; safe to use from several threads."""

    def __init__(self, glossary: Glossary, near: Near | None = None) -> None:
        self._glossary, self._near = glossary, near

    def about(self, connection: str, question: str, schema: Schema) -> Known:
        """Return what helps with this question; what cannot be read is logged and left out."""
        terms: tuple[Term, ...] = ()
        examples: tuple[Example, ...] = ()
        with _logged("the glossary", connection):
            terms = self._glossary.used_in(connection, question)
        if self._near:
            with _logged("the examples", connection):
                examples = self._near(connection, question, schema)
        return Known(terms, examples)


@contextmanager
def _logged(what: str, connection: str) -> Iterator[None]:
    """Log what goes wrong, and go on: a question can be answered without."""
    try:
        yield
    except Exception:
        log.exception("%s of %s could not be read", what, connection)
