"""Errors of databases as sentences: what a cell holds, and a name that may not be read, stands in none.

A database's own words are kept only if they are about the statement itself, which its code or the moment says:
while it is planned, no row is read. Of the names in them, those of the statement and of what may be read stay. An
error in a row is said by its code. The bot's log has the whole message; numbers are kept, as administrators ask for
them.
"""

import logging
import re
from collections.abc import Container, Iterable

from router.sql.databases.deadline import driver_message
from router.sql.dialect import ServerDialect
from router.sql.scope import Scope

log = logging.getLogger("icc_bot")

ERROR_CODE = re.compile(r"\b(?:ORA-\d{5}|DP[YI]-\d{4})\b")
"""Oracle's codes, which stand in its messages; the other servers' numbers come beside theirs."""

_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`")
_PARTS = re.compile(r"(?<=[.!?])\s+|\n+")
_WORD = re.compile(r"\w+")
HIDDEN = "…"


class ErrorSentences:
    """Sentences on the database's errors in one session: `start` gives it the statement, `scope` what may be read."""

    def __init__(self, label: str, scope: Scope | None = None) -> None:
        self.label = label
        self._readable = _words_of(_names_of(scope))
        self._known = self._readable

    def start(self, sql: str) -> None:
        """Take the words of `sql` as known."""
        self._known = self._readable | _words_of((sql,))

    def of_statement(self, message: str) -> str:
        """Return the sentence for an error about the statement: the first part of the message, and what else is known.

        A hint that names what the statement does not is left out, so that it does not even show that there is more.
        """
        first, *others = _PARTS.split(message)
        kept = [self._shown(first), *(part for part in others if self._shown(part) == part)]
        return self.refused(driver_message(" ".join(kept)))

    def of_rows(self, meaning: str, code: str = "") -> str:
        """Return the sentence for an error in a row, by what its code means; `meaning` holds no value."""
        if not meaning:
            return self.refused(f"error {code}, whose words are in the bot's log" if code else "the bot's log says why")
        return self.refused(f"{meaning} ({code})" if code else meaning)

    def refused(self, why: str) -> str:
        """Return that the database refused the statement."""
        return f"{self.label} refused the statement: {why.rstrip('.')}."

    def of_server(self, error: Exception, server: ServerDialect) -> str:
        """Return what an error of a server's DBAPI driver means, by its number."""
        note(self.label, error)
        words, code = words_of(error), code_of(error, server.errors)
        if meant := server.errors.get(code):
            return f"{meant} ({code})."
        return self.of_statement(words) if re.fullmatch(server.statement_errors, code) else self.of_rows("", code)

    def _shown(self, text: str) -> str:
        """Return the text with each quoted name that is not known as "…"; words without quotes are the database's."""

        def shown(found: re.Match[str]) -> str:
            quoted = found[0]
            known = _words_of((quoted,)) <= self._known
            return quoted if known else f"{quoted[0]}{HIDDEN}{quoted[-1]}"

        return _QUOTED.sub(shown, text)


def note(label: str, error: object) -> None:
    """Log a database's whole message, for administrators."""
    log.warning("%s: %s", label, driver_message(error))


def before_values(message: str) -> str:
    """Return the beginning of a message up to what may be a value: anything quoted, counted or behind a colon.

    For engines whose messages about rows all begin with words of their own.
    """
    return re.split(r"[\"'`:=(\[\d]", message, maxsplit=1)[0].strip() or "a value does not fit"


def code_of(error: Exception, known: Container[str]) -> str:
    """Return the code of a driver's error, of several one that is known; "" if it has none."""
    first = error.args[0] if error.args else 0
    codes: list[str] = ERROR_CODE.findall(words_of(error)) or [str(first) if isinstance(first, int) and first else ""]
    return next((code for code in codes if code in known), codes[0])


def words_of(error: Exception) -> str:
    """Return the message out of a driver's error: of (number, message) the message, without the driver's remarks."""
    last = error.args[-1] if error.args else error
    text = last.decode("utf-8", "replace") if isinstance(last, bytes) else str(last)
    return re.split(r"DB-Lib error message|\s*\bHelp: ", text)[0]


def _names_of(scope: Scope | None) -> Iterable[str]:
    if scope is None:
        return
    for schema, table in scope.tables:
        yield from (schema, table)
    for columns in scope.columns.values():
        yield from columns


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))
