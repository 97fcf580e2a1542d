"""The rights of people: the one place for them, asked again at every step."""

from collections.abc import Collection, Iterable, Mapping

from router.catalog.connection import EVERYBODY, Channels, Connection, no_connection
from router.errors import NotAllowed, NotHere
from router.memory.draft import User
from router.memory.thread import ThreadKey


def may_read(user: User, connection: Connection) -> bool:
    """Tell whether the person may ask this database; where no readers are given, everybody may."""
    if user.guest and not connection.guests:
        return False
    return connection.readers is None or _listed(user, connection.readers)


def may_approve(user: User, connection: Connection, asker: User) -> bool:
    """Tell whether the person may approve the asker's SQL: the approvers given and nobody else, or the asker alone."""
    if connection.approvers is not None:
        return _has(user, connection, connection.approvers)
    return user.id == asker.id and may_read(user, connection)


def may_write(user: User, connection: Connection) -> bool:
    """Tell whether the person may write: the writers given who may read, through a write_url; else nobody.

    What goes wrong in writing tells what is there: whoever may not read may not write either.
    """
    if connection.writers is None or connection.write_url is None or not may_read(user, connection):
        return False
    return _has(user, connection, connection.writers)


def may_approve_write(user: User, connection: Connection, asker: User) -> bool:
    """Tell whether the person may approve what the asker writes: the approvers given, or the asker who may write."""
    if connection.approvers is not None:
        return _has(user, connection, connection.approvers)
    return user.id == asker.id and may_write(user, connection)


def may_teach(user: User, connection: Connection) -> bool:
    """Tell whether the person may teach the bot about this database: the teachers given, who may read it."""
    return connection.teachers is not None and _listed(user, connection.teachers) and may_read(user, connection)


def demand_read(user: User, connection: Connection) -> None:
    """Do nothing if the person may read; raises NotThere, as where there is no such connection."""
    if not may_read(user, connection):
        raise no_connection(connection.name)


def demand_approve(user: User, connection: Connection, asker: User) -> None:
    """Do nothing if the person may approve the asker's SQL; raises NotAllowed."""
    if may_approve(user, connection, asker):
        return
    if connection.approvers is None:
        if user.id == asker.id:
            demand_read(user, connection)
        raise NotAllowed(f"Only {asker.name or 'the person who asked'} may approve this. Nothing was run.")
    if not may_read(user, connection):
        raise NotAllowed("You can't approve this. Nothing was run, and the request stays open.")
    raise NotAllowed(
        f"You can't approve SQL for {connection.label}. Nothing was run; the request stays open. "
        f"{_who(connection.approvers, 'approve it')}"
    )


def demand_query(asker: User, approver: User, connection: Connection) -> None:
    """Do nothing if the asker may read, and the approver approve what they ask; raises NotAllowed."""
    demand_read(asker, connection)
    demand_approve(approver, connection, asker)


def demand_write(user: User, connection: Connection) -> None:
    """Do nothing if the person may write; raises NotAllowed, or NotThere where they may not even read."""
    if may_write(user, connection):
        return
    demand_read(user, connection)
    if connection.write_url is None or connection.writers is None:
        raise NotAllowed(f"{connection.label} is read-only for everybody. Nothing was written.")
    raise NotAllowed(f"You can't write to {connection.label}. Nothing was written. Ask your administrator to add you.")


def demand_approve_write(user: User, connection: Connection, asker: User) -> None:
    """Do nothing if the person may approve what the asker writes; raises NotAllowed."""
    if may_approve_write(user, connection, asker):
        return
    if connection.approvers is None:
        if user.id == asker.id:
            demand_write(user, connection)
        raise NotAllowed(f"Only {asker.name or 'the person who asked'} may approve this. Nothing was written.")
    if not may_read(user, connection):
        raise NotAllowed("You can't approve this. Nothing was written, and the request stays open.")
    raise NotAllowed(
        f"You can't approve what is written to {connection.label}. Nothing was written; the request stays open. "
        f"{_who(connection.approvers, 'approve it')}"
    )


def demand_teach(user: User, connection: Connection) -> None:
    """Do nothing if the person may teach the bot about this database; raises NotAllowed."""
    demand_read(user, connection)
    if not may_teach(user, connection):
        raise NotAllowed(
            f"You can't change what I know about {connection.label}. Nothing was changed. "
            f"{_who(connection.teachers, 'teach me')}"
        )


def may_stop(user: User, owner: User, author: User) -> bool:
    """Tell whether the person may end what runs: whoever began the talk may, and whose input is worked on."""
    return user.id in (owner.id, author.id)


def demand_stop(user: User, owner: User, author: User) -> None:
    """Do nothing if the person may end what runs; raises NotAllowed."""
    if not may_stop(user, owner, author):
        raise NotAllowed(
            "Only the person who started this conversation, or whose answer I'm working on, can stop this."
        )


def may_end_repeating(user: User, owner: User, connection: Connection | None) -> bool:
    """Tell whether the person may end what is repeated: its owner may, and the approvers that the connection names."""
    approvers = connection.approvers if connection else None
    named = connection is not None and approvers is not None and _has(user, connection, approvers)
    return user.id == owner.id or named


def demand_channel(key: ThreadKey, channels: Channels, shared: bool) -> None:
    """Do nothing if the bot may answer in this channel; raises NotHere. Direct messages are always allowed."""
    if shared and not channels.allow(key):
        raise NotHere(
            "I don't answer in this channel. Nothing was asked or run. Write to me in a direct message instead."
        )


def shown_privately(key: ThreadKey, shared: bool, connection: Connection, channels: Channels) -> bool:
    """Tell whether a result is for the asker alone, because the connection or the channel says so."""
    return shared and (connection.private or channels.keep_private(key))


def demand_rows_in_channel(
    place: ThreadKey, shared: bool, target: ThreadKey, connection: Connection, channels: Channels
) -> None:
    """Do nothing if rows that were asked for in a place may go into a channel besides; raises NotAllowed."""
    if connection.private:
        raise NotAllowed(f"Rows of {connection.label} are for the one who asks alone: they go to no channel.")
    if shown_privately(place, shared, connection, channels):
        raise NotAllowed("What is asked here is for the one who asks alone: it goes to no channel.")
    if not channels.allow(target):
        raise NotAllowed("I don't answer in that channel; your administrator decides where.")
    if channels.keep_private(target):
        raise NotAllowed("What I show in that channel is for the one who asks alone, so these rows can't go there.")


def readable(connections: Mapping[str, Connection], user: User) -> tuple[Connection, ...]:
    """Return the connections that the person may read, in the order of the file."""
    return tuple(connection for connection in connections.values() if may_read(user, connection))


def examples(connections: Mapping[str, Connection], user: User) -> tuple[str, ...]:
    """Return the questions that the person may begin with, of the connections that they may read."""
    found = (example for connection in readable(connections, user) for example in connection.examples)
    return tuple(dict.fromkeys(found))


def writable(connections: Mapping[str, Connection], user: User) -> tuple[Connection, ...]:
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


def demand_some_for_guests(user: User, connections: Mapping[str, Connection]) -> None:
    """Do nothing if any database is open to the person, or they are no guest; raises NotAllowed."""
    if user.guest and not readable(connections, user):
        raise NotAllowed(no_database(user))


def _has(user: User, connection: Connection, people: frozenset[str]) -> bool:
    """Tell whether the person is on a connection's list, and it is not closed to them as a guest."""
    return (connection.guests or not user.guest) and _listed(user, people)


def _listed(user: User, people: Collection[str]) -> bool:
    """E-mail addresses compare without case, ids exactly; a person without an address matches no address."""
    return EVERYBODY in people or user.id in people or bool(user.email and user.email.casefold() in people)


def _who(people: Iterable[str] | None, verb: str) -> str:
    """Name those who may, as far as names help: ids mean nothing to a reader, and long lists are cut."""
    names = sorted(person for person in people or () if "@" in person and ":" not in person)
    if not names:
        return f"Nobody may {verb} yet." if not people else f"Others may {verb}."
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"These people may {verb}: {', '.join(names[:3])}{more}."
