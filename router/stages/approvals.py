"""A person's Yes, by the rules that all its stages share: in time, by whom, and under which number its job runs."""

from collections.abc import Callable

from router.cards import Text
from router.catalog.connection import Connection
from router.errors import Stale
from router.machine import demand_owner
from router.memory.draft import Approval, User
from router.policy import may_approve, who_approves
from router.turn import Turn

Right = Callable[[User, Connection, User], bool]
"""Tells whether a person may approve what another one asked of a connection."""

WAITED_TOO_LONG = "This has waited too long for an approval. Please look at it again:"


def demand_in_time(turn: Turn, said: str = WAITED_TOO_LONG) -> None:
    """Do nothing unless the question has waited too long for an approval; raises Stale with what is said then."""
    asked, services = turn.memory.asked, turn.services
    if asked and services.clock() - asked > services.approval_time:
        raise Stale(said)


def demand_owner_or_approver(turn: Turn, presses: bool, *connections: Connection, may: Right = may_approve) -> None:
    """Do nothing for the owner, nor where an approver of one connection presses the Yes; raises NotYours."""
    if not presses or not any(may(turn.user, each, turn.owner) for each in connections):
        demand_owner(turn)


def approval_of(turn: Turn, digest: str) -> Approval:
    """Return the Yes of who acts now, to what has this digest."""
    return Approval(digest, turn.user, turn.services.clock())


def key_of_job(turn: Turn, before: str, mark: str, approver: User) -> str:
    """Return the key under which an approved job runs.

    The same job is tried again under the key that it had before, so that it finds what it did.
    """
    key = before if before.endswith(mark) else f"{turn.incoming.key} {turn.memory.turn} {mark}"
    turn.services.jobs.again(key, (turn.owner, approver))
    return key


def awaited(turn: Turn, connection: Connection, may: Right = may_approve) -> tuple[Text, ...]:
    """Return who has to approve, where the person who asked may not."""
    if may(turn.owner, connection, turn.owner):
        return ()
    return (Text(f"Somebody else has to approve this. {who_approves(connection)}.", "quiet"),)
