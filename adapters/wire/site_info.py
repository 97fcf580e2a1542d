"""Everything that a bot has to know of the site whose jobs API it uses, but for how the databases are reached."""

from dataclasses import fields
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from router.catalog.connection import Channels, Connection, Connections
from router.jobs.mail.mail_config import MailRules
from router.sql.dialect import DIALECTS

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
    wire: int
    token: str
    """The name of the token that asked."""
    scopes: list[str]
    connections: list[dict[str, Any]]
    default: str
    channels: dict[str, Any]
    office: dict[str, Any] | None


def connection_on_wire(connection: Connection, writable: bool) -> dict[str, Any]:
    """Return a connection without its secrets; `writable` says whether anybody may write to it at all."""
    kept = {field.name: getattr(connection, field.name) for field in fields(Connection) if field.name not in HIDDEN}
    found: dict[str, Any] = _DUMPED.dump_python(
        {**kept, "dialect": connection.dialect.name, "writable": writable}, mode="json"
    )
    return {name: sorted(value) if isinstance(kept.get(name), frozenset) else value for name, value in found.items()}


def channels_on_wire(channels: Channels) -> dict[str, Any]:
    """Return where the bot answers."""
    return {name: value if value is None else sorted(value) for name, value in _dumped(_CHANNELS, channels).items()}


def rules_on_wire(rules: MailRules) -> dict[str, Any]:
    """Return as whom e-mails are sent, and to whom."""
    names = [field.name for field in fields(MailRules)]
    bare = MailRules(**{name: getattr(rules, name) for name in names})
    found = _dumped(_RULES, bare)
    return {**found, "domains": bare.domains if bare.domains is None else sorted(bare.domains)}


def connections_of(site: SiteInfo) -> Connections:
    """Return the connections of a site; raises ValueError where they are of no form that is known."""
    default = site.default
    return Connections(map(_connection, site.connections), default, _CHANNELS.validate_python(site.channels))


def rules_of(site: SiteInfo) -> MailRules | None:
    """Return as whom e-mails are sent, and to whom; None where none are."""
    return None if site.office is None else _RULES.validate_python(site.office)


def _connection(given: dict[str, Any]) -> Connection:
    known = {field.name for field in fields(Connection)} - {*HIDDEN}
    kept = {name: value for name, value in given.items() if name in known}
    hidden = {"url": "", "write_url": "" if given.get("writable") else None}
    return _TYPES.validate_python({**kept, "dialect": DIALECTS[given["dialect"]], **hidden})


def _dumped(adapter: TypeAdapter[Any], value: Any) -> dict[str, Any]:
    found: dict[str, Any] = adapter.dump_python(value, mode="json")
    return found
