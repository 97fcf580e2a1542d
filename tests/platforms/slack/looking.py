"""Reads of the stand-in, and waits, for tests."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.server import Server
from tests.platforms.slack.world import Call, File, Message, Person, Team, View


def words_of(value: Any) -> str:
    """Return all that a person reads in blocks, line by line."""
    if isinstance(value, list):
        return "\n".join(filter(None, (words_of(each) for each in value)))
    if not isinstance(value, dict):
        return ""
    own = [value[name] for name in ("text", "title", "caption", "label", "name") if isinstance(value.get(name), str)]
    return "\n".join([*own, *filter(None, (words_of(each) for each in value.values()))])


@dataclass
class Looking(Server):
    """The reading side."""

    @property
    def url(self) -> str:
        """The base_url of a client of the Web API."""
        return f"{self.root}/api/"

    @property
    def team_id(self) -> str:
        """The first team."""
        return "T1"

    @property
    def bot_token(self) -> str:
        """The bot's token in the first team."""
        return self.world.teams["T1"].token

    @property
    def bot_user(self) -> str:
        """The bot's user id in the first team."""
        return self.world.teams["T1"].bot_user

    @property
    def scopes(self) -> set[str]:
        """The scopes of the bot's token in the first team; may be changed."""
        return self.world.teams["T1"].scopes

    @scopes.setter
    def scopes(self, scopes: set[str]) -> None:
        self.world.teams["T1"].scopes = scopes

    @property
    def people(self) -> dict[str, Person]:
        """Everybody, by id."""
        return self.world.people

    @property
    def teams(self) -> dict[str, Team]:
        """All teams, by id."""
        return self.world.teams

    @property
    def views(self) -> list[View]:
        """The open modals, the one on top last."""
        with self.lock:
            return [view for view in self.world.views.values() if view.open]

    @property
    def files(self) -> list[File]:
        """The files that were shared, in order."""
        with self.lock:
            return [file for file in self.world.files.values() if file.shared]

    @property
    def refused(self) -> list[Call]:
        """The calls that Slack did not do, without those that went wrong because a test wanted it."""
        with self.lock:
            return [call for call in self.calls if not call.ok and not call.asked]

    def home(self, user: str) -> View | None:
        """Return what a person sees in the Home tab; None if nothing was published."""
        return self.world.homes.get(user)

    def messages(self, channel: str, thread: "str | Message | None" = None, by: str = "") -> list[Message]:
        """Return what stands in a channel, in order: of one thread with its first message, or of one user.

        A person's id stands for the DM with that person.
        """
        root = thread.thread or thread.ts if isinstance(thread, Message) else thread
        with self.lock:
            place = self.world.direct(channel) if channel in self.world.people else self.world.channels[channel]
            seen = [each for each in place.messages.values() if not each.deleted and by in ("", each.user)]
        return [each for each in seen if root is None or root in (each.thread, each.ts)]

    def asked(self, method: str) -> list[Call]:
        """Return the calls of one method."""
        with self.lock:
            return [call for call in self.calls if call.method == method]

    def _seen(self) -> str:
        said = [f"{each.channel} {words_of(each.blocks) or each.text!r}" for each in self._bots()[-5:]]
        refused = [(call.method, call.answer) for call in self.refused[-3:]]
        return f"last said: {said}; refused: {refused}; faults: {self.faults[-3:]}"

    def _bots(self) -> list[Message]:
        held = [each for channel in self.world.channels.values() for each in channel.messages.values()]
        return sorted((each for each in held if each.bot_id and not each.deleted), key=lambda each: each.ts)

    def wait_message(
        self,
        channel: str = "",
        contains: str = "",
        thread: "str | Message | None" = None,
        seconds: float = 60.0,
        after: "Message | None" = None,
    ) -> Message:
        """Return a bot's newest message that shows these words, in its text or blocks, once there is one."""

        def newest() -> Message | None:
            held = [each for each in self.messages(channel, thread) if each.bot_id] if channel else self._bots()
            for each in reversed(held):
                if (after is None or each.ts > after.ts) and contains in f"{each.text}\n{words_of(each.blocks)}":
                    return each
            return None

        found = self.wait(newest, seconds)
        assert found is not None
        return found

    def wait_view(self, title: str = "", seconds: float = 60.0) -> View:
        """Return the modal on top with this title, once it is open."""
        return self.wait(lambda: [view for view in self.views if title in view.title], seconds)[-1]

    def wait_calls(self, method: str, count: int = 1, seconds: float = 60.0) -> list[Call]:
        """Return the calls of a method, once there are so many."""
        self.wait(lambda: len(self.asked(method)) >= count, seconds)
        return self.asked(method)

    def wait_delivered(self, seconds: float = 60.0) -> list[Delivery]:
        """Return everything that was delivered, once all of it is acknowledged or given up."""
        self.wait(lambda: all(delivery.over.is_set() for delivery in self.acks), seconds)
        return list(self.acks)

    def wait_socket(self, count: int = 1, seconds: float = 60.0) -> None:
        """Return when the app has so many sockets open."""
        self.wait(lambda: len(self.sockets.open) >= count, seconds)
