"""Handing a question to people: once, with no rows of any result, and with a word to whoever asked."""

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from router.cards import Card, Code, Link, Option, Reply, Text
from router.catalog.connection import Connection
from router.errors import BotError, JobFailed, NotHere, PutOff, Stopped, Unsure
from router.jobs.cancellation import SHUT_DOWN
from router.jobs.job_entry import WAITING, JobState
from router.jobs.mail.mail_config import and_of
from router.jobs.payloads import SEND_EMAIL
from router.jobs.results.cells import line
from router.jobs.send_email import SendEmail, email_digest
from router.knowledge.glossary import words_of
from router.language.phrases import listed
from router.memory.draft import User
from router.memory.thread import Attempts, Handoff, ThreadKey
from router.notifier import Announcement, Channel
from router.policy import demand_channel, may_read, readable, shown_privately
from router.turn import Achieved, Turn

TEAM = "the data team"

HELP_REQUEST_MAX_CHARS = 2_000
"""Characters of a question, or of what somebody says about it."""

OPEN_CONVERSATION = "Open the conversation"

NOBODY_TO_ASK = "No helpers are set up. Please ask your administrator."

QUESTION_KEPT = "Your question and the SQL are kept."

UNSENT = (JobState.FAILED, JobState.CANCELLED)
"""States of an e-mail that nobody got."""


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """A question, what became of it, and who asks; `link` leads to its thread, empty where others have no way there."""

    id: str
    key: ThreadKey
    who: User
    question: str
    sql: str
    error: str
    why: str
    """The person's own words about it."""
    connection: Connection | None
    shared: bool
    link: str = ""

    @property
    def told(self) -> str:
        """The text that people are told, as the person reads it; empty where that is nothing but who asks."""
        parts = ((self.question, "your question"), (self.sql, "the SQL"), (self.error, "what went wrong"))
        told = [words for part, words in (*parts, (self.why, "your words")) if part]
        return and_of(told) if told else ""

    @property
    def head(self) -> str:
        """The line that says who asks, and what it is about."""
        where = f" on {line(self.connection.label)}" if self.connection else ""
        return f"{_named(self.who)} asks for help with a question{where}."

    @property
    def place(self) -> str:
        """The place of the talk, where no link leads there."""
        if self.shared:
            return "I have no link to the conversation; it is in a channel where they asked me."
        if self.key.platform in ("web", "console"):
            return "The conversation is in icc-bot's page, which nobody else sees: write to them."
        return "The conversation is in their own messages with me, which nobody else sees: write to them."


def help_request_of(turn: Turn, why: str, link: str) -> HelpRequest:
    """Return the question at hand as people are told of it; what was said before may be about data they may not see."""
    memory, key = turn.memory, turn.incoming.key
    draft, struggle = memory.draft, memory.struggle
    of = draft.subject or why
    failed = draft.problem or (struggle.error if of in struggle.failed else "")
    sql = draft.sql or next(reversed(draft.tried), "")
    connection = turn.services.connections.get(memory.place.connection)
    below = f" (below “{draft.follows[0]}”)" if draft.leans else ""
    question = line(f"{draft.question}{below}", HELP_REQUEST_MAX_CHARS)
    id = id_of(key, of)
    return HelpRequest(
        id,
        key,
        turn.owner,
        question,
        sql,
        failed,
        line(why, HELP_REQUEST_MAX_CHARS),
        connection,
        turn.incoming.shared,
        link,
    )


def id_of(key: ThreadKey, about: str) -> str:
    """Return the id of a question: the same for the same question of a talk."""
    return hashlib.sha256(f"{key} {about}".encode()).hexdigest()[:16]


def news_of(help_request: HelpRequest, channel: Channel, *, full: bool) -> Announcement:
    """Return a question as a message for a channel; without `full`, as little of it as helps to find whoever asks."""
    key = replace(help_request.key, channel=channel.id, thread="")
    cards: list[Card] = [Text(help_request.head)]
    if full:
        cards += [Text(f"*Question:* {help_request.question}")] if help_request.question else []
        cards += [Text(f"*In their words:* {help_request.why}")] if help_request.why else []
        if help_request.sql and help_request.connection:
            cards.append(Code(help_request.sql, help_request.connection.label, connection=help_request.connection.name))
        cards += [Text(f"*What went wrong:* {help_request.error}")] if help_request.error else []
    cards.append(Link(OPEN_CONVERSATION, help_request.link) if help_request.link else Text(help_request.place, "quiet"))
    sensitivity = help_request.connection.sensitivity if help_request.connection and full else ""
    return Announcement(
        f"handoff {help_request.id}", key, help_request.who, True, Reply(tuple(cards), sensitivity=sensitivity)
    )


def email_of(help_request: HelpRequest, turn: Turn, recipient: str, sender: str) -> SendEmail:
    """Return a question as an e-mail, whose answers go to whoever asks."""
    words = (
        help_request.head,
        f"In their words: {help_request.why}" if help_request.why else "",
        f"What went wrong: {help_request.error}" if help_request.error else "",
        f"{OPEN_CONVERSATION}: {help_request.link}" if help_request.link else help_request.place,
    )
    known = help_request.connection or next(iter(readable(turn.services.connections, help_request.who)), None)
    job = SendEmail(
        connection=known.name if known else "",
        recipients=(recipient,),
        subject=line(help_request.head.removesuffix("."), 200),
        body="\n\n".join(filter(None, words)),
        form="none",
        result="",
        sender=sender,
        name="A question for people",
        asker=help_request.who.id,
        approver=turn.user.id,
        asker_name=help_request.who.name,
        asker_address=help_request.who.email,
        question=help_request.question,
        source=help_request.connection.label if help_request.connection else "",
        sql=help_request.sql,
        thread=str(help_request.key),
    )
    return replace(job, approval=email_digest(job))


def _named(user: User) -> str:
    name = line(user.name, 100) or "Somebody"
    return f"{name} ({line(user.email, 100)})" if user.email else name


# The ways to people, and what became of a message.


@dataclass(frozen=True, slots=True)
class HandoffRoute:
    """One way to people: a channel, or an address where there is none; without `full`, they are told who asks alone."""

    where: str
    channel: Channel | None = None
    full: bool = True


def reachable(turn: Turn) -> bool:
    """Tell whether there are people who can be asked from this talk."""
    return bool(_ways(turn))


def hand_off(turn: Turn, why: str = "", *, unasked: bool = False) -> bool:
    """Ask people about the question at hand, once; what came of it is noted for the person, who said `why`.

    `unasked`: nobody wished for it, it failed too often. Returns whether people know of it. Raises PutOff where the
    process ends before.
    """
    if known := turn.memory.struggle.of(id_of(turn.incoming.key, turn.memory.draft.subject or why)):
        turn.note(_already(known))
        return known.state == "sent"
    ways = _ways(turn)
    if not ways:
        turn.note(NOBODY_TO_ASK, "problem")
        return False
    key, humans = turn.incoming.key, turn.services.humans
    notifier = humans.notifier(key.platform)
    help_request = help_request_of(turn, why, notifier.link(key) if notifier and turn.incoming.shared else "")
    errors = []
    for way in ways:
        handoff = _begun(turn, help_request, way)
        try:
            _send(turn, help_request, way)
        except Unsure:
            _note(turn, replace(handoff, state="unsure"))
            turn.note(_unsure(handoff), "problem")
            return False
        except PutOff:
            _forget(turn, handoff)
            turn.keep()
            raise
        except BotError as error:
            _forget(turn, handoff)
            errors.append(_failed(way, error))
            if isinstance(error, Stopped):
                break
            continue
        _note(turn, replace(handoff, state="sent"))
        turn.record(
            "handed", question=help_request.question, sql=help_request.sql if way.full else "", target=way.where
        )
        turn.note(_asked(help_request, way, unasked=unasked))
        return True
    turn.note(f"{' '.join(errors)} {QUESTION_KEPT} Try again in a moment, or write to them yourself.", "problem")
    return False


def settle(turn: Turn) -> None:
    """Find out what became of a question that was on its way to people when a process died, and say so."""
    handoff = turn.memory.struggle.sending
    if handoff is None:
        return
    arrived = _arrived(turn, handoff)
    if arrived is None:
        _note(turn, replace(handoff, state="unsure"))
        turn.note(_unsure(handoff), "problem")
    elif arrived:
        _note(turn, replace(handoff, state="sent"))
        turn.note(f"I asked {TEAM} {handoff.where} about this, before I was stopped.")
    else:
        _forget(turn, handoff)
        turn.note(f"I was stopped before I could ask {TEAM}. {QUESTION_KEPT} Ask for a human again.", "problem")


def _ways(turn: Turn) -> tuple[HandoffRoute, ...]:
    """Return the ways to people, the best one first."""
    humans, services = turn.services.humans, turn.services
    channel, address = humans.channel(turn.incoming.key.platform), humans.reach.email
    written = bool(address and services.mail_config and not services.mail_config.problem((address,)))
    mail = (HandoffRoute("by e-mail"),) if written else ()
    if channel is None:
        return mail
    if _may_see(turn, channel):
        return (HandoffRoute(channel.where, channel), *mail)
    return (*mail, HandoffRoute(channel.where, channel, full=False))


def _may_see(turn: Turn, channel: Channel) -> bool:
    """Tell whether the question and its SQL may be told in a channel: the rules for rows hold for them here."""
    connections = turn.services.connections
    key = replace(turn.incoming.key, channel=channel.id, thread="")
    try:
        demand_channel(key, connections.channels, True)
    except NotHere:
        return False
    connection = connections.get(turn.memory.place.connection)
    return connection is None or not shown_privately(key, True, connection, connections.channels)


def _send(turn: Turn, help_request: HelpRequest, way: HandoffRoute) -> None:
    """Ask people; raises JobFailed or Stopped where they were not asked, Unsure, PutOff."""
    services = turn.services
    if way.channel:
        notifier = services.humans.notifier(way.channel.platform)
        assert notifier
        notifier.tell(news_of(help_request, way.channel, full=way.full))
        return
    assert services.mail_config
    job = email_of(help_request, turn, services.humans.reach.email, services.mail_config.sender.text)
    request = SEND_EMAIL.request(job, f"{help_request.key} handoff {help_request.id}")
    before = services.jobs.find(request.key)
    if before and before.state in UNSENT:
        services.jobs.again(request.key, (turn.owner, turn.user))
    try:
        turn.does(request, turn.user)
    except Stopped:
        if turn.stopping.why == SHUT_DOWN:
            raise PutOff from None
        raise


def _arrived(turn: Turn, handoff: Handoff) -> bool | None:
    """Tell whether people got what a process that died was sending; None where nobody knows."""
    key = turn.incoming.key
    try:
        if handoff.way == "email":
            job = turn.services.jobs.find(f"{key} handoff {handoff.id}")
            if job is None or job.state in UNSENT:
                return False
            return True if job.state == JobState.DONE or job.state in WAITING else None
        humans = turn.services.humans
        channel, notifier = humans.channel(key.platform), humans.notifier(key.platform)
        if channel is None or notifier is None:
            return None
        place = replace(key, channel=channel.id, thread="")
        return notifier.told(Announcement(f"handoff {handoff.id}", place, turn.owner, True, Reply()))
    except JobFailed:
        return None


def _begun(turn: Turn, help_request: HelpRequest, way: HandoffRoute) -> Handoff:
    """Note on the disk that a question is on its way from now on, so that a kill does not have it sent twice."""
    now, of = turn.services.clock(), turn.memory.draft.subject or help_request.why
    handoff = Handoff(help_request.id, of, "channel" if way.channel else "email", way.where, now)
    _note(turn, handoff)
    turn.keep()
    return handoff


def _note(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.noting(handoff)


def _forget(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.without(handoff.id)


def _asked(help_request: HelpRequest, way: HandoffRoute, *, unasked: bool) -> str:
    """Return what the person is told once people know."""
    lead = "This did not work out, so I asked" if unasked else "I asked"
    answer = "they answer you here" if way.channel and help_request.link else "they write to you"
    if not way.full:
        about = f" on {help_request.connection.label}" if help_request.connection else ""
        told = f"They were told that you ask for help with a question{about}, and nothing of it."
    elif help_request.told:
        told = f"They were told {help_request.told}, and no rows."
    else:
        told = "They were told that you ask for help."
    return f"{lead} {TEAM} {way.where}; {answer}. {told}"


def _already(handoff: Handoff) -> str:
    if handoff.state == "unsure":
        return _unsure(handoff)
    about = f"about this already, at {handoff.at:%H:%M}"
    return f"I asked {TEAM} {handoff.where} {about}. I ask them once about a question."


def _unsure(handoff: Handoff) -> str:
    return (
        f"I was cut short while I asked {TEAM} {handoff.where}: it may have reached them, or not, and I do not ask "
        "twice. Where nobody answers, write to them yourself."
    )


def _failed(way: HandoffRoute, error: BotError) -> str:
    if way.channel:
        return f"I could not write to {TEAM} {way.where}."
    return f"I could not write to {TEAM}: {error}"


# Notices that a question gets nowhere: offers to ask people, and asks them itself after the second try that failed.


FAILED_TRIES_MAX: Final = 2
"""Tries of one wording that failed, after which people are asked unasked."""

FAILED_WORDINGS_MAX: Final = 3
"""The same of wordings, where each of them failed. Another wording of a question whose SQL was sound is no failure."""


@cache
def _stop_words() -> frozenset[str]:
    """Return the words that say nothing of what is asked about."""
    return frozenset(words_of(" ".join(listed("knowledge.stop_words"))))


ASK_HUMAN: Final = Option("human", "Ask a human", overflow=True)


def note_try(turn: Turn, achieves: Achieved, word: str) -> None:
    """Note what came of a stage of work, by its outcome's word; people are asked where it was once too often."""
    memory, tried = turn.memory, turn.memory.draft.subject
    if achieves == "rows" and word == "done":
        memory.struggle = memory.struggle.over()
    if turn.stopped() or achieves == "step" or word == "done":
        return
    before = memory.struggle
    if before.wordings and not _alike(tried, before.wordings[-1]):
        before = before.over()
    error = memory.draft.problem if word == "written" else _said(turn)
    memory.struggle = before.tried(tried, error)
    connection = turn.services.connections.get(memory.place.connection)
    if not _too_often(memory.struggle, tried) or memory.struggle.about(memory.struggle.wordings):
        return
    if connection and may_read(turn.owner, connection) and reachable(turn):
        hand_off(turn, unasked=True)


def way_to_people(turn: Turn) -> tuple[Option, ...]:
    """Return the button that asks people, where the question at hand failed, and nobody was asked about it yet."""
    struggle, tried = turn.memory.struggle, turn.memory.draft.subject
    failed = struggle.failed.count(tried)
    stuck = failed >= FAILED_TRIES_MAX or (failed and struggle.error)
    return (ASK_HUMAN,) if stuck and not struggle.about((tried,)) and reachable(turn) else ()


def _too_often(struggle: Attempts, tried: str) -> bool:
    return struggle.failed.count(tried) >= FAILED_TRIES_MAX or len(set(struggle.failed)) >= FAILED_WORDINGS_MAX


def _alike(one: str, other: str) -> bool:
    """Tell whether a question may be another wording of one: half of the words of the shorter one are in both."""
    first, second = (set(words_of(text)) - _stop_words() for text in (one, other))
    return one == other or 2 * len(first & second) >= max(1, min(len(first), len(second)))


def _said(turn: Turn) -> str:
    """Return what the person is told of a failure."""
    said = [card.body for card in turn.notes if isinstance(card, Text) and card.tone == "problem"]
    return said[-1] if said else "It failed."
