"""Files that were offered to people: what a token stands for, kept until a day is over."""

import hashlib
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Final

from sqlalchemy import ColumnElement, Row, delete, func, or_, select, update

from adapters.rendering.attachment import Attached
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new
from router.storage.tables import file_consents as consents

# The folder of texts and pictures that are offered; a name is made of the owner and the hash.


class FileStore:
    """The offers kept in one folder; any thread may put there what another one takes away."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, Lock()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def place(self, file: Attached, of: str = "") -> Path:
        """Return the path of a file's content, where it is once it was kept."""
        if isinstance(file.content, Path):
            return file.content
        return self._folder / (_begin(of) + hashlib.sha256(_bytes(file.content)).hexdigest())

    def keep(self, file: Attached, of: str = "") -> Path:
        """Return the path of a file's content, as young as now; what is only in memory is written, whole at once."""
        path = self.place(file, of)
        if not isinstance(file.content, Path):
            with self._lock:
                half = path.with_suffix(f".{secrets.token_hex(4)}")  # another process may have the same folder
                half.write_bytes(_bytes(file.content))
                os.replace(half, path)
        return path

    def sweep(self, stays: Callable[[Path], bool]) -> None:
        """Delete what does not stay."""
        for path in self._folder.iterdir():
            with self._lock, suppress(FileNotFoundError):
                if not stays(path):
                    path.unlink()

    def forget(self, of: str) -> None:
        """Delete what is of this."""
        begin = _begin(of)
        self.sweep(lambda path: not path.name.startswith(begin))


def _bytes(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def _begin(of: str) -> str:
    return hashlib.sha256(of.encode()).hexdigest()[:32] + "-"


OFFER_LIFETIME: Final = timedelta(days=1)
"""The time for which an offer is good. It is being `sent`, is `offered`, then `taken`, then `done`; what an earlier
process was sending is `unsure`.
"""


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
    """The offers of one bot, with a folder for texts; thread-safe."""

    def __init__(self, database: Database, folder: Path, clock: Clock = now) -> None:
        self._database, self._shelf, self._clock = database, FileStore(folder), clock
        self._lock = Lock()
        """Keeps a text whose offer is being kept from being deleted."""
        self._change(consents.c.state == "sent", state="unsure")

    def offer(self, file: Attached, person: str, conversation: str, about: str, connection: str = "") -> Consent | None:
        """Keep a file for a person until it is known where it is offered; None where it is, about the same message."""
        self.expire()
        token = secrets.token_urlsafe(32)
        with self._lock:
            path = self._shelf.place(file)
            offer: dict[str, object] = {"token": token, "person": person, "conversation": conversation}
            offer |= {"at": self._clock(), "state": "sent"}
            new = {"path": str(path), "name": file.name, "connection": connection, "about": about}
            same = (consents.c.about == about) & (consents.c.path == str(path)) & (consents.c.state == "unsure")
            with self._database.transaction() as database:
                taken = insert_new(database, consents, {**offer, **new, "message": "", "upload": ""})
                taken = taken or database.execute(update(consents).where(same).values(offer)).rowcount > 0
            if taken:  # not before: another process deletes what belongs to no offer
                try:
                    self._shelf.keep(file)
                except OSError:
                    self.drop(token)
                    raise
        return Consent(token, path, file.name, person, conversation, connection) if taken else None

    def place(self, token: str, message: str) -> None:
        """Note the message in which a file is offered."""
        it = consents.c.token == token
        with self._database.transaction() as database:
            database.execute(update(consents).where(it).values(message=message))
            database.execute(update(consents).where(it, consents.c.state == "sent").values(state="offered"))

    def drop(self, token: str) -> None:
        """Forget an offer that did not reach the person."""
        with self._database.transaction() as database:
            database.execute(delete(consents).where(consents.c.token == token))

    def find(self, token: str) -> Consent | None:
        """Return what a token stands for; None where it was not made here, or is too old."""
        query = select(consents).where(consents.c.token == token, consents.c.at > self._clock() - OFFER_LIFETIME)
        with self._database.reading() as database:
            row = database.execute(query).first()
        return _consent(row) if row else None

    def take(self, token: str, message: str, upload: str) -> bool:
        """Use a token up; returns False where it was used before. `upload` is kept until `end`."""
        # An answer can be here before it is known what was sent.
        free = (consents.c.token == token) & consents.c.state.in_(("sent", "unsure", "offered"))
        return self._change(free, state="taken", message=message, upload=upload)

    def release(self, token: str) -> None:
        """Have a token that was used be good again."""
        self._change(consents.c.token == token, state="offered", upload="")

    def end(self, token: str) -> None:
        """Note that nothing is left to do for a token; it goes on being known as used."""
        self._change(consents.c.token == token, state="done", upload="")

    def renew(self, consent: Consent) -> Consent:
        """Return the offer with a token that was not used; the one before is not known any more."""
        token = secrets.token_urlsafe(32)
        fresh = {"token": token, "state": "sent", "upload": "", "message": "", "at": self._clock()}
        self._change(consents.c.token == consent.token, **fresh)
        return Consent(token, consent.path, consent.name, consent.person, consent.conversation, consent.connection)

    def left(self) -> list[tuple[Consent, str]]:
        """Return what was accepted and is not handed over, each with its upload."""
        query = select(consents).where(consents.c.state == "taken", consents.c.upload != "")
        with self._database.reading() as database:
            return [(_consent(row), row.upload) for row in database.execute(query)]

    def expire(self) -> None:
        """Forget offers that are too old, with the texts that nobody can get any more."""
        with self._lock:
            with self._database.transaction() as database:
                database.execute(delete(consents).where(consents.c.at <= self._clock() - OFFER_LIFETIME))
                kept = set(database.execute(select(consents.c.path)).scalars())
            self._shelf.sweep(lambda path: str(path.with_suffix("")) in kept)

    def forget(self, conversation: str) -> None:
        """Delete what was offered in a chat, or is about messages of a channel, with its texts."""
        about = f"{conversation} "
        within = or_(consents.c.conversation == conversation, func.substr(consents.c.about, 1, len(about)) == about)
        with self._database.transaction() as database:
            database.execute(delete(consents).where(within))
        self.expire()

    def _change(self, where: ColumnElement[bool], **values: object) -> bool:
        with self._database.transaction() as database:
            return database.execute(update(consents).where(where).values(values)).rowcount > 0


def _consent(row: Row[Any]) -> Consent:
    return Consent(row.token, Path(row.path), row.name, row.person, row.conversation, row.connection, row.message)
