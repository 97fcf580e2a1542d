"""A stand-in for Teams: real HTTP on loopback that refuses what the Bot Framework's connector refuses."""

from tests.platforms.teams.cards.filling import Impossible
from tests.platforms.teams.cards.judge import card_faults, card_problems
from tests.platforms.teams.cards.words import words_of
from tests.platforms.teams.delivery import Post, Posts
from tests.platforms.teams.forging import FORGED, HEADERS
from tests.platforms.teams.looking import shown
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import Call, Conversation, File, Message, Person

__all__ = [
    "FORGED",
    "HEADERS",
    "Call",
    "Conversation",
    "File",
    "Impossible",
    "Message",
    "Person",
    "Post",
    "Posts",
    "Teams",
    "card_faults",
    "card_problems",
    "shown",
    "words_of",
]
