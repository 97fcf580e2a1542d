"""Who sees which buttons of a card: Teams draws it anew for those people whose ids it is given."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from router.cards import Buttons, Choice, Option, Reply

VIEWERS_MAX = 60
"""People that Teams lets see a card of their own."""

EVERYBODY = "*"


@dataclass(frozen=True, slots=True)
class Audience:
    """Those who look at a card: one person, by id, or everybody.

    `accounts` are the ids in Teams ("29:…") of the people who may see a button that others do not, by their own ids. As
    long as one of them is not known, everybody sees the button: whether a press counts is checked when it comes.
    """

    viewer: str = ""
    accounts: Mapping[str, str] = field(default_factory=dict)

    def sees(self, option: Option) -> bool:
        """Tell whether a button is drawn."""
        if not option.only or EVERYBODY in option.only or self.viewer in option.only:
            return True
        return len(self.accounts) > VIEWERS_MAX or not all(id in self.accounts for id in option.only)


ALL = Audience()


def named_in(reply: Reply) -> tuple[str, ...]:
    """Return the ids of the people for whom a reply has buttons that others do not see, each once."""
    options = [o for card in reply.cards if isinstance(card, Buttons | Choice) for o in card.options]
    return tuple(dict.fromkeys(id for o in options if EVERYBODY not in o.only for id in o.only))
