"""The failures of calls to Teams: why something that was asked of it is not done.

Undone
├─ Declined      Teams said no; status and code are its own
│  ├─ Dead       the conversation takes nothing from the bot any more: mark its reference dead
│  └─ Gone       this message, or this person, is not there (any more)
├─ Unanswered    it was asked as often as allowed and never answered for good; if `lost`, it may have been done
└─ NoToken       Microsoft gave no token to send it with: it was not done
"""


class Undone(Exception):
    """A call to Teams that is not done, or may not be."""


class Declined(Undone):
    """Teams said no."""

    def __init__(self, status: int, code: str = "") -> None:
        super().__init__(f"Teams answered {status}{code and ' '}{code}")
        self.status, self.code = status, code


class Dead(Declined):
    """The conversation takes nothing from the bot any more."""


class MessageGone(Declined):
    """This message, or this person, is not there (any more)."""


class Unanswered(Undone):
    """It was asked as often as allowed and never answered for good; `lost`: it may have been done all the same."""

    def __init__(self, why: str, *, lost: bool) -> None:
        super().__init__(why)
        self.lost = lost


class NoToken(Undone):
    """Microsoft gave no token; `lasting` says that asking again will not help."""

    def __init__(self, code: str, *, lasting: bool) -> None:
        super().__init__(f"Microsoft gave no token: {code}")
        self.code, self.lasting = code, lasting


def is_lasting(error: Declined) -> bool:
    """Return whether Teams said no to this very message, for good: another one it may take."""
    return not isinstance(error, Dead | MessageGone) and error.status in (400, 413)
