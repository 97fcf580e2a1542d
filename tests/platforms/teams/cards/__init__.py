"""Adaptive Cards as Teams takes, shows and fills them."""

from tests.platforms.teams.cards.judge import card_faults, card_problems
from tests.platforms.teams.cards.words import words_of

__all__ = ["card_faults", "card_problems", "words_of"]
