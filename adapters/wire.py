"""The messages between the jobs API and a bot that uses it: the two are of one version, or say that they are not."""

import re
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from math import isfinite
from typing import Any, Final, Literal
from urllib.parse import parse_qsl, urlencode

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from router.catalog.connection import Channels, Connection, Connections
from router.errors import Unclear
from router.jobs.job_entry import Kind
from router.jobs.mail.mail_config import MailRules
from router.jobs.results.codec import decode, encode
from router.memory.draft import User
from router.memory.thread import ResultRef
from router.sql.dialect import DIALECTS
from router.sql.writing.order import ResultField

RESULT_PAGE_ROWS_MAX: Final = 1000
"""Rows of a result that one request gets at most."""

JobStateName = Literal["queued", "running", "sending", "done", "failed", "cancelled", "unsure"]

JobKindName = Literal["read", "write", "email", "match", "compare"]

JOB_KIND_NAMES: Final[Mapping[Kind, JobKindName]] = {
    "read_sql": "read",
    "write_data": "write",
    "send_email": "email",
    "match_sql": "match",
    "compare_sql": "compare",
}
"""Kinds of jobs as the API calls them."""

JOB_KINDS: Final[Mapping[JobKindName, Kind]] = {name: kind for kind, name in JOB_KIND_NAMES.items()}


LEDGER_FIELDS: Final = ("id", "attempt", "rows", "created", "started", "ended", "error", "ending")
"""Fields of a job in the ledger that an answer has."""


class JobFacts(BaseModel):
    """A job as the ledger has it; `error` is a sentence if it is not done."""

    model_config = ConfigDict(frozen=True)

    id: str
    kind: JobKindName
    state: JobStateName = Field(
        description="unsure: the e-mail may have gone out, or not; it is not sent again by itself."
    )
    name: str
    asker: str
    approver: str
    attempt: int
    rows: int
    created: datetime
    started: datetime | None
    ended: datetime | None
    error: str
    ending: str = Field(description="Why it was to end, where somebody wanted that; it may be done all the same.")
    doing: str = Field(description="What is being done for it now, in words.")
    outcome: dict[str, Any] = Field(
        description="What else came of it, once it is done; of a comparison whose rows you may not see, without values."
    )


class ResultFacts(BaseModel):
    """A result: its columns, how many rows it has, and whether they are all that the query found."""

    model_config = ConfigDict(frozen=True)

    result: ResultRef
    read_at: datetime
    fields: tuple[ResultField, ...] = Field(description="The columns as a table can keep them.")


class SchemaNames(BaseModel):
    """The schemas of a connection; the first is the one that is taken if none is named."""

    model_config = ConfigDict(frozen=True)

    schemas: tuple[str, ...]


# A person in a header.


ACTING_HEADER: Final = "Acting-For"
APPROVED_HEADER: Final = "Approved-By"

PEOPLE_HEADER_MAX_CHARS: Final = 6000
PEOPLE_HEADER_PATTERN: Final = r"^id=[!-~]{3,5900}$"
"""The form of such a header from outside."""

_USER_ID = re.compile(r"[a-z]+:[^\x00-\x1f\x7f]{1,200}")
_EMAIL = re.compile(r"[^\s@]{1,64}@[^\s@]{1,255}")
"""Platforms know addresses of all kinds, such as those at a domain of the company's own."""
_FIELD_MAX_CHARS = 200
_FIELDS = ("id", "name", "email", "guest")


def text_of(user: User) -> str:
    """Return the person as a header has them: what is no address is left out, and a long name cut."""
    email = user.email if _EMAIL.fullmatch(user.email) else ""
    given = {"id": user.id, "name": user.name[:_FIELD_MAX_CHARS], "email": email, "guest": "yes" if user.guest else ""}
    return urlencode({name: value for name, value in given.items() if value or name == "id"}, errors="replace")


def person_of(text: str) -> User:
    """Return the person of a header; raises Unclear if it is none."""
    try:
        pairs = parse_qsl(
            text, keep_blank_values=True, strict_parsing=True, errors="strict", max_num_fields=len(_FIELDS)
        )
    except ValueError:
        pairs = []
    given = dict(pairs)
    known = len(text) <= PEOPLE_HEADER_MAX_CHARS and len(given) == len(pairs) and given.keys() <= set(_FIELDS)
    email = given.get("email", "")
    if not known or not _USER_ID.fullmatch(given.get("id", "")) or (email and not _EMAIL.fullmatch(email)):
        raise Unclear("A person is written id=slack%3AU0123ABCD&name=Ana&email=ana%40example.com.")
    # Whatever stands there, it is somebody whom less is open to.
    return User(given["id"], given.get("name", ""), email, guest="guest" in given)


# Values of rows, exactly: what came from a database comes back equal on the other side.


UNKNOWN_FORM: Final = "a value of a row is of no form that is known"


def to_wire(value: Any) -> Any:
    """Return a value as JSON has it: a text or a number as it is, anything else in an object that names its form."""
    stored = encode(value)
    if isinstance(stored, bytes):
        return {"b": b64encode(stored).decode()}
    if isinstance(stored, float) and not isfinite(stored):
        return {"f": repr(stored)}
    return stored


def from_wire(given: Any) -> Any:
    """Return the value that `to_wire` was given; raises ValueError for what is of no such form."""
    try:
        match given:
            case {"b": str(text)}:
                return decode(b64decode(text, validate=True))
            case {"f": str(text)}:
                return float(text)
            case None | str() | int() | float():
                return given
    except (ValueError, KeyError) as error:
        raise ValueError(UNKNOWN_FORM) from error
    raise ValueError(UNKNOWN_FORM)


# Everything that a bot has to know of the site, but for how the databases are reached.


HIDDEN = tuple(field.name for field in fields(Connection) if not field.repr)
"""Fields that hold secrets: the two URLs."""

_DUMPED = TypeAdapter(dict[str, Any])
_TYPES = TypeAdapter(Connection)
_CHANNELS = TypeAdapter(Channels)
_RULES = TypeAdapter(MailRules)


class SiteInfo(BaseModel):
    """The databases with everybody's rights, where the bot answers, and to whom e-mails may go; no URL, no password."""

    model_config = ConfigDict(frozen=True)

    version: str
    """That of the program which answers."""
    token: str
    """The name of the token that asked."""
    scopes: list[str]
    connections: list[dict[str, Any]]
    default: str
    channels: dict[str, Any]
    mail: dict[str, Any] | None


def connection_on_wire(connection: Connection, writable: bool) -> dict[str, Any]:
    """Return a connection without its secrets; `writable` says whether anybody may write to it at all."""
    kept = {field.name: getattr(connection, field.name) for field in fields(Connection) if field.name not in HIDDEN}
    return _on_wire({**kept, "dialect": connection.dialect.name, "writable": writable})


def channels_on_wire(channels: Channels) -> dict[str, Any]:
    """Return where the bot answers."""
    return _on_wire({field.name: getattr(channels, field.name) for field in fields(Channels)})


def rules_on_wire(rules: MailRules) -> dict[str, Any]:
    """Return as whom e-mails are sent, and to whom, without the server that a MailConfig has besides."""
    return _on_wire({field.name: getattr(rules, field.name) for field in fields(MailRules)})


def _on_wire(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as JSON has them; sets in one order, so that the same site has the same tag."""
    listed = {name: sorted(value) if isinstance(value, frozenset) else value for name, value in values.items()}
    found: dict[str, Any] = _DUMPED.dump_python(listed, mode="json")
    return found


def connections_of(site: SiteInfo) -> Connections:
    """Return the connections of a site; raises ValueError if they are of no form that is known."""
    channels = _CHANNELS.validate_python(site.channels)
    return Connections(map(_connection, site.connections), site.default, channels)


def rules_of(site: SiteInfo) -> MailRules | None:
    """Return as whom e-mails are sent, and to whom; None if none are."""
    return None if site.mail is None else _RULES.validate_python(site.mail)


def _connection(given: dict[str, Any]) -> Connection:
    known = {field.name for field in fields(Connection)} - {*HIDDEN}
    kept = {name: value for name, value in given.items() if name in known}
    hidden = {"url": "", "write_url": "" if given.get("writable") else None}
    return _TYPES.validate_python({**kept, "dialect": DIALECTS[given["dialect"]], **hidden})
