"""One call of the Web API on its way through a method, and the refusal that ends it."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.platforms.slack.kit.payload import message_problems
from tests.platforms.slack.world import HISTORY, Channel, Message, Team, World

if TYPE_CHECKING:
    from tests.platforms.slack.server import Server

READ = {"channel": "channels:read", "group": "groups:read", "im": "im:read", "mpim": "mpim:read"}


class Refused(Exception):
    """The call is answered with ok: false, this error, and what else is told."""

    def __init__(self, error: str, problems: list[str] | None = None, **more: Any) -> None:
        super().__init__(error)
        metadata = {"response_metadata": {"messages": problems}} if problems else {}
        self.answer = {"ok": False, "error": error, **more, **metadata}


@dataclass
class Request:
    """A call of a method: the arguments, whose bot it is, and the stand-in."""

    slack: "Server"
    method: str
    args: dict[str, Any]
    token: str
    _team: Team | None = None
    warnings: list[str] = field(default_factory=list)

    @property
    def team_id(self) -> str:
        """Return the id of that team; "" for calls without one."""
        return "" if self._team is None else self._team.id

    @property
    def scopes(self) -> str:
        """Return the token's scopes, as the header of every answer names them."""
        return "" if self._team is None else ",".join(sorted(self._team.scopes))

    def authenticate(self) -> None:
        """Find the team whose bot's token this is."""
        if not self.token:
            raise Refused("not_authed")
        self._team = self.world.team_of(self.token)
        if self._team is None:
            known = any(team.token == self.token for team in self.world.teams.values())
            raise Refused("account_inactive" if known else "invalid_auth")

    @property
    def world(self) -> World:
        """Return what the stand-in remembers."""
        return self.slack.world

    @property
    def team(self) -> Team:
        """Return the team whose bot calls; not_authed for methods that need none."""
        if self._team is None:
            raise Refused("not_authed")
        return self._team

    def text(self, name: str) -> str:
        """Return an argument that is text; "" if it is missing."""
        value = self.args.get(name)
        if value is not None and not isinstance(value, str):
            raise Refused("invalid_arguments", [f"[ERROR] must provide a string [json-pointer:/{name}]"])
        return value or ""

    def fault(self, what: str) -> None:
        """Note something that Slack does not refuse and that is wrong all the same."""
        self.slack.note(f"{self.method}: {what}")

    def need(self, *scopes: str) -> None:
        """Demand that the token has one of these scopes."""
        if not self.team.scopes.intersection(scopes):
            raise Refused("missing_scope", needed=scopes[0], provided=",".join(sorted(self.team.scopes)))

    def channel(self, name: str = "channel", opens: bool = False, joined: bool = True) -> Channel:
        """Return the channel that is meant, which the bot can see; with `opens`, a person's id means the DM."""
        given = self.text(name)
        found = self.world.channels.get(given)
        if found is None and opens:
            person = self.world.people.get(given)
            if person is not None and person.team == self.team.id and not person.bot:
                return self.world.direct(given)
            found = next((each for each in self.world.channels.values() if f"#{each.name}" == given), None)
        inside = found is not None and self.team.bot_user in found.members
        if found is None or found.team != self.team.id or (found.kind != "channel" and not inside):
            raise Refused("channel_not_found")
        if joined and not inside:
            raise Refused("not_in_channel")
        return found

    def thread(self, channel: Channel, name: str = "thread_ts") -> str | None:
        """Return the thread that is meant, if any; its root has to exist."""
        ts = self.text(name)
        if not ts:
            return None
        root = self.world.find(channel.id, ts)
        if root is None:
            raise Refused("thread_not_found")
        if root.thread and root.thread != ts:
            self.fault(f"{name} is that of a reply; it has to be the first message of the thread")
            return root.thread
        return ts

    def blocks(self) -> list[dict[str, Any]]:
        """Return the blocks, which are sound."""
        blocks = self.args.get("blocks")
        if blocks is None:
            return []
        error, problems = message_problems(blocks)
        if error:
            raise Refused(error, problems)
        return list(blocks)

    def history(self, channel: Channel) -> None:
        """Demand the scope that reads this kind of channel."""
        self.need(HISTORY[channel.kind])

    def read(self, channel: Channel) -> None:
        """Demand the scope that sees this kind of channel."""
        self.need(READ[channel.kind])

    def own(self, channel: Channel, error: str) -> Message:
        """Return the message that is meant, which the bot wrote; otherwise the error."""
        message = self.world.find(channel.id, self.text("ts"))
        if message is None:
            raise Refused("message_not_found")
        if message.user != self.team.bot_user:
            raise Refused(error)
        return message
