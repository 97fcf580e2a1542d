"""What the two sides tell one another comes through as it was."""

import json
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from adapters.wire import (
    SiteInfo,
    channels_on_wire,
    connection_on_wire,
    connections_of,
    from_wire,
    person_of,
    rules_of,
    rules_on_wire,
    text_of,
    to_wire,
)
from router.catalog.connection import Channels, Connection
from router.jobs.mail.addresses import address_of
from router.jobs.mail.mail_config import MailRules
from router.memory.draft import User
from router.sql.dialect import DIALECTS
from router.sql.value_kinds import Interval


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, False, 0, -1, 2**63 - 1, 2**63, -(10**40), 0.1, -0.0, 1e300, float("inf"), float("-inf")),
        *("", "é", "a\x00b", "\ud800", '{"b": 1}', b"", b"\xfa\xceD1", b"\x00\xff", Decimal("1.10"), Decimal("NaN")),
        *(date.min, time(1, 2, 3, 4), datetime(2026, 1, 2, 3, 4, 5, 6), datetime(2026, 1, 2, tzinfo=UTC)),  # noqa: DTZ001
        datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=-3, minutes=-30))),
        *(Interval(14, -1, 1), UUID(int=7), [1, Decimal(2)], {"a": (1, None)}, {1: b"x"}),
    ],
    ids=repr,
)
def test_values(value: Any) -> None:
    """A value comes back equal and of its type, through JSON as others read it."""
    back = from_wire(json.loads(json.dumps(to_wire(value), allow_nan=False)))

    assert (type(value), repr(value)) == (type(back), repr(back))


@pytest.mark.parametrize("given", [{}, {"x": 1}, {"b": 1}, {"b": "?"}, [1], {"f": "one"}])
def test_values_that_are_none(given: Any) -> None:
    """What is of no known form is an error, and never taken for something else."""
    with pytest.raises(ValueError, match="of no form that is known"):
        from_wire(given)


@pytest.mark.parametrize(
    "user",
    [
        User("slack:U1"),
        User("web:ana", "Ana", "ana@example.com"),
        User("console:HOUSE\\Ana B", "a\nb\u200d", "ana@house.local"),
        User("teams:0-0", "Ána & Ö=?%", "ä@example.com"),
        User("slack:U9", "Gina", "gina@example.com", guest=True),
    ],
)
def test_people(user: User) -> None:
    """A person comes back from a header, which is ASCII whatever their name is."""
    assert text_of(user).isascii()
    assert text_of(user).isprintable()
    assert user == person_of(text_of(user))


FULL = Connection(
    "sales",
    7,
    "Sales",
    DIALECTS["postgres"],
    "postgresql://reader:S3CRET@db/x",
    write_url="postgresql://writer:S3CRET@db/x",
    schemas=("a", "b*"),
    tables=("t",),
    write_schemas=("b",),
    samples=False,
    max_rows=5,
    timeout=1.5,
    readers=frozenset({"ana@example.com", "slack:U1"}),
    approvers=frozenset({"*"}),
    writers=frozenset(),
    private=True,
    examples=("How many?",),
    sensitivity="Secret",
)


def site_with(*connections: tuple[Connection, bool], mail_config: MailRules | None = None) -> SiteInfo:
    """Return the facts of a site as it comes out of JSON."""
    site = SiteInfo(
        version="1",
        token="bot",
        scopes=[],
        connections=[connection_on_wire(*each) for each in connections],
        default="sales",
        channels=channels_on_wire(Channels(frozenset({"slack:C1"}), frozenset({"*"}))),
        mail=mail_config and rules_on_wire(mail_config),
    )
    return SiteInfo.model_validate_json(site.model_dump_json())


def test_a_connection_without_its_secrets() -> None:
    """Everything comes through but the two addresses; of the second one, that there is one."""
    site = site_with((FULL, True))
    found = connections_of(site)
    (connection,) = found.values()

    assert "S3CRET" not in site.model_dump_json()
    assert ("", "") == (connection.url, connection.write_url)
    assert repr(FULL) == repr(connection)
    assert (connection, Channels(frozenset({"slack:C1"}), frozenset({"*"}))) == (found.default, found.channels)
    assert next(iter(connections_of(site_with((FULL, False))).values())).write_url is None


def test_rules_of_e_mails() -> None:
    """They hold on the other side as they do here; that there are none is known too."""
    rules = MailRules(address_of("reports@example.com"), "Reports", frozenset({"example.com"}), 3, 1000)
    anybody = MailRules(address_of("reports@example.com"), domains=None)

    assert [rules, anybody, None] == [rules_of(site_with(mail_config=each)) for each in (rules, anybody, None)]
