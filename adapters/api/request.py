"""One request that was let in, what it is done with, and the forms that bodies, parameters and answers share."""

import hashlib
import re
from dataclasses import dataclass
from threading import Lock
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict

from adapters.api.auth import ApiToken
from router.jobs.audit import AuditEntry
from router.jobs.audit import Event as AuditEvent
from router.jobs.runner import JobBackend
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.sql.databases.session import Estimate, Session
from router.sql.scope import Scope

PLATFORM: Final = "api"
"""The word that stands for these requests in the audit trail and the ledger, in front of the token's name."""

JOB_NUMBER_PATTERN: Final = r"^[CMRWS]-[2-9A-HJKMNP-TV-Z]{8}$"


class ApiBody(BaseModel):
    """JSON, taken at its word: no field more, and no text in the place of a number."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ApiParameters(BaseModel):
    """Parameters behind the question mark of an address."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ApiAnswer(BaseModel):
    """JSON for a program."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class EmptyAnswer(ApiAnswer):
    """There is nothing left of it."""


def _digits(text: object) -> object:
    if isinstance(text, str) and not re.fullmatch(r"[0-9]{1,16}", text):
        raise ValueError("must be a whole number")
    return text


WholeNumber = Annotated[int, BeforeValidator(_digits)]
"""A number in an address, without blanks, signs and fractions."""


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A request with its token; `key` is what the header Idempotency-Key held."""

    token: ApiToken
    body: BaseModel | None = None
    key: str = ""
    acting: User | None = None
    """The header in which a token that speaks for others names the one who asks."""
    approving: User | None = None
    """The header in which it names the one who approved."""

    @property
    def user(self) -> User:
        """The person in whose name it is done."""
        return self.acting or self.token.user

    @property
    def approver(self) -> User:
        """The person who approved it."""
        return self.approving or self.user

    @property
    def admin(self) -> bool:
        """True where others' jobs are seen too."""
        return "admin" in self.token.scopes and self.acting is None

    @property
    def for_everybody(self) -> bool:
        """True where a program that acts for others asks what it has to know for all of them."""
        return "act_for" in self.token.scopes and self.acting is None

    @property
    def thread(self) -> str:
        """The name of the request in the ledger, which is stored: the same for the same request by the same token."""
        asked = ""
        if self.body is not None:
            asked = self.body.model_dump_json()
        return str(ThreadKey(PLATFORM, "", self.token.name, hashlib.sha256(asked.encode()).hexdigest()[:32]))


class Site:
    """The databases, jobs and results behind the API; thread-safe. Closing it ends what is asked of databases."""

    def __init__(self, backend: JobBackend) -> None:
        self.backend = backend
        self._lock, self._closed = Lock(), False
        self._running: list[Session] = []

    def dry_run(self, connection: str, scope: Scope, sql: str) -> Estimate:
        """Have the database prepare the text without running it; raises JobFailed with its reason, or Stopped."""
        with self.backend.catalog.database(connection).session(scope) as session:
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
        """True where no more is to be begun."""
        return self._closed

    def record(self, event: AuditEvent, call: ApiCall, connection: str, thread: str = "", **fields: Any) -> None:
        """Write into the audit trail what somebody asked for, and by which token where that is not their own."""
        via = call.token.name if call.acting else ""
        self.backend.audit.add(
            AuditEntry(event, thread or call.thread, call.user.id, connection=connection, via=via, **fields)
        )

    def close(self) -> None:
        """End what databases are asked now, and from now on."""
        with self._lock:
            self._closed = True
            for session in self._running:
                session.cancel()
