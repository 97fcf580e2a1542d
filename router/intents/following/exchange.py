"""One thing in place of another: "the amount instead of the number", "weekly rather than daily"."""

import re

from router.catalog.stems import stem

_INSTEAD = re.compile(
    r"(?P<new>.+?)(?:,? (?:instead of|rather than|in place of|statt|anstatt|anstelle von|au lieu d[eu]|plutôt que"
    r"|en lugar de|en vez de)|, (?:and )?(?:not|nicht|pas|no)) (?P<old>.+)",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"(?:not (?P<en>.+?),? but|nicht (?P<de>.+?),? sondern|pas (?P<fr>.+?),? mais|no (?P<es>.+?),? sino) (?P<new>.+)",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:the|a|by|per|for|in|from|der|die|das|den|des|dem|le|la|les|el|los|las|of) ", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


def exchange_in(text: str) -> tuple[str, str] | None:
    """Return what a message wants, and in place of what."""
    if match := _INSTEAD.fullmatch(text):
        return match["new"], match["old"]
    match = _BUT.fullmatch(text)
    return (match["new"], next(old for old in match.group("en", "de", "fr", "es") if old)) if match else None


def exchanged(body: str, new: str, old: str) -> str:
    """Return the question with the new words in place of the old ones; "" where it has not got these."""
    bare = _FIRST.sub("", old)
    wanted = [stem(word) for word in _WORD.findall(bare)]
    found = list(_WORD.finditer(body))
    for at in range(len(found) - len(wanted) + 1 if wanted else 0):
        span = found[at : at + len(wanted)]
        if [stem(word[0]) for word in span] == wanted:
            words = _FIRST.sub("", new) if _FIRST.match(old) or not _FIRST.match(new) else new
            word = words.split(" ", 1)[0].lower()
            if body[: span[0].start()].lower().endswith(f" {word} "):
                words = words[len(word) + 1 :]
            return f"{body[: span[0].start()]}{_like(span[0][0], words)}{body[span[-1].end() :]}"
    return ""


def _like(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() and not new.isupper() else new
