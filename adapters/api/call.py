"""One request that was let in: as whom, what is asked for, and what it is done with."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel

from adapters.api.tokens import Token
from router.jobs.audit import Entry
from router.jobs.audit import Event as Happening
from router.jobs.workshop import Workshop
from router.memory import ThreadKey, User
from router.sql.databases import Estimate
from router.sql.guard import Scope
from router.stopping import Stoppable

PLATFORM = "api"
"""What the audit trail and the ledger know these requests by, in front of the token's name."""


@dataclass(frozen=True, slots=True)
class Call:
    """A request with its token; `key` is what the header Idempotency-Key held."""

    token: Token
    path: Mapping[str, str]
    body: Any = None
    query: Any = None
    key: str = ""
    acting: User | None = None
    """Whom a token that speaks for others names as the one who asks."""
    approver: User | None = None
    """Whom it names as the one who approved."""

    @property
    def user(self) -> User:
        """As whom it is done."""
        return self.acting or self.token.user

    @property
    def admin(self) -> bool:
        """Whether others' jobs are seen too."""
        return "admin" in self.token.scopes and self.acting is None

    @property
    def thread(self) -> str:
        """What the ledger knows the request by: the same for the same request by the same token."""
        asked = type(self.body).__name__ + self.body.model_dump_json() if isinstance(self.body, BaseModel) else ""
        return str(ThreadKey(PLATFORM, "", self.token.name, hashlib.sha256(asked.encode()).hexdigest()[:32]))


@dataclass(frozen=True, slots=True)
class Done:
    """What a request is answered with."""

    answer: BaseModel
    status: HTTPStatus = HTTPStatus.OK
    headers: Mapping[str, str] = field(default_factory=dict)
    file: Path | None = None
    """What is answered in the place of JSON."""


class Site:
    """What requests are done with; thread-safe. Closing it ends what a database is asked at that moment."""

    def __init__(self, tools: Workshop) -> None:
        self.tools = tools
        self._lock, self._closed = Lock(), False
        self._running: list[Stoppable] = []

    def dry_run(self, connection: str, scope: Scope, sql: str) -> Estimate:
        """Have the database prepare the text without running it; raises JobFailed with its reason, or Stopped."""
        with self.tools.catalog.database(connection).session(scope) as session:
            with self._lock:
                self._running.append(session)
                if self._closed:
                    session.cancel()
            try:
                return session.check(sql)
            finally:
                with self._lock:
                    self._running.remove(session)

    @property
    def closed(self) -> bool:
        """Whether no more is to be begun."""
        return self._closed

    def record(self, event: Happening, call: Call, connection: str, thread: str = "", **fields: Any) -> None:
        """Write into the audit trail what somebody asked for, and by which token where that is not their own."""
        via = call.token.name if call.acting else ""
        self.tools.audit.add(
            Entry(event, thread or call.thread, call.user.id, connection=connection, via=via, **fields)
        )

    def close(self) -> None:
        """End what databases are asked now, and from now on."""
        with self._lock:
            self._closed = True
            for session in self._running:
                session.cancel()


Handle = Callable[[Site, Call], Done]
"""Does one kind of request, in a thread of its own; raises Refused or BotError where it is not done."""
