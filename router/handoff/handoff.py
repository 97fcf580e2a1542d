"""Handing a question to people: when asked to, once, with no rows of any result, and with a word to the asker."""

import hashlib
from dataclasses import dataclass, replace
from typing import Final

from router.cards import Card, Code, Link, Option, Reply, Text
from router.catalog.connection import Connection
from router.errors import BotError, JobFailed, PutOff, Stopped, Unsure, WrongChannel
from router.jobs.approval import job_digest
from router.jobs.cancellation import SHUT_DOWN
from router.jobs.job_entry import WAITING, JobState
from router.jobs.payloads import SEND_EMAIL
from router.jobs.results.cells import line
from router.jobs.send_email import SendEmail
from router.memory.thread import Handoff, ThreadKey
from router.notifier import Announcement, Channel
from router.policy import is_shown_privately, readable_connections, require_channel
from router.turn import Achieved, Turn

TEAM = "the data team"

HELP_REQUEST_MAX_CHARS = 2_000
"""Characters of a question, or of what somebody says about it."""

OPEN_CONVERSATION = "Open the conversation"

NOBODY_TO_ASK = "No helpers are set up. Please ask your administrator."

QUESTION_KEPT = "Your question and the SQL are kept."

UNSENT_STATES = (JobState.FAILED, JobState.CANCELLED)
"""States of an e-mail that nobody got."""

ASK_HUMAN: Final = Option("human", "Ask a human", overflow=True)


@dataclass(frozen=True, slots=True)
class HelpRequest:
    """A question, what became of it, and what the person says about it (`why`); `link` leads to its thread, if any."""

    id: str
    head: str
    """The line that says who asks, and what it is about."""
    question: str
    sql: str
    error: str
    why: str
    connection: Connection | None
    link: str
    place: str
    """The place of the talk, for people whom no link leads there."""


def help_request_of(turn: Turn, why: str) -> HelpRequest:
    """Return the question at hand as people are told of it; what was said before may be about data they may not see."""
    memory, key, user = turn.memory, turn.incoming.key, turn.owner
    draft, struggle, notifier = memory.draft, memory.struggle, turn.services.humans.notifier(key.platform)
    connection = turn.services.connections.get(memory.place.connection)
    name = line(user.name, 100) or "Somebody"
    who = f"{name} ({line(user.email, 100)})" if user.email else name
    below = f" (below “{draft.follows[0]}”)" if draft.leans else ""
    place = "The conversation is in their own messages with me, which nobody else sees: write to them."
    if turn.incoming.shared:
        place = "I have no link to the conversation; it is in a channel where they asked me."
    return HelpRequest(
        id=id_of(key, draft.subject or why),
        head=f"{who} asks for help with a question{f' on {line(connection.label)}' if connection else ''}.",
        question=line(f"{draft.question}{below}", HELP_REQUEST_MAX_CHARS),
        sql=draft.sql or next(reversed(draft.tried), ""),
        error=draft.problem or (struggle.error if struggle.question == (draft.subject or why) else ""),
        why=line(why, HELP_REQUEST_MAX_CHARS),
        connection=connection,
        link=notifier.link(key) if notifier and turn.incoming.shared else "",
        place=place,
    )


def id_of(key: ThreadKey, about: str) -> str:
    """Return the id of a question: the same for the same question of a talk."""
    return hashlib.sha256(f"{key} {about}".encode()).hexdigest()[:16]


def news_of(turn: Turn, asked: HelpRequest, channel: Channel, *, full: bool) -> Announcement:
    """Return a question as a message for a channel; without `full`, as little of it as helps to find the asker."""
    cards: list[Card] = [Text(asked.head)]
    connection = asked.connection if full else None
    if full:
        cards += [Text(f"*Question:* {asked.question}")] if asked.question else []
        cards += [Text(f"*In their words:* {asked.why}")] if asked.why else []
        cards += [Code(asked.sql, connection.label, connection=connection.name)] if asked.sql and connection else []
        cards += [Text(f"*What went wrong:* {asked.error}")] if asked.error else []
    cards.append(Link(OPEN_CONVERSATION, asked.link) if asked.link else Text(asked.place, "quiet"))
    reply = Reply(tuple(cards), sensitivity=connection.sensitivity if connection else "")
    return Announcement(f"handoff {asked.id}", _in_channel(turn, channel), turn.owner, True, reply)


def _in_channel(turn: Turn, channel: Channel) -> ThreadKey:
    return replace(turn.incoming.key, channel=channel.id, thread="")


def email_of(turn: Turn, asked: HelpRequest, recipient: str, sender: str) -> SendEmail:
    """Return a question as an e-mail, whose answers go to the asker."""
    words = (
        asked.head,
        f"In their words: {asked.why}" if asked.why else "",
        f"What went wrong: {asked.error}" if asked.error else "",
        f"{OPEN_CONVERSATION}: {asked.link}" if asked.link else asked.place,
    )
    known = asked.connection or next(iter(readable_connections(turn.services.connections, turn.owner)), None)
    job = SendEmail(
        connection=known.name if known else "",
        recipients=(recipient,),
        subject=line(asked.head.removesuffix("."), 200),
        body="\n\n".join(filter(None, words)),
        form="none",
        result="",
        sender=sender,
        name="A question for people",
        asker=turn.owner.id,
        approver=turn.user.id,
        asker_name=turn.owner.name,
        asker_address=turn.owner.email,
        question=asked.question,
        source=asked.connection.label if asked.connection else "",
        sql=asked.sql,
        thread=str(turn.incoming.key),
    )
    return replace(job, approval=job_digest(job))


# The ways to people, and what became of a message.


@dataclass(frozen=True, slots=True)
class HandoffRoute:
    """One way to people: a channel, or an address if there is none; without `full`, they are told who asks alone."""

    where: str
    channel: Channel | None = None
    full: bool = True


def has_helpers(turn: Turn) -> bool:
    """Return whether there are people who can be asked from this talk."""
    return bool(_ways(turn))


def way_to_people(turn: Turn) -> tuple[Option, ...]:
    """Return the button that asks people, if the question at hand failed, and nobody was asked about it yet."""
    struggle, tried = turn.memory.struggle, turn.memory.draft.subject
    failed = struggle.error and struggle.question == tried
    return (ASK_HUMAN,) if failed and not struggle.asked_about(tried) and has_helpers(turn) else ()


def note_try(turn: Turn, achieves: Achieved, word: str) -> None:
    """Note what came of a stage of work, by its outcome's word."""
    memory = turn.memory
    if achieves == "rows" and word == "done":
        memory.struggle = memory.struggle.over()
    if turn.stopped() or achieves == "step" or word == "done":
        return
    said = [card.body for card in turn.notes if isinstance(card, Text) and card.tone == "problem"]
    error = memory.draft.problem if word == "written" else (said or ["It failed."])[-1]
    memory.struggle = replace(memory.struggle, question=memory.draft.subject, error=error)


def hand_off(turn: Turn, why: str = "") -> None:
    """Ask people about the question at hand, once; what came of it is noted for the person, who said `why`.

    Raises PutOff if the process ends before.
    """
    if known := turn.memory.struggle.of(id_of(turn.incoming.key, turn.memory.draft.subject or why)):
        turn.note(_already(known))
        return
    ways = _ways(turn)
    if not ways:
        turn.note(NOBODY_TO_ASK, "problem")
        return
    asked, errors = help_request_of(turn, why), []
    for way in ways:
        handoff = _begun(turn, asked, way)
        try:
            _send(turn, asked, way)
        except Unsure:
            _leave_unsure(turn, handoff)
            return
        except PutOff:
            _forget(turn, handoff)
            turn.flush()
            raise
        except BotError as error:
            _forget(turn, handoff)
            errors.append(f"I could not write to {TEAM}{f' {way.where}.' if way.channel else f': {error}'}")
            if isinstance(error, Stopped):
                break
            continue
        _note(turn, replace(handoff, state="sent"))
        turn.record("handed", question=asked.question, sql=asked.sql if way.full else "", target=way.where)
        turn.note(_asked(asked, way))
        return
    turn.note(f"{' '.join(errors)} {QUESTION_KEPT} Try again in a moment, or write to them yourself.", "problem")


def report_interrupted(turn: Turn) -> None:
    """Find out what became of a question that was on its way to people when a process died, and say so."""
    handoff = turn.memory.struggle.sending
    if handoff is None:
        return
    arrived = _has_arrived(turn, handoff)
    if arrived is None:
        _leave_unsure(turn, handoff)
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
    """Return whether the question and its SQL may be told in a channel: the rules for rows hold for them here."""
    connections, key = turn.services.connections, _in_channel(turn, channel)
    try:
        require_channel(key, connections.channels, True)
    except WrongChannel:
        return False
    connection = connections.get(turn.memory.place.connection)
    return connection is None or not is_shown_privately(key, True, connection, connections.channels)


def _send(turn: Turn, asked: HelpRequest, way: HandoffRoute) -> None:
    """Ask people; raises JobFailed or Stopped if they were not asked, Unsure, PutOff."""
    services = turn.services
    if way.channel:
        notifier = services.humans.notifier(way.channel.platform)
        assert notifier
        notifier.tell(news_of(turn, asked, way.channel, full=way.full))
        return
    assert services.mail_config
    job = email_of(turn, asked, services.humans.reach.email, services.mail_config.sender.text)
    request = SEND_EMAIL.request(job, f"{turn.incoming.key} handoff {asked.id}")
    before = services.jobs.find(request.key)
    if before and before.state in UNSENT_STATES:
        services.jobs.again(request.key, (turn.owner, turn.user))
    try:
        turn.does(request, turn.user)
    except Stopped:
        if turn.stopping.why == SHUT_DOWN:
            raise PutOff from None
        raise


def _has_arrived(turn: Turn, handoff: Handoff) -> bool | None:
    """Return whether people got the handoff that a process that died was sending; None if nobody knows."""
    key, humans = turn.incoming.key, turn.services.humans
    try:
        if handoff.way == "email":
            job = turn.services.jobs.find(f"{key} handoff {handoff.id}")
            if job is None or job.state in UNSENT_STATES:
                return False
            return True if job.state == JobState.DONE or job.state in WAITING else None
        channel, notifier = humans.channel(key.platform), humans.notifier(key.platform)
        if channel is None or notifier is None:
            return None
        place = _in_channel(turn, channel)
        return notifier.was_delivered(Announcement(f"handoff {handoff.id}", place, turn.owner, True, Reply()))
    except JobFailed:
        return None


def _begun(turn: Turn, asked: HelpRequest, way: HandoffRoute) -> Handoff:
    """Note on the disk that a question is on its way from now on, so that a kill does not have it sent twice."""
    about, now = turn.memory.draft.subject or asked.why, turn.services.clock()
    handoff = Handoff(asked.id, about, "channel" if way.channel else "email", way.where, now)
    _note(turn, handoff)
    turn.flush()
    return handoff


def _note(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.noting(handoff)


def _forget(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.without(handoff.id)


def _leave_unsure(turn: Turn, handoff: Handoff) -> None:
    """Keep that nobody knows whether people were asked, and say so."""
    _note(turn, replace(handoff, state="unsure"))
    turn.note(_unsure(handoff), "problem")


def _asked(asked: HelpRequest, way: HandoffRoute) -> str:
    """Return what the person is told once people know."""
    answer = "they answer you here" if way.channel and asked.link else "they write to you"
    told = "They were told your question with what became of it, and no rows."
    if not way.full:
        about = f" on {asked.connection.label}" if asked.connection else ""
        told = f"They were told that you ask for help with a question{about}, and nothing of it."
    return f"I asked {TEAM} {way.where}; {answer}. {told}"


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
