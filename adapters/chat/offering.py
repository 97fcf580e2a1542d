"""The offer to keep an answer as an example, for whoever found it good and may."""

from adapters.chat.surface import Heard
from router.keeping import OFFER
from router.memory import ThreadKey, User
from router.turn import Pressed


def offer_example(key: ThreadKey, user: User, result: str, shared: bool) -> Heard:
    """Return what has the core offer it, once for each person and answer."""
    return Heard(key, user, Pressed(f"{OFFER}{result}", 0), event=f"example {user.id} {result}", shared=shared)
