"""What a test reads and waits for."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from tests.platforms.teams.cards import words_of
from tests.platforms.teams.delivery import Post
from tests.platforms.teams.talking import Place, Talking
from tests.platforms.teams.world import Call, File, Message, Stream

T = TypeVar("T")
GLANCE = 0.01
"""Seconds after which a condition is looked at again although nothing happened here."""


def shown(message: Message, user: str = "") -> str:
    """Return all that is read in a message: its text and its cards, as one person sees them or as all do."""
    card = message.seen.get(user)
    names = [str(each["name"]) for each in message.attachments if each.get("name")]
    return "\n".join(filter(None, [message.text, words_of([card] if card else message.cards), *names]))


@dataclass
class Looking(Talking):
    """The reading side."""

    @property
    def streams(self) -> list[Stream]:
        """The messages that were written little by little, in order."""
        with self.lock:
            return list(self.world.streams)

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

    def wait(self, condition: Callable[[], T], seconds: float = 10.0) -> T:
        """Return what the condition returns, as soon as that is true.

        It is asked whenever something happened here, and now and then for what happens elsewhere. Blocks: a test in
        whose loop the bot runs says `await teams.awaited.wait(...)`.
        """
        with self.lock:
            until = time.monotonic() + seconds
            while not (found := condition()):
                if time.monotonic() > until:
                    raise TimeoutError(f"it did not happen within {seconds} s; {self._seen()}")
                self.lock.wait(GLANCE)
            return found

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
        seconds: float = 10.0,
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

    def wait_calls(self, method: str, count: int = 1, seconds: float = 10.0) -> list[Call]:
        """Return the calls of a method, once there are so many."""
        self.wait(lambda: len(self.asked(method)) >= count, seconds)
        return self.asked(method)

    def wait_posted(self, post: Post | None = None, seconds: float = 20.0) -> list[Post]:
        """Return everything that was delivered, once this post, or all of it, is taken or given up."""
        self.wait(lambda: all(each.over.is_set() for each in ([post] if post else self.posts)), seconds)
        return list(self.posts)

    @property
    def awaited(self) -> "Awaited":
        """The same methods as coroutines: `await teams.awaited.wait_message("sales")`."""
        return Awaited(self)


@dataclass(frozen=True, slots=True)
class Awaited:
    """Runs each method of the stand-in in a thread, so that the loop of the test goes on."""

    _of: Looking

    def __getattr__(self, name: str) -> Callable[..., Coroutine[Any, Any, Any]]:
        method = getattr(self._of, name)

        def run(*args: Any, **kwargs: Any) -> Coroutine[Any, Any, Any]:
            return asyncio.to_thread(method, *args, **kwargs)

        return run
