"""What the rules know of a database: the words of its names, and where its values are."""

from router.catalog.spelling import fold, folds, numbers
from router.catalog.values import ValueIndex
from router.intents.following.asked import Homes


def homes_in(index: ValueIndex) -> Homes:
    """Return what tells in which columns a text is a value; of values that nobody may be shown it knows nothing."""

    def homes(text: str) -> frozenset[str]:
        keys = {*folds(text), *numbers(fold(text))} if text.strip() else set()
        values = (value for key in keys for value in index.exactly(key) if value.shown)
        return frozenset(f"{value.table}.{value.column}".lower() for value in values)

    return homes
