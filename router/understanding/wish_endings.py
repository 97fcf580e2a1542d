"""What stands at the end of a sentence with wishes: a bare "csv please", how a table is filled, what shall not be done.

All of it is told by rules, on text as it was typed.
"""

import re
from functools import cache

from router.understanding.result_actions import ADDRESS

_FORM = r"(?P<form>csv|excel|xlsx)"
_FILE = r"(?:[\s-]*(?:file|sheet|spreadsheet|datei|fichier|archivo|attachment|anhang|export|format))?"
PICTURE = (
    r"(?:(?:bar|line|column|pie|area|nice|simple)\s+)?(?:(?:balken|linien|kreis|torten|säulen|saeulen"
    r"|flächen)?diagramm?e?"
    r"|chart|graph|plot|(?:balken|linien)?gra[fp]h?ik|graphique|gr[aá]fic[oa])(?:\s+(?:de|en|à)\s+(?:barras?|barres"
    r"|lignes|l[ií]neas"
    r"|sectores))?"
)
"""A chart, in a word or two."""
_LEAD = (
    r"(?:(?:and|then|also|plus|as|with|in|into|to|make\s+it|an?|the|und|dann|auch|als|mit|eine?n?|et|puis|aussi|en"
    r"|avec|une?"
    r"|y|luego|también|con|como|un|una|por)\s+)*"
)
_BARE_FILE = rf"{_LEAD}{_FORM}{_FILE}(?:\s+(?:too|also|as well|auch|aussi|también))?"
_BARE_PICTURE = rf"{_LEAD}{PICTURE}(?:\s+(?:too|also|as well|auch|aussi|también))?"
_SENT_FILE = (
    r"(?:please\s+|bitte\s+|also\s+|then\s+)*(?P<verb>e-?mail|mail|send|forward|give|get|maile|schick\w*|sende?"
    r"|envoie\w*|envía\w*"
    r"|envia\w*|manda\w*)(?:[\s-]+(?P<me>me|us|mir|uns|moi|nous))?\s+(?:(?:it|them|es|sie)\s+(?:as|als"
    r"|en)\s+)?(?:an?\s+|the\s+"
    rf"|das\s+|die\s+|den\s+|eine?n?\s+|le\s+|la\s+|une?\s+|el\s+)?{_FORM}{_FILE}(?:\s+(?:to|an|à|a)\s+"
    rf"(?P<people>(?:{ADDRESS}|me)(?:\s*(?:,\s*and|,|and|und|et|y|&)\s*(?:{ADDRESS}|me))*))?"
)
_MODE = (
    r"(?P<mode>append(?:ing|ed)?|add(?:ing)?\s+to\s+(?:it|them)|anhängen|anfügen|en\s+ajoutant|ajoute\w*|añadiendo"
    r"|añade|agregando"
    r"|replac(?:e|ing)(?:\s+(?:it|the\s+table))?|overwrit(?:e|ing)(?:\s+it)?|ersetzen|überschreiben|en\s+remplaçant"
    r"|remplace\w*"
    r"|reemplaza\w*|empty(?:ing)?(?:\s+it)?(?:\s+(?:first|before))?|(?:vorher\s+|erst\s+)?leeren|en\s+vidant|vaciando"
    r"(?:la)?(?:\s+antes)?)"
)
_MODE_LAST = rf"(?P<head>.+?)\s*[,;(]\s*(?:(?:and|then|please|just|und|bitte|et|y|but)\s+)*{_MODE}\)?"
_MODE_WORDS = (
    ("append", r"append|add|anh|anf|(?:en )?ajout|añad|agreg"),
    ("empty it first", r"empty|(?:vorher |erst )?leer|en vid|vac"),
    ("replace the table", r""),
)
_DONE = r"(?:e-?mail|mail|send|forward|share|export|download|save|store|write|draw|plot|chart|repeat|schedule)"
_NEGATED_LAST = (
    r"(?P<head>\S+\s.+?)\s*(?:[,;.–-]+\s*(?:(?:and|but|please)\s+)*|\s(?:but|and)\s+(?:please\s+)?)(?:do\s+not"
    r"|don['’]?t|never|no\s+need\s+to)"
    rf"\s+{_DONE}\s+(?:me\s+)?(?:it|them|this|that|these|those|anything|any\s+of\s+(?:it"
    rf"|them))\b(?:\s+(?!to\s)\w+){{0,2}}"
    r"(?:\s*,\s*(?:(?:just|only)\s+)?(?:show|display|tell)(?:\s+(?:me|it|them))*|\s*,\s*just\s+look\w*)?"
    r"|(?P<bare>\S+\s.+?)\s*[,;.]\s*(?:(?:but|and|please)\s+)*(?:no|without|kein\w*|ohne|sans|pas\s+de"
    r"|sin)\s+(?:an?\s+)?"
    r"(?:e-?mails?|charts?|graphs?|csv|excel|files?|diagramme?|graphiques?|gr[aá]ficos?)"
    r"|(?P<kopf>\S+\s.+?)\s*,?\s+(?:aber|und)\s+(?:bitte\s+)?(?:nicht\s+(?:ver)?(?:schicken|senden|mailen|speichern)"
    r"|keine\s+(?:e-?)?mail)"
    r"|(?P<tete>\S+\s.+?)\s*,?\s+(?:mais|et)\s+(?:sans\s+(?:l['’]|les?\s+)?(?:envoyer|mail)|ne\s+l(?:es?"
    r"|a)\s+envoie\s+pas)"
    r"|(?P<cabeza>\S+\s.+?)\s*,?\s+(?:pero|y)\s+(?:sin\s+(?:enviar(?:l[oa]s?)?|mandar(?:l[oa]s?)?)"
    r"|no\s+l[oa]s?\s+(?:env[ií]es|mandes))"
)


_CHANNEL = (
    r"(?:(?:the|our|my|this|whole|entire|dem|den|der|die|das|le|la|les|l['’]|el|los|un|a)\s+)*"
    r"(?:(?:team|group|company|sales|slack|teams)[\s-]*)?(?:channel|kanal|canal|chat|group|gruppe|team|thread|equipe"
    r"|équipe|equipo"
    r"|groupe|grupo|everybody|everyone|all|others|rest|alle[nm]?|tous|todos|here)(?:\s+(?:channel|here|chat"
    r"|de l['’]équipe|del equipo))?"
)
_IT = (
    r"(?:it|them|this|that|these|everything|the\s+(?:results?|rows|chart|table)|es|das|sie|alles"
    r"|le|la|les|l['’]|lo|los|tout|todo)"
)
_SHARED = (
    r"(?:(?:please|pls|bitte|and|then|also|und|dann|auch|et|puis|aussi|y|luego|también)\s+)*"
    rf"(?:(?:share|post|publish|teile?|poste?|partage[rz]?|publie[rz]?|compart(?:e|ir|elo)|publica(?:r"
    rf"|lo)?)(?:[-\s]{_IT})?"
    rf"(?:\s+(?:too|also|as well|auch|aussi))?\s+(?:with|in|into|to|on|mit|im|ins?|zum|dans|avec|sur|en|con|a"
    rf"|à)\s+{_CHANNEL}"
    rf"|(?:{_IT}\s+)?(?:auch\s+)?(?:im|in|ins|mit|dans|en)\s+{_CHANNEL}\s+(?:teilen|posten|stellen|zeigen|partager"
    rf"|compartir)"
    rf"|share\s+{_IT})(?:\s+(?:too|also|as well|please|auch|bitte|aussi|svp|también))*"
)
_INLINE = (
    r"[\s,;]+(?:(?:directly|right|just|please|but|direkt|directement|directamente)\s+)*"
    r"(?:in(?:side)?\s+the\s+(?:(?:e-?mail|mail|message)(?:\s+itself|\s+(?:text|body))|text\s+of\s+the\s+(?:e-?mail"
    r"|mail)|body)"
    r"|inline|in-line|(?:not|no)\s+(?:as\s+(?:an?\s+)?)?(?:attached|attachments?|file)"
    r"|(?:im|in\s+den|in\s+der)\s+(?:(?:e-?mail|mail)-?\s?text|text(?:\s+der\s+(?:e-?)?mail)?|mail\s+selbst)"
    r"|(?:nicht\s+als|ohne|kein)\s+anhang"
    r"|dans\s+le\s+(?:corps|texte)(?:\s+du\s+(?:mail|message))?|(?:pas\s+en|sans)\s+pi[eè]ce\s+jointe"
    r"|en\s+el\s+(?:cuerpo|texto)(?:\s+del\s+(?:correo|mail))?|(?:sin|no)\s+adjunt\w+)"
)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


def bare_wish(tail: str) -> tuple[str, str] | None:
    """Return a step and its words where a tail names nothing but a file or a chart, such as "csv" or "and a chart"."""
    if found := _compiled(_BARE_FILE).fullmatch(tail):
        return _file(found["form"])
    return ("chart", "draw it as a chart") if _compiled(_BARE_PICTURE).fullmatch(tail) else None


def sent_file(clause: str) -> tuple[str, str] | None:
    """Return a step and its words: "mail me the csv" is an e-mail, "send me the csv" a file; None for all else."""
    found = _compiled(_SENT_FILE).fullmatch(clause)
    if found is None:
        return None
    step, words = _file(found["form"])
    mailed = found["people"] or ("me" if re.search("mail", found["verb"], re.IGNORECASE) else "")
    if not mailed:
        return (step, words) if found["me"] or found["verb"].lower() in ("give", "get") else None
    return "email", f"mail it to {mailed} as {'CSV' if step == 'csv' else 'Excel'}"


SHARE = "share it with the channel"


def shared(text: str) -> bool:
    """Tell a wish to show a result to everybody: "share it with the team", "in den Kanal teilen"."""
    return _compiled(_SHARED).fullmatch(text) is not None


def without_inline(text: str) -> str:
    """Return a sentence without its end where that says that rows stand in the e-mail itself, and in no file."""
    found = _compiled(rf"(?P<head>\S+\s.+?)(?:{_INLINE})+").fullmatch(text)
    return found["head"] if found else text


def mode_last(text: str) -> tuple[str, str]:
    """Return what stands before the words on how a table is filled, and what they say; "" where there are none."""
    found = _compiled(_MODE_LAST).fullmatch(text)
    if found is None:
        return text, ""
    said = " ".join(found["mode"].lower().split())
    return found["head"], next(words for words, pattern in _MODE_WORDS if re.match(pattern, said))


def without_denied(text: str) -> str:
    """Return a sentence without its end where that says what shall not be done: "…, but don't mail them"."""
    found = _compiled(_NEGATED_LAST).fullmatch(text)
    heads = (found["head"], found["bare"], found["kopf"], found["tete"], found["cabeza"]) if found else ()
    return next((head for head in heads if head), text)


def _file(form: str) -> tuple[str, str]:
    return ("csv", "export it as CSV") if form.lower() == "csv" else ("xlsx", "export it as Excel")
