"""What a platform does for news that nobody asked for just now."""

from dataclasses import dataclass
from typing import Protocol

from router.cards import Reply
from router.memory import ThreadKey, User


@dataclass(frozen=True, slots=True)
class Announcement:
    """News for a thread, or for one person of it (`reply.to`); `id` is the same when it is told again.

    `user` is whom it is about; `shared`: others can read the thread.
    """

    id: str
    key: ThreadKey
    user: User
    shared: bool
    reply: Reply


class Herald(Protocol):
    """Tells people what they did not ask for just now; called by several threads, each of which waits."""

    def known(self, key: ThreadKey, user: User) -> User:
        """Return a person as their platform knows them now.

        Raises NotAllowed for whoever is not one of its people any more, JobFailed where that cannot be known.
        """

    def tell(self, news: Announcement) -> None:
        """Show news once nothing is said in its thread just now; what was asked there stays to be answered.

        Raises JobFailed where it was not shown, PutOff where the process ends before, Unsure where it may have been.
        """

    def link(self, key: ThreadKey) -> str:
        """Return an address under which others than its owner find a thread; empty where there is none."""

    def told(self, news: Announcement) -> bool | None:
        """Tell whether news of an earlier process is there; None where that cannot be known."""
