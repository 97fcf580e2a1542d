"""Words of a language as they are compared."""


def stem(word: str) -> str:
    """Return a word in lower case without its plural."""
    low = word.lower()
    return low[:-3] + "y" if low.endswith("ies") else low.removesuffix("s")
