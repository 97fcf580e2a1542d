"""A person's Yes, by the rules that all its stages share: in time, by whom, and under which number its job runs."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from router.approval_requests import ApprovalRequest
from router.cards import Approver, Option, Text, Waiting
from router.catalog.connection import EVERYBODY, Connection
from router.errors import Stale, Unclear
from router.machine import require_owner
from router.memory.draft import Approval, User
from router.policy import approvers_of, may_approve, may_approve_write
from router.turn import Changed, Turn

CHATS = ("slack", "teams")
"""Platforms where several people meet."""

NOBODY_SEES = "Nobody else can read this chat. Ask me in a channel that they can read."
NO_YES_BY_EDIT = "I take a Yes from a button or a new message, not from a message that was changed."


@dataclass(frozen=True, slots=True)
class Approvable:
    """A Yes that is asked for: `digest` is that of the exact thing, and `about` says what it is, in a line."""

    digest: str
    about: str


DONE_REMEMBERED = 50
"""E-mails and writes of a talk that are not done again unasked."""

Right = Callable[[User, Connection, User], bool]
"""Return whether a person may approve what another one asked of a connection."""

WAITED_TOO_LONG = "This waited too long for an approval. Please check it again:"


def require_in_time(turn: Turn, said: str = WAITED_TOO_LONG) -> None:
    """Raise Stale, with what is said then, if the question has waited too long for an approval."""
    asked, services = turn.memory.asked, turn.services
    if asked and services.clock() - asked > services.approval_time:
        raise Stale(said)


def require_owner_or_approver(turn: Turn, presses: bool, connection: Connection, may: Right = may_approve) -> None:
    """Raise NotYours unless it is the owner, or an approver of the connection who presses the Yes."""
    if not (presses and may(turn.user, connection, turn.owner)):
        require_owner(turn)


def note_yes(turn: Turn) -> None:
    """Note that who acts now says Yes; raises Unclear if they only changed a message."""
    if isinstance(turn.origin, Changed):
        raise Unclear(NO_YES_BY_EDIT)
    turn.approved = True


def approval_of(turn: Turn, digest: str) -> Approval:
    """Return the Yes of who acts now, to what has this digest; raises Unclear if they only changed a message."""
    note_yes(turn)
    return Approval(digest, turn.user, turn.services.clock())


def key_of_job(turn: Turn, before: str, mark: str, approver: User) -> str:
    """Return the key under which an approved job runs.

    The same job is tried again under the key that it had before, so that it finds what it did; not one that was done.
    """
    tried = before.endswith(mark) and not was_done(turn, mark)
    key = before if tried else f"{turn.incoming.key} {turn.memory.turn} {mark}"
    turn.services.jobs.again(key, (turn.owner, approver))
    return key


def approve_job(turn: Turn, before: str, digest: str, target: str) -> tuple[Approval, str]:
    """Return the Yes of who acts now to a job, and its key, if it had the key `before`; raises Stale, Unclear."""
    require_in_time(turn)
    approval, key = approval_of(turn, digest), key_of_job(turn, before, digest, turn.user)
    turn.record("approved", approver=turn.user.id, digest=digest, target=target)
    return approval, key


def was_done(turn: Turn, digest: str) -> bool:
    """Return whether exactly this was sent or written in this talk already, so that it is asked about."""
    return digest in turn.memory.done


def note_done(turn: Turn, digest: str) -> None:
    """Remember that this was sent or written."""
    turn.memory.done = [*turn.memory.done, digest][-DONE_REMEMBERED:]


def awaited(
    turn: Turn, connection: Connection, asked: Approvable, may: Right = may_approve, what: str = ""
) -> tuple[Waiting | Text, ...]:
    """Return who has to approve if the person who asked may not, and note that they are asked."""
    if may(turn.owner, connection, turn.owner):
        return ()
    people = approvers_of(connection)
    turn.requests.append(
        ApprovalRequest(
            turn.incoming.key,
            asked.digest,
            turn.owner,
            connection.name,
            "write" if may is may_approve_write else "query",
            asked.about,
            people,
            turn.services.clock(),
        )
    )
    alone = people and turn.incoming.key.platform in CHATS and not turn.incoming.shared
    return (Waiting(tuple(map(Approver, people)), what), *((Text(NOBODY_SEES, "quiet"),) if alone else ()))


def only_approvers(turn: Turn, option: Option, connection: Connection, may: Right = may_approve) -> Option:
    """Return the button of a Yes as it is shown to those who may press it, if the person who asked may not."""
    people = approvers_of(connection)
    if may(turn.owner, connection, turn.owner) or EVERYBODY in people:
        return option
    return replace(option, only=people)
