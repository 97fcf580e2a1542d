"""Reads phrases that stand for a button, such as "yes, looks good to me" and "forget it"; in four languages.

A message stands for a button where nothing is in it but phrases of that button and fillers (see button_phrases.toml);
whoever cancels may give a reason behind it. So nobody says Yes by a longer sentence, whatever else is in that.
"""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.language.folding import unaccented

PHRASE_MAX_CHARS = 80
"""Characters of a message that may be such a phrase; a reason behind it counts, too."""

REASON_MAX_WORDS = 10

_GAP = r"[\s,.;:!…–—)(\"']*"
_REASON = re.compile(r"(?:[,.;:!–—-]+ ?|\s+(?:because|as|since|weil|da|car|parce que|porque) )(?P<reason>[^?]+)\Z")
_THANKS = re.compile(r"\b(?:thank\w*|thx|cheers|danke\w*|merci|gracias)\b")
_SPEAKER = re.compile(r"(?:i|we|it|he|she|they|that|this|ich|wir|es|er|sie|das|je|on|c|ca|nous|lo|ya|yo|no|mi|my)\b")
_WISH = re.compile(
    r"\b(?:want|need|like|show|give|send|use|instead|rather|please|will ich|mochte|brauche|lieber|veux|voudrais|plutot"
    r"|quiero|prefiero|mejor)\b"
)

_BESIDES = {"edit": ("wait", "no"), "cancel": ("wait", "no")}
"""What may stand beside the phrases of a button: "wait, let me fix it", "nope, changed my mind"."""

PHRASED = ("cancel", "no", "back", "again", "edit", "yes")
"""The buttons that phrases stand for; where a phrase fits several, the one that does least goes first."""

_BESIDES_YES = {"email": "send", "write": "write", "compare": "compare"}
"""The phrases that mean Yes too, where this button is offered besides it."""


def phrase_of(text: str, words: tuple[str, ...]) -> str | None:
    """Return which of these buttons a message stands for, or None."""
    if len(text) > PHRASE_MAX_CHARS or text.rstrip().endswith("?"):
        return None
    plain = _plain(text)
    if "\n" in text.strip():  # nobody says Yes in several lines
        words = tuple(word for word in words if word != "yes")
    for word in PHRASED:
        if word == "cancel" in words and _only(plain, ("cancel", "no")) and _patterns(("cancel",), ())[1].search(plain):
            return word
        besides = tuple(kind for button, kind in _BESIDES_YES.items() if word == "yes" and button in words)
        if word in words and _only(plain, (word, *besides), _BESIDES.get(word, ())):
            return word
        if word == "yes" and word in words and not _THANKS.search(plain) and _only(plain, (word, *besides, "praise")):
            return word
    if "cancel" in words and (behind := _REASON.search(plain)):
        reason = behind["reason"]
        gives_one = len(reason.split()) <= REASON_MAX_WORDS and _SPEAKER.match(reason) and not _WISH.search(reason)
        return "cancel" if gives_one and _only(plain[: behind.start()], ("cancel",)) else None
    return None


def waits(text: str) -> bool:
    """Tell a message that only says that somebody thinks, is busy or does not know: "hm", "one sec", "no idea"."""
    return len(text) <= PHRASE_MAX_CHARS and not text.rstrip().endswith("?") and _only(_plain(text), ("wait",))


def _only(plain: str, kinds: tuple[str, ...], besides: tuple[str, ...] = ()) -> bool:
    """Tell whether a text is nothing but phrases of these kinds, with fillers and what may stand besides between."""
    whole, some = _patterns(kinds, besides)
    return bool(plain) and bool(whole.fullmatch(plain)) and bool(some.search(plain))


@cache
def _patterns(kinds: tuple[str, ...], besides: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    phrases = "|".join(each for kind in kinds for each in _all()[kind])
    fillers = "|".join(each for kind in ("filler", *besides) for each in _all()[kind])
    whole = rf"{_GAP}(?:(?:(?:{phrases})|(?:{fillers}))(?!\w){_GAP})+"
    return re.compile(whole), re.compile(rf"(?<!\w)(?:{phrases})(?!\w)")


@cache
def _all() -> dict[str, list[str]]:
    found: dict[str, list[str]] = tomllib.loads(
        files("router.understanding").joinpath("button_phrases.toml").read_text(encoding="utf-8")
    )
    return found


def _plain(text: str) -> str:
    return unaccented(text).replace("ß", "ss")
