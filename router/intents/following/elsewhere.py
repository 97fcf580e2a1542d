"""Messages that wish for something other than an answer from the data: files, e-mails, schedules, changes."""

import re

from router.intents.errands import errand_of
from router.intents.kinds import is_sql
from router.intents.repetitions import repetition_of
from router.intents.words import CONFIRMATIONS, GREETINGS, folded

_THINGS = re.compile(
    r"\b(?:csv|xlsx?|excel|spreadsheet|pdf|powerpoint|files?|folder|chart|graph|plot|diagram|dashboard|inbox"
    r"|e-?mail (?:it|that|this|them|me|us)|mail (?:it|that|this|them|me|us)|jira|calendar(?! (?:year|month|week"
    r"|quarter))|instructions?|approval"
    r"|approve"
    r"|permission|your(?:self|s)?|you|datei|anhang|freigabe|dein\w*|dich|du (?:bist|hast|kannst|sollst)|fichier"
    r"|courriel|tu|toi|votre|vos|vous"
    r"|archivo|correo|tú|usted|tus?)\b(?!-)",
    re.IGNORECASE,
)
_YOU_PLEASE = re.compile(
    r"\b(?:(?:can|could|would|will|may) you|thank you|kannst du|können sie|peux-tu|pouvez-vous|puedes"
    r"|(?:what )?if you(?: just| only| can| could| please)?|(?:would|do) you mind)\b",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(?:drop|delete|remove|truncate|alter|create|update|insert) (?:the |all |this |my )?(?:\w+ )?(?:tables?"
    r"|databases?|schemas?|users?"
    r"|index(?:es)?|views?|rows?|records?)\b",
    re.IGNORECASE,
)
_WHY = re.compile(r"(?:\W*\w+\W+){0,2}?(?:why|how come|warum|wieso|weshalb|pourquoi|por qu[eé])\b", re.IGNORECASE)
_SHOWS = re.compile(r"(?:show|make|display|give|zeig\w*|montre\w*) ", re.IGNORECASE)


def is_elsewhere(text: str) -> bool:
    """Tell whether a message is about something else than the data, or about why they are as they are."""
    if (
        folded(text) in CONFIRMATIONS | GREETINGS
        or errand_of(text)
        or is_sql(text)
        or _WHY.match(text)
        or _CHANGES.search(text)
    ):
        return True
    if repetition_of(text) and not _SHOWS.match(text):
        return True
    return bool(_THINGS.search(_YOU_PLEASE.sub(" ", text)))
