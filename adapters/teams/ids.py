"""What buttons, menus and forms of a card carry, and how it is read when it comes back."""

from collections.abc import Mapping
from typing import Any

from adapters.asked import Asked
from adapters.menu import answers_of
from router.cards import Buttons, Choice, Form, Reply
from router.memory import key_from

PRESS, CHOOSE, FILL, STOP = "press", "choose", "fill", "stop"
"""The verbs of Action.Execute; an Action.Submit has none, so that `v` in the data says it again."""

MOST_TURNS = 2**31
"""Questions of one talk, of which no talk has so many."""


def data_of(asked: Asked, verb: str, answer: str | None = None) -> dict[str, Any]:
    """Return the data of an action: the thread, the question's number, the card's, and the answer of a button."""
    data = {"v": verb, "k": str(asked.key), "t": asked.turn, "c": asked.card}
    return data if answer is None else data | {"a": answer}


def asked_in(data: Mapping[str, Any]) -> tuple[str, Asked]:
    """Return the verb, and what is answered; raises ValueError where the data says nothing of ours."""
    match data:
        case {"v": str(verb), "k": str(key), "t": int(turn), "c": int(card)} if verb in (PRESS, CHOOSE, FILL, STOP):
            if not 0 <= turn < MOST_TURNS:
                raise ValueError("no number of a question")
            return verb, Asked(key_from(key), turn, card)
        case _:
            raise ValueError("no data of a card of ours")


def menu_id(card: int) -> str:
    """Return the id of the menu of a card."""
    return f"menu:{card}"


def field_id(card: int, name: str) -> str:
    """Return the id of a form's field."""
    return f"field:{card}:{name}"


def answers_in(reply: Reply, data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the router's answers for what was pressed or chosen in a reply; empty where nothing was."""
    verb, asked = asked_in(data)
    card = reply.cards[asked.card] if 0 <= asked.card < len(reply.cards) else None
    if not isinstance(card, Buttons | Choice):
        return ()
    chosen = str(data.get("a") or "") if verb == PRESS else str(data.get(menu_id(asked.card)) or "")
    values = chosen.split(",") if isinstance(card, Choice) and card.many else [chosen]
    return answers_of(card.options, values)


def values_in(form: Form, card: int, data: Mapping[str, Any]) -> dict[str, str]:
    """Return what was put into the fields of a form, by their names."""
    return {field.name: str(data.get(field_id(card, field.name)) or "") for field in form.fields}
