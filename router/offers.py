"""Words that are typed in place of pressing Save, Propose, Accept, Decline or Leave it of the newest such card."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from router.cards import Buttons, Card, Option
from router.errors import Unclear
from router.intents.words import folded
from router.offer import Offer
from router.teaching import TEACHING
from router.turn import Said, Turn

WORDS = {
    "save": ("save", "save it", "save that", "keep", "keep it", "accept", "accept it"),
    "accept": ("accept", "accept it", "save", "save it", "keep", "keep it"),
    "propose": ("propose", "propose it", "propose that", "save", "save it", "keep", "keep it"),
    "leave it": ("leave it", "leave", "leave that", "leave it as it is", "decline", "decline it"),
    "decline": ("decline", "decline it", "leave it", "leave"),
}
"""What is typed for the button of each label."""


def note_offers(turn: Turn, cards: Iterable[Card]) -> None:
    """Remember the lasting buttons among cards, which words answer until something else is said."""
    found = tuple(
        option
        for card in cards
        if isinstance(card, Buttons) and card.lasting
        for option in card.options
        if folded(option.label) in WORDS
    )
    if found:
        before = turn.memory.offer
        shown = before.options if before and before.by == turn.user.id else ()
        turn.memory.offer = Offer(turn.user.id, (*shown, *(each for each in found if each not in shown)))


def offered(turn: Turn, words: Collection[str]) -> str:
    """Return the answer of the button whose word was typed, or nothing; `words` are those of the stage, which go first.

    Raises Unclear where several cards have such a button, and no term is named behind the word.
    """
    given, offer = turn.incoming.input, turn.memory.offer
    if not isinstance(given, Said) or offer is None or offer.by != turn.user.id or folded(given.text) in words:
        return ""
    typed = folded(given.text)
    meant = [each for each in offer.options if typed in WORDS[folded(each.label)]]
    if len(meant) > 1:
        names = [_name(turn, each) for each in meant]
        raise Unclear(f"Several are on show. Name the one you mean: {' or '.join(f'`{typed} {n}`' for n in names)}.")
    named = [
        each
        for each in offer.options
        if any(typed == folded(f"{word} {_name(turn, each)}") for word in WORDS[folded(each.label)])
    ]
    return next((each.answer for each in (*meant, *named)), "")


def renewed(offer: Offer | None, answer: str) -> Offer | None:
    """Return what is still on show once the card of an answer was decided."""
    if offer is None:
        return None
    left = tuple(each for each in offer.options if _card(each.answer) != _card(answer))
    return replace(offer, options=left) if left else None


def _card(answer: str) -> str:
    """Return the id of what an answer is about."""
    return answer.split(":", 2)[-1]


def _name(turn: Turn, option: Option) -> str:
    """Return the term that a button is about; empty for what has no name."""
    if turn.tools.lessons is None or not option.answer.startswith(TEACHING):
        return ""
    return turn.tools.lessons.proposals.get(_card(option.answer)).name
