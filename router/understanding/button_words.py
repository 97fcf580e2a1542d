"""The words that people type in place of pressing a button: exact words, which are data (`language/words`).

A message stands for a button if all of it is a phrase of that button, or such phrases with small words beside them:
"no, cancel it please". So nobody says Yes by a longer sentence, whatever else is in that.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from router.language.phrases import has_phrase, listed, lists_of, says_only, tokens_of
from router.understanding.denials import denies

PHRASE_MAX_CHARS = 80
"""Characters of a message that may be a phrase with small words beside it."""

PHRASED = ("cancel", "no", "back", "again", "edit")
"""The buttons that may have small words beside them; of several that fit, the one that does least goes first."""

_SMALL = ("cards.beside", "courtesy.filler", "courtesy.please", "courtesy.thanks")
_ALSO = {"cancel": ("buttons.no",), "edit": ("cards.wait", "buttons.no")}
"""Lists of words that may stand beside the phrases of a button: "nope, forget it", "wait, let me fix it"."""
_SAYS_YES = {"email": "cards.sends", "write": "cards.writes", "compare": "cards.compares"}
"""The phrases that mean Yes, too, if this button is offered besides it."""

_MAY_BE_ASKED = frozenset({"help", "human", "csv", "xlsx", "chart", "next", "previous"})
"""Buttons that a word with a question mark stands for, too: "excel?". They show something, or a form."""

APPROVING = ("yes", "email", "write", "compare")
"""The buttons by which something may run, be written or be sent."""

_PLAIN = re.compile(r"[^\W_]|[\s,.!¡’']|(?<=\w)-(?=\w)")
"""Letters, and marks that change nothing of what is said."""
_ACCENTS_OF_SIGNS = re.compile("[\\s\ufe0f\u200d\U0001f3fb-\U0001f3ff]")


def word_of(text: str, words: tuple[str, ...]) -> str | None:
    """Return which of `words` the typed text stands for, or None if it stands for none of them.

    It is a Yes, or an order to write or send, only if it `says_approval`.
    """
    typed, asks = _typed(text), text.rstrip().endswith("?") and text.strip() != "?"
    found = next((word for word in words if typed in listed(f"buttons.{word}") or typed == word), None)
    # Where nothing is at work, Stop leaves the card.
    if found is None and not asks and (not means_button(text) or typed in listed("buttons.stop")):
        found = _phrase_of(text, words)
    if found is None or (asks and found not in _MAY_BE_ASKED) or (found in APPROVING and not says_approval(text)):
        return None
    return found


def says_approval(text: str) -> bool:
    """Return whether a text is a Yes and nothing else: its phrases, please and thanks, plain marks, signs of a Yes.

    A smiley, a question mark, a quotation or a word more may take it back; "ok, thanks" may say that it was read.
    """
    signs = listed("buttons.yes") | listed("buttons.email")
    if (
        not {*_ACCENTS_OF_SIGNS.sub("", _PLAIN.sub("", text))} <= signs
        or "\n" in text.strip()
        or has_phrase("cards.doubt", text)
    ):
        return False
    kinds = (*(f"buttons.{word}" for word in (*APPROVING, "again")), *_SAYS_YES.values())
    return _typed(text) in signs or says_only(text, kinds, ("courtesy.please", "courtesy.thanks"))


def says_label(text: str, label: str) -> bool:
    """Return whether a text is the label of a button, letter by letter but for case and closing marks."""
    return text.strip(" .!").casefold() == label.casefold()


def means_button(text: str) -> bool:
    """Return whether the typed text is a phrase of a button, or of a word that works anywhere."""
    return _typed(text) in _phrases_of_buttons()


def is_answer(text: str) -> bool:
    """Return whether the typed text stands for a button, or only says that the person thinks."""
    return means_button(text) or word_of(text, (*PHRASED, "yes")) is not None or asks_to_wait(text)


def asks_to_wait(text: str) -> bool:
    """Return whether a message only says that the person thinks, is busy or does not know: "hm", "one sec"."""
    return len(text) <= PHRASE_MAX_CHARS and not text.rstrip().endswith("?") and is_only(text, "cards.wait")


def greets(text: str) -> bool:
    """Return whether the person only says hello, or nothing at all but the bot's name."""
    return not text.strip() or _typed(text) in listed("buttons.hello")


def is_confirmation(text: str) -> bool:
    """Return whether a text is a word of Yes or No, which is never taken for a name, a question or a recipient."""
    return _typed(text) in listed("buttons.yes") | listed("buttons.no")


def folded(text: str) -> str:
    """Return `text` as it is compared: lower case, single blanks, without closing punctuation."""
    return " ".join(text.lower().split()).rstrip(".!,;: ") or text.strip()


@cache
def _phrases_of_buttons() -> frozenset[str]:
    return frozenset[str]().union(*map(listed, lists_of("buttons")))


@lru_cache(maxsize=1024)
def _typed(text: str) -> str:
    """Return the words of a text as they are looked up; of a text of signs, its sign."""
    if len(text) > PHRASE_MAX_CHARS:
        return text
    if tokens := tokens_of(text):
        return " ".join(each.word for each in tokens)
    signs = _ACCENTS_OF_SIGNS.sub("", text)
    return signs[0] if len(set(signs)) == 1 else signs


@lru_cache(maxsize=1024)
def _phrase_of(text: str, words: tuple[str, ...]) -> str | None:
    """Return which of these buttons a message stands for with small words beside, or None."""
    if len(text) > PHRASE_MAX_CHARS:
        return None
    for word in PHRASED:
        says_no = word != "no" and denies(text, f"buttons.{word}")
        if word in words and not says_no and is_only(text, f"buttons.{word}", also=_ALSO.get(word, ())):
            return word
    yes = ("buttons.yes", *(phrases for button, phrases in _SAYS_YES.items() if button in words))
    return "yes" if "yes" in words and is_only(text, *yes) else None


def is_only(text: str, *kinds: str, also: Sequence[str] = ()) -> bool:
    """Return whether a text has phrases of these lists, and beside them small words and phrases of `also` alone."""
    return says_only(text, kinds, (*_SMALL, *also))


def takes_back(text: str) -> bool:
    """Return whether a message asks for nothing but that something was not done."""
    return is_only(text, "cards.takes_back", also=("cards.wait", "cards.yet", "buttons.no", "buttons.stop"))
