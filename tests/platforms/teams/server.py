"""The stand-in's life: its thread, its loop, what it holds, and how it tells the bot of things."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.platforms.loopback import Loopback
from tests.platforms.teams.delivery import Post, Posts, deliver
from tests.platforms.teams.keys import Keys
from tests.platforms.teams.limits import Limits
from tests.platforms.teams.troubles import Troubles
from tests.platforms.teams.web import OPENID, REGION, application
from tests.platforms.teams.world import Call, Conversation, Token, World

TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"


@dataclass
class Server(Loopback):
    """The core of the stand-in. `bot_url` is where the bot takes activities."""

    port: int = 0
    bot_url: str = ""
    app_id: str = "11111111-2222-3333-4444-555555555555"
    app_password: str = "app-secret"
    app_public_key: str = ""
    """In PEM; those who sign with its other half may log in as well."""
    tenant: str = TENANT
    bot_name: str = "icc-bot"
    anonymous: bool = False
    """True if no tokens are sent and none are demanded, as in Microsoft's playground."""
    answer_seconds: float = 15.0
    """Seconds that the bot may take to answer."""
    retries: tuple[float, ...] = (1.0, 5.0)
    """Seconds before each new try to deliver what was not taken."""
    copies: int = 1
    """The number of times that each activity is delivered, always with the same id."""
    limited: bool = False
    """True if calls above Teams' limits get 429; without, they are only counted in `limits.over`."""
    limits: Limits = field(default_factory=Limits)
    calls: list[Call] = field(default_factory=list)
    posts: Posts = field(default_factory=Posts)
    faults: list[str] = field(default_factory=list)
    """Faults that Teams would take without a word."""
    typing: list[str] = field(default_factory=list)
    """The ids of the conversations in which the bot showed that it types, once for each time."""
    toasts: list[str] = field(default_factory=list)
    """Sentences that answers to clicks told the clicker beside the card."""
    troubles: Troubles = field(default_factory=Troubles)
    keys: Keys = field(default_factory=Keys)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.world = World(self.tenant)
        self._authorization = ("", 0.0, "")
        team = "19:general@thread.tacv2"
        alex = self.world.person("alex", "Alex Wilber", "alex@example.com")
        for id_, kind, name in (
            (team, "channel", "General"),
            ("19:sales@thread.tacv2", "channel", "sales"),
            ("19:board@thread.v2", "groupChat", "board"),
        ):
            self.world.add(Conversation(id_, kind, name, self.tenant, team if kind == "channel" else "", [alex]))

    @property
    def bot_id(self) -> str:
        """The bot's account in Teams."""
        return f"28:{self.app_id}"

    @property
    def service_url(self) -> str:
        """The address of the connector, as activities name it."""
        return f"{self.root}{REGION}/"

    @property
    def login_url(self) -> str:
        """The address in place of https://login.microsoftonline.com."""
        return self.root

    @property
    def openid_url(self) -> str:
        """The address of the metadata that lead to the keys."""
        return f"{self.root}{OPENID}"

    def _application(self) -> web.Application:
        return application(self)

    def authorization(self) -> str:
        """Return the header with which activities are sent; one token is used for some minutes."""
        now = self.world.clock()
        kid, made, header = self._authorization
        if kid != self.keys.kid or now - made > 300:
            header = f"Bearer {self.keys.token({'aud': self.app_id, 'serviceurl': self.service_url})}"
            self._authorization = (self.keys.kid, now, header)
        return header

    def knows(self, header: str) -> bool:
        """Return whether a header holds a token that the login handed out and that has not expired."""
        scheme, _, value = header.partition(" ")
        return scheme == "Bearer" and any(
            each.value == value and each.expires > self.world.now() for each in self.world.tokens
        )

    @property
    def tokens(self) -> list[Token]:
        """The tokens that the login gave, in order."""
        with self.lock:
            return list(self.world.tokens)

    def send(self, activity: dict[str, Any], then: Callable[[Post], None] | None = None) -> Post:
        """Deliver an activity to the bot and return at once; the first copy is returned."""
        made = [Post(activity, then) for _ in range(self.copies)]
        with self.lock:
            self.posts.extend(made)
        for post in made:
            self._loop.call_soon_threadsafe(self._start, post)
        return made[0]

    def _start(self, post: Post) -> None:
        task = self._loop.create_task(deliver(self, post))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
