"""One kind of request."""

from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Literal

from pydantic import BaseModel

from adapters.api import bodies
from adapters.api.call import Handle
from adapters.api.tokens import Scope


@dataclass(frozen=True, slots=True)
class Route:
    """One kind of request; without a scope, any token will do."""

    method: Literal["GET", "POST", "DELETE"]
    path: str
    summary: str
    handle: Handle
    answer: type[BaseModel]
    scope: Scope | None = None
    body: type[bodies.Body] | None = None
    query: type[bodies.Parameters] | None = None
    problems: tuple[int, ...] = ()
    """Statuses of refusals, beside those that any request may meet."""
    creates: bool = False
    """Whether it makes a job, for which the header Idempotency-Key holds."""
    person: bool = False
    """Whether it must be said who acts."""
    tagged: bool = False
    """Whether the answer has an ETag, and is not sent to who has it already."""
    file: bool = False
    """Whether the answer is a file."""
    asks: bool = False
    """Whether a database is asked before it is answered, which may take long."""

    @property
    def name(self) -> str:
        """What the request is called: the function that does it."""
        return self.handle.__name__

    @property
    def good(self) -> tuple[HTTPStatus, ...]:
        """The statuses of what was done; 200 for a job that was asked for before."""
        return (HTTPStatus.ACCEPTED, HTTPStatus.OK) if self.creates else (HTTPStatus.OK,)


PATTERNS: Final = {
    "job": bodies.JOB,
    "connection": r"^[1-9][0-9]{0,9}$",
    "schema": r"^[^/]{1,128}$",
    "key": r"^[0-9a-f]{64}$",
    "result": r"^[A-Za-z0-9_-]{16,64}$",
    "form": r"^(csv|xlsx)$",
}
"""How the parts of an address look that stand in braces; what looks otherwise is not there."""
