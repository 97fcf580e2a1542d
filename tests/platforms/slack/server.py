"""The stand-in's life: its thread, its loop, what it holds, and how it tells the app of things."""

from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.platforms.loopback import Loopback
from tests.platforms.slack.api.talks import Prompts, Session, Status
from tests.platforms.slack.delivery import Deliveries, Delivery, deliver
from tests.platforms.slack.payloads import event, said
from tests.platforms.slack.sockets import Sockets
from tests.platforms.slack.troubles import Troubles
from tests.platforms.slack.web import application
from tests.platforms.slack.world import HISTORY, SCOPES, Call, Channel, Message, Person, Team, World

MESSAGE_EVENTS = {"channel": "message.channels", "group": "message.groups", "im": "message.im", "mpim": "message.mpim"}
EVENT_SCOPES = {
    "app_mention": "app_mentions:read",
    **{name: HISTORY[kind] for kind, name in MESSAGE_EVENTS.items()},
}
EVENTS = frozenset({*EVENT_SCOPES, "app_home_opened", "agent_session_stopped", "app_uninstalled", "tokens_revoked"})


@dataclass
class Server(Loopback):
    """The core of the stand-in. With a `request_url` it speaks HTTP to the app, without one Socket Mode."""

    port: int = 0
    request_url: str = ""
    ack_seconds: float = 3.0
    """Seconds that the app may take to acknowledge."""
    retries: tuple[float, ...] = (0.0, 60.0, 300.0)
    """Seconds before each new try to deliver an event that was not acknowledged."""
    copies: int = 1
    """The number of times that each event is delivered, always with the same event_id."""
    events: set[str] = field(default_factory=lambda: set(EVENTS))
    """The events that the app is subscribed to; message.im and app_mention also need their scopes."""
    signing_secret: str = "8f742231b10e8888abcd99yyyzzz85a5"
    app_token: str = "xapp-1-A0ICCBOT-stand-in"
    client_id: str = "111.222"
    client_secret: str = "client-secret"
    world: World = field(default_factory=World)
    calls: list[Call] = field(default_factory=list)
    acks: Deliveries = field(default_factory=Deliveries)
    faults: list[str] = field(default_factory=list)
    """Faults that Slack would only warn of, or not mention at all."""
    statuses: list[Status] = field(default_factory=list)
    sessions: dict[tuple[str, str], Session] = field(default_factory=dict)
    """The agent's sessions, by channel and thread."""
    prompts: list[Prompts] = field(default_factory=list)
    rapid_updates: list[str] = field(default_factory=list)
    """The ts of messages that were updated less than three seconds after the update before, once for each time."""
    troubles: Troubles = field(default_factory=Troubles)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sockets = Sockets(self.changed)
        self.install("T1", "Acme")
        self.world.add(Channel("C1", "sales", "T1", members={self.world.teams["T1"].bot_user}))

    def install(self, team_id: str, name: str, token: str = "", scopes: frozenset[str] = SCOPES) -> Team:
        """Install the app in a team, with a bot of its own."""
        tail = "" if team_id == "T1" else team_id
        team = Team(team_id, token or f"xoxb-{team_id}-stand-in", f"UBOT{tail}", f"B{team_id[1:]}", name, set(scopes))
        self.world.teams[team_id] = team
        self.world.people[team.bot_user] = Person(team.bot_user, "askdata", team_id, bot=True)
        return team

    def _application(self) -> web.Application:
        return application(self)

    async def _close(self) -> None:
        await self.sockets.close()
        await super()._close()

    def emit(self, team: Team, subscription: str, inner: dict[str, Any]) -> Delivery | None:
        """Send the app an event, if it is subscribed to it and its token has the scope."""
        scope = EVENT_SCOPES.get(subscription)
        if subscription not in self.events or (scope is not None and scope not in team.scopes):
            return None
        return self.send("event", event(self.world, team, inner), self.copies)

    def send(self, kind: str, payload: dict[str, Any], copies: int = 1) -> Delivery:
        """Deliver something to the app and return at once; the first copy is returned."""
        made = [Delivery(kind, payload) for _ in range(copies)]
        with self.lock:
            self.acks.extend(made)
        for delivery in made:
            self._loop.call_soon_threadsafe(self._start, delivery)
        return made[0]

    def _start(self, delivery: Delivery) -> None:
        task = self._loop.create_task(deliver(self, delivery))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def tell_said(self, channel: Channel, message: Message) -> Delivery | None:
        """Send the app a message: in a channel also as app_mention, if it names the bot; return what says more."""
        team = self.world.teams[channel.team]
        if team.bot_user not in channel.members:
            return None
        named = f"<@{team.bot_user}>" in message.text and channel.kind != "im" and message.user != team.bot_user
        mention = self.emit(team, "app_mention", said(message, channel, mention=True)) if named else None
        plain = self.tell_message(channel, said(message, channel))
        return mention or plain

    def tell_message(self, channel: Channel, inner: dict[str, Any]) -> Delivery | None:
        """Send the app an event of a message, if it may read the history of the channel."""
        return self.emit(self.world.teams[channel.team], MESSAGE_EVENTS[channel.kind], inner)

    def end_install(self, team: Team, uninstalled: bool = True) -> list[Delivery]:
        """Take the bot's token away and tell the app so."""
        team.installed = False
        revoked = {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [team.bot_user]}}
        told = [self.emit(team, "tokens_revoked", revoked)]
        if uninstalled:
            told.append(self.emit(team, "app_uninstalled", {"type": "app_uninstalled"}))
        return [each for each in told if each is not None]
