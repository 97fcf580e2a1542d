"""Handing a question to people: once, with no rows of any result, and with a word to whoever asked."""

from dataclasses import dataclass, replace

from router.cards import Reply
from router.errors import BotError, JobFailed, NotHere, PutOff, Stopped, Unsure
from router.herald import Announcement
from router.humans import Channel
from router.jobs.entries import WAITING, State
from router.jobs.payloads import SEND_EMAIL
from router.pleas import Plea, about, email_of, id_of, news_of, plea_of
from router.policy import demand_channel, shown_privately
from router.stopping import SHUT_DOWN
from router.struggle import Handoff
from router.turn import Turn

WHOM = "the data team"

NOBODY = (
    "I have nobody to ask: whoever runs this bot has named no people who help with questions. Nothing of this talk is "
    "lost; ask whoever runs it."
)

UNSENT = (State.FAILED, State.CANCELLED)
"""States of an e-mail that nobody got."""

KEPT = "Your question and the SQL are kept."


@dataclass(frozen=True, slots=True)
class Way:
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
    if known := turn.memory.struggle.of(id_of(turn.incoming.key, about(turn, why))):
        turn.note(_already(known))
        return known.state == "sent"
    ways = _ways(turn)
    if not ways:
        turn.note(NOBODY, "problem")
        return False
    humans = turn.tools.humans
    plea = plea_of(turn, why, humans.herald.link(turn.incoming.key) if humans.herald and turn.incoming.shared else "")
    errors = []
    for way in ways:
        handoff = _begun(turn, plea, way)
        try:
            _send(turn, plea, way)
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
        turn.record("handed", question=plea.question, sql=plea.sql if way.full else "", target=way.where)
        turn.note(_asked(plea, way, unasked=unasked))
        return True
    turn.note(f"{' '.join(errors)} {KEPT} Try again in a moment, or write to them yourself.", "problem")
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
        turn.note(f"I asked {WHOM} {handoff.where} about this, before I was stopped.")
    else:
        _forget(turn, handoff)
        turn.note(f"I was stopped before I could ask {WHOM}. {KEPT} Ask for a human again.", "problem")


def _ways(turn: Turn) -> tuple[Way, ...]:
    """Return the ways to people, the best one first."""
    humans, tools = turn.tools.humans, turn.tools
    channel, address = humans.channel(turn.incoming.key.platform), humans.reach.email
    written = bool(address and tools.office and not tools.office.problem((address,)))
    mail = (Way("by e-mail"),) if written else ()
    if channel is None:
        return mail
    if _may_see(turn, channel):
        return (Way(channel.where, channel), *mail)
    return (*mail, Way(channel.where, channel, full=False))


def _may_see(turn: Turn, channel: Channel) -> bool:
    """Tell whether the question and its SQL may be told in a channel: the rules for rows hold for them here."""
    connections = turn.tools.connections
    key = replace(turn.incoming.key, channel=channel.id, thread="")
    try:
        demand_channel(key, connections.channels, True)
    except NotHere:
        return False
    connection = connections.get(turn.memory.place.connection)
    return connection is None or not shown_privately(key, True, connection, connections.channels)


def _send(turn: Turn, plea: Plea, way: Way) -> None:
    """Ask people; raises JobFailed or Stopped where they were not asked, Unsure, PutOff."""
    tools = turn.tools
    if way.channel:
        assert tools.humans.herald
        tools.humans.herald.tell(news_of(plea, way.channel, full=way.full))
        return
    assert tools.office
    job = email_of(plea, turn, tools.humans.reach.email, tools.office.sender.text)
    request = SEND_EMAIL.request(job, f"{plea.key} handoff {plea.id}")
    before = tools.jobs.find(request.key)
    if before and before.state in UNSENT:
        tools.jobs.again(request.key, (turn.owner, turn.user))
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
            job = turn.tools.jobs.find(f"{key} handoff {handoff.id}")
            if job is None or job.state in UNSENT:
                return False
            return True if job.state == State.DONE or job.state in WAITING else None
        channel, herald = turn.tools.humans.channel(key.platform), turn.tools.humans.herald
        if channel is None or herald is None:
            return None
        place = replace(key, channel=channel.id, thread="")
        return herald.told(Announcement(f"handoff {handoff.id}", place, turn.owner, True, Reply()))
    except JobFailed:
        return None


def _begun(turn: Turn, plea: Plea, way: Way) -> Handoff:
    """Note on the disk that a question is on its way from now on, so that a kill does not have it sent twice."""
    now, of = turn.tools.clock(), about(turn, plea.why)
    handoff = Handoff(plea.id, of, "channel" if way.channel else "email", way.where, now)
    _note(turn, handoff)
    turn.keep()
    return handoff


def _note(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.noting(handoff)


def _forget(turn: Turn, handoff: Handoff) -> None:
    turn.memory.struggle = turn.memory.struggle.without(handoff.id)


def _asked(plea: Plea, way: Way, *, unasked: bool) -> str:
    """Return what the person is told once people know."""
    lead = "This did not work out, so I asked" if unasked else "I asked"
    answer = "they answer you here" if way.channel and plea.link else "they write to you"
    if not way.full:
        about = f" on {plea.connection.label}" if plea.connection else ""
        told = f"They were told that you ask for help with a question{about}, and nothing of it."
    elif plea.told:
        told = f"They were told {plea.told}, and no rows."
    else:
        told = "They were told that you ask for help."
    return f"{lead} {WHOM} {way.where}; {answer}. {told}"


def _already(handoff: Handoff) -> str:
    if handoff.state == "unsure":
        return _unsure(handoff)
    return (
        f"I asked {WHOM} {handoff.where} about this already, at {handoff.at:%H:%M}. I ask them once about a question."
    )


def _unsure(handoff: Handoff) -> str:
    return (
        f"I was cut short while I asked {WHOM} {handoff.where}: it may have reached them, or not, and I do not ask "
        "twice. Where nobody answers, write to them yourself."
    )


def _failed(way: Way, error: BotError) -> str:
    if way.channel:
        return f"I could not write to {WHOM} {way.where}."
    return f"I could not write to {WHOM}: {error}"
