"""Every error of the router.

    BotError            the person may read this, word for word
    ├─ Unclear          the answer fits no option of this stage
    ├─ Stale            the button belongs to an earlier step
    ├─ NotYours         somebody else started this conversation
    ├─ NotAllowed       the person lacks the right
    │  └─ NotFound      there is none of it, or none that the person may know of: both are said in the same words
    ├─ WrongChannel          this channel is not one where the bot answers
    └─ Failed           a job or an agent could not do its work; the talk takes the stage's way out
       ├─ JobFailed
       │  └─ Unsure     it may have been done, or not; only a person may have it done again
       ├─ AgentFailed
       │  └─ AgentAway  only an administrator can mend it
       └─ Stopped       the person pressed Stop
    PutOff              the process ends; what is worked on goes on at the next start, and the talk with it
    └─ StateAway        the bot's own database is away; what came is worked on once it is back
    FlowError           the table of stages is wrong (at import)
    SettingsError       settings or connections are wrong (at start); holds every problem at once

Anything else that is raised is our bug: it is logged with its trace under an id, and the person is shown the id.
"""

import logging
import secrets
from collections.abc import Sequence

log = logging.getLogger("icc_bot")


class BotError(Exception):
    """A sentence for the person: what happened, what was kept, what to do next."""


class Unclear(BotError):
    """The answer fits no option of this stage."""


class Stale(BotError):
    """The button belongs to an earlier step."""


class NotYours(BotError):
    """Somebody else started this conversation."""


class NotAllowed(BotError):
    """The person lacks the right to do this."""


class NotFound(NotAllowed):
    """There is none of it, or none that the person may know of: nobody can tell which from the sentence."""


class WrongChannel(BotError):
    """This channel is not one where the bot answers."""


class Failed(BotError):
    """A job or an agent could not do its work."""


class JobFailed(Failed):
    """The database or the job's other end refused or broke."""


class DatabaseAway(JobFailed):
    """Nobody who opens the database answers: it says nothing of the SQL."""


class Unsure(JobFailed):
    """It may have been done, or not, such as an e-mail whose server went away while it took it."""


class AgentFailed(Failed):
    """The model could not be reached, or gave nothing usable."""


class AnswerCut(AgentFailed):
    """The model's answer was longer than it may be, and its end is missing."""


class AgentAway(AgentFailed):
    """The model cannot be used before an administrator mends something; the sentence says what."""


class Stopped(Failed):
    """The person pressed Stop."""


class PutOff(Exception):
    """The process ends; what is worked on goes on at the next start."""


class StateAway(PutOff):
    """The bot's own database does not answer: nothing could be kept of what is done."""


class FlowError(Exception):
    """The table of stages is wrong."""


class SettingsError(Exception):
    """Settings or connections are wrong; `problems` has a sentence for each, with its remedy."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def log_bug(doing: str) -> str:
    """Log the exception at hand under a new id, and return the sentence that shows the id."""
    number = secrets.token_hex(4)
    log.exception("error %s while %s", number, doing)
    return (
        f"Something went wrong on my side (error {number}). Your question and the SQL are kept; try again, or tell "
        "your administrator the number."
    )


def sentence_of(error: Exception, doing: str) -> str:
    """Return what a person is told of whatever was raised; raises PutOff, of which nobody is told."""
    if isinstance(error, PutOff):
        raise error
    return str(error) if isinstance(error, BotError) else log_bug(doing)
