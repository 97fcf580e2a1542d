"""A sentence as it is compared with others: small letters, and signs in place of what differs each time."""

import re
import unicodedata

LONGEST = 400
"""Characters of a sentence that are looked at."""

MASKS = (
    ("<fence>", r"```(?:sql)?"),
    ("<addr>", r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+"),
    ("<link>", r"https?://\S+"),
    ("<file>", r"\b[\w-]+\.(?:csv|xlsx?|pdf|docx?|pptx?|json|txt|png|sql)\b"),
    ("<job>", r"\b[a-z]-[0-9a-z]{2,10}\b(?=$|[\s,.?!;:])"),
    (
        "<quote>",
        r"\"[^\"\n]{1,60}\"|“[^”\n]{1,60}”|„[^“\n]{1,60}“|«[^»\n]{1,60}»|`[^`\n]{1,60}`|(?<!\w)'[^'\n]{1,60}'(?!\w)",
    ),
    ("<clock>", r"\b\d{1,2}(?::\d\d| ?(?:am|pm|uhr|o'?clock)\b|h\d{0,2}\b)"),
    ("<year>", r"\b(?:19|20)\d\d\b"),
    (
        "<money>",
        r"[$€£] ?\d[\d.,]*k?\b"
        r"|\b\d[\d.,]*k? ?(?:[$€£]|euros?\b|dollars?\b|usd\b|eur\b|%)|\b\d[\d.,]* (?:percent|prozent)\b",
    ),
    ("<dotted>", r"\b[a-z]\w*\.[a-z]\w+(?:\.\w+)?\b"),
    ("<snake>", r"\b[a-z0-9]+_\w+\b"),
    ("<num>", r"#? ?\b\d[\d.,]*(?:st|nd|rd|th|k|m)?\b"),
    (
        "<weekday>",
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b"
        r"|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miercoles|jueves|viernes|sabado|domingo)s?\b",
    ),
    (
        "<month>",
        r"\b(?:january|february|march|april|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?"
        r"|oct|nov|dec|januar|februar|marz|maerz|mai|juni|juli|oktober|dezember|janvier|fevrier|mars|avril|juin|juillet|aout"
        r"|septembre|octobre|novembre|decembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre"
        r"|diciembre)\b|(?<=in )may\b|(?<=of )may\b|(?<=for )may\b",
    ),
)
"""What stands for what, in the order in which it is looked for."""

_MASKED = re.compile("|".join(f"(?P<m{number}>{pattern})" for number, (_, pattern) in enumerate(MASKS)))
_TOKEN = re.compile(r"<[a-z]+>|[^\W_]+(?:['-][^\W_]+)*|[?!]|[^\w\s]+")
_LONGER = re.compile(r"(\w)\1{2,}")
_SMALL = str.maketrans({"’": "'", "‘": "'", "´": "'", "–": "-", "—": "-", "ß": "ss", "ø": "o", "æ": "ae", "œ": "oe"})


def plain(text: str) -> str:
    """Return the beginning of a text in small letters, without accents, with single blanks."""
    typed = text[: 2 * LONGEST]
    if typed.isascii():
        return " ".join(typed.lower().split())[:LONGEST]
    letters = unicodedata.normalize("NFKD", typed.translate(_SMALL))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return " ".join(bare.casefold().split())[:LONGEST]


def masked(text: str) -> str:
    """Return a plain text with signs for numbers, times, addresses, names of files and what stands in quotes."""
    return _MASKED.sub(lambda found: f" {MASKS[int(str(found.lastgroup)[1:])][0]} ", text)


def tokens(text: str) -> list[str]:
    """Return the words, signs and marks of a masked text; letters that are held down count twice."""
    return [_LONGER.sub(r"\1\1", each) for each in _TOKEN.findall(text)]
