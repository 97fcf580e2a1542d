"""How what is shown is labelled: by the databases that its rows and its SQL come from."""

from dataclasses import replace

from router.cards import Card, Chart, Code, File, Form, Reply, Table, Text
from router.turn import Turn


def labelled(turn: Turn, reply: Reply) -> Reply:
    """Return the reply with the sensitivity of what is in it."""
    connections = turn.tools.connections
    names = [_origin(card, turn.memory.place.connection) for card in reply.cards]
    answer = turn.memory.answer
    shown = any(isinstance(card, Table | Chart | File) or _tells(card) for card in reply.cards)
    names += answer.others if answer and shown else ()
    labels = [connections[name].sensitivity for name in names if name in connections]
    return replace(reply, sensitivity=", ".join(dict.fromkeys(filter(None, labels))))


def _origin(card: Card, at_hand: str) -> str:
    """Return the connection that a card shows something of; empty for a card that shows nothing of any."""
    match card:
        case Table(connection=name) | Chart(connection=name) | File(connection=name) | Text(connection=name):
            return name
        case Code(connection=name):
            return name or at_hand
        case Form(fields=fields) if any(field.kind == "code" and field.value for field in fields):
            return at_hand
        case _:
            return ""


def _tells(card: Card) -> bool:
    """Tell whether a sentence says something of rows."""
    return isinstance(card, Text) and bool(card.connection)
