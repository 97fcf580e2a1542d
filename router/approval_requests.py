"""Approvals that wait for somebody else: kept until they are given or withdrawn, with who was told of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Row, bindparam, delete, func, insert, select, update

from router.catalog.connection import Connection
from router.memory.draft import User
from router.memory.thread import ThreadKey, key_from
from router.policy import may_approve, may_approve_write
from router.storage.clock import Clock, now
from router.storage.database import Database, insert_new, upsert
from router.storage.server import repeated_if_cut
from router.storage.tables import approval_notices as notices
from router.storage.tables import approval_requests as requests

REQUEST_LIFETIME = timedelta(days=30)
"""After which time a request, and who was told of it, is forgotten."""

TELLING_LIFETIME = timedelta(days=1)
"""After which time nobody is told any more whom the platform did not let be told."""

BEING_TOLD = timedelta(minutes=1)
"""The age of a request up to which a process that began to tell of it may still be at that."""

RequestState = Literal["open", "approved", "withdrawn"]


@dataclass(frozen=True, slots=True)
class ApprovalRequest:
    """A Yes that somebody asks for; `about` says in a line to what, `people` are the approvers as they are listed.

    The same thing in the same talk has the same `digest`; `number` is the request's own, once it is kept.
    """

    key: ThreadKey
    digest: str
    asker: User
    connection: str
    kind: Literal["query", "write"]
    about: str
    people: tuple[str, ...]
    at: datetime
    number: int = 0
    state: RequestState = "open"
    decider: User | None = None


@dataclass(frozen=True, slots=True)
class WaitingApproval:
    """An approval that waits for a person: where, what about, since when, and on which connection (its label)."""

    key: ThreadKey
    headline: str
    asked: datetime
    connection: str
    asker: str


@dataclass(frozen=True, slots=True)
class Notice:
    """A message that told a person of a request; `channel` and `message` are empty while it is on its way."""

    request: ApprovalRequest
    person: str
    channel: str
    message: str


class ApprovalRequests:
    """The approvals of all talks; thread-safe, about 0.1 ms a call."""

    def __init__(
        self,
        database: Database,
        connections: Mapping[str, Connection],
        lifetime: timedelta = timedelta(days=7),
        clock: Clock = now,
    ) -> None:
        """Take `lifetime` as how long a Yes is waited for."""
        self._database, self._connections, self._lifetime, self._clock = database, connections, lifetime, clock

    @repeated_if_cut
    def stand(self, key: ThreadKey, wanted: Sequence[ApprovalRequest], by: User | None = None) -> None:
        """Keep what a talk waits for now; what it waited for before was approved by this person, or is withdrawn."""
        digests = {each.digest for each in wanted}
        with self._database.writing() as connection:  # a talk is one process's at a time
            rows = connection.execute(_OPEN_OF_THREAD, {"of_thread": str(key)}).all()
            ended: dict[str, Any] = {"state": "approved" if by else "withdrawn"}
            ended |= {"decider": by.id, "decider_name": by.name} if by else {}
            for row in rows:
                if row.digest not in digests:
                    connection.execute(update(requests).where(requests.c.number == row.number).values(**ended))
            there = {row.digest for row in rows}
            for each in wanted:
                if each.digest not in there:
                    there.add(each.digest)
                    connection.execute(insert(requests).values(**_row_of(each)))

    def waiting_for(self, user: User, platform: str, team: str) -> tuple[WaitingApproval, ...]:
        """Return the approvals of one platform's team that this person may give now, the oldest first."""
        since = self._clock() - self._lifetime
        query = select(requests).where(
            requests.c.platform == platform, requests.c.team == team, requests.c.state == "open", requests.c.at > since
        )
        with self._database.reading() as connection:
            found = [_request(row) for row in connection.execute(query.order_by(requests.c.number))]
        return tuple(
            WaitingApproval(each.key, each.about, each.at, self._connections[each.connection].label, each.asker.name)
            for each in found
            if self.may(user, each) and user.id != each.asker.id
        )

    def may(self, user: User, request: ApprovalRequest) -> bool:
        """Return whether a person may approve a request, by the rights that hold now."""
        connection = self._connections.get(request.connection)
        may = may_approve_write if request.kind == "write" else may_approve
        return connection is not None and may(user, connection, request.asker)

    def find_unnotified(self, platform: str, key: ThreadKey | None = None) -> tuple[ApprovalRequest, ...]:
        """Return the open requests, of one talk or of all, of which not all approvers were told yet."""
        query = select(requests).where(
            requests.c.platform == platform, requests.c.state == "open", requests.c.told.is_(False)
        )
        query = query.where(requests.c.at > self._clock() - TELLING_LIFETIME)
        query = query.where(requests.c.thread == str(key)) if key else query
        with self._database.reading() as connection:
            return tuple(_request(row) for row in connection.execute(query.order_by(requests.c.number)))

    @repeated_if_cut
    def mark_notified(self, request: ApprovalRequest) -> None:
        """Note that all approvers who can be notified of a request were notified."""
        with self._database.transaction() as connection:
            connection.execute(update(requests).where(requests.c.number == request.number).values(told=True))

    def begin_notice(self, request: ApprovalRequest, person: str) -> Notice | None:
        """Note that a person is being told; returns what is known of it: who was told has a message there.

        None while another process may be telling them.
        """
        row = {"request": request.number, "person": person, "channel": "", "message": "", "settled": False}
        with self._database.transaction() as connection:
            new = insert_new(connection, notices, row)
            found = connection.execute(
                select(notices).where(notices.c.request == request.number, notices.c.person == person)
            ).one()
        fresh = self._clock() - request.at < BEING_TOLD
        if self._database.folder is None and not new and not found.message and fresh:
            return None
        return Notice(request, person, found.channel, found.message)

    def chat_of(self, request: ApprovalRequest, person: str) -> str:
        """Return the channel of a person's own chat, as an earlier notice has it; empty if there was none."""
        query = select(notices.c.channel).join_from(notices, requests, notices.c.request == requests.c.number)
        told = (notices.c.person == person) & (requests.c.team == request.key.team) & (notices.c.channel != "")
        with self._database.reading() as connection:
            return connection.execute(query.where(told).limit(1)).scalar() or ""

    @repeated_if_cut
    def give_back(self, notice: Notice) -> None:
        """Note that a person was not notified: the next process may do it."""
        of = (notices.c.request == notice.request.number) & (notices.c.person == notice.person)
        with self._database.transaction() as connection:
            connection.execute(delete(notices).where(of, notices.c.message == ""))

    @repeated_if_cut
    def posted(self, notice: Notice) -> None:
        """Note the message by which a person was told."""
        row = {"request": notice.request.number, "person": notice.person, "settled": False}
        with self._database.transaction() as connection:
            upsert(connection, notices, row | {"channel": notice.channel, "message": notice.message})

    def outdated(self, platform: str, key: ThreadKey | None = None) -> tuple[Notice, ...]:
        """Return the messages that tell of requests which are over by now, of one talk or of all."""
        query = (
            select(requests, notices.c.person, notices.c.channel, notices.c.message)
            .join_from(requests, notices, requests.c.number == notices.c.request)
            .where(requests.c.platform == platform, requests.c.state != "open")
            .where(notices.c.settled.is_(False), notices.c.message != "")
        )
        query = query.where(requests.c.thread == str(key)) if key else query
        with self._database.reading() as connection:
            rows = connection.execute(query.order_by(requests.c.number)).all()
        return tuple(Notice(_request(row), row.person, row.channel, row.message) for row in rows)

    def mark_settled(self, notice: Notice) -> None:
        """Note that a message says by now what became of its request."""
        is_it = (notices.c.request == notice.request.number) & (notices.c.person == notice.person)
        with self._database.transaction() as connection:
            connection.execute(update(notices).where(is_it).values(settled=True))

    def expire(self) -> None:
        """Forget old requests."""
        self._delete(requests.c.at < self._clock() - REQUEST_LIFETIME)

    def forget(self, platform: str, team: str, channel: str = "") -> None:
        """Delete what was asked for in a team, or in one channel of it."""
        within = (requests.c.platform == platform) & (requests.c.team == team)
        if channel:
            talks = str(ThreadKey(platform, team, channel, ""))
            within &= func.substr(requests.c.thread, 1, len(talks)) == talks
        self._delete(within)

    def _delete(self, which: Any) -> None:
        with self._database.transaction() as connection:
            connection.execute(delete(notices).where(notices.c.request.in_(select(requests.c.number).where(which))))
            connection.execute(delete(requests).where(which))


# Built once: that takes longer than to execute it.
_OPEN_OF_THREAD = select(requests.c.number, requests.c.digest).where(
    requests.c.thread == bindparam("of_thread"), requests.c.state == "open"
)


def _row_of(request: ApprovalRequest) -> dict[str, Any]:
    return {
        "platform": request.key.platform,
        "team": request.key.team,
        "thread": str(request.key),
        "digest": request.digest,
        "asker": request.asker.id,
        "asker_name": request.asker.name,
        "connection": request.connection,
        "kind": request.kind,
        "about": request.about,
        "people": list(request.people),
        "at": request.at,
        "state": "open",
        "decider": "",
        "decider_name": "",
        "told": False,
    }


def _request(row: Row[Any]) -> ApprovalRequest:
    decider = User(row.decider, row.decider_name) if row.decider else None
    asker = User(row.asker, row.asker_name)
    found = ApprovalRequest(
        key_from(row.thread), row.digest, asker, row.connection, row.kind, row.about, tuple(row.people), row.at
    )
    return replace(found, number=row.number, state=row.state, decider=decider)
