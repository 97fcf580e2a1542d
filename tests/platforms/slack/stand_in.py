"""The stand-in itself, put together."""

from dataclasses import dataclass

from tests.platforms.slack.forging import Forging
from tests.platforms.slack.looking import Looking
from tests.platforms.slack.pressing import Pressing


@dataclass
class Slack(Looking, Pressing, Forging):
    """A Slack on loopback, for `with Slack() as slack:`; it has the team T1, and the channel C1 with the bot in it.

    People act (`say`, `dm`, `press`, `choose`, `submit`, `command`...), the app answers through the Web API, and the
    test reads (`messages`, `views`, `home`, `files`, `calls`, `refused`, `acks`, `faults`...). Methods that wait
    block; a test whose app runs in the same loop calls them as `await slack.awaited.submit(...)`.
    """
