"""What was shown to be decided, whatever else is asked."""

from dataclasses import dataclass

from router.cards import Option


@dataclass(frozen=True, slots=True)
class Offer:
    """The lasting buttons that were shown last: words that `by` types answer them."""

    by: str
    options: tuple[Option, ...]
