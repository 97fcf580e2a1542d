"""The words of a request that are no values: where nothing else is left of a sentence, no model need be asked."""

import re
import tomllib
from importlib.resources import files

_LISTS = tomllib.loads((files("router.agents") / "params" / "words.toml").read_text(encoding="utf-8"))


def _words(name: str) -> frozenset[str]:
    return frozenset(_LISTS[name].split())


CONFIRMATIONS = _words("confirmations")
NO_VALUE = CONFIRMATIONS | _words("nothing")
NO_NAME = CONFIRMATIONS | _words("no_name")
NOBODY = CONFIRMATIONS | _words("nobody")

_KNOWN = CONFIRMATIONS | _words("known")
_WORD = re.compile(r"[^\W_][\w'-]*")


def unknown_words(left: str) -> tuple[str, ...]:
    """Return the words that were not read, and that could be values."""
    return tuple(word for word in _WORD.findall(left) if word.lower() not in _KNOWN and len(word) > 1)
