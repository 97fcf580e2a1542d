"""Changes of the glossary, from their proposal to the file."""

from dataclasses import dataclass, replace

from router.errors import JobFailed
from router.knowledge.glossary import Glossary
from router.knowledge.glossary_text import term_problem
from router.knowledge.known import Term, one_line
from router.knowledge.proposals import Proposal, Proposals, Standing
from router.knowledge.vocabulary import words_of
from router.memory import User
from router.sql.dialect import Name


class Changed(JobFailed):
    """The term is not any more what a proposal was about."""


@dataclass(frozen=True, slots=True)
class Lessons:
    """The glossary and what is proposed for it; who may do what is not asked here."""

    glossary: Glossary
    proposals: Proposals

    def propose(self, connection: str, dialect: Name, name: str, after: Term | None, by: User) -> Proposal:
        """Keep a change of a connection's term, and return it; raises JobFailed where the term cannot be so."""
        before, after = self._looked_at(connection, dialect, name, after)
        return self.proposals.add(connection, (before or after or Term(name, "")).name, before, after, by)

    def place(self, proposal: Proposal, connection: str, dialect: Name) -> Proposal:
        """Have a proposal be about a connection, as its terms are now; raises JobFailed where it cannot be."""
        said = proposal.after
        if said and proposal.before and said.synonyms == proposal.before.synonyms:
            said = replace(said, synonyms=())  # they came from the term as it was, or from another connection's
        before, after = self._looked_at(connection, dialect, proposal.name, said)
        name = (before or after or Term(proposal.name, "")).name
        return self.proposals.renew(proposal.id, connection, name, before, after)

    def save(self, id: str, by: User) -> bool:
        """Put a change into the file; returns whether it was undecided, and is in the file since now.

        Raises Changed where the term is another one by now, JobFailed where the file cannot be written: nothing is
        changed then, and the proposal stays.
        """
        return self.proposals.decide(id, Standing.SAVED, by, self._write)

    def _write(self, proposal: Proposal) -> None:
        now = self.glossary.term(proposal.connection, proposal.name)
        if now == proposal.after:
            return  # a process that was killed had written it
        if now != proposal.before:
            raise Changed(f"What “{proposal.name}” means was changed meanwhile. Nothing was changed now; look again:")
        self.glossary.change(proposal.connection, proposal.name, proposal.after)

    def _looked_at(
        self, connection: str, dialect: Name, name: str, after: Term | None
    ) -> tuple[Term | None, Term | None]:
        """Return the term as it is, and as it shall be: its name and other names stay where nothing is said of them."""
        before = self.glossary.term(connection, one_line(name))
        if after is None:
            if before is None:
                raise JobFailed(f"There is no term “{one_line(name)}” in the glossary. Nothing was changed.")
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
