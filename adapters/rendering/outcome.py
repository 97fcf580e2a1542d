"""A message whose question was answered: its outcome stands, and no word of doubt or of what could be chosen."""

from dataclasses import replace

from router.cards import Buttons, Card, Choice, Code, Form, Reply, Text, Waiting


def conclude_reply(reply: Reply) -> Reply:
    """Return a message whose question was answered: what it was about, without what was said of its choice."""
    done: list[Card] = []
    for card in reply.cards:
        match card:
            case Buttons() | Choice() | Form() | Waiting() | Text(tone="problem" | "quiet"):
                pass
            case Code():
                done.append(replace(card, folded=True))
            case _:
                done.append(card)
    return replace(reply, cards=tuple(done))
