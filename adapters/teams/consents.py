"""Files that were offered to people: what a token stands for, kept until a day is over."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from adapters.attached import Attached
from adapters.chat.database import opened
from adapters.teams.shelf import Shelf

_TABLES = """
CREATE TABLE IF NOT EXISTS consents (
    token TEXT PRIMARY KEY, path TEXT NOT NULL, name TEXT NOT NULL, person TEXT NOT NULL, conversation TEXT NOT NULL,
    connection TEXT NOT NULL, message TEXT NOT NULL DEFAULT '', about TEXT NOT NULL, at REAL NOT NULL,
    state TEXT NOT NULL, upload TEXT NOT NULL DEFAULT '', UNIQUE (about, path)
);
"""
# An offer is being `sent`, is `offered`, then `taken`, then `done`; what an earlier process was sending is `unsure`.
_UNSURE = "UPDATE consents SET state = 'unsure' WHERE state = 'sent'"
_OFFER = """
INSERT INTO consents (token, path, name, person, conversation, connection, about, at, state)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'sent')
ON CONFLICT (about, path) DO UPDATE SET token = excluded.token, person = excluded.person,
conversation = excluded.conversation, at = excluded.at, state = 'sent' WHERE state = 'unsure'
"""
_CONSENT = "SELECT token, path, name, person, conversation, connection, message FROM consents"

LIFETIME: Final = 86_400.0
"""Seconds that an offer is good for."""


@dataclass(frozen=True, slots=True)
class Consent:
    """A file that one person may have: `conversation` and `message` are where it is offered, `token` is all that
    Teams is told of it, and `connection` is where its rows came from, if they came from one.
    """

    token: str = field(repr=False)
    path: Path
    name: str
    person: str
    conversation: str
    connection: str = ""
    message: str = ""


class Consents:
    """The offers of one bot in an SQLite file, with a folder for texts; for the event loop's thread alone."""

    def __init__(self, path: Path, folder: Path, clock: Callable[[], float]) -> None:
        self._file, self._shelf, self._clock = opened(path, _TABLES), Shelf(folder), clock
        self._file.execute(_UNSURE)

    def offer(self, file: Attached, person: str, conversation: str, about: str, connection: str = "") -> Consent | None:
        """Keep a file for a person until it is known where it is offered; None where it is, about the same message."""
        self.expire()
        token, path = secrets.token_urlsafe(32), self._shelf.keep(file)
        values = (token, str(path), file.name, person, conversation, connection, about, self._clock())
        taken = self._file.execute(_OFFER, values).rowcount > 0
        return Consent(token, path, file.name, person, conversation, connection) if taken else None

    def place(self, token: str, message: str) -> None:
        """Note the message in which a file is offered."""
        self._file.execute("UPDATE consents SET message = ? WHERE token = ?", (message, token))
        self._file.execute("UPDATE consents SET state = 'offered' WHERE token = ? AND state = 'sent'", (token,))

    def drop(self, token: str) -> None:
        """Forget an offer that did not reach the person."""
        self._file.execute("DELETE FROM consents WHERE token = ?", (token,))

    def find(self, token: str) -> Consent | None:
        """Return what a token stands for; None where it was not made here, or is too old."""
        query = f"{_CONSENT} WHERE token = ? AND at > ?"
        row = self._file.execute(query, (token, self._clock() - LIFETIME)).fetchone()
        return _consent(row) if row else None

    def take(self, token: str, message: str, upload: str) -> bool:
        """Use a token up; returns False where it was used before. `upload` is kept until `end`."""
        free = "state IN ('sent', 'unsure', 'offered')"  # an answer can be here before it is known what was sent
        query = f"UPDATE consents SET state = 'taken', message = ?, upload = ? WHERE token = ? AND {free}"
        return self._file.execute(query, (message, upload, token)).rowcount > 0

    def release(self, token: str) -> None:
        """Have a token that was used be good again."""
        self._file.execute("UPDATE consents SET state = 'offered', upload = '' WHERE token = ?", (token,))

    def end(self, token: str) -> None:
        """Note that nothing is left to do for a token; it goes on being known as used."""
        self._file.execute("UPDATE consents SET state = 'done', upload = '' WHERE token = ?", (token,))

    def renew(self, consent: Consent) -> Consent:
        """Return the offer with a token that was not used; the one before is not known any more."""
        token = secrets.token_urlsafe(32)
        query = "UPDATE consents SET token = ?, state = 'sent', upload = '', message = '', at = ? WHERE token = ?"
        self._file.execute(query, (token, self._clock(), consent.token))
        return Consent(token, consent.path, consent.name, consent.person, consent.conversation, consent.connection)

    def left(self) -> list[tuple[Consent, str]]:
        """Return what was accepted and is not handed over, each with its upload."""
        query = _CONSENT.replace(" FROM", ", upload FROM") + " WHERE state = 'taken' AND upload <> ''"
        return [(_consent(row[:-1]), row[-1]) for row in self._file.execute(query).fetchall()]

    def expire(self) -> None:
        """Forget offers that are too old, with the texts that nobody can get any more."""
        self._file.execute("DELETE FROM consents WHERE at <= ?", (self._clock() - LIFETIME,))
        kept = {row[0] for row in self._file.execute("SELECT path FROM consents")}
        self._shelf.sweep(lambda path: str(path) in kept)

    def forget(self, conversation: str) -> None:
        """Delete what was offered in a chat, or is about messages of a channel, with its texts."""
        about = f"{conversation} "
        within = "conversation = ? OR substr(about, 1, ?) = ?"
        self._file.execute(f"DELETE FROM consents WHERE {within}", (conversation, len(about), about))
        self.expire()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _consent(row: tuple[str, ...]) -> Consent:
    token, path, name, person, conversation, connection, message = row
    return Consent(token, Path(path), name, person, conversation, connection, message)
