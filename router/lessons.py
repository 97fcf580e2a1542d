"""What is typed in a talk about what words mean: definitions, and the glossary itself."""

from router.cards import Card, Reply
from router.catalog.connection import Connection
from router.errors import NotAllowed
from router.intents.definitions import Definition, definition_of, forgotten
from router.intents.hints import unhinted
from router.memory import Draft
from router.offers import note_offers
from router.policy import readable
from router.teaching import NO_GLOSSARY, Teaching
from router.turn import Said, Turn

Lesson = tuple[str, Definition | None]
"""The name of a term, and what it means; None where the term shall go."""


def lesson_in(turn: Turn) -> Lesson | None:
    """Return what a typed sentence says of a term; None where it says nothing, or is for the question at hand."""
    given = turn.incoming.input
    if not isinstance(given, Said) or turn.tools.lessons is None:
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
    _post(turn, Teaching(turn.tools).propose(turn.user, connection, name, definition))


def _show(turn: Turn) -> None:
    """Show the terms of the database at hand, or of all that the person may read."""
    if turn.tools.lessons is None:
        turn.note(NO_GLOSSARY, "quiet")
        return
    for connection in _places(turn):
        for cards in Teaching(turn.tools).listed(turn.user, connection):
            _post(turn, cards)


def _post(turn: Turn, cards: tuple[Card, ...]) -> None:
    """Show what people may decide now, with a button or its word."""
    note_offers(turn, cards)
    turn.post(Reply(cards, working=True))


def _places(turn: Turn) -> tuple[Connection, ...]:
    """Return the connection of the thread, or else the one that is asked by default, or else all that one may read."""
    connections = turn.tools.connections
    allowed = readable(connections, turn.user)
    if not allowed:
        raise NotAllowed("There is no database here that you may read, and so no glossary for you.")
    likely = turn.memory.place.connection or (connections.default.name if connections.default else "")
    return tuple(each for each in allowed if each.name.casefold() == likely.casefold()) or allowed
