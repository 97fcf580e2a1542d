"""Parts of sentences about the rows on show, as regular expressions on text in lower case and without accents."""


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

ADDRESS = r"[\w.+'-]+@[\w-]+(?:\.[\w-]+)+"
