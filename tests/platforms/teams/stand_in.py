"""The stand-in itself, put together."""

from dataclasses import dataclass

from tests.platforms.teams.forging import Forging
from tests.platforms.teams.looking import Looking
from tests.platforms.teams.pressing import Pressing


@dataclass
class Teams(Looking, Pressing, Forging):
    """A Teams on loopback, for `with Teams() as teams:`; the bot is in the channels General and sales and the group
    chat board, and everybody has a personal chat with it, named by their key.

    People act (`say`, `press`, `search`, `feedback`, `consent`...), the bot calls the connector, and the test reads
    (`messages`, `files`, `calls`, `refused`, `posts`, `faults`...). Set `bot_url` once the bot listens.
    Methods that wait block; a test whose bot runs in the same loop calls them as `await teams.awaited.search(...)`.
    """
