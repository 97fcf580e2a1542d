"""How the core says something: whoever cannot hear it does not hold it up."""

import logging
from collections.abc import Callable

from router.cards import Reply

log = logging.getLogger("icc_bot")

Post = Callable[[Reply], None]


def surely(post: Post) -> Post:
    """Return what posts the same, and logs what cannot be posted."""

    def posted(reply: Reply) -> None:
        try:
            post(reply)
        except Exception:
            log.exception("a reply could not be posted")

    return posted
