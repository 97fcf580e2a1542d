"""What the person asked before, in this talk: kept as it was typed, and told on demand."""

from dataclasses import replace

from router.cards import Card, Text
from router.intents.categories import Category
from router.intents.replies import reply_to
from router.jobs.cells import line
from router.turn import Turn
from router.understanding import Message

ASKED = frozenset({Category.DESCRIBE_DATA, Category.EXPLAIN_RESULT})
"""What is a question all the same, though it needs no query."""

REMEMBERED = 10
"""Questions of a conversation that are kept."""

KEPT, SHOWN = 500, 300
"""Characters of a question that are kept, and that are shown."""


def remember(turn: Turn, text: str) -> None:
    """Keep what the person typed as the last of what they asked; what is the last already is kept once."""
    memory, typed = turn.memory, text[:KEPT]
    if [typed] != [each.text for each in memory.conversation_history[-1:]]:
        memory.conversation_history = [*memory.conversation_history, Message("user", typed)][-REMEMBERED:]


def remember_full(turn: Turn, text: str, full: str) -> None:
    """Put the full question behind what the person typed last in these words."""
    lines = turn.memory.conversation_history
    last = max((at for at, each in enumerate(lines) if each.text == text[:KEPT]), default=-1)
    turn.memory.conversation_history = [
        replace(each, full=full[:KEPT]) if at == last else each for at, each in enumerate(lines)
    ]


def forget_asked(turn: Turn, text: str) -> None:
    """Keep a sentence no more that turned out to be no question."""
    lines = turn.memory.conversation_history
    turn.memory.conversation_history = lines[:-1] if lines and lines[-1].text == text[:KEPT] else lines


def recalled(turn: Turn, text: str) -> tuple[Card, ...]:
    """Return the last things that the person asked in this talk, as they typed them; `text` tells their language.

    A follow-up has the full question behind it; how many rows came of that is not told, as others may read along.
    """
    asked = [each for each in turn.memory.conversation_history if each.role == "user"]
    if not asked:
        return (Text(reply_to("asked_nothing", text)),)
    lines = (" → ".join(line(part, SHOWN) for part in (each.text, each.full) if part) for each in asked)
    numbered = (f"{number}. {each}" for number, each in enumerate(lines, 1))
    return (Text("\n".join((reply_to("asked_before", text), *numbered))),)
