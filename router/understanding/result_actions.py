"""Recognises wishes to write the result on show to a table or to e-mail it; by rules, without a model.

A new question begins with the same words ("store revenue by region"), so that a verb alone is never enough: it needs
the result as its object, an address, or a place that only rows go to. What is in doubt is a question.
"""

import re
from functools import cache
from typing import Literal

from router.language.folding import unaccented

# Parts of wishes, as regular expressions on text in lower case and without accents. English first, and the common
# ones of German, French and Spanish; with the typing errors that are often made.


def _any(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


POLITE = (
    _any(
        "(?:ok(?:ay)?|yes|yep|yeah|sure|great|good|fine|perfect|thanks|thank you|now|then|next|and|also|so|well|just"
        "|(?:hey|hi)(?: bot)?|pl(?:ea|ae)se|pls|plz|kindly|ja|gut|super|danke|jetzt|dann|und|bitte"
        "|oui|merci|maintenant|puis|et|si|vale"
        "|gracias|ahora|luego|por favor|s'il (?:te|vous) plait)[,.:!]* +",
        "(?:can|could|would|will) (?:you|u|we) +",
        "i(?:'d| would) like(?: you)? to +",
        "i (?:want|need)(?: you)? to +",
        "let'?s +|let us +|go ahead and +",
        "(?:kannst|konntest) du +|(?:konnen|konnten) sie +",
        "peux-tu +|pouvez-vous +|pourrais-tu +|pourriez-vous +|tu peux +|vous pouvez +",
        "puedes +|podrias +|podria +|puede +",
    )
    + "*"
)
"""Polite words that stand before the wish itself."""

RESULT = "(?:all (?:of )?)?" + _any(
    "it|this|that|these|those|ths|tihs|thsi|them|everything|all",
    "(?:the |this |that |these |those |all |my |our )(?:the )?(?:whole |full |above |query )?"
    "(?:data|table|output|answer|lines|list|numbers|figures|records|results?(?: set)?|rows?)|results?|rows",
    "das(?: alles)?|es|dies|diese|sie|alles",
    "(?:das|die|diese|dieses) (?:ergebnis(?:se)?|zeilen|daten|tabelle|liste|zahlen)",
    "ca|cela|ceci|tout|le tout",
    "(?:l[ea]|ce) (?:resultat|tableau|table|liste)|[lc]es (?:resultats|lignes|donnees|chiffres)",
    "esto|eso|estos|todo|l[oa]s?|el resultado|los (?:resultados|datos)|las filas|est[oa]s (?:filas|datos|resultados)",
)
"""The result on show, as people point at it."""

ITS = "(?:-(?:le|la|les|moi|nous)(?:-(?:le|les|moi))?|(?:me|nos)?l[oa]s?)"
"""The result at the end of a French or Spanish verb."""

ME = "(?:me|us|myself|mir|mich|uns|moi|nous)"
ADDRESS = r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+"
NAME = r"[\"'`“„«]?[^\W\d]\w*(?:-\w+)*[\"'`”“»]?"
DOTTED = r"(?:[\"`]?\w+[\"`]?\.){1,2}[\"`]?\w[\w-]*"
LIKE_A_TABLE = _any(DOTTED, r"\w*[^\W_]_\w+", '["`“„«][^"`”“»]+["`”“»]')
"""A name that no word of a sentence looks like."""

STORE = (
    r"(?:table|tabelle|tabla|schema|database|db|datenbank|esquema|base|dwh|(?:data ?)?warehouse|archive|backup|staging"
    r"|sandbox|postgres|postgresql|oracle|mysql|sqlite|duckdb)\b"
)
PLACE = _any(
    LIKE_A_TABLE,
    r"(?:(?:the|a|an|our|my|brand|new|same|another|existing|die|das|dem|den|der|ein|eine|einer|neue|neuen|une|un|la|le|nouvelle|una"
    rf"|el|nueva) ){{0,4}}(?:\w+ )?{STORE}",
)
"""Places that only rows go to."""

INTO = "(?:into|in ?to|to|onto|in|as|under|at|over|nach|ins?|als|unter|an|auf|dans|sous|comme|vers|en|como|bajo|a|sur)"

SAVE = _any(
    "write|wirte|wrtie|writ|wriet|rite|save|svae|sav|saev|store|sotre|stroe|persist|insert|isnert|append|apend|appned|archive",
    "schreib[et]*|speicher[ent]*|sichere?|ubertrag[et]*|hange?|fuge?",
    "ecri[stvrez]*|enregistre[rz]?|sauvegarde[rz]?|insere[rz]?|stocke[rz]?",
    "escrib[aei]r?|guardar?|grabar?|insertar?|almacenar?",
)
MOVE = _any(
    "put|stash|copy|cpoy|load|laod|dump|export|push|move|add|place|stick|drop|throw|bring|get|land|transfer",
    "kopiere?n?|lege?|packe?",
    "copie[rz]?|mets?|mettre|ajoute[rz]?|charge[rz]?",
    "copiar?|pon(?:er)?|anad[ei]r?|agregar?|cargar?",
)
SEND = _any(
    "e-?mail|emial|eamil|emai|mial|send|sned|sedn|forward|forwrad|foward",
    "maile?n?|(?:ver)?schicke?n?|(?:ver)?sende?n?",
    "envoye[rz]|envoi[es]?|transmet(?:s|tre|tez)|expedie[rz]?",
    "enviar?(?:me|nos)?|envie|mandar?(?:me|nos)?|mande",
)
HAND = "(?:get|pass|shoot|ping|share|give|drop|fire|put|attach|bring)"
"""Verbs that send something only where an address or the word e-mail stands with them."""

NO_TABLE = (
    r"\b(?:csv|xlsx?|excel|spreadsheet|pdf|files?|datei|fichier|archivo|disk|clipboard|chart|graph|diagram|plot|png|image"
    r"|picture|sql|json|query|favou?rites?|bookmarks?|percent\w*|words|euros?|dollars?|thousands|millions|order"
    r"|german|english|french|spanish)\b(?!_)"
)
"""Other forms in which a result is saved or shown."""

COUNTS = (
    r"\b(?:per|pro|by (?!e-?mail|mail|now|then|adding)|par (?!e-?mail|mail|courriel)|por (?!e-?mail|correo|favor|mail)"
    r"|where|group(?:ed)?|last (?:week|month|year)|between)\b"
)
"""Words of questions, which no name of a table has."""


ResultAction = Literal["write", "email"]

_MAIL = r"(?:an? )?(?:e-?mail|mail)\b"
_FILE = r"(?:csv|excel|xlsx|spreadsheet)\b"
_END = r"(?=$|\s*[,;:.!?&(<])"
_TAIL = (
    rf"(?:{_END}|(?= (?:and|with|as|in|on|via|by {_MAIL}|per {_MAIL}|par {_MAIL}|por (?:correo|e-?mail)|to|saying"
    r"|titled|inline|please|pls|now|too|also|mit|als|an|im|und|bitte|avec|en|a|et|con|y)\b))"
)
_OBJECT = rf"(?: {RESULT}{_TAIL}|{_TAIL})"

_FOR_A_TABLE = rf"(?:send|forward|schicke?|envoie|manda) {RESULT} (?:in|to|into|an|a) {PLACE}(?:(?<=table) \w+)?{_TAIL}"

_EMAIL = (
    rf"{SEND} (?:(?:to|too|an|a):? )?(?:{ME} (?:and|und|et|y) )?(?:(?:{NAME} ){{1,3}}<{ADDRESS}>|{ADDRESS}){_OBJECT}",
    rf"{SEND} {ADDRESS} the (?:result|rows|table|data|numbers)\b",
    rf"{SEND} (?:(?:to|too|an|a) )?{ME}(?: (?:and|und|et|y) {ADDRESS})?{_OBJECT}",
    rf"{SEND}(?: {ME})?(?: over)? {RESULT}(?: {ME})?{_TAIL}",
    rf"{SEND} {RESULT}(?: \w+)? (?:over |off |back )?(?:to|too|at|via|for|an|mir|ihm|ihr|a)\b",
    rf"{SEND} (?:an? |the )?(?:copy|{_FILE})(?: file| sheet)?(?: of (?:it|this|that))? (?:to|an|a) ",
    rf"{SEND} (?:to|an|a) (?:[\w.-]+ ){{1,3}}(?:with|mit|avec|con) (?:the |dem |der |l'|le |el )?"
    r"(?:message|subject|text|note|nachricht|betreff|objet|asunto)\b",
    rf"das {ADDRESS} (?:per mail )?{SEND}",
    rf"let {ADDRESS} know\b(?! (?:how|which|what|who|the (?:number|count|total))\b)",
    rf"subject [^,]+, (?:to|an) {ADDRESS}",
    rf"{SEND} (?:by|via|per|as|als|par|por|en) (?:{_MAIL}|{_FILE}|correo\b|courriel\b)",
    rf"{SEND} (?:to|an|a) (?:the |my |our )?[\w-]+(?: team)?"
    rf"(?:$|[,.;!]| (?:as|with|and|please|pls|{_MAIL}|via|in|en) )",
    rf"{SEND} {NAME} (?:it|this|that|these|those){_TAIL}",
    rf"(?:schick|send|mail)e? (?:es|das|dies) \w+{_TAIL}",
    rf"{SEND}{ITS}(?=$|[\s,.;!?])",
    rf"(?:envia|envie|manda|mande)(?:me|nos)(?:l[oa]s?)?(?:{_END}|(?= (?:{RESULT}|por|en|como|a)\b))",
    rf"(?:write|wirte|compose|draft|schreib|send|drop|cc me on|put it in) (?:{ADDRESS} |{ME} |\w+ )?an?"
    r" (?:e-?mail|mail|message) (?:to|for|with|saying|an|mit)\b",
    rf"(?:write|{HAND}) {RESULT} (?:over |off )?(?:in|into|to|as|by|via) {_MAIL}",
    rf"{HAND} {RESULT} (?:\w+ ){{0,4}}<?{ADDRESS}",
    rf"shoot {RESULT} (?:over |off )?to\b",
    rf"tell {ADDRESS}(?:$| (?!(?:how|which|what|who|when|the (?:number|count|total))\b))",
    rf"(?:to |an |a |{_FILE} to )?{ADDRESS}(?:(?:,| and|,? und| et| y) (?:{ME}|{ADDRESS}))*"
    rf"(?: (?:please|pls|bitte)$| (?:as|als) (?:an? )?(?:{_FILE}|attachment\b))",
    rf"(?:to|an) {ADDRESS}(?:,? (?:and|und|et|y) (?:{ME}|{ADDRESS}))*[.!]?$",
    rf"(?:per|via|by|par|por) (?:e-?mail|mail|correo|courriel) (?:an|to|a) {ADDRESS}",
    rf"{RESULT} (?:bitte )?(?:per mail |als (?:excel|csv) )?(?:an|a) .*{SEND}[.!?]?$",
    rf"use .+ as (?:the )?subject and {SEND}\b",
    rf"(?:don'?t|do not) {SEND} {RESULT} as\b",
)
_WRITE = (
    rf"{SAVE} {RESULT}(?: (?:somewhere|for (?:me|later)))?(?: (?:please|pls|bitte))?[.!]*$",
    rf"{SAVE} {RESULT}(?:,| (?:somewhere|permanently)\b)",
    rf"{SAVE} (?:table|schema|tabelle) ?[=:]",
    "(?:save|store) (?:it|this|that|these|those|them) for\\b",
    rf"(?:keep|i need|ich brauche) {RESULT} (?:as|als) "
    rf"(?:(?:a |eine )?(?:new |neue )?(?:table|tabelle)\b|{LIKE_A_TABLE})",
    "(?:save|svae|sav|store|persist|insert|append|archive|speicher[ent]*|enregistre[rz]?|sauvegarde[rz]?|guardar?)"
    rf" {RESULT}(?: for me| bitte| please)? (?:back |down )?{INTO}\b",
    rf"{SAVE} {RESULT}(?: \w+){{0,2}} (?:to|into|nach|dans|a|als|under|onto)\b",
    rf"(?:{SAVE}|{MOVE}|make|turn)(?: all)? {RESULT}(?: \w+){{0,3}} {INTO} {PLACE}",
    rf"make {RESULT} (?:a |the )?(?:new )?table\b",
    rf"(?:{SAVE}|add|copy|dump|push|export|load) (?:to|into|as|under|in|nach|als|dans|sous|en|como) "
    rf"{PLACE}(?=$|[\s,.;!?])",
    rf"(?:{SAVE}|copy|dump|push|export|load) (?:to|into|as|under|nach|unter|sous|como) (?:the |new )?{NAME}"
    r"(?=$|[,.;!?]| (?:in|please|pls|and|then|but|on|replace|overwrite|append|with|bitte|im|dans|en)\b)",
    rf"write (?:it|this|that|these|those|them) in(?:to)? {PLACE}",
    rf"(?:put|copy|dump|push|export|load) {RESULT} (?:to|onto|into) {NAME}(?: (?:please|pls))?[.!]*$",
    rf"(?:{SAVE}|copy) (?:the|these|those|all|this)(?: [\w-]+){{1,4}} (?:to|into|as) {LIKE_A_TABLE}",
    rf"(?:{SAVE}|copy|add|push) [\w-]+ (?:to|into) {LIKE_A_TABLE}{_TAIL}",
    rf"(?:create|make|build|recreate)(?: me)? (?:a |the |new )+table\b.*\b(?:from|with|out of|of|for) {RESULT}[.!]*$",
    rf"(?:create|make|turn) {RESULT} (?:into )?(?:a |the |new )+table (?:called|named)\b",
    "(?:recreate|drop and (?:re)?create|overwrite|replace|truncate|empty|clear|refill|update)\\b.{1,60}"
    rf"\b(?:with|from|by) {RESULT}[.!]*$",
    rf"(?:truncate|empty|clear|wipe|drop) .{{1,60}}(?:first|before)?,? (?:then|and)(?: then)? {SAVE} ",
    rf"(?:don'?t|do not) (?:replace|overwrite|drop|delete)\b.*\b(?:add|{SAVE})\b",
    rf"(?:in|into|to|nach|dans) (?:the table |table |die tabelle )?{DOTTED}(?: (?:please|pls|bitte))?[.!]*$",
    rf"(?:{RESULT} )?(?:bitte )?(?:{RESULT} )?(?:in|nach|als|unter|im|ins) .{{1,80}}"
    r"(?:speichern|schreiben|ablegen|sichern|kopieren|einfugen|ubertragen)[.!?]*$",
    rf"(?:lege?|hange?|fuge?) {RESULT} (?:bitte )?(?:als|an|in|im) .{{1,80}}$",
    rf"(?:{SAVE}|{MOVE}){ITS} (?:dans|sous|comme|en|como|a|vers|sur)\b",
    rf"{RESULT} (?:should|shall|must|needs? to|ha(?:s|ve) to) (?:go|land|end up|be (?:saved|written|stored))"
    r" (?:in|into|to|as)\b",
    rf"(?:i'd like )?{RESULT} to (?:land|go|end up) (?:in|into) ",
    r"use (?:the )?\w+, (?:schema|table) \w+",
)


@cache
def _either(rules: tuple[str, ...]) -> re.Pattern[str]:
    """Return what matches one of the rules; made at the first sentence, as it takes longer than most imports."""
    return re.compile(rf"{POLITE}(?:{'|'.join(rules)})")


_OTHERWISE, _COUNTS = re.compile(NO_TABLE), re.compile(COUNTS)
_INSERT = re.compile(r"insert into\b.*(?:\bvalues\b|\bselect\b|\()")
_TABLE_CALLED = re.compile(r"\b(?:table|tabelle|tabla|called|named) \w+")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”|„[^“]*“|«[^»]*»")


def result_action_of(text: str) -> ResultAction | None:
    """Return what the sentence asks to do with the result on show, or None: then it is a question, or a button's word.

    Of two wishes in one sentence it is the first.
    """
    typed = _plain(text)
    if not typed or len(typed) > 1000 or _INSERT.match(typed):
        return None
    table_first = _either((_FOR_A_TABLE,)).match(typed)
    if not table_first and _either(_EMAIL).match(typed):
        return "email"
    bare = _TABLE_CALLED.sub(" ", _QUOTED.sub(" ", typed))
    if _COUNTS.search(bare) or _OTHERWISE.search(re.split(r"[,;]", bare)[0]):
        return None
    return "write" if table_first or _either(_WRITE).match(typed) else None


def _plain(text: str) -> str:
    """Return the text without accents and without the marks that Spanish and French put around a question."""
    return unaccented(text).lstrip("¿¡ ").replace(" ?", "?").replace(" !", "!")
