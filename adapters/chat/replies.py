"""What the delivery has to know of a reply and of an input."""

from datetime import datetime

from adapters.chat.surface import Decision, Shape
from router.cards import Buttons, Card, Choice, File, Form, Progress, Reply, Table, Text
from router.turn import Filled, Incoming, Pressed

Ask = Buttons | Choice | Form

SENT_HOME = "I cannot write to that channel (any more). Invite me there, then ask again; here is my answer:"

TRIGGER = 2.5
"""Seconds for which a press may still open a modal, of the three that Slack allows."""


def asks_in(reply: Reply) -> list[Ask]:
    return [card for card in reply.cards if isinstance(card, Buttons | Choice | Form)]


def decision_of(asks: list[Ask], incoming: Incoming) -> Decision:
    """Return how these asks were answered just now."""
    now = datetime.now().astimezone()
    match incoming.input:
        case Pressed(answer, more=more):
            options = {o.answer: o.label for ask in asks if not isinstance(ask, Form) for o in ask.options}
            labels = [options[each] for each in (answer, *more)[:5] if options.get(each)]
            return Decision(", ".join(labels) or "Answered", incoming.user, now)
        case Filled():
            return Decision("Sent", incoming.user, now)
        case _:
            return Decision("", incoming.user, now)


def shape_of(reply: Reply, incoming: Incoming) -> Shape:
    """Return a reply to an input as a message to be drawn."""
    return Shape(reply, incoming.key, asker=incoming.user.id)


def id_of(reply: Reply, incoming: Incoming) -> str:
    return f"{incoming.key}:{reply.turn}" if reply.turn else f"{incoming.event} answer"


def progress_of(event: str) -> str:
    """Return the id of the message that shows the progress of an input."""
    return f"{event} progress"


def form_of(reply: Reply) -> Form | None:
    return next((card for card in reply.cards if isinstance(card, Form)), None)


def problem_in(form: Form) -> str:
    return next((field.problem for field in form.fields if field.problem), "")


def problem_of(reply: Reply) -> str:
    return next((card.body for card in reply.cards if isinstance(card, Text) and card.tone == "problem"), "")


def rated_in(reply: Reply) -> str:
    return next((card.result for card in reply.cards if isinstance(card, Table)), "")


def holds_more_than_text(reply: Reply) -> bool:
    return any(not isinstance(card, Text | Progress) for card in reply.cards)


def without_asks(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if not isinstance(card, Buttons | Choice | Form))


def kinds_of(cards: tuple[Card, ...]) -> str:
    return " ".join(card.name if isinstance(card, File) else type(card).__name__ for card in cards)
