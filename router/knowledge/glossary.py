"""The glossary: what words of the business mean, as a file says that people change by hand and from chats."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from router.catalog.connection import Connections
from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.glossary_file import GlossaryText, Vocabulary, read_glossary
from router.knowledge.knowledge import Example, Known, Term
from router.storage.edited_files import Sign, put, sign_of

log = logging.getLogger("icc_bot")


@dataclass(frozen=True, slots=True)
class _GlossaryVersion:
    """The file's contents when it had this sign, for connections of these names."""

    sign: Sign | None
    names: tuple[str, ...]
    read: GlossaryText
    vocabularies: dict[str, Vocabulary]


class Glossary:
    """The terms of all connections, read anew whenever the file has changed; safe to use from several threads.

    Processes that change it at once have to take turns, which `router.knowledge.glossary_changes` sees to.
    """

    def __init__(self, path: Path, connections: Connections, logs: bool = True) -> None:
        self.path, self._logs = path, logs
        self._connections = connections
        self._lock = Lock()
        self._last: _GlossaryVersion | None = None

    def terms(self, connection: str) -> tuple[Term, ...]:
        """Return the terms of a connection, in the order of the file."""
        return self._now().read.terms.get(connection.casefold(), ())

    def term(self, connection: str, name: str) -> Term | None:
        """Return the term of this name, in whatever case; None where there is none."""
        return next((each for each in self.terms(connection) if each.name.casefold() == name.casefold()), None)

    def used_in(self, connection: str, question: str) -> tuple[Term, ...]:
        """Return the terms that a question to a connection uses, in its order."""
        vocabulary = self._now().vocabularies.get(connection.casefold())
        return vocabulary.used_in(question) if vocabulary else ()

    def problems(self) -> tuple[str, ...]:
        """Return a sentence for everything that is wrong with the file, with its line."""
        return tuple(self._now().read.problems)

    def change(self, connection: str, name: str, term: Term | None) -> None:
        """Put a term into the file in place of the one of this name, or take it out; all else stays as it is.

        Raises JobFailed, and has changed nothing then.
        """
        from router.knowledge.glossary_edit import edited  # its library is heavy where nobody changes a file

        with self._lock:
            path = self.path.resolve()
            try:
                before = path.read_bytes() if path.exists() else b""
                after = edited(before.decode("utf-8-sig"), self._connections.demand(connection).name, name, term)
                put(path, after.encode("utf-8"))
            except UnicodeDecodeError:
                raise JobFailed(f"{path.name} is not a text in UTF-8. Nothing was changed.") from None
            except OSError as error:
                why = error.strerror or type(error).__name__
                raise JobFailed(f"{path.name} cannot be written ({why}). Nothing was changed.") from None

    def _now(self) -> _GlossaryVersion:
        with self._lock:
            sign, names = sign_of(self.path), tuple(self._connections)
            last = self._last
            if last is None or (last.sign, last.names) != (sign, names):
                last = self._last = self._reading(sign, names)
            return last

    def _reading(self, sign: Sign | None, names: tuple[str, ...]) -> _GlossaryVersion:
        dialects = {each.name: each.dialect.name for each in self._connections.values()}
        read = GlossaryText()
        if sign is not None:
            try:
                read = read_glossary(self.path.name, self.path.read_bytes().decode("utf-8-sig"), dialects)
            except (OSError, UnicodeDecodeError) as error:
                kind = type(error).__name__
                read = GlossaryText(problems=[f"{self.path.name} cannot be read ({kind}); it must be a text in UTF-8."])
        for problem in read.problems if self._logs else ():
            log.warning("%s", problem)
        return _GlossaryVersion(sign, names, read, {name: Vocabulary(terms) for name, terms in read.terms.items()})


Near = Callable[[str, str, Schema], tuple[Example, ...]]
"""Returns the examples nearest to a question about these tables of a connection."""


class TaughtKnowledge:
    """The terms and examples taught for all connections; safe to use from several threads."""

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
