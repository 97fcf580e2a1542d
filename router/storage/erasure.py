"""Deletes what is kept of a talk, or of a person, from every table; the audit trail is none, and stays.

What others may need goes on without the person: an example that they saved, a decision that they took.
"""

import json
import re
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import JSON, ColumnElement, Select, Table, cast, delete, or_, select, type_coerce, update
from sqlalchemy.engine import Connection

from router.memory.thread import ThreadKey
from router.storage.database import Database
from router.storage.tables import (
    METADATA,
    answers,
    approval_notices,
    approval_requests,
    conversation_people,
    conversations,
    example_drafts,
    inbox,
    intent_choices,
    jobs,
    messages,
    page_entries,
    page_threads,
    ratings,
    schedules,
    slack_modals,
    welcomes,
)

FORGOTTEN_PREFIX = "forgotten:"
"""Stands where a person stood."""


@dataclass(slots=True)
class Erased:
    """The rows that were deleted of each table; what they named has to be deleted by its keeper."""

    rows: dict[str, int] = field(default_factory=dict)
    results: set[str] = field(default_factory=set)

    def add(self, other: "Erased") -> None:
        """Count what was deleted elsewhere, too."""
        for name, count in other.rows.items():
            self.rows[name] = self.rows.get(name, 0) + count
        self.results |= other.results


_OWNED = {"ratings": "who", "schedules": "owner", "approval_notices": "person", "proposals": "by_id"}
"""Tables whose rows are a person's own, with the column that says whose."""

_NAMED = (
    ("approval_requests", "decider", ("decider", "decider_name")),
    ("proposals", "decider", ("decider",)),
    ("examples", "by", ("by",)),
    ("jobs", "approver", ("approver",)),
)
"""Tables whose rows stay without a person: the column that names them, and what is emptied there."""


class _Eraser:
    """One transaction that deletes."""

    def __init__(self, connection: Connection) -> None:
        self.connection, self.erased = connection, Erased()

    def delete(self, table: Table, *where: ColumnElement[bool]) -> None:
        """Delete rows, and count them."""
        count = self.connection.execute(delete(table).where(*where)).rowcount
        if count:
            self.erased.rows[table.name] = self.erased.rows.get(table.name, 0) + count

    def texts(self, query: Select[Any]) -> set[str]:
        """Return the texts that a query gives."""
        return {text for text in self.connection.execute(query).scalars() if text}

    def requests(self, column: Literal["thread", "asker"], value: str) -> None:
        """Delete jobs, answers with all their ratings, and approvals that were asked for, with who was told of them.

        Their rows are the caller's to delete.
        """
        for table in (jobs, answers):
            found = self.texts(select(table.c.result).where(table.c[column] == value))
            self.erased.results |= found
            self.delete(ratings, ratings.c.result.in_(found))
        asked = select(approval_requests.c.number).where(approval_requests.c[column] == value)
        self.delete(approval_notices, approval_notices.c.request.in_(asked))
        for table in (jobs, answers, approval_requests):
            self.delete(table, table.c[column] == value)

    def inputs(self, part: Literal["key", "user"], **values: str) -> None:
        """Delete inputs that wait still, and whose talk or person has these values."""
        as_json = type_coerce if self.connection.dialect.name == "sqlite" else cast  # a cast there makes it a number
        heard = as_json(inbox.c.heard, JSON)
        self.delete(inbox, *(heard["heard", part, name].as_string() == each for name, each in values.items()))

    def events(self, names: set[str]) -> None:
        """Delete what inputs that are done are known by, if they come again, if any of these names is in it."""
        for name in names:
            found = self.connection.execute(
                select(inbox.c.number, inbox.c.event).where(inbox.c.event.contains(name, autoescape=True))
            )
            whole = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
            self.delete(inbox, inbox.c.number.in_([row.number for row in found if whole.search(row.event)]))

    def decisions(self, person: str) -> None:
        """Take a person's name from what they decided; that it is decided stays."""
        for row in self.connection.execute(select(messages).where(messages.c.decision.is_not(None))).all():
            told = json.loads(row.decision)
            if told.get("by", {}).get("id") == person:
                told["by"] = {"id": FORGOTTEN_PREFIX}
                this = [column == row._mapping[column.name] for column in messages.primary_key]
                self.connection.execute(update(messages).where(*this).values(decision=json.dumps(told)))

    def pages(self, which: ColumnElement[bool]) -> None:
        """Delete logs of the page."""
        self.delete(page_entries, page_entries.c.thread.in_(select(page_threads.c.id).where(which)))
        self.delete(page_threads, which)


def erase_thread(database: Database, key: ThreadKey) -> Erased:
    """Delete what is kept of a talk but its memory."""
    thread = str(key)
    with database.transaction(durable=True) as connection:
        eraser = _Eraser(connection)
        eraser.requests("thread", thread)
        eraser.inputs("key", **asdict(key))
        for table in (schedules, messages):
            eraser.delete(table, table.c.thread == thread)
        if key.platform == "web":
            eraser.pages(page_threads.c.id == key.thread)
    return eraser.erased


def erase_person(database: Database, person: str) -> Erased:
    """Delete what a person did in whatever talk, and take their name from what others need."""
    platform, _, own = person.partition(":")
    known_as = (person, own)
    with database.transaction(durable=True) as connection:
        eraser = _Eraser(connection)
        eraser.requests("asker", person)
        for name, column in _OWNED.items():
            table = METADATA.tables[name]
            eraser.delete(table, table.c[column] == person)
        eraser.inputs("user", id=person)
        people = conversation_people.c
        chats = eraser.texts(select(people.conversation).where(people.id.in_(known_as), people.personal))
        eraser.events({own, *chats})
        eraser.delete(conversations, conversations.c.id.in_(chats))
        eraser.delete(conversation_people, people.id.in_(known_as))
        eraser.delete(welcomes, welcomes.c.platform == platform, welcomes.c.person.in_({*known_as, *chats}))
        eraser.pages(page_threads.c.owner == person)
        eraser.decisions(person)
        for name, column, emptied in _NAMED:
            table = METADATA.tables[name]
            connection.execute(update(table).where(table.c[column] == person).values(dict.fromkeys(emptied, "")))
    return eraser.erased


def erase_older(database: Database, before: datetime) -> Erased:
    """Delete what belongs to no talk or person and is older: sentences with what was chosen for them, and previews."""
    with database.transaction(durable=True) as connection:
        eraser = _Eraser(connection)
        for table in (intent_choices, example_drafts, slack_modals, inbox, messages):
            eraser.delete(table, table.c.at < before)
    return eraser.erased


def acted_in(database: Database, person: str) -> set[str]:
    """Return the talks in which a person asked for something that is kept still."""
    asked = select(jobs.c.thread).where(or_(jobs.c.asker == person, jobs.c.approver == person))
    with database.reading() as connection:
        rows = connection.execute(asked.union(select(answers.c.thread).where(answers.c.asker == person)))
        return {thread for thread in rows.scalars() if thread}
