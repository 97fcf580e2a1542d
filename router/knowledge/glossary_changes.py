"""Changes of the glossary, from their proposal to the file."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row, delete, func, insert, select, update
from sqlalchemy.engine import Connection

from router.errors import JobFailed
from router.knowledge.glossary import Glossary, term_problem, words_of
from router.knowledge.knowledge import Term
from router.language.wording import one_line
from router.memory.draft import User
from router.sql.dialect import Name
from router.storage.clock import Clock
from router.storage.database import Database
from router.storage.ids import new_id
from router.storage.tables import proposals

# Proposals lie in the bot's database, so that the bots of all platforms see the same ones and take turns.


WAITING_PROPOSALS_PER_PERSON = 20
"""Proposals of one person that wait."""

PROPOSAL_ID_KIND = "glossary"
"""The kind of a proposal's id."""

PROPOSAL_LIFETIME = timedelta(days=30)
"""Time that a change is kept that was shown and not taken up, and one that is decided."""


class ProposalState(StrEnum):
    """The state of a proposal; the values are stored."""

    SHOWN = "SHOWN"
    """Its author sees it, and has not decided."""
    WAITING = "WAITING"
    """Somebody who may has to decide."""
    SAVED = "SAVED"
    DECLINED = "DECLINED"
    LEFT = "LEFT"
    """Its author thought better of it."""


OPEN_STATES = (ProposalState.SHOWN, ProposalState.WAITING)


@dataclass(frozen=True, slots=True)
class Proposal:
    """A term as it is (`before`) and as it will be (`after`); None if there is none. No connection: not yet."""

    id: str
    connection: str
    name: str
    before: Term | None
    after: Term | None
    by: User
    standing: ProposalState = ProposalState.SHOWN
    decider: str = ""


_PROPOSAL = TypeAdapter(Proposal)


class Proposals:
    """The proposals; thread-safe, and several processes may use them."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[str], str] = new_id) -> None:
        """Use the bot's database; `new_id` makes an id for a proposal."""
        self._database, self._clock, self._new_id = database, clock, new_id

    def add(self, connection: str, name: str, before: Term | None, after: Term | None, by: User) -> Proposal:
        """Keep a change that is shown to its author; what is past its time is deleted."""
        proposal, now = Proposal(self._new_id(PROPOSAL_ID_KIND), connection, name, before, after, by), self._clock()
        row = {"id": proposal.id, "connection": connection, "by_id": by.id, "at": now}
        kept = {"proposal": _PROPOSAL.dump_python(proposal, mode="json"), "state": proposal.standing, "decider": ""}
        past = (proposals.c.at < now - PROPOSAL_LIFETIME) & (proposals.c.state != ProposalState.WAITING)
        with self._database.transaction(durable=True) as database:
            database.execute(delete(proposals).where(past))
            database.execute(insert(proposals), row | kept)
        return proposal

    def get(self, id: str) -> Proposal:
        """Return a proposal; raises JobFailed if there is none of it any more."""
        with self._database.reading() as database:
            return _get(database, id)

    def waiting(self, connection: str) -> tuple[Proposal, ...]:
        """Return what waits for a decision about a connection's terms, the oldest first."""
        query = select(proposals).where(
            proposals.c.state == ProposalState.WAITING, proposals.c.connection == connection
        )
        with self._database.reading() as database:
            return tuple(map(_proposal, database.execute(query.order_by(proposals.c.at, proposals.c.number))))

    def decide(
        self, id: str, standing: ProposalState, by: User, doing: Callable[[Proposal], None] = lambda proposal: None
    ) -> bool:
        """Do what a decision means and keep it; returns whether it was open, and so was decided now.

        Of several processes one does it at a time. Raises what `doing` raises, and it stays open then.
        """
        with self._database.transaction(durable=True) as database:
            proposal = _get(database, id)
            if proposal.standing not in OPEN_STATES:
                return False
            if standing == ProposalState.WAITING:
                _require_room(database, by)
            doing(proposal)
            decided = {"state": standing, "decider": by.name or by.id}
            database.execute(update(proposals).where(proposals.c.id == id).values(decided))
            return True


def _require_room(database: Connection, by: User) -> None:
    waiting = (proposals.c.state == ProposalState.WAITING) & (proposals.c.by_id == by.id)
    if database.execute(select(func.count()).where(waiting)).scalar_one() >= WAITING_PROPOSALS_PER_PERSON:
        raise JobFailed(
            f"You have proposed {WAITING_PROPOSALS_PER_PERSON} changes that wait; let somebody decide these first."
        )


def _get(database: Connection, id: str) -> Proposal:
    row = database.execute(select(proposals).where(proposals.c.id == id)).first()
    if row is None:
        raise JobFailed("This change is not kept any more. Nothing was changed; type it again.")
    return _proposal(row)


def _proposal(row: Row[Any]) -> Proposal:
    return _PROPOSAL.validate_python({**row.proposal, "standing": row.state, "decider": row.decider})


@dataclass(frozen=True, slots=True)
class GlossaryChanges:
    """The glossary and what is proposed for it; who may do what is not asked here."""

    glossary: Glossary
    proposals: Proposals

    def propose(self, connection: str, dialect: Name, name: str, after: Term | None, by: User) -> Proposal:
        """Keep a change of a connection's term, and return it; raises JobFailed if the term cannot be so."""
        before, after = self._looked_at(connection, dialect, name, after)
        return self.proposals.add(connection, (before or after or Term(name, "")).name, before, after, by)

    def save(self, id: str, by: User) -> bool:
        """Put a change into the file; returns whether it was undecided, and is in the file since now.

        Raises JobFailed if the term is another one by now, or the file cannot be written: nothing is changed then,
        and the proposal stays.
        """
        return self.proposals.decide(id, ProposalState.SAVED, by, self._write)

    def _write(self, proposal: Proposal) -> None:
        now = self.glossary.term(proposal.connection, proposal.name)
        if now == proposal.after:
            return  # a process that was killed had written it
        if now != proposal.before:
            raise JobFailed(
                f"What “{proposal.name}” means was changed meanwhile. Nothing was changed now; type it again."
            )
        self.glossary.change(proposal.connection, proposal.name, proposal.after)

    def _looked_at(
        self, connection: str, dialect: Name, name: str, after: Term | None
    ) -> tuple[Term | None, Term | None]:
        """Return the term as it is, and as it will be: its name and other names stay if nothing is said of them."""
        before = self.glossary.term(connection, one_line(name))
        if after is None:
            if before is None:
                raise JobFailed(f"There's no term “{one_line(name)}” in the glossary. Nothing was changed.")
            return before, None
        after = Term(one_line(after.name), one_line(after.meaning), _lines(after.synonyms), one_line(after.filter))
        if before:
            after = replace(after, name=before.name, synonyms=after.synonyms or before.synonyms)
        if wrong := term_problem(after, dialect):
            raise JobFailed(f"I cannot keep that: {wrong} Nothing was changed.")
        for other in self.glossary.terms(connection):
            names = {words_of(each) for each in (other.name, *other.synonyms)}
            taken = next((each for each in (after.name, *after.synonyms) if words_of(each) in names), None)
            if taken and other != before:
                raise JobFailed(
                    f"“{taken}” means “{other.name}” already. Nothing was changed; say what {other.name} means instead."
                )
        return before, after


def _lines(texts: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line for text in texts if (line := one_line(text))))
