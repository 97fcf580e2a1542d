"""The glossary in a talk: definitions that are typed, and buttons that hold whatever was asked since."""

from router.cards import Buttons, Card, Choice, Option, Reply, Text
from router.catalog.connection import Connection
from router.errors import JobFailed, NotAllowed
from router.jobs.audit import AuditEntry
from router.knowledge.glossary_changes import GlossaryChanges, Proposal, ProposalState
from router.knowledge.knowledge import Term, hint_of
from router.language.wording import counted
from router.memory.draft import Draft
from router.policy import may_teach, readable_connections, require_read, require_teach
from router.turn import Said, Turn
from router.understanding.definitions import Definition, definition_of, forgotten, unhinted

GLOSSARY_PREFIX = "glossary:"
"""The prefix of answers about the glossary, which hold whatever was asked since."""

NO_GLOSSARY = "There's no glossary here."
TERMS_SHOWN_MAX = 40

ASK_TERM = "Which one should I take out?"

HOW_TO_TEACH = (
    "To add or change one, type `churned means no order in 90 days`, or `define churned as no order in 90 days; also "
    "called lost; filter: status = 'paid'`."
)
USED_FROM_NOW = "It is used for the next question, and by Rewrite."

_STATES = {
    "save": ProposalState.SAVED,
    "send": ProposalState.WAITING,
    "drop": ProposalState.LEFT,
}
"""Sentences on the end of a proposal, by the buttons of its card, when its author presses them."""

Lesson = tuple[str, Definition | None]
"""The name of a term, and what it means; None if the term is to go."""


def lesson_in(turn: Turn) -> Lesson | None:
    """Return what a typed sentence says of a term; None if it says nothing, or is for the question at hand."""
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
    """Return whether there is a question whose SQL is written here, which a hint may be about."""
    return bool(draft.question) and draft.method == "generate"


def learn(turn: Turn) -> None:
    """Show what a sentence would change, or else the glossary; raises NotAllowed, JobFailed."""
    if lesson := lesson_in(turn):
        propose(turn, *lesson)
    elif turn.services.glossary_changes is None:
        turn.note(NO_GLOSSARY, "quiet")
    else:
        turn.notes += _listed(turn, database_at_hand(turn))


def propose(turn: Turn, name: str, definition: Definition | None) -> None:
    """Show how a term would change, with the buttons that decide it; raises NotAllowed, JobFailed."""
    turn.post(Reply(_proposed(turn, database_at_hand(turn), name, definition), working=True))


def database_at_hand(turn: Turn) -> Connection:
    """Return the connection of the talk, or the one that is asked by default, or the only one that one may read."""
    connections = turn.services.connections
    allowed = readable_connections(connections, turn.user)
    only = allowed[0].name if len(allowed) == 1 else ""
    name = turn.memory.place.connection or (connections.default.name if connections.default else only)
    if not name:
        several = ", ".join(each.label for each in allowed)
        raise JobFailed(f"There are several databases: {several}. Ask about one of them, or choose a database first.")
    require_read(turn.user, connections.require(name))
    return connections.require(name)


def decide_term(turn: Turn, answer: str) -> tuple[Card, ...]:
    """Do what a button says, and return what is said about it; raises NotAllowed, JobFailed."""
    verb, _, about = answer.removeprefix(GLOSSARY_PREFIX).partition(":")
    if verb == "remove":
        number, _, name = about.partition(":")
        by_id = turn.services.connections.by_id(int(number) if number.isascii() and number.isdigit() else -1)
        require_read(turn.user, by_id)
        return _proposed(turn, by_id, name, None)
    if verb not in _STATES:
        raise JobFailed("This button is of another version of mine. Type `glossary` to see where we are.")
    changes, user = _changes(turn), turn.user
    proposal = changes.proposals.get(about)
    connection, mine = turn.services.connections.require(proposal.connection), user.id == proposal.by.id
    teaches = verb == "save" or (verb == "drop" and not mine)
    if teaches:
        require_teach(user, connection)
    if not mine and (not teaches or proposal.standing == ProposalState.SHOWN):
        raise NotAllowed(f"{proposal.by.name or 'Somebody else'} typed this and decides. Nothing was changed.")
    if verb == "send" and proposal.standing != ProposalState.SHOWN:
        return (_decided(proposal),)
    state = ProposalState.DECLINED if verb == "drop" and not mine else _STATES[verb]
    decided = changes.save(about, user) if verb == "save" else changes.proposals.decide(about, state, user)
    proposal = changes.proposals.get(about)
    if not decided:
        return (_decided(proposal),)
    if teaches:
        change = f"{proposal.id} of {proposal.by.id}: {meaning_of(proposal.before)} -> {meaning_of(proposal.after)}"
        target, thread = f"{state.lower()} {change}", str(turn.incoming.key)
        turn.services.audit.add(AuditEntry("taught", thread, user.id, connection=connection.name, target=target))
    return _told(turn, proposal, connection.label)


def _told(turn: Turn, proposal: Proposal, label: str) -> tuple[Card, ...]:
    """Return what is said of a change that was decided just now."""
    match proposal.standing:
        case ProposalState.SAVED if proposal.after:
            return (Text(f"✓ {meaning_of(proposal.after)} ({label}). {USED_FROM_NOW}"),)
        case ProposalState.SAVED:
            return (Text(f"✓ {proposal.name} is not in the glossary any more ({label})."),)
        case ProposalState.WAITING:
            told = "✓ Proposed. `glossary` shows it to those who may teach me, until one of them decides."
            return (Text(told), *_shown(turn, proposal))
    return (Text(f"{proposal.standing.capitalize()}: “{proposal.name}” is unchanged.", "quiet"),)


def _decided(proposal: Proposal) -> Text:
    """Return what is said of a change that was decided before."""
    done = "proposed" if proposal.standing == ProposalState.WAITING else proposal.standing.lower()
    return Text(f"{proposal.decider} {done} that already.", "quiet")


def _proposed(turn: Turn, connection: Connection, name: str, definition: Definition | None) -> tuple[Card, ...]:
    """Return a change as it would be, to be saved or proposed; without a definition, the term goes."""
    if connection.teachers is None:
        raise NotAllowed(_unchangeable(connection.label))
    term = Term(definition.name, definition.meaning, definition.synonyms, definition.filter) if definition else None
    return _shown(turn, _changes(turn).propose(connection.name, connection.dialect.name, name, term, turn.user))


def _shown(turn: Turn, proposal: Proposal) -> tuple[Card, ...]:
    """Return a change before and after, how a model is told it, and the buttons that decide it."""
    connection = turn.services.connections.require(proposal.connection)
    before, after = proposal.before, proposal.after
    what = "goes out of" if after is None else "is new in" if before is None else "changes in"
    who = f" {proposal.by.name or 'Somebody'} proposes it." if proposal.standing == ProposalState.WAITING else ""
    lines = [f"“{proposal.name}” {what} the glossary of {connection.label}.{who}"]
    lines += [f"Before: {meaning_of(before)}", f"After: {meaning_of(after)}"]
    lines += [f"What the model reads: {hint_of(after)}"] if after else []
    verb, label, leave = "save", "Save", "Don't save"
    if proposal.standing == ProposalState.WAITING:
        prompt, label, leave = "Somebody who may teach me decides:", "Accept", "Decline"
    elif may_teach(turn.user, connection):
        prompt = f"Save this for everybody who asks {connection.label}?"
    else:
        prompt = "Propose this? Somebody who may teach me has to accept it."
        verb, label, leave = "send", "Propose", "Don't propose"
    ways = ((verb, label), ("drop", leave))
    options = tuple(Option(f"{GLOSSARY_PREFIX}{verb}:{proposal.id}", label) for verb, label in ways)
    return (Text("\n".join(lines)), Buttons(prompt, options, lasting=True))


def _listed(turn: Turn, connection: Connection) -> tuple[Card, ...]:
    """Return the terms of a connection, a menu to take one out, and the first change that waits for a decision."""
    changes, teaches = _changes(turn), may_teach(turn.user, connection)
    terms, waiting = changes.glossary.terms(connection.name), changes.proposals.waiting(connection.name)
    lines = [f"{connection.label}: {counted(len(terms), 'term') if terms else 'no terms'} in the glossary."]
    lines += [meaning_of(term) for term in terms[:TERMS_SHOWN_MAX]]
    lines += [f"… and {len(terms) - TERMS_SHOWN_MAX} more"] if len(terms) > TERMS_SHOWN_MAX else []
    lines += [HOW_TO_TEACH if connection.teachers is not None else _unchangeable(connection.label)]
    if not teaches:
        mine = [each.name for each in waiting if each.by.id == turn.user.id]
        lines += [f"Proposed by you, and not decided yet: {', '.join(mine)}."] if mine else []
        return (Text("\n".join(lines)),)
    lines += [f"Not all of the file is used. {sentence}" for sentence in changes.glossary.problems()[:1]]
    options = tuple(
        Option(f"{GLOSSARY_PREFIX}remove:{connection.id}:{term.name}", f"Remove {term.name}")
        for term in terms[:TERMS_SHOWN_MAX]
    )
    menu = (Choice(ASK_TERM, options, lasting=True),) if options else ()
    lines += [f"{counted(len(waiting), 'change')} to be decided; this is the first:"] if len(waiting) > 1 else []
    return (Text("\n".join(lines)), *menu, *(_shown(turn, waiting[0]) if waiting else ()))


def _changes(turn: Turn) -> GlossaryChanges:
    if turn.services.glossary_changes is None:
        raise JobFailed(NO_GLOSSARY)
    return turn.services.glossary_changes


def meaning_of(term: Term | None) -> str:
    """Return a term as people read it."""
    if term is None:
        return "nothing"
    also = f"; also: {', '.join(term.synonyms)}" if term.synonyms else ""
    return f"{term.name} = {term.meaning}{also}{f'; filter: {term.filter}' if term.filter else ''}"


def _unchangeable(label: str) -> str:
    """Return why no sentence of a chat changes the glossary of a database."""
    return f"The glossary of {label} can't be changed from a chat. Your administrator does that."
