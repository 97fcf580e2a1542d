"""The words that errands are made of, as regular expressions on text in lower case and without accents.

English first, and the common ones of German, French and Spanish; with the typing errors that are often made.
"""


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
"""What stands before the errand itself."""

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
"""Where only rows of a table go."""

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
"""What else a result is saved as, or shown in."""

COUNTS = (
    r"\b(?:per|pro|by (?!e-?mail|mail|now|then|adding)|par (?!e-?mail|mail|courriel)|por (?!e-?mail|correo|favor|mail)"
    r"|where|group(?:ed)?|last (?:week|month|year)|between)\b"
)
"""What belongs to a question, and to no name of a table."""
