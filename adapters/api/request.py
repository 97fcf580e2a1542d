"""One request that was let in, what it is done with, and the forms that bodies, parameters and answers share."""

import hashlib
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

from adapters.api.auth import ApiToken
from router.jobs.audit import AuditEntry
from router.jobs.audit import Event as AuditEvent
from router.jobs.runner import JobBackend
from router.memory.draft import User
from router.memory.thread import ThreadKey

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
    def for_everybody(self) -> bool:
        """True if a program that acts for others asks what it has to know for all of them."""
        return "act_for" in self.token.scopes and self.acting is None

    @property
    def thread(self) -> str:
        """The name of the request in the ledger, which is stored: the same for the same request by the same token."""
        asked = self.body.model_dump_json() if self.body else ""
        return str(ThreadKey(PLATFORM, "", self.token.name, hashlib.sha256(asked.encode()).hexdigest()[:32]))


def record(site: JobBackend, event: AuditEvent, call: ApiCall, connection: str, thread: str, **fields: Any) -> None:
    """Write into the audit trail what somebody asked for, and by which token if that is not their own."""
    via = call.token.name if call.acting else ""
    site.audit.add(AuditEntry(event, thread, call.user.id, connection=connection, via=via, **fields))
