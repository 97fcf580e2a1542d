"""The rights of people: the one place for them, asked again at every step."""

from collections.abc import Collection, Iterable, Mapping

from router.catalog.connection import EVERYBODY, Channels, Connection, no_connection
from router.errors import NotAllowed, WrongChannel
from router.memory.draft import User
from router.memory.thread import ThreadKey


def may_read(user: User, connection: Connection) -> bool:
    """Return whether the person may ask this database; if no readers are given, everybody may."""
    if user.guest and not connection.guests:
        return False
    return connection.readers is None or _is_listed(user, connection.readers)


def may_approve(user: User, connection: Connection, asker: User) -> bool:
    """Return whether the person may approve the asker's SQL: the given approvers only, else the asker alone."""
    if connection.approvers is not None:
        return _has(user, connection, connection.approvers)
    return user.id == asker.id and may_read(user, connection)


def may_write(user: User, connection: Connection) -> bool:
    """Return whether the person may write: the writers given who may read, through a write_url; else nobody.

    An error in writing shows what is there: a person who may not read may not write either.
    """
    if connection.writers is None or connection.write_url is None or not may_read(user, connection):
        return False
    return _has(user, connection, connection.writers)


def may_approve_write(user: User, connection: Connection, asker: User) -> bool:
    """Return whether the person may approve what the asker writes: the approvers given, or the asker who may write."""
    if connection.approvers is not None:
        return _has(user, connection, connection.approvers)
    return user.id == asker.id and may_write(user, connection)


def may_teach(user: User, connection: Connection) -> bool:
    """Return whether the person may teach the bot about this database: the teachers given, who may read it."""
    return connection.teachers is not None and _is_listed(user, connection.teachers) and may_read(user, connection)


def require_read(user: User, connection: Connection) -> None:
    """Raise NotFound unless the person may read, as when there is no such connection."""
    if not may_read(user, connection):
        raise no_connection(connection.name)


def require_approve(user: User, connection: Connection, asker: User) -> None:
    """Raise NotAllowed unless the person may approve the asker's SQL."""
    if may_approve(user, connection, asker):
        return
    if connection.approvers is None:
        if user.id == asker.id:
            require_read(user, connection)
        raise NotAllowed(f"Only {asker.name or 'the person who asked'} may approve this. Nothing was run.")
    if not may_read(user, connection):
        raise NotAllowed("You can't approve this. Nothing was run, and the request stays open.")
    raise NotAllowed(
        f"You can't approve SQL for {connection.label}. Nothing was run; the request stays open. "
        f"{_who(connection.approvers, 'approve it')}"
    )


def require_query(asker: User, approver: User, connection: Connection) -> None:
    """Raise NotAllowed unless the asker may read, and the approver approve what they ask."""
    require_read(asker, connection)
    require_approve(approver, connection, asker)


def require_write(user: User, connection: Connection) -> None:
    """Raise NotAllowed unless the person may write, or NotFound if they may not even read."""
    if may_write(user, connection):
        return
    require_read(user, connection)
    if connection.write_url is None or connection.writers is None:
        raise NotAllowed(f"{connection.label} is read-only for everybody. Nothing was written.")
    raise NotAllowed(f"You can't write to {connection.label}. Nothing was written. Ask your administrator to add you.")


def require_approve_write(user: User, connection: Connection, asker: User) -> None:
    """Raise NotAllowed unless the person may approve what the asker writes."""
    if may_approve_write(user, connection, asker):
        return
    if connection.approvers is None:
        if user.id == asker.id:
            require_write(user, connection)
        raise NotAllowed(f"Only {asker.name or 'the person who asked'} may approve this. Nothing was written.")
    if not may_read(user, connection):
        raise NotAllowed("You can't approve this. Nothing was written, and the request stays open.")
    raise NotAllowed(
        f"You can't approve what is written to {connection.label}. Nothing was written; the request stays open. "
        f"{_who(connection.approvers, 'approve it')}"
    )


def require_teach(user: User, connection: Connection) -> None:
    """Raise NotAllowed unless the person may teach the bot about this database."""
    require_read(user, connection)
    if not may_teach(user, connection):
        raise NotAllowed(
            f"You can't change what I know about {connection.label}. Nothing was changed. "
            f"{_who(connection.teachers, 'teach me')}"
        )


def may_stop(user: User, owner: User, author: User) -> bool:
    """Return whether the person may end what runs: the owner of the talk may, and the author of the input."""
    return user.id in (owner.id, author.id)


def require_stop(user: User, owner: User, author: User) -> None:
    """Raise NotAllowed unless the person may end what runs."""
    if not may_stop(user, owner, author):
        raise NotAllowed(
            "Only the person who started this conversation, or whose answer I'm working on, can stop this."
        )


def may_end_repeating(user: User, owner: User, connection: Connection | None) -> bool:
    """Return whether the person may end a schedule: its owner may, and the approvers that the connection names."""
    approvers = connection.approvers if connection else None
    named = connection is not None and approvers is not None and _has(user, connection, approvers)
    return user.id == owner.id or named


def require_channel(key: ThreadKey, channels: Channels, shared: bool) -> None:
    """Raise WrongChannel unless the bot may answer in this channel. Direct messages are always allowed."""
    if shared and not channels.allows(key):
        raise WrongChannel(
            "I don't answer in this channel. Nothing was asked or run. Write to me in a direct message instead."
        )


def is_shown_privately(key: ThreadKey, shared: bool, connection: Connection, channels: Channels) -> bool:
    """Return whether a result is for the asker alone, because the connection or the channel says so."""
    return shared and (connection.private or channels.keeps_private(key))


def require_rows_in_channel(
    place: ThreadKey, shared: bool, target: ThreadKey, connection: Connection, channels: Channels
) -> None:
    """Raise NotAllowed unless rows that were asked for in a place may go into a channel besides."""
    if connection.private:
        raise NotAllowed(f"Rows of {connection.label} are for the one who asks alone: they go to no channel.")
    if is_shown_privately(place, shared, connection, channels):
        raise NotAllowed("What is asked here is for the one who asks alone: it goes to no channel.")
    if not channels.allows(target):
        raise NotAllowed("I don't answer in that channel; your administrator decides where.")
    if channels.keeps_private(target):
        raise NotAllowed("What I show in that channel is for the one who asks alone, so these rows can't go there.")


def readable_connections(connections: Mapping[str, Connection], user: User) -> tuple[Connection, ...]:
    """Return the connections that the person may read, in the order of the file."""
    return tuple(connection for connection in connections.values() if may_read(user, connection))


def example_questions(connections: Mapping[str, Connection], user: User) -> tuple[str, ...]:
    """Return the questions that the person may begin with, of the connections that they may read."""
    found = (example for connection in readable_connections(connections, user) for example in connection.examples)
    return tuple(dict.fromkeys(found))


def writable_connections(connections: Mapping[str, Connection], user: User) -> tuple[Connection, ...]:
    """Return the connections that the person may write to, in the order of the file."""
    return tuple(connection for connection in connections.values() if may_write(user, connection))


def approvers_of(connection: Connection) -> tuple[str, ...]:
    """Return the people whom the connection names as approvers, as it lists them."""
    return tuple(sorted(connection.approvers or ()))


def who_approves(connection: Connection) -> str:
    """Name those who may approve SQL for this connection."""
    return _who(connection.approvers, "approve it").removesuffix(".")


def no_database(user: User) -> str:
    """Return what is said to somebody who may read no database."""
    if user.guest:
        return "You're a guest here, and no database is open to guests. Please ask your administrator."
    return "There's no database here that you can read. Your administrator can add you to its readers."


def require_some_for_guests(user: User, connections: Mapping[str, Connection]) -> None:
    """Raise NotAllowed unless any database is open to the person, or they are no guest."""
    if user.guest and not readable_connections(connections, user):
        raise NotAllowed(no_database(user))


def _has(user: User, connection: Connection, people: frozenset[str]) -> bool:
    """Return whether the person is on a connection's list, and it is not closed to them as a guest."""
    return (connection.guests or not user.guest) and _is_listed(user, people)


def _is_listed(user: User, people: Collection[str]) -> bool:
    """E-mail addresses compare without case, ids exactly; a person without an address matches no address."""
    return EVERYBODY in people or user.id in people or bool(user.email and user.email.casefold() in people)


def _who(people: Iterable[str] | None, verb: str) -> str:
    """Name those who may, as far as names help: ids mean nothing to a reader, and long lists are cut."""
    names = sorted(person for person in people or () if "@" in person and ":" not in person)
    if not names:
        return f"Nobody may {verb} yet." if not people else f"Others may {verb}."
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"These people may {verb}: {', '.join(names[:3])}{more}."
