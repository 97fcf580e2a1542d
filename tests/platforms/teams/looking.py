"""Reads of the stand-in, and waits, for tests."""

from dataclasses import dataclass

from tests.platforms.teams.cards.words import words_of
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.talking import Place, Talking
from tests.platforms.teams.world import Call, File, Message


def shown(message: Message, user: str = "") -> str:
    """Return all that is read in a message: its text and its cards, as one person sees them or as all do."""
    card = message.seen.get(user)
    names = [str(each["name"]) for each in message.attachments if each.get("name")]
    return "\n".join(filter(None, [message.text, words_of([card] if card else message.cards), *names]))


@dataclass
class Looking(Talking):
    """The reading side."""

    @property
    def files(self) -> list[File]:
        """The files that somebody agreed to get and that are there, in order."""
        with self.lock:
            return [each for each in self.world.files.values() if each.uploaded]

    @property
    def refused(self) -> list[Call]:
        """The calls that were not done, without those that went wrong because a test wanted it."""
        with self.lock:
            return [call for call in self.calls if not call.ok and not call.asked]

    def messages(self, where: Place, thread: Message | str | None = None, by: str = "") -> list[Message]:
        """Return what stands in a conversation, in order: of one thread with its post, or by one person or `bot`."""
        root = thread.root if isinstance(thread, Message) else thread
        place = self.conversation(where)
        with self.lock:
            held = [each for each in place.messages.values() if not each.deleted and by in ("", each.by)]
        return [each for each in held if root is None or each.root == root]

    def asked(self, method: str) -> list[Call]:
        """Return the calls of one method: send, reply, update, delete, create, members, member, paged, token..."""
        with self.lock:
            return [call for call in self.calls if call.method == method]

    def _seen(self) -> str:
        said = [f"{each.conversation.name} {shown(each)!r}" for each in self._bots()[-5:]]
        refused = [(call.method, call.status, call.answer) for call in self.refused[-3:]]
        failed = [(post.type, post.attempts) for post in self.posts[-3:] if not post.ok]
        return f"last said: {said}; refused: {refused}; faults: {self.faults[-3:]}; not taken: {failed}"

    def _bots(self) -> list[Message]:
        held = [each for place in self.world.conversations.values() for each in place.messages.values()]
        return sorted((each for each in held if each.from_bot and not each.deleted), key=lambda each: int(each.id))

    def wait_message(
        self,
        where: Place = "",
        contains: str = "",
        thread: Message | str | None = None,
        seconds: float = 60.0,
        after: Message | None = None,
        user: str = "",
    ) -> Message:
        """Return the bot's newest message that shows these words, in its text or its cards, once there is one.

        With `user`, in the cards that this person sees.
        """

        def newest() -> Message | None:
            held = self.messages(where, thread, "bot") if where else self._bots()
            for each in reversed(held):
                if (after is None or int(each.id) > int(after.id)) and contains in shown(each, user):
                    return each
            return None

        found = self.wait(newest, seconds)
        assert found is not None
        return found

    def wait_calls(self, method: str, count: int = 1, seconds: float = 60.0) -> list[Call]:
        """Return the calls of a method, once there are so many."""
        self.wait(lambda: len(self.asked(method)) >= count, seconds)
        return self.asked(method)

    def wait_posted(self, post: Post | None = None, seconds: float = 60.0) -> list[Post]:
        """Return everything that was delivered, once this post, or all of it, is taken or given up."""
        self.wait(lambda: all(each.over.is_set() for each in ([post] if post else self.posts)), seconds)
        return list(self.posts)
