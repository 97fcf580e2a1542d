"""The glossary in a talk: definitions that are typed, and buttons that hold whatever was asked since."""

from collections.abc import Callable, Sequence

from router.cards import Buttons, Card, Choice, Option, Reply, Text
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed
from router.jobs.audit import AuditEntry
from router.knowledge.glossary_changes import GlossaryChanges, Proposal, ProposalState, TermChanged
from router.knowledge.knowledge import Term, hint_of
from router.language.wording import counted, truncate
from router.memory.draft import Draft, User
from router.policy import demand_read, demand_teach, may_teach, readable
from router.services import Services
from router.turn import Said, Turn
from router.understanding.definitions import Definition, definition_of, forgotten, unhinted

GLOSSARY_PREFIX = "glossary:"
"""The prefix of answers about the glossary, which hold whatever was asked since."""

NO_GLOSSARY = "There is no glossary here."
TERMS_SHOWN_MAX, PROPOSALS_SHOWN_MAX = 40, 3
"""Terms, and proposals that wait, which are shown at once."""

ASK_TERM = "Which one should I change?"
ASK_DATABASE = "Which database is it about:"

HOW_TO_TEACH = (
    "To add or change one, type `churned means no order in 90 days`, or `define churned as no order in 90 days; also "
    "called lost; filter: status = 'paid'`."
)
USED_FROM_NOW = "It is used for the next question, and by Rewrite."


Lesson = tuple[str, Definition | None]
"""The name of a term, and what it means; None where the term shall go."""


class GlossaryChat:
    """Reaches for the glossary without a stage; rights are asked at every step."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def propose(self, user: User, connection: str, name: str, definition: Definition | None) -> tuple[Card, ...]:
        """Return a change as it would be, to be saved or proposed; without a definition, the term goes.

        Without a connection, it is asked for. Raises NotAllowed, JobFailed.
        """
        term = _term(definition) if definition else None
        if not connection:
            proposal = self._changes().proposals.add("", name, None, term, user)
            options = tuple(
                Option(f"{GLOSSARY_PREFIX}at:{proposal.id}:{each.id}", each.label)
                for each in readable(self._services.connections, user)
                if each.teachers is not None
            )
            if not options:
                raise NotAllowed(nobody("any database"))
            if len(options) == 1:
                return self.act(user, "", options[0].answer)
            return (Choice(f"{ASK_DATABASE} “{truncate(name, 60)}”?", options, lasting=True),)
        about = self._demand(user, connection)
        return self.shown(user, self._changes().propose(about.name, about.dialect.name, name, term, user))

    def shown(self, user: User, proposal: Proposal) -> tuple[Card, ...]:
        """Return a change before and after, how a model is told it, and the buttons that decide it."""
        connection = self._services.connections.demand(proposal.connection)
        before, after = proposal.before, proposal.after
        what = "goes out of" if after is None else "is new in" if before is None else "changes in"
        who = f" {proposal.by.name or 'Somebody'} proposes it." if proposal.standing == ProposalState.WAITING else ""
        lines = [f"“{proposal.name}” {what} the glossary of {connection.label}.{who}"]
        lines += [f"Before: {spoken(before)}", f"After: {spoken(after)}"]
        lines += [f"What the model reads: {hint_of(after)}"] if after else []
        save, drop = f"{GLOSSARY_PREFIX}save:{proposal.id}", f"{GLOSSARY_PREFIX}drop:{proposal.id}"
        if proposal.standing == ProposalState.WAITING:
            prompt = "Somebody who may teach me decides:"
            ways = (Option(save, "Accept", "primary"), Option(drop, "Decline"))
        elif may_teach(user, connection):
            prompt = f"Save this for everybody who asks {connection.label}?"
            ways = (Option(save, "Save", "primary"), Option(drop, "Leave it"))
        else:
            prompt = "Propose this? Somebody who may teach me has to accept it."
            ways = (Option(f"{GLOSSARY_PREFIX}send:{proposal.id}", "Propose", "primary"), Option(drop, "Leave it"))
        return (Text("\n".join(lines)), Buttons(prompt, ways, lasting=True))

    def listed(self, user: User, connections: Sequence[Connection]) -> tuple[Card, ...]:
        """Return the terms of these connections, and what waits for a decision, as one message."""
        lines: list[str] = []
        options: list[Option] = []
        waiting: list[Proposal] = []
        for connection in connections:
            demand_read(user, connection)
            lines += [*([""] if lines else []), *self._lines(user, connection)]
            if may_teach(user, connection):
                options += self._ways(connection, several=len(connections) > 1)
                waiting += self._changes().proposals.waiting(connection.name)
        if any(connection.teachers is not None for connection in connections):
            lines += [*([""] if len(connections) > 1 else []), HOW_TO_TEACH]
        menu = (Choice(ASK_TERM, tuple(options), lasting=True),) if options else ()
        shown = [card for each in waiting[:PROPOSALS_SHOWN_MAX] for card in self.shown(user, each)]
        more = len(waiting) - PROPOSALS_SHOWN_MAX
        rest = (Text(f"… and {more} more wait; decide these first.", "quiet"),) if more > 0 else ()
        return (Text("\n".join(lines)), *menu, *shown, *rest)

    def _lines(self, user: User, connection: Connection) -> list[str]:
        """Return what is said of a connection's terms, line by line."""
        changes, teaches = self._changes(), may_teach(user, connection)
        terms = changes.glossary.terms(connection.name)
        lines = [f"{connection.label}: {counted(len(terms), 'term') if terms else 'no terms'} in the glossary."]
        lines += [spoken(term) for term in terms[:TERMS_SHOWN_MAX]]
        lines += [f"… and {len(terms) - TERMS_SHOWN_MAX} more"] if len(terms) > TERMS_SHOWN_MAX else []
        lines += [f"Not all of the file is used. {sentence}" for sentence in changes.glossary.problems()[:1] if teaches]
        lines += [nobody(connection.label)] if connection.teachers is None else []
        mine = [each.name for each in changes.proposals.waiting(connection.name) if each.by.id == user.id]
        lines += [f"Proposed by you, and not decided yet: {', '.join(mine)}."] if mine and not teaches else []
        return lines

    def _ways(self, connection: Connection, several: bool) -> list[Option]:
        """Return what can be done with each term of a connection, which is named where there are several."""
        where = f" ({connection.label})" if several else ""
        return [
            Option(f"{GLOSSARY_PREFIX}{verb}:{connection.id}:{term.name}", f"{verb.title()} {term.name}{where}")
            for term in self._changes().glossary.terms(connection.name)[:TERMS_SHOWN_MAX]
            for verb in ("edit", "remove")
        ]

    def act(self, user: User, thread: str, answer: str) -> tuple[Card, ...]:
        """Do what a button says, and return what is said about it; raises NotAllowed, JobFailed."""
        verb, id, *more = answer.removeprefix(GLOSSARY_PREFIX).split(":", 2)
        acts: dict[str, Callable[[], tuple[Card, ...]]] = {
            "save": lambda: self._save(user, thread, self._changes().proposals.get(id)),
            "send": lambda: self._send(user, self._changes().proposals.get(id)),
            "drop": lambda: self._drop(user, thread, self._changes().proposals.get(id)),
            "at": lambda: self._place(user, self._changes().proposals.get(id), "".join(more)),
            "edit": lambda: self._how(user, id, "".join(more)),
            "remove": lambda: self._remove(user, id, "".join(more)),
        }
        if verb not in acts:
            raise JobFailed("This button is of another version of mine. Type `glossary` to see where we are.")
        return acts[verb]()

    def _save(self, user: User, thread: str, proposal: Proposal) -> tuple[Card, ...]:
        connection = self._services.connections.demand(proposal.connection)
        demand_teach(user, connection)
        if proposal.standing == ProposalState.SHOWN:
            _demand_author(user, proposal)
        try:
            saved = self._changes().save(proposal.id, user)
        except TermChanged as error:
            renewed = self._changes().place(proposal, connection.name, connection.dialect.name)
            return (Text(str(error), "problem"), *self.shown(user, renewed))
        if not saved:
            return (_decided(self._changes().proposals.get(proposal.id)),)
        self._record(user, thread, proposal, "saved")
        what = spoken(proposal.after) if proposal.after else f"{proposal.name} is not in the glossary any more"
        return (Text(f"✓ {what} ({connection.label}). {USED_FROM_NOW if proposal.after else ''}".rstrip()),)

    def _send(self, user: User, proposal: Proposal) -> tuple[Card, ...]:
        _demand_author(user, proposal)
        self._demand(user, proposal.connection)
        proposals = self._changes().proposals
        if proposal.standing != ProposalState.SHOWN or not proposals.decide(proposal.id, ProposalState.WAITING, user):
            return (_decided(proposals.get(proposal.id)),)
        return (
            Text("✓ Proposed. `glossary` shows it to those who may teach me, until one of them decides."),
            *self.shown(user, proposals.get(proposal.id)),
        )

    def _drop(self, user: User, thread: str, proposal: Proposal) -> tuple[Card, ...]:
        declines = proposal.standing == ProposalState.WAITING and user.id != proposal.by.id
        if declines:
            demand_teach(user, self._services.connections.demand(proposal.connection))
        else:
            _demand_author(user, proposal)
        if not self._changes().proposals.decide(
            proposal.id, ProposalState.DECLINED if declines else ProposalState.LEFT, user
        ):
            return (_decided(self._changes().proposals.get(proposal.id)),)
        if declines:
            self._record(user, thread, proposal, "declined")
        return (Text(f"{'Declined' if declines else 'Left as it was'}: “{proposal.name}” is unchanged.", "quiet"),)

    def _place(self, user: User, proposal: Proposal, number: str) -> tuple[Card, ...]:
        _demand_author(user, proposal)
        if proposal.standing != ProposalState.SHOWN:
            return (_decided(proposal),)
        connection = self._demand(user, self._by_number(number).name)
        return self.shown(user, self._changes().place(proposal, connection.name, connection.dialect.name))

    def _how(self, user: User, number: str, name: str) -> tuple[Card, ...]:
        connection = self._demand(user, self._by_number(number).name)
        term = self._changes().glossary.term(connection.name, name)
        if term is None:
            raise JobFailed(f"There is no term “{name}” in the glossary any more.")
        also = f"; also called {', '.join(term.synonyms)}" if term.synonyms else ""
        condition = f"; filter: {term.filter}" if term.filter else ""
        return (Text(f"Type it again, with your changes:\n`define {name} as {term.meaning}{also}{condition}`"),)

    def _remove(self, user: User, number: str, name: str) -> tuple[Card, ...]:
        return self.propose(user, self._by_number(number).name, name, None)

    def _changes(self) -> GlossaryChanges:
        if self._services.glossary_changes is None:
            raise JobFailed(NO_GLOSSARY)
        return self._services.glossary_changes

    def _by_number(self, number: str) -> Connection:
        return self._services.connections.by_id(int(number) if number.isascii() and number.isdigit() else -1)

    def _demand(self, user: User, connection: str) -> Connection:
        """Return a connection whose terms the person may propose changes of."""
        found = self._services.connections.demand(connection)
        demand_read(user, found)
        if found.teachers is None:
            raise NotAllowed(nobody(found.label))
        return found

    def _record(self, user: User, thread: str, proposal: Proposal, what: str) -> None:
        change = f"{what} {proposal.id} of {proposal.by.id}: {spoken(proposal.before)} -> {spoken(proposal.after)}"
        self._services.audit.add(AuditEntry("taught", thread, user.id, connection=proposal.connection, target=change))


def spoken(term: Term | None) -> str:
    """Return a term as people read it."""
    if term is None:
        return "nothing"
    also = f"; also: {', '.join(term.synonyms)}" if term.synonyms else ""
    return f"{term.name} = {term.meaning}{also}{f'; filter: {term.filter}' if term.filter else ''}"


def nobody(label: str) -> str:
    """Return why no sentence of a chat changes the glossary of a database."""
    return f"Nobody changes the glossary of {label} from a chat; whoever runs this bot does, in glossary.toml."


def _term(said: Definition) -> Term:
    return Term(said.name, said.meaning, said.synonyms, said.filter)


def _demand_author(user: User, proposal: Proposal) -> None:
    if user.id != proposal.by.id:
        raise NotAllowed(f"{proposal.by.name or 'Somebody else'} typed this and decides. Nothing was changed.")


def _decided(proposal: Proposal) -> Text:
    words = {
        ProposalState.SAVED: f"{proposal.decider} saved that already.",
        ProposalState.DECLINED: f"{proposal.decider} declined that already.",
        ProposalState.LEFT: "That was left as it was.",
        ProposalState.WAITING: "That is proposed already, and waits for a decision.",
        ProposalState.SHOWN: "That is not decided yet.",
    }
    return Text(words[proposal.standing], "quiet")


# Definitions of words that are typed.


def lesson_in(turn: Turn) -> Lesson | None:
    """Return what a typed sentence says of a term; None where it says nothing, or is for the question at hand."""
    given = turn.incoming.input
    if not isinstance(given, Said) or turn.services.glossary_changes is None:
        return None
    question, hint = unhinted(given.text)
    if hint:
        found = None if question or at_hand(turn.memory.draft) else definition_of(hint, hint=True)
    else:
        found = definition_of(given.text)
    if found:
        return found.name, found
    name = forgotten(given.text)
    return (name, None) if name else None


def at_hand(draft: Draft) -> bool:
    """Tell whether there is a question whose SQL is written here, which a hint may be about."""
    return bool(draft.question) and draft.method == "generate"


def learn(turn: Turn) -> None:
    """Show what a sentence would change, or else the glossary; raises NotAllowed, JobFailed."""
    if lesson := lesson_in(turn):
        propose(turn, *lesson)
    else:
        _show(turn)


def propose(turn: Turn, name: str, definition: Definition | None) -> None:
    """Show how a term would change, with the buttons that decide it; raises NotAllowed, JobFailed."""
    places = _places(turn)
    connection = places[0].name if len(places) == 1 else ""
    cards = GlossaryChat(turn.services).propose(turn.user, connection, name, definition)
    turn.post(Reply(cards, working=True))


def _show(turn: Turn) -> None:
    """Show the terms of the database at hand, or of all that the person may read."""
    if turn.services.glossary_changes is None:
        turn.note(NO_GLOSSARY, "quiet")
        return
    turn.notes += GlossaryChat(turn.services).listed(turn.user, _places(turn))


def _places(turn: Turn) -> tuple[Connection, ...]:
    """Return the connection of the thread, or else the one that is asked by default, or else all that one may read."""
    connections = turn.services.connections
    allowed = readable(connections, turn.user)
    if not allowed:
        raise NotAllowed("There is no database here that you may read, and so no glossary for you.")
    likely = turn.memory.place.connection or (connections.default.name if connections.default else "")
    return tuple(each for each in allowed if each.name.casefold() == likely.casefold()) or allowed
