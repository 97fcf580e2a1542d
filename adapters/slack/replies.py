"""What the delivery has to know of a reply and of an input."""

from datetime import datetime

from adapters.slack.mrkdwn import fitted
from router.cards import Buttons, Card, Choice, File, Form, Progress, Reply, Table, Text
from router.turn import Filled, Incoming, Pressed

Ask = Buttons | Choice | Form

LONGEST_LABELS = 150


def decision_of(asks: list[Ask], incoming: Incoming) -> str:
    """Return "Run, Ana, 14:03" as mrkdwn, the time in the zone of whoever reads it."""
    now = datetime.now().astimezone()
    time = f"<!date^{int(now.timestamp())}^{{time}}|{now:%H:%M}>"
    who = f"<@{slack_id(incoming.user.id)}>"
    match incoming.input:
        case Pressed(answer, more=more):
            options = {o.answer: o.label for ask in asks if not isinstance(ask, Form) for o in ask.options}
            labels = ", ".join(options.get(a, "") for a in (answer, *more)[:5] if options.get(a))
            return f":heavy_check_mark: {fitted(labels, LONGEST_LABELS) or 'Answered'} · {who} · {time}"
        case Filled():
            return f":heavy_check_mark: Sent · {who} · {time}"
        case _:
            return f"Answered in the thread · {who} · {time}"


def id_of(reply: Reply, incoming: Incoming) -> str:
    return f"{incoming.key}:{reply.turn}" if reply.turn else f"{incoming.event} answer"


def progress_of(incoming: Incoming) -> str:
    """Return the id of the message that shows the progress of an input."""
    return f"{incoming.event} progress"


def form_of(reply: Reply) -> Form | None:
    return next((card for card in reply.cards if isinstance(card, Form)), None)


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


def slack_id(id: str) -> str:
    return id.removeprefix("slack:")
