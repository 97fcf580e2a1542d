"""The glossary as people see and change it: by sentences, and by buttons that hold whatever was asked since."""

from collections.abc import Callable

from router.cards import Buttons, Card, Choice, Option, Text
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed
from router.intents.definitions import Definition
from router.jobs.audit import Entry
from router.knowledge.known import Term, hint_of
from router.knowledge.lessons import Changed, Lessons
from router.knowledge.proposals import Proposal, Standing
from router.memory import User
from router.policy import demand_read, demand_teach, may_teach, readable
from router.tools import Tools

TEACHING = "glossary:"
"""What stands before answers about the glossary, which hold whatever was asked since."""

NO_GLOSSARY = "There is no glossary here."
MOST_SHOWN, MOST_WAITING = 40, 3
"""Terms, and proposals that wait, which are shown at once."""

WHICH_TERM = "Which one shall be changed?"
WHICH_DATABASE = "Which database is it about:"

HOW = (
    "To add or change one, type `churned means no order in 90 days`, or `define churned as no order in 90 days; also "
    "called lost; filter: status = 'paid'`."
)
USED = "It is used for the next question, and by Another try."


class Teaching:
    """Reaches for the glossary without a stage; rights are asked at every step."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    def propose(self, user: User, connection: str, name: str, definition: Definition | None) -> tuple[Card, ...]:
        """Return a change as it would be, to be saved or proposed; without a definition, the term goes.

        Without a connection, it is asked for. Raises NotAllowed, JobFailed.
        """
        term = _term(definition) if definition else None
        if not connection:
            proposal = self._lessons().proposals.add("", name, None, term, user)
            options = tuple(
                Option(f"{TEACHING}at:{proposal.id}:{each.id}", each.label)
                for each in readable(self._tools.connections, user)
                if each.teachers is not None
            )
            if not options:
                raise NotAllowed(nobody("any database"))
            if len(options) == 1:
                return self.act(user, "", options[0].answer)
            return (Choice(f"{WHICH_DATABASE} “{_cut(name)}”?", options, lasting=True),)
        about = self._demand(user, connection)
        return self.shown(user, self._lessons().propose(about.name, about.dialect.name, name, term, user))

    def shown(self, user: User, proposal: Proposal) -> tuple[Card, ...]:
        """Return a change before and after, how a model is told it, and the buttons that decide it."""
        connection = self._tools.connections.demand(proposal.connection)
        before, after = proposal.before, proposal.after
        what = "goes out of" if after is None else "is new in" if before is None else "changes in"
        who = f" {proposal.by.name or 'Somebody'} proposes it." if proposal.standing == Standing.WAITING else ""
        lines = [f"“{proposal.name}” {what} the glossary of {connection.label}.{who}"]
        lines += [f"Before: {spoken(before)}", f"After: {spoken(after)}"]
        lines += [f"What the model reads: {hint_of(after)}"] if after else []
        save, drop = f"{TEACHING}save:{proposal.id}", f"{TEACHING}drop:{proposal.id}"
        if proposal.standing == Standing.WAITING:
            prompt = "Somebody who may teach me decides:"
            ways = (Option(save, "Accept", "primary"), Option(drop, "Decline"))
        elif may_teach(user, connection):
            prompt = f"Save this for everybody who asks {connection.label}?"
            ways = (Option(save, "Save", "primary"), Option(drop, "Leave it"))
        else:
            prompt = "Propose this? Somebody who may teach me has to accept it."
            ways = (Option(f"{TEACHING}send:{proposal.id}", "Propose", "primary"), Option(drop, "Leave it"))
        return (Text("\n".join(lines)), Buttons(prompt, ways, lasting=True))

    def listed(self, user: User, connection: Connection) -> list[tuple[Card, ...]]:
        """Return the terms of a connection, and what waits for a decision, as messages of their own."""
        demand_read(user, connection)
        lessons, teaches = self._lessons(), may_teach(user, connection)
        terms = lessons.glossary.terms(connection.name)
        lines = [f"{connection.label}: {_count(len(terms))} in the glossary."]
        lines += [spoken(term) for term in terms[:MOST_SHOWN]]
        lines += [f"… and {len(terms) - MOST_SHOWN} more"] if len(terms) > MOST_SHOWN else []
        lines += [f"Not all of the file is used. {sentence}" for sentence in lessons.glossary.problems()[:1] if teaches]
        lines += [nobody(connection.label) if connection.teachers is None else HOW]
        options = tuple(
            Option(f"{TEACHING}{verb}:{connection.id}:{term.name}", f"{verb.title()} {term.name}")
            for term in terms[:MOST_SHOWN]
            for verb in ("edit", "remove")
        )
        menu = (Choice(WHICH_TERM, options, lasting=True),) if teaches and options else ()
        waiting = lessons.proposals.waiting(connection.name)
        if waiting and not teaches:
            mine = [each.name for each in waiting if each.by.id == user.id]
            lines += [f"Proposed by you, and not decided yet: {', '.join(mine)}."] if mine else []
        messages: list[tuple[Card, ...]] = [(Text("\n".join(lines)), *menu)]
        if teaches:
            messages += [self.shown(user, each) for each in waiting[:MOST_WAITING]]
            more = len(waiting) - MOST_WAITING
            messages += [(Text(f"… and {more} more wait; decide these first.", "quiet"),)] if more > 0 else []
        return messages

    def act(self, user: User, thread: str, answer: str) -> tuple[Card, ...]:
        """Do what a button says, and return what is said about it; raises NotAllowed, JobFailed."""
        verb, id, *more = answer.removeprefix(TEACHING).split(":", 2)
        acts: dict[str, Callable[[], tuple[Card, ...]]] = {
            "save": lambda: self._save(user, thread, self._lessons().proposals.get(id)),
            "send": lambda: self._send(user, self._lessons().proposals.get(id)),
            "drop": lambda: self._drop(user, thread, self._lessons().proposals.get(id)),
            "at": lambda: self._place(user, self._lessons().proposals.get(id), "".join(more)),
            "edit": lambda: self._how(user, id, "".join(more)),
            "remove": lambda: self._remove(user, id, "".join(more)),
        }
        if verb not in acts:
            raise JobFailed("This button is of another version of mine. Type `glossary` to see where we are.")
        return acts[verb]()

    def _save(self, user: User, thread: str, proposal: Proposal) -> tuple[Card, ...]:
        connection = self._tools.connections.demand(proposal.connection)
        demand_teach(user, connection)
        if proposal.standing == Standing.SHOWN:
            _demand_author(user, proposal)
        try:
            saved = self._lessons().save(proposal.id, user)
        except Changed as error:
            renewed = self._lessons().place(proposal, connection.name, connection.dialect.name)
            return (Text(str(error), "problem"), *self.shown(user, renewed))
        if not saved:
            return (_decided(self._lessons().proposals.get(proposal.id)),)
        self._record(user, thread, proposal, "saved")
        what = spoken(proposal.after) if proposal.after else f"{proposal.name} is not in the glossary any more"
        return (Text(f"✓ {what} ({connection.label}). {USED if proposal.after else ''}".rstrip()),)

    def _send(self, user: User, proposal: Proposal) -> tuple[Card, ...]:
        _demand_author(user, proposal)
        self._demand(user, proposal.connection)
        proposals = self._lessons().proposals
        if proposal.standing != Standing.SHOWN or not proposals.decide(proposal.id, Standing.WAITING, user):
            return (_decided(proposals.get(proposal.id)),)
        return (
            Text("✓ Proposed. `glossary` shows it to those who may teach me, until one of them decides."),
            *self.shown(user, proposals.get(proposal.id)),
        )

    def _drop(self, user: User, thread: str, proposal: Proposal) -> tuple[Card, ...]:
        declines = proposal.standing == Standing.WAITING and user.id != proposal.by.id
        if declines:
            demand_teach(user, self._tools.connections.demand(proposal.connection))
        else:
            _demand_author(user, proposal)
        if not self._lessons().proposals.decide(proposal.id, Standing.DECLINED if declines else Standing.LEFT, user):
            return (_decided(self._lessons().proposals.get(proposal.id)),)
        if declines:
            self._record(user, thread, proposal, "declined")
        return (Text(f"{'Declined' if declines else 'Left as it was'}: “{proposal.name}” is unchanged.", "quiet"),)

    def _place(self, user: User, proposal: Proposal, number: str) -> tuple[Card, ...]:
        _demand_author(user, proposal)
        if proposal.standing != Standing.SHOWN:
            return (_decided(proposal),)
        connection = self._demand(user, self._by_number(number).name)
        return self.shown(user, self._lessons().place(proposal, connection.name, connection.dialect.name))

    def _how(self, user: User, number: str, name: str) -> tuple[Card, ...]:
        connection = self._demand(user, self._by_number(number).name)
        term = self._lessons().glossary.term(connection.name, name)
        if term is None:
            raise JobFailed(f"There is no term “{name}” in the glossary any more.")
        also = f"; also called {', '.join(term.synonyms)}" if term.synonyms else ""
        condition = f"; filter: {term.filter}" if term.filter else ""
        return (
            Text(f"Type it anew, with what shall be different:\n`define {name} as {term.meaning}{also}{condition}`"),
        )

    def _remove(self, user: User, number: str, name: str) -> tuple[Card, ...]:
        return self.propose(user, self._by_number(number).name, name, None)

    def _lessons(self) -> Lessons:
        if self._tools.lessons is None:
            raise JobFailed(NO_GLOSSARY)
        return self._tools.lessons

    def _by_number(self, number: str) -> Connection:
        return self._tools.connections.by_id(int(number) if number.isascii() and number.isdigit() else -1)

    def _demand(self, user: User, connection: str) -> Connection:
        """Return a connection whose terms the person may propose changes of."""
        found = self._tools.connections.demand(connection)
        demand_read(user, found)
        if found.teachers is None:
            raise NotAllowed(nobody(found.label))
        return found

    def _record(self, user: User, thread: str, proposal: Proposal, what: str) -> None:
        change = f"{what} {proposal.id} of {proposal.by.id}: {spoken(proposal.before)} -> {spoken(proposal.after)}"
        self._tools.audit.add(Entry("taught", thread, user.id, connection=proposal.connection, target=change))


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
        Standing.SAVED: f"{proposal.decider} saved that already.",
        Standing.DECLINED: f"{proposal.decider} declined that already.",
        Standing.LEFT: "That was left as it was.",
        Standing.WAITING: "That is proposed already, and waits for a decision.",
        Standing.SHOWN: "That is not decided yet.",
    }
    return Text(words[proposal.standing], "quiet")


def _count(number: int) -> str:
    return "no terms" if number == 0 else "1 term" if number == 1 else f"{number} terms"


def _cut(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59]}…"
