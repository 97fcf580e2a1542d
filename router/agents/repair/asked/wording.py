"""Words of a question and of a name, told alike."""

from router.catalog.personal import split_words


def words(text: str) -> frozenset[str]:
    """Return the words of a text or a name in lower case, without their plural."""
    return frozenset(word.lower().removesuffix("s") for word in split_words(text))


def is_said(word: str, said: frozenset[str]) -> bool:
    """Tell whether a word is among those said, or a longer one begins as one of them does."""
    return any(word == each or (len(word) > 3 and len(each) > 3 and word[:4] == each[:4]) for each in said)
