"""What people are told of a question that the bot could not help with; never a row of a result."""

import hashlib
from dataclasses import dataclass, replace

from router.cards import Card, Code, Link, Reply, Text
from router.catalog.connection import Connection
from router.herald import Announcement
from router.humans import Channel
from router.jobs.cells import line
from router.jobs.mail.rules import and_of
from router.jobs.send_email import SendEmail, digest
from router.memory import ThreadKey, User
from router.policy import readable
from router.turn import Turn

OPEN = "Open the conversation"

LONGEST = 2_000
"""Characters of a question, or of what somebody says about it."""


@dataclass(frozen=True, slots=True)
class Plea:
    """A question, what became of it, and who asks; `link` leads to its thread, empty where others have no way there."""

    id: str
    key: ThreadKey
    who: User
    question: str
    sql: str
    error: str
    why: str
    """What the person says themselves."""
    connection: Connection | None
    shared: bool
    link: str = ""

    @property
    def told(self) -> str:
        """What people are told of it, as the person reads it; empty where that is nothing but who asks."""
        parts = ((self.question, "your question"), (self.sql, "the SQL"), (self.error, "what went wrong"))
        told = [words for part, words in (*parts, (self.why, "your words")) if part]
        return and_of(told) if told else ""

    @property
    def head(self) -> str:
        """Who asks, and what it is about, as a line of plain text."""
        where = f" on {line(self.connection.label)}" if self.connection else ""
        return f"{_named(self.who)} asks for help with a question{where}."

    @property
    def place(self) -> str:
        """Where the talk is, where no link leads there."""
        if self.shared:
            return "I have no link to the conversation; it is in a channel where they asked me."
        if self.key.platform in ("web", "console"):
            return "The conversation is in icc-bot's page, which nobody else sees: write to them."
        return "The conversation is in their own messages with me, which nobody else sees: write to them."


def about(turn: Turn, why: str) -> str:
    """Return what a person is asked about: the question at hand, or the SQL; without either, what they say."""
    draft = turn.memory.draft
    return draft.question or draft.sql or why


def plea_of(turn: Turn, why: str, link: str) -> Plea:
    """Return the question at hand as people are told of it; what was said before may be about data they may not see."""
    memory, key = turn.memory, turn.incoming.key
    draft, struggle = memory.draft, memory.struggle
    of = about(turn, why)
    failed = draft.problem or (struggle.error if of in struggle.failed else "")
    sql = draft.sql or next(reversed(draft.tried), "")
    connection = turn.tools.connections.get(memory.place.connection)
    question = line(draft.question, LONGEST)
    id = id_of(key, of)
    return Plea(id, key, turn.owner, question, sql, failed, line(why, LONGEST), connection, turn.incoming.shared, link)


def id_of(key: ThreadKey, about: str) -> str:
    """Return the id of a question: the same for the same question of a talk."""
    return hashlib.sha256(f"{key} {about}".encode()).hexdigest()[:16]


def news_of(plea: Plea, channel: Channel, *, full: bool) -> Announcement:
    """Return a question as a message for a channel; without `full`, as little of it as helps to find whoever asks."""
    key = replace(plea.key, channel=channel.id, thread="")
    cards: list[Card] = [Text(plea.head)]
    if full:
        cards += [Text(f"*Question:* {plea.question}")] if plea.question else []
        cards += [Text(f"*In their words:* {plea.why}")] if plea.why else []
        if plea.sql and plea.connection:
            cards.append(Code(plea.sql, plea.connection.label, connection=plea.connection.name))
        cards += [Text(f"*What went wrong:* {plea.error}")] if plea.error else []
    cards.append(Link(OPEN, plea.link) if plea.link else Text(plea.place, "quiet"))
    sensitivity = plea.connection.sensitivity if plea.connection and full else ""
    return Announcement(f"handoff {plea.id}", key, plea.who, True, Reply(tuple(cards), sensitivity=sensitivity))


def email_of(plea: Plea, turn: Turn, recipient: str, sender: str) -> SendEmail:
    """Return a question as an e-mail, whose answers go to whoever asks."""
    words = (
        plea.head,
        f"In their words: {plea.why}" if plea.why else "",
        f"What went wrong: {plea.error}" if plea.error else "",
        f"{OPEN}: {plea.link}" if plea.link else plea.place,
    )
    known = plea.connection or next(iter(readable(turn.tools.connections, plea.who)), None)
    job = SendEmail(
        connection=known.name if known else "",
        recipients=(recipient,),
        subject=line(plea.head.removesuffix("."), 200),
        body="\n\n".join(filter(None, words)),
        form="none",
        result="",
        sender=sender,
        name="A question for people",
        asker=plea.who.id,
        approver=turn.user.id,
        asker_name=plea.who.name,
        asker_address=plea.who.email,
        question=plea.question,
        source=plea.connection.label if plea.connection else "",
        sql=plea.sql,
        thread=str(plea.key),
    )
    return replace(job, approval=digest(job))


def _named(user: User) -> str:
    name = line(user.name, 100) or "Somebody"
    return f"{name} ({line(user.email, 100)})" if user.email else name
