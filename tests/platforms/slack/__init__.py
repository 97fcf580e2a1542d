"""A stand-in for Slack: real HTTP and WebSockets on loopback that refuse what Slack refuses."""

from tests.platforms.slack.delivery import Deliveries, Delivery
from tests.platforms.slack.forms import Impossible
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.signing import signed
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Call, Channel, File, Message, Person, Team, View

__all__ = [
    "Call",
    "Channel",
    "Deliveries",
    "Delivery",
    "File",
    "Impossible",
    "Message",
    "Person",
    "Slack",
    "Team",
    "View",
    "signed",
    "words_of",
]
