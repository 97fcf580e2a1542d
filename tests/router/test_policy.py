"""Rights: who may read, approve and write, as a table; what is said to the others."""

from dataclasses import replace

import pytest

from router.catalog.connection import Connection, Connections
from router.errors import NotAllowed
from router.memory.draft import User
from router.policy import (
    may_approve,
    may_approve_write,
    may_end_repeating,
    may_read,
    may_teach,
    may_write,
    require_approve,
    require_read,
    require_some_for_guests,
    require_write,
)
from router.sql.dialect import DIALECTS

ANA = User("slack:U1", "Ana", "Ana@Example.com")
BOB = User("teams:b0b", "Bob")
SALES = Connection("SALES", 1, "Sales", DIALECTS["postgres"], "postgresql://r:s3cret@h/d", "postgresql://w:s3cret@h/d")

ANA_LISTED = [
    frozenset({"ana@example.com"}),
    frozenset({"slack:U1"}),
    frozenset({"*"}),
    frozenset({"x@y.z", "slack:U1"}),
]


@pytest.mark.parametrize("people", [None, *ANA_LISTED])
def test_readers(people: frozenset[str] | None) -> None:
    """Everybody reads where no readers are given; else who is listed by address in any case, exact id, or "*"."""
    assert may_read(ANA, replace(SALES, readers=people))
    require_read(ANA, replace(SALES, readers=people))


def test_nobody_is_no_address() -> None:
    """A person whose platform tells no address is not the person listed with an empty one."""
    assert not may_read(BOB, replace(SALES, readers=frozenset({""})))


@pytest.mark.parametrize(
    ("approvers", "user", "asker", "allowed"),
    [
        (None, ANA, ANA, True),
        (None, BOB, ANA, False),
        (frozenset({"ana@example.com"}), ANA, BOB, True),
        (frozenset({"ana@example.com"}), ANA, ANA, True),
        (frozenset({"ana@example.com"}), BOB, BOB, False),
        (frozenset({"*"}), BOB, ANA, True),
        (frozenset(), ANA, ANA, False),
    ],
)
def test_approvers(approvers: frozenset[str] | None, user: User, asker: User, allowed: bool) -> None:
    """Without approvers only the asker approves; with them only they do, the asker among them or not."""
    assert allowed == may_approve(user, replace(SALES, approvers=approvers), asker)


def test_asker_who_lost_the_right_to_read() -> None:
    """The asker cannot approve what they may not read any more."""
    assert not may_approve(ANA, replace(SALES, readers=frozenset({"bob@example.com"})), ANA)


@pytest.mark.parametrize(
    ("writers", "write_url", "allowed"),
    [
        (None, SALES.write_url, False),
        (frozenset({"*"}), None, False),
        (frozenset({"bob@example.com"}), SALES.write_url, False),
        (frozenset({"ana@example.com"}), SALES.write_url, True),
    ],
)
def test_writers(writers: frozenset[str] | None, write_url: str | None, allowed: bool) -> None:
    """Nobody writes unless writers and a second URL are given; then only who is listed."""
    assert allowed == may_write(ANA, replace(SALES, writers=writers, write_url=write_url))


REFUSALS = [
    (
        lambda: require_read(BOB, replace(SALES, readers=frozenset({"ana@example.com", "slack:U9"}))),
        'There is no connection "SALES" that you may use (any more). Nothing was done. '
        "Choose another one, or ask your administrator to add you.",
    ),
    (
        lambda: require_approve(
            BOB, replace(SALES, readers=frozenset({"ana@x.org"}), approvers=frozenset({"cid@x.org"})), ANA
        ),
        "You can't approve this. Nothing was run, and the request stays open.",
    ),
    (lambda: require_approve(BOB, SALES, ANA), "Only Ana may approve this. Nothing was run."),
    (
        lambda: require_approve(BOB, replace(SALES, approvers=frozenset(f"{name}@x.org" for name in "abcde")), BOB),
        "You can't approve SQL for Sales. Nothing was run; the request stays open. "
        "These people may approve it: a@x.org, b@x.org, c@x.org and 2 more.",
    ),
    (lambda: require_write(BOB, SALES), "Sales is read-only for everybody. Nothing was written."),
    (
        lambda: require_write(BOB, replace(SALES, writers=frozenset())),
        "You can't write to Sales. Nothing was written. Ask your administrator to add you.",
    ),
]


@pytest.mark.parametrize(("require", "sentence"), REFUSALS)
def test_refusals_say_who_may(require, sentence: str) -> None:
    """A refusal says what did not happen and who may, and nothing of how the database is reached."""
    with pytest.raises(NotAllowed) as raised:
        require()

    assert sentence == str(raised.value)


GUEST = User("slack:U9", "Gina", "gina@example.com", guest=True)


@pytest.mark.parametrize("people", [None, frozenset({"*"}), frozenset({"slack:U9"}), frozenset({"gina@example.com"})])
@pytest.mark.parametrize("guests", [False, True])
def test_guests(people: frozenset[str] | None, guests: bool) -> None:
    """Guests have the rights that the lists give them where a connection is open to guests, and else none."""
    open_ = replace(SALES, readers=people, approvers=people, writers=people, teachers=people, guests=guests)
    listed = people is not None and guests

    assert (guests, listed, guests) == (
        may_read(GUEST, open_),
        may_write(GUEST, open_),
        may_approve(GUEST, open_, GUEST),
    )
    assert listed == (may_approve(GUEST, open_, ANA) and may_approve_write(GUEST, open_, ANA))
    assert listed == may_teach(GUEST, open_)
    assert listed == may_end_repeating(GUEST, ANA, open_)


def test_a_guest_whom_nothing_is_open_to() -> None:
    """They are told so; members who may read nothing are told something else, later."""
    connections = Connections([SALES])
    with pytest.raises(NotAllowed, match="You're a guest here, and no database is open to guests"):
        require_some_for_guests(GUEST, connections)
    require_some_for_guests(GUEST, Connections([replace(SALES, guests=True)]))
    require_some_for_guests(BOB, Connections([replace(SALES, readers=frozenset())]))
