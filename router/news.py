"""What a job told above a question: told once more where that question is asked again, so that no kill hides it."""

from dataclasses import replace

from router.cards import Text
from router.memory import News
from router.turn import Turn


def keep(turn: Turn) -> None:
    """Remember what is noted so far, until the next question stands."""
    turn.memory.news = News(turn.memory.turn + 1, tuple(card for card in turn.notes if isinstance(card, Text)))


def repeat(turn: Turn) -> None:
    """Note what came with the question that stands, which is asked once more."""
    news = turn.memory.news
    if news and news.turn == turn.memory.turn:
        for text in news.said:
            turn.note(text.body, text.tone)
        turn.memory.news = replace(news, turn=news.turn + 1)
