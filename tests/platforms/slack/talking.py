"""People write and open, and are added."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.delivery import Delivery
from tests.platforms.slack.payloads import buried, changed, deleted, escaped, message_json, place, view_json, who
from tests.platforms.slack.server import Server
from tests.platforms.slack.world import SCOPES, Channel, File, Message, Person, Team


@dataclass
class Talking(Server):
    """People's side of a talk. Nothing here waits for the app."""

    def team(self, team_id: str, name: str = "", token: str = "", scopes: frozenset[str] = SCOPES) -> Team:
        """Install the app in one more team and return it."""
        with self.lock:
            return self.install(team_id, name or team_id, token, scopes)

    def code(self, team_id: str) -> str:
        """Return an OAuth code, as Slack hands it to the redirect URL; it is exchanged for the team's token."""
        with self.lock:
            code = self.world.new_id("code")
            self.world.codes[code] = team_id
            return code

    def user(self, user_id: str, name: str = "", email: str = "", team: str = "T1") -> Person:
        """Let somebody join a team, or return who has."""
        with self.lock:
            person = self.world.people.get(user_id)
            if person is None or name or email:
                person = self.world.people[user_id] = Person(user_id, name or f"person {user_id}", team, email)
            return person

    def channel(
        self, channel_id: str, name: str = "", kind: str = "channel", bot: bool = True, team: str = "T1"
    ) -> Channel:
        """Make a channel (kind: channel, group or mpim), with the bot in it or not."""
        members = {self.world.teams[team].bot_user} if bot else set()
        with self.lock:
            return self.world.add(Channel(channel_id, name or channel_id.lower(), team, kind, members))

    def invite(self, channel_id: str) -> None:
        """Take the bot into a channel."""
        channel = self.world.channels[channel_id]
        channel.members.add(self.world.teams[channel.team].bot_user)

    def kick(self, channel_id: str) -> None:
        """Take the bot out of a channel."""
        channel = self.world.channels[channel_id]
        channel.members.discard(self.world.teams[channel.team].bot_user)

    def say(
        self,
        channel: str,
        text: str,
        user: str = "U1",
        thread: str | Message | None = None,
        mention: bool = False,
        file: str = "",
    ) -> Message:
        """Write into a channel or, with the id of a DM, to the bot; with `mention` the bot is named first.

        With the name of a `file`, one comes along.
        """
        with self.lock:
            place_ = self.world.channels[channel]
            team = self.world.teams[place_.team]
            self.user(user, team=place_.team)
            place_.members.add(user)
            root = thread.thread or thread.ts if isinstance(thread, Message) else thread
            plain = escaped(text)
            shown = f"<@{team.bot_user}> {plain}" if mention else plain
            pieces: list[dict[str, Any]] = [{"type": "text", "text": f" {text}" if mention else text}]
            if mention:
                pieces.insert(0, {"type": "user", "user_id": team.bot_user})
            blocks = [self._rich(pieces)] if text or mention else []
            message = Message(channel, self.world.ts(), user, shown, blocks, team.id, root)
            if file:
                message.files.append(File(self.world.new_id("F"), file, 1, team.id, b"x", file, channel, root, True))
            place_.messages[message.ts] = message
            self.tell_said(place_, message)
            self.lock.notify_all()
            return message

    def _rich(self, pieces: list[dict[str, Any]]) -> dict[str, Any]:
        section = {"type": "rich_text_section", "elements": pieces}
        return {"type": "rich_text", "block_id": self.world.new_id("b"), "elements": [section]}

    def dm(self, user: str, text: str, thread: str | Message | None = None, file: str = "") -> Message:
        """Write to the bot; without a thread it is a message of its own, which has no thread_ts."""
        self.user(user)
        with self.lock:
            channel = self.world.direct(user)
        return self.say(channel.id, text, user, thread, file=file)

    def edit(self, message: Message, text: str) -> None:
        """Let its author change a message."""
        with self.lock:
            channel = self.world.channels[message.channel]
            before = message_json(message)
            message.edits.append((message.text, message.blocks))
            bot = self.world.teams[message.team].bot_user
            named = f"<@{bot}> " if before["text"].startswith(f"<@{bot}>") else ""  # a mention stays where it is
            message.text, message.edited = named + escaped(text), self.world.ts()
            mention = [{"type": "user", "user_id": bot}] if named else []
            message.blocks = [self._rich([*mention, {"type": "text", "text": text}])]
            self.tell_message(channel, changed(self.world, message, before, channel))

    def preview(self, message: Message) -> None:
        """Add the preview of a link to a message, which is told like a change of it."""
        with self.lock:
            channel = self.world.channels[message.channel]
            shown = message_json(message)
            event = changed(self.world, message, shown, channel)
            event["message"] = shown | {"attachments": [{"title": "A page", "from_url": "https://example.com"}]}
            self.tell_message(channel, event)

    def remove(self, message: Message) -> None:
        """Let its author take a message back; with replies below it, a tombstone stays."""
        with self.lock:
            channel = self.world.channels[message.channel]
            message.deleted = True
            replied = any(each.thread == message.ts and not each.deleted for each in channel.messages.values())
            self.tell_message(channel, (buried if replied else deleted)(self.world, message, channel))

    def redeliver(self, delivery: Delivery) -> Delivery:
        """Deliver something once more, with the same event_id, as Slack does when it missed the acknowledgement."""
        return self.send(delivery.kind, delivery.payload)

    def command(self, name: str, text: str = "", user: str = "U1", channel: str = "C1") -> Delivery:
        """Type a slash command; what the app acknowledges it with is shown to the person alone."""
        person = self.user(user)
        with self.lock:
            self.world.channels[channel].members.add(user)  # nobody else can type there
            place_ = place(self.world.channels[channel])
            url = self.world.response_url(channel, user, person.team)
            payload = {
                "token": "verification-token",
                "team_id": person.team,
                "team_domain": self.world.teams[person.team].name.lower(),
                "channel_id": channel,
                "channel_name": place_["name"],
                "user_id": user,
                "user_name": person.name.lower(),
                "command": name,
                "text": escaped(text),
                "api_app_id": who(self.world, person)["api_app_id"],
                "is_enterprise_install": "false",
                "response_url": f"{self.root}{url}",
                "trigger_id": self.world.trigger(user, person.team),
            }
        return self.send("command", payload)

    def shortcut(self, callback_id: str, message: Message | None = None, user: str = "U1") -> Delivery:
        """Use a shortcut: that of a message's menu, or the one that stands everywhere."""
        person = self.user(user)
        with self.lock:
            payload = {
                **who(self.world, person),
                "type": "shortcut" if message is None else "message_action",
                "callback_id": callback_id,
                "action_ts": self.world.ts(),
                "trigger_id": self.world.trigger(user, person.team),
            }
            if message is not None:
                url = self.world.response_url(message.channel, user, person.team, message)
                payload |= {
                    "channel": place(self.world.channels[message.channel]),
                    "message": message_json(message),
                    "message_ts": message.ts,
                    "response_url": f"{self.root}{url}",
                }
        return self.send("interaction", payload)

    def open_home(self, user: str = "U1") -> Delivery | None:
        """Look at the app's Home tab."""
        return self._opened(user, "home")

    def open_messages_tab(self, user: str = "U1") -> Delivery | None:
        """Look at the talk with the app."""
        return self._opened(user, "messages")

    def _opened(self, user: str, tab: str) -> Delivery | None:
        person = self.user(user)
        with self.lock:
            channel = self.world.direct(user)
            inner = {"type": "app_home_opened", "user": user, "channel": channel.id, "tab": tab}
            inner["event_ts"] = self.world.ts()
            home = self.world.homes.get(user)
            shown = {"view": view_json(home)} if home is not None and tab == "home" else {}
            return self.emit(self.world.teams[person.team], "app_home_opened", {**inner, **shown})

    def stop_session(self, channel: str, thread: str | Message, user: str = "U1") -> Delivery | None:
        """Press the stop button that stands beside the work of an agent."""
        person = self.user(user)
        root = thread.thread or thread.ts if isinstance(thread, Message) else thread
        with self.lock:
            inner = {
                "type": "agent_session_stopped",
                "channel": channel,
                "thread_ts": root,
                "user": user,
                "streaming_message_ts": [],
                "event_ts": self.world.ts(),
            }
            return self.emit(self.world.teams[person.team], "agent_session_stopped", inner)

    def uninstall(self, team: str = "T1") -> list[Delivery]:
        """Take the app out of a team: its token ends and the app is told."""
        with self.lock:
            return self.end_install(self.world.teams[team])
