"""Calls that go wrong because a test wants it: the next ones of a method, or some of all, by a seeded chance."""

import random
from collections import deque
from dataclasses import dataclass, field

RANDOM = ("429", "412", "500", "502", "503", "drop", "lose")
CODES = {
    "400": ("BadSyntax", "Bad format of conversation ID"),
    "401": ("Unauthorized", "Authorization has been denied for this request."),
    "403": ("BotNotInConversationRoster", "The bot is not part of the conversation roster."),
    "404": ("ConversationNotFound", "Conversation not found."),
    "412": ("PreconditionFailed", "Failed due to precondition, please try again."),
    "413": ("MessageSizeTooBig", "Message size too large."),
    "429": ("Throttled", "Too many requests."),
    "500": ("ServiceError", "An unknown error has occurred."),
    "502": ("ServiceError", "Bad gateway."),
    "503": ("ServiceUnavailable", "Service is unavailable."),
    "504": ("GatewayTimeout", "Gateway timeout."),
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A way in which a call goes wrong.

    A status such as `429` (with Retry-After, unless that is negative) is answered before anything is done, with
    `code` in place of the usual one. `drop` closes the connection before anything is done, `lose` does it and then
    closes the connection, `slow` does it and answers after `seconds`, `hang` waits as long and then closes the
    connection, `garbage` answers 200 with what is no JSON.
    """

    how: str
    retry_after: float = 1
    seconds: float = 0.0
    code: str = ""


@dataclass
class Troubles:
    """The calls that are going to go wrong, in queues by method and conversation; `*` is any of them."""

    _next: dict[tuple[str, str], deque[Trouble]] = field(default_factory=dict)
    _rate: float = 0.0
    _chance: random.Random = field(default_factory=random.Random)
    _hows: tuple[Trouble, ...] = ()
    _methods: frozenset[str] = frozenset()

    def add(self, method: str, trouble: Trouble, times: int, conversation: str) -> None:
        """Let the next `times` calls of a method go wrong."""
        self._next.setdefault((method, conversation), deque()).extend([trouble] * times)

    def some(self, rate: float, seed: int, hows: tuple[Trouble, ...], methods: tuple[str, ...]) -> None:
        """Let each call of the connector go wrong with this chance; with methods, only of these."""
        self._rate, self._chance, self._hows, self._methods = rate, random.Random(seed), hows, frozenset(methods)

    def take(self, method: str, conversation: str) -> Trouble | None:
        """Return how this call goes wrong, if it does."""
        for key in ((method, conversation), ("*", conversation), (method, "*"), ("*", "*")):
            if self._next.get(key):
                return self._next[key].popleft()
        likely = method in self._methods if self._methods else method not in ("openid", "keys", "token")
        if self._rate and likely and self._chance.random() < self._rate:
            return self._chance.choice(self._hows)
        return None
