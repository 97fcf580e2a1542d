"""People write, and they and the bot come and go."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.teams.activities import account, activity, installation, membership, quoting, stamp, typed
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.server import Server
from tests.platforms.teams.world import Conversation, Message, Person

Place = Conversation | str
"""A conversation, its id or name, or the key of the person whose personal chat is meant."""
Who = Person | str


@dataclass
class Talking(Server):
    """People's side of a talk. Nothing here waits for the bot."""

    def person(self, who: Who = "alex", name: str = "", email: str = "", tenant: str = "") -> Person:
        """Return somebody, who is made up if need be."""
        with self.lock:
            return who if isinstance(who, Person) else self.world.person(who, name, email, tenant)

    def conversation(self, where: Place) -> Conversation:
        """Return a conversation by its id, its name, or the key of the person whose personal chat it is."""
        if isinstance(where, Conversation):
            return where
        with self.lock:
            held = self.world.conversations
            named = next((each for each in held.values() if each.name == where), None)
            return held.get(where) or named or self.world.personal(self.world.person(where))

    def channel(self, name: str, bot: bool = True, tenant: str = "") -> Conversation:
        """Make a channel of the team."""
        team = "19:general@thread.tacv2"
        made = Conversation(f"19:{name}@thread.tacv2", "channel", name, tenant or self.tenant, team, bot=bot)
        with self.lock:
            return self.world.add(made)

    def group(self, name: str, bot: bool = True, tenant: str = "") -> Conversation:
        """Make a group chat."""
        made = Conversation(f"19:{name}@thread.v2", "groupChat", name, tenant or self.tenant, bot=bot)
        with self.lock:
            return self.world.add(made)

    def say(
        self,
        where: Place,
        text: str,
        user: Who = "",
        mention: bool = True,
        thread: Message | str | None = None,
        also: tuple[Who, ...] = (),
        quotes: tuple[Message, ...] = (),
        **more: Any,
    ) -> Message:
        """Write into a conversation: a new post, or under the one that `thread` is or stands under.

        In channels and group chats the bot is only told if it is mentioned; `also` are mentioned too. `more` replaces
        fields of the activity. `quotes` are the messages that it replies to with a quote.
        """
        place = self.conversation(where)
        writer = self.person(user or (place.members[0] if place.kind == "personal" else "alex"))
        others = tuple(self.person(each) for each in also)
        named = mention and place.kind != "personal"
        with self.lock:
            self._enter(place, writer)
            id_ = self.world.message_id()
            root = thread.root if isinstance(thread, Message) else thread
            message = Message(id_, place, {}, writer.key, (root or id_) if place.kind == "channel" else "")
            message.activity = quoting(typed(self, message, writer, text, named, others), quotes) | more
            place.messages[id_] = message
            self.lock.notify_all()
        if place.bot and (named or place.kind == "personal"):
            self.send(message.activity)
        return message

    def _enter(self, place: Conversation, person: Person) -> None:
        """Make somebody a member; who is in a channel is in its team, which is its first channel."""
        for each in (place, self.world.conversations.get(place.team)):
            if each is not None and person not in each.members:
                each.members.append(person)

    def edit(self, message: Message, text: str) -> Post:
        """Let its author change a message; the bot is told of it as an update."""
        with self.lock:
            named = f"<at>{self.bot_name}</at>" in message.text
            message.edits.append(message.activity)
            made = typed(self, message, self.person(message.by), text, named, ())
            made["channelData"] |= {"eventType": "editMessage"}
            message.activity = made | {"type": "messageUpdate"}
        return self.send(message.activity)

    def remove(self, message: Message) -> Post:
        """Let its author take a message back."""
        with self.lock:
            message.deleted = True
            who = self.person(message.by)
            told = activity(self, "messageDelete", message.conversation, who, message.root, id=message.id)
            told["channelData"] |= {"eventType": "softDeleteMessage"}
        return self.send(told)

    def install(self, where: Place, user: Who = "alex") -> list[Post]:
        """Add the app to a conversation: the bot is told of the installation and of itself as a member."""
        place, person = self.conversation(where), self.person(user)
        place.bot = True
        members = [{"id": self.bot_id}]
        if place.kind == "personal":
            members.insert(0, {"id": person.id, "aadObjectId": person.aad})
        told = [
            installation(self, "add", place, person),
            membership(self, place, person, "membersAdded", members),
        ]
        return [self.send(each) for each in told]

    def uninstall(self, where: Place, user: Who = "alex") -> list[Post]:
        """Remove the app from a conversation: the bot is told, and its calls are refused from now on."""
        place, person = self.conversation(where), self.person(user)
        place.bot = False
        told = [installation(self, "remove", place, person)]
        if place.kind != "personal":
            told.append(membership(self, place, person, "membersRemoved", [{"id": self.bot_id}]))
        return [self.send(each) for each in told]

    def join(self, where: Place, *users: Who) -> Post:
        """Take people into a conversation."""
        place, people = self.conversation(where), [self.person(each) for each in users]
        with self.lock:
            for each in people:
                self._enter(place, each)
        return self.send(membership(self, place, people[0], "membersAdded", [account(each) for each in people]))

    def redeliver(self, post: Post, later: bool = False) -> Post:
        """Deliver something once more, with the same id; with `later`, under a new timestamp."""
        more = {"timestamp": stamp(self.world.now() + 1)} if later else {}
        return self.send(post.activity | more, post.then)
