"""How a question and a wish for its result stand in one clause, as regular expressions on text as it was typed.

Each finds the question as `head`, and of the wish what it says: `people`, `when`, `form`, `chart` or `table`.
"""

import re
from functools import cache

from router.intents.errand_words import ADDRESS, NAME, POLITE

IT = (
    r"(?:it|this|that|them|these|those|everything|(?:all )?(?:of )?(?:the |this |these |all )?"
    r"(?:results?|rows|data|table)|all|es|das|le|la|les|lo|los)"
)
_A = r"(?:an?\s+|the\s+|eine?n?\s+|une?\s+)?"
_FORM = r"(?P<form>csv|excel|xlsx)(?:[\s-]*(?:file|sheet|spreadsheet|datei|attachment|format|export|extract|list))?"
FILE = rf"(?:as|in|into|to|als|en|como|im)\s+(?:an?\s+|eine?\s+)?{_FORM}"
_PICTURE = r"(?:(?:bar|line|column|pie|nice|simple)\s+)?(?:chart|graph|diagramm?e?|plot|graphique|gr[aá]fic[oa])"
CHARTED = rf"(?:as|in|with|als|en|como|comme)\s+(?:an?\s+|einem?\s+|un\s+)?{_PICTURE}"
PEOPLE = rf"(?P<people>(?:{ADDRESS}|{NAME}|me|us)(?:\s*(?:,\s*and|,|and|und|et|y|&)\s*(?:{ADDRESS}|{NAME}|me))*)"
_REACHED = rf"(?P<people>(?:{ADDRESS})(?:\s*(?:,\s*and|,|and|und|et|y|&)\s*(?:{ADDRESS}|me))*)"
_MAIL = r"(?:e-?mail|mail|send|forward|schick\w*|sende?|envoie\w*|envia\w*|manda\w*)"
_HAND = r"(?:share|shoot|get|give|pass|drop|deliver|report|show|post)"
_WANT = r"(?:i(?:'d|\s+would)\s+like|i\s+(?:want|need)|(?:can|could|may)\s+(?:i|we)\s+(?:have|get))"
GIVE = r"(?:send|show|give|get|tell|post|bring|report|schick\w*|zeig\w*|gib|envoie\w*|montre\w*|envia\w*|manda\w*)"
_SAVE = (
    r"(?:save|store|write|put|stick|park|stash|dump|copy|load|persist|append|archive|speicher\w*"
    r"|schreib\w*|enregistre\w*"
    r"|guarda\w*)"
)
_TABLE = (
    r"(?:the\s+|a\s+|new\s+|die\s+|la\s+|una?\s+|une\s+)*(?:(?:table|tabelle|tabla)\s+(?:called\s+"
    r"|named\s+)?(?P<table>[\w.\"]+)"
    r"|(?P<place>(?:\w+\.)*\w+_\w+|(?:[^\W\d]\w*\.){1,2}[^\W\d]\w*))"
)
_CLOCK = r"(?:\s*,?\s*(?:at|um|à|a las)\s+\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?|uhr|h|o'clock)?)?"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
WHEN = (
    rf"(?P<when>(?:(?:every|each|on the)\s+(?:first|1st)(?:\s+day)?\s+of\s+(?:the|each|every)\s+month"
    rf"|(?:every|each|jeden|jede|chaque|cada)\s+(?:(?:\w+\s+)?(?:day|morning|evening|week|month|{_DAYS}|tag"
    r"|morgen|woche|monat|montag|dienstag|mittwoch|donnerstag|freitag|jour|matin|semaine|mois|lundi|vendredi|día|dia"
    rf"|semana|mes|lunes|viernes)|weekday|workday)|on\s+{_DAYS}s|daily|weekly|monthly){_CLOCK})"
)
_ASKS = r"(?:how\s+(?:many|much)|which|what|who|when|where)\b"
_COMMANDS = rf"(?:{GIVE}|{_MAIL}|{_SAVE}|{_HAND}|export|download)"
_HEAD = r"(?P<head>\S+\s.+?)"
_MEASURED = r"(?:revenue|sales|turnover|orders|income|profit|costs|umsatz)"
_FOR = r"(?:of|with|containing|showing|mit|von|de|con|avec)"
_ABOUT_MAIL = r"(?:the |a )?(?:subject|message|text|note|title|name|header|betreff|objet|asunto)\b"


@cache
def clause(pattern: str) -> re.Pattern[str]:
    """Return one of these patterns, made at the first sentence: all of them take longer than most imports."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


FIRST_WHEN = (
    rf"{POLITE}{WHEN}(?:\s*[,:]\s*(?!{_ASKS})|\s+(?={POLITE}(?:{_COMMANDS}|{_WANT})\b"
    rf"(?!\s+(?:to|of|on|about)\b))|\s+(?:report|overview|summary|list|update|e-?mail|mail)\s+(?:of|on"
    rf"|about|with)\s+){_HEAD}"
)
LAST_WHEN = rf"{_HEAD}(?P<comma>,?)\s+{WHEN}"
ANY_WHEN = rf"\s+{WHEN}\b"
TO_ME = (
    rf"{POLITE}(?:{GIVE}[\s-]+(?:me|us|mir|uns|moi)|let\s+me\s+know|(?:i\s+)?(?:want|need|would like|'d like)\s+to"
    rf"\s+(?:know|see))\s+(?:{WHEN}\s*,?\s+)?(?:(?:about|over)\s+)?(?P<head>\S+\s.+)"
)
CLAUSES = (
    rf"{POLITE}(?!put\s.*\sto\s+(?:[^\W_]+\.)+[^\W_]+$){_SAVE}\s+{_HEAD}\s+(?:in|into|to|onto|as|dans|en|nach)\s+{_TABLE}",
    rf"{POLITE}{_MAIL}\s+{_HEAD}\s+(?:over\s+)?(?:to|an|a|à)\s+{PEOPLE}",
    rf"{POLITE}{_HAND}\s+(?!of\s){_HEAD}\s+(?:over\s+)?(?:to|with)\s+{_REACHED}",
    rf"{POLITE}(?:{_MAIL}|{_HAND})\s+{_REACHED}\s+(?:{WHEN}\s*,?\s+)?{_HEAD}",
    rf"{POLITE}(?:e-?mail|mail)\s+(?P<people>me|us)\s+(?:{WHEN}\s*,?\s+)?(?:about\s+)?{_HEAD}",
    rf"{POLITE}(?:e-?mail|mail)\s+{PEOPLE}\s+(?P<head>(?:the|an?|all|our|my|how|which|what|this)\s.+)",
    rf"{POLITE}(?:tell|inform|notify)\s+{_REACHED}\s+(?:about\s+|of\s+)?{_HEAD}",
    rf"{POLITE}let\s+{_REACHED}\s+know\s+(?:about\s+)?{_HEAD}",
    (
        rf"{POLITE}(?:(?:{_MAIL}|get|give|let)[\s-]+(?:me|us|mir|uns|moi|nous)|{_WANT})\s+(?:have\s+)?{_HEAD},?\s+"
        r"(?P<mailed>(?:by|via|per|in an?|par|por)\s+(?:e-?mail|mail))"
    ),
    rf"{_HEAD},?\s+(?:by|via|per|par|por)\s+(?:e-?mail|mail)\s+(?:to|an|à|a)\s+{PEOPLE}",
    (
        rf"(?:kannst\s+du|könntest\s+du|können\s+sie|könnten\s+sie)\s+(?:mir\s+|uns\s+|bitte"
        rf"\s+)*{_HEAD}\s+an\s+{_REACHED}"
        r"\s+(?:schicken|senden|mailen)"
    ),
    rf"{POLITE}(?:schedule|repeat|automate)\s+{_HEAD},?\s+{WHEN}",
    rf"(?P<head>.+?),?\s+{FILE}",
    rf"{POLITE}(?:export|download|save)\s+{FILE}\s*[:,-]?\s+{_HEAD}",
    rf"(?P<head>.+?),?\s+(?P<chart>{CHARTED})",
    (
        rf"{POLITE}(?:{_WANT}\s+|{_COMMANDS}\s+(?:me\s+|us\s+)?|make\s+(?:me\s+)?|create\s+)?{_A}{_FORM}\s+{_FOR}\s+"
        rf"(?!{_ABOUT_MAIL})(?P<head>.+)"
    ),
    (
        rf"{POLITE}(?:{_WANT}\s+|{GIVE}\s+(?:me\s+|us\s+)?|make\s+(?:me\s+)?|draw\s+(?:me\s+)?|create"
        rf"\s+)?{_A}(?P<chart>{_PICTURE})\s+"
        rf"(?:{_FOR})\s+(?!accounts?\b)(?P<head>\S+\s.+)"
    ),
    rf"{POLITE}(?P<chart>plot|chart|graph|draw)\s+(?P<head>(?:(?:the|our|my|all|this|last)\s+\S|{_MEASURED}\s).+)",
    rf"{POLITE}(?P<exported>export|download)\s+(?P<head>(?:all|every)\s+\S.+)",
)
"""Each with what else it may say; the first that fits is taken, as often as one does."""

TO_THEM = rf"{_HEAD}\s+to\s+{_REACHED}"
"""Who gets it, where something else is wished for already: "weekly report of revenue to ana@company.example"."""
NO_QUESTION = (
    r".*\b(?:sent|shipped|delivered|sold|paid|made|addressed)(?:\s+by\s+\S+)?"
    r"|(?:when|if|once|as soon as|whenever|about|your|their|his|her)\b.*"
)
"""What stands where a question would, and is none: a verb's end, a condition, what a letter is about."""
NEGATED = (
    r"(?:^|[,;.!?]\s*|\b(?:and|but|please)\s+)(?:please\s+)?(?:do\s+not|don['’]?t|never|no\s+need\s+to)\s+"
    rf"(?:{_COMMANDS}|draw|plot|chart|graph|repeat|schedule|automate)\b"
)
"""What shall not be done."""
RELATIVE = r"\S\s+(?:that|who|which|whose)\s"
"""A clause that may still go on: "customers that order every week"."""
FILE_OF = (
    rf"{POLITE}(?:{_WANT}\s+|{_COMMANDS}\s+(?:me\s+)?)?{_A}(?:{_FORM}|{_PICTURE})\s+{_FOR}\s+"
    rf"(?!{_ABOUT_MAIL})(?P<head>\S+\s.+)"
)
"""A file or a picture of something that may have to be asked first."""
DRAW = (
    rf"{POLITE}(?:(?:draw|plot|chart|graph|show|make|give me|zeig\w*|montre\w*)\s+)?(?:{IT}\s+)?"
    rf"(?:{CHARTED}|(?:an?\s+)?(?:(?:bar|line)\s+)?(?:chart|graph)(?:\s+of\s+{IT})?)|{POLITE}(?:draw"
    rf"|plot|chart|graph)\s+{IT}"
)
EXPORT = (
    rf"{POLITE}(?:(?:export|download|give|get|save|send|make|exportier\w*|exporte\w*|exporta\w*)"
    rf"\s+)?(?:me\s+)?(?:{IT}\s+)?"
    rf"(?:for me\s+)?{FILE}"
)
MAILED = rf"(?:e-?mailed|mailed|sent|forwarded|as\s+an?\s+(?:e-?mail|mail))(?=\s+to\s+{ADDRESS})"
"""A wish behind a comma: "…, mailed to ana@company.example"."""
TOLD = rf"{POLITE}(?:(?:tell|inform|notify)\s+{PEOPLE}|let\s+{PEOPLE.replace('people', 'known')}\s+know)"
"""A wish that does not say how they are told: by an e-mail with the rows."""
DONE = (
    r"(?<![\s,])[\s,]+(?:please|pls|plz|thanks|thank you|bitte|danke|s'il (?:te|vous) pla[iî]t|merci|por favor|gracias"
    r"|(?:when|once|as soon as)\s+(?:(?:it|that)(?:'s|\s+is)\s+)?(?:done|finished|ready))$"
)
"""What stands behind a wish, and says nothing of it."""
MADE = r"(?<= )the (?:chart|graph|diagram|file|csv|excel|spreadsheet)(?: file)?(?= )"
"""What was made of the result before: it is sent as the result is."""
