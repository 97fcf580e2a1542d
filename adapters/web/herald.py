"""News on the page: in the thread that it belongs to, whoever looks at it."""

from adapters.bridge import Bridge
from adapters.web.talks import Talks
from router.herald import Announcement
from router.memory import ThreadKey, User


class PageHerald:
    """Tells people on the page what they did not ask for just now."""

    def __init__(self, talks: Talks, bridge: Bridge) -> None:
        self._talks, self._bridge = talks, bridge

    def known(self, key: ThreadKey, user: User) -> User:
        """Return the person as they were: the page asks nobody who somebody is."""
        return user

    def tell(self, news: Announcement) -> None:
        """Show news in its thread."""
        self._bridge.call(self._talks.announce(news))

    def link(self, key: ThreadKey) -> str:
        """Return nothing: nobody but its owner can look at a thread of the page."""
        return ""

    def told(self, news: Announcement) -> bool | None:
        """Tell whether the thread has these rows."""
        return self._bridge.call(self._talks.announced(news))
