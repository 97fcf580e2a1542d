"""Whether words only point at the result on show, so that no question is in them; told by rules, without a model."""

import re

from router.intents.errand_words import POLITE
from router.intents.following.vocabulary import words
from router.intents.words import unaccented

_EMPTY = words("pointing")
"""Words that ask for nothing by themselves: pronouns, politeness, and names for what is on show."""
_WORD = re.compile(r"[^\W\d_]+")
_BACK = re.compile(
    r"(?!(?:which|who|whose|how many|how much|when|where)\b)(?:(?:these|those)\b"
    r"|(?:this|that) (?:is|was|would|will|should|could|can|looks?|needs?|one|whole|list|table|result|data)\b"
    r"|.*\b(?:it|them|(?:all|copy|version|report) of (?:this|that|these|those|the above)|the above)\b"
    r"|(?:this|that) (?:for|to|by|as|in|please|now)\b|.*\b(?:this|that)$"
    r"|(?:the|this|that|my) (?:sql|summary|thread|chat|conversation|picture|chart|graph|csv|excel)\b)",
    re.DOTALL,
)


def only_points(text: str) -> bool:
    """Tell whether a text speaks of the result on show, or says nothing that could be asked."""
    plain = re.sub(rf"^{POLITE}", "", unaccented(text)).strip(" ,.;:!?")
    return bool(_BACK.match(plain)) or all(word in _EMPTY or len(word) < 2 for word in _WORD.findall(plain))
