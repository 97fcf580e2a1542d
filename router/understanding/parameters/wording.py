"""A sentence that changes what a card shows, without the words that only lead to it: "no, could you please …"."""

import re
from typing import Final

CORRECTION_MAX_CHARS: Final = 400
"""Characters of a sentence that is looked at."""

_LEAD: Final = re.compile(
    r"(?:(?:yes|yeah|nope|ja|nein|oui|sí|si|ok|okay|sorry|please|bitte|actually|stop|wait|and|und|et|y|hm+|oh|oops|perdona"
    r"|pardon|but|aber|mais|pero|then|dann|well)\b[,.!]*\s+"
    # "no csv" is about CSV; "no, csv" and "no make it csv" are not.
    r"|(?:no|non)(?:[,.!]+\s+|\s+(?=(?:i|it|that|use|take|make|put|call|better|rather|es|nimm|mach|lieber|je|c'est|prends"
    r"|plutôt|usa|pon|mejor|quiero)\b)))+",
    re.IGNORECASE,
)
_REQUEST: Final = re.compile(
    r"(?:(?:can|could|would|will|can'?t|couldn'?t) (?:you|we|i|it)|(?:kannst|könntest|kann|könnten) (?:du|ich|wir|man)"
    r"|(?:peux|pourrais)[- ]tu|(?:pouvez|pourriez)[- ]vous|(?:puedes|podrías|podemos)|i(?:'d| would) like (?:you )?to"
    r"|i want (?:you )?to)\s+(?:(?:please|just|also|not|bitte|mal|auch|be)\s+)*",
    re.IGNORECASE,
)
_SAID: Final = re.compile(
    r"(?:i (?:said|meant|mean|wrote)|ich (?:meinte|sagte)|je (?:voulais dire|disais)|(?:dije|quería decir))\s+",
    re.IGNORECASE,
)


def wish_in(text: str) -> str:
    """Return the wish of a sentence without what leads to it; empty for a text that is too long."""
    typed = " ".join(text.replace("’", "'").split())
    if len(typed) > CORRECTION_MAX_CHARS:
        return ""
    for lead in (_LEAD, _REQUEST, _LEAD, _SAID):
        found = lead.match(typed)
        if found and found.end() < len(typed):
            typed = typed[found.end() :].rstrip("? ") if lead is _REQUEST else typed[found.end() :]
    return typed
