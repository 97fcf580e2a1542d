"""Recognises in which order the rows on show are wanted: "sort by revenue, smallest first", "absteigend nach Betrag".

A sentence is a wish to sort where all of it is a verb, a column and a direction, of which some may be missing. Patterns
are for text in lower case and without accents: English first, and the common forms of German, French and Spanish.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from router.cards import Head
from router.language.folding import fold, unaccented
from router.language.inflection import stem

Way = Literal["up", "down"]
Kind = Literal["", "text", "number", "date"]
"""The values that a direction is said of: "newest first" is of times; empty for all."""
Order = tuple[int, Way]
"""The place of a column, and the way that it is sorted."""

SORT_WISH_MAX_CHARS: Final = 120
"""Characters of a sentence that is looked at."""


@dataclass(frozen=True, slots=True)
class SortWish:
    """An order that is asked for.

    `by` is what a column is called; `noun` what a direction is said of, which may be a column or any word ("newest
    orders first"). `turned`: the order on show the other way round. `bare`: it is "sort by NAME" and no more.
    """

    by: str = ""
    way: Way | None = None
    kind: Kind = ""
    noun: str = ""
    turned: bool = False
    bare: bool = False


def _any(*words: str) -> str:
    return f"(?:{'|'.join(words)})"


_POLITE = (
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

_RESULT = "(?:all (?:of )?)?" + _any(
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


# Words for directions: the ends that rows go from or to, and the names of orders.

_ENDS: Final[tuple[tuple[Way, Kind, str], ...]] = (
    (
        "down",
        "number",
        r"highe?(?:st)?|large(?:st)?|big(?:gest)?|great(?:est)?|most(?: expensive)?|top|best|maximum|viel|hoch|gross"
        r"|(?:hoch|gross|groess|meis|teuer)s?te[nrs]?|plus (?:grand|eleve|haut|gros|cher)e?s?|mayor(?:es)?"
        r"|mas (?:alt|grand|car)[aeo]s?",
    ),
    (
        "down",
        "date",
        r"new(?:est)?|latest|(?:most )?recent|neu|(?:neue|jueng|jung)ste[nrs]?|letzte[nrs]?|plus recente?s?"
        r"|mas (?:reciente|nuev[ao])s?",
    ),
    ("down", "text", r"z"),
    (
        "up",
        "number",
        r"low(?:est)?|small(?:est)?|least|fewest|cheap(?:est)?|bottom|worst|minimum|wenig|niedrig|klein"
        r"|(?:niedrig|klein|wenig|gering|billig|gunstig|guenstig)ste[nrs]?|plus (?:petit|bas|basse|faible)e?s?"
        r"|moins (?:eleve|chere?)e?s?|menor(?:es)?|mas (?:baj|pequen|barat)[ao]s?",
    ),
    (
        "up",
        "date",
        r"old(?:est)?|earliest|alt|(?:alte|aelte|fruhe|fruehe)ste[nrs]?|plus ancien(?:ne)?s?"
        r"|mas (?:antigu|viej)[ao]s?",
    ),
    ("up", "text", r"a"),
)
_END: Final = "|".join(words for *_, words in _ENDS)
_THE: Final = r"(?:(?:in|with|from|the|die|der|das|den|dem|mit|von|vom|du|des?|les?|la|l[oa]s|el|en|con) )*"
_FIRST: Final = (
    r"first|on top|at the top|zuerst|oben|zuoberst|voran|d'abord|en premier|en haut|primero|arriba|al principio"
)
_LAST: Final = r"last|at the bottom|at the end|zuletzt|unten|am ende|en dernier|en bas|a la fin|al final"
_BY_ENDS: Final = (
    rf"{_THE}(?P<end>{_END}) ?(?:to|bis|zum?|nach|au|a|al|-) ?{_THE}(?:{_END})",
    rf"{_THE}(?P<end>{_END})(?: (?P<noun>(?!{_FIRST}|{_LAST})\w+))? (?:{_FIRST}|(?P<last>{_LAST}))",
    rf"(?:begin|start)(?:ning|ing)? (?:with|from|at) (?:the )?(?P<end>{_END})",
)
"""Such as "from highest to lowest" and "smallest first"."""

_LED: Final = (
    r"(?:(?:in|in an?|in the|en|de forma|de manera|en orden|orden|par ordre|en ordre|dans l'ordre|ordre|par|por orden)"
    r" )?"
)
_LETTERS: Final = r"alphabetical(?:ly)?|alphabetisch(?:er)?|alphabetique(?:ment)?|alfabetic[ao](?:mente)?"
_CLOCK: Final = r"chronological(?:ly)?|chronologisch(?:er)?|chronologique(?:ment)?|cronologic[ao](?:mente)?"
_BACK: Final = r"reversed? |inverse |umgekehrt(?:er)? |inverso "
_BY_NAMES: Final[tuple[tuple[Way, Kind, str], ...]] = (
    ("down", "text", rf"(?:{_BACK})(?:{_LETTERS})"),
    ("down", "date", rf"(?:{_BACK})(?:{_CLOCK})"),
    ("up", "text", _LETTERS),
    ("up", "date", _CLOCK),
    ("up", "", r"asc(?:ending(?:ly)?)?|up(?:wards?)?|increasing|aufsteigende?r?|croissante?|ascendente|creciente"),
    (
        "down",
        "",
        r"desc(?:ending(?:ly)?)?|down(?:wards?)?|decreasing|absteigende?r?|decroissante?|descendente|decreciente",
    ),
)
"""Such as "in descending order" and "alphabetisch"."""

# The sentence around them.

_VERB: Final = (
    r"(?:(?:re-?)?(?:sort|order|rank|arrange)(?:ed|d|ing)?|sortiere?n?|sortiert|ordnen?|geordnet|tri(?:e[rsz]?|es)?"
    r"|classe[rsz]?|range[rz]?|ordenar?(?:l[oa]s?)?|ordene|ordenad[oa]s?|clasificar?)(?:-(?:l[ea]s?|moi|nous))*"
)
_SHOW: Final = (
    r"(?:(?:i(?:'d like| would like| want| need)|ich (?:mochte|will|hatte)|je veux|quiero)(?: to)?"
    r"|show|list|put|display|give|see|have|zeige?n?|montre[rz]?|affiche[rz]?|muestra(?:me)?|mostrar)"
    r"(?: (?:me|us|mir|uns|moi))?"
)
_HEAD: Final = rf"(?:{_SHOW} (?:{_RESULT} )?)?(?:(?P<verb>{_VERB})(?: {_RESULT})?(?: |$))?"
_TAIL: Final = rf"(?:{_RESULT} )?(?:(?P<rest>\S.*) )?{_VERB}"
_BY: Final = (
    r"(?:by|on|nach|par|por|according to|selon|segun|(?P<of>of|de|du|von))"
    r"(?: (?:the|der|dem|den|die|das|le|la|les|el|los|las))? (?P<name>.+)"
)
_BEHIND: Final = (
    r"(?: (?:please|pls|plz|svp|s'il (?:te|vous) plait|por favor|instead|now|again|stattdessen|lieber|jetzt|plutot"
    r"|maintenant|mejor|ahora|then|dann))+$"
)
_BARE: Final = r"(?:sort|order) by \S+(?: (?:asc|ascending|up|desc|descending|down))?"
_SEQUENCE: Final = (
    r"(?:the (?:sort|sorting|sort order|sequence)|die (?:reihenfolge|sortierung)|l'ordre|le tri|el orden)"
)
_TURNED: Final = (
    rf"(?:reverse|invert|flip|turn(?: round| around)?|switch|swap|inverse[rz]?|invierte|invertir) "
    rf"(?:{_RESULT}|the order|{_SEQUENCE})"
    rf"|{_SEQUENCE} (?:umkehren|umdrehen)|(?:kehre?|drehe?) {_SEQUENCE} um"
    rf"|(?:(?:put|turn|{_SHOW}|{_VERB}) (?:{_RESULT} )?)?(?:(?:the )?other way (?:a?round)"
    r"|(?:in )?(?:the )?(?:opposite|reversed?)(?: order)?|vice versa|umgekehrt|andersherum|(?:a )?l'inverse|al reves"
    r"|a la inversa)"
)


@cache
def _made(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def sort_wish(text: str) -> SortWish | None:
    """Return the order that a sentence asks for and nothing else; None for any other one."""
    if len(text) > SORT_WISH_MAX_CHARS:
        return None
    plain = unaccented(text).replace("ß", "ss").strip(" .!?¿¡")
    plain = " ".join(re.sub(r"\b(?:bitte|mal|doch)\b|[()]", " ", re.sub(r"\s*,", ",", plain)).split())
    plain = _made(_BEHIND).sub("", _made(_POLITE).sub("", plain, count=1))
    if _made(_TURNED).fullmatch(plain):
        return SortWish(turned=True)
    head = _made(_HEAD).match(plain)
    rest, way, kind, noun = _directed(plain[head.end() :] if head else plain)
    tail = _made(_TAIL).fullmatch(rest)
    rest = (tail["rest"] or "") if tail else rest
    verb = bool(tail or (head and head["verb"]))
    named = _made(_BY).fullmatch(rest)
    if (rest and not named) or not (way or (verb and named and not named["of"])):
        return None  # "in descending order of revenue" is one, "sort of a question" is none
    bare = bool(re.fullmatch(_BARE, text.strip(), re.IGNORECASE))
    return SortWish(named["name"] if named else "", way, kind, noun, bare=bare)


def _directed(rest: str) -> tuple[str, Way | None, Kind, str]:
    """Return what is left of a sentence without its direction, then the direction, its kind and its noun."""
    for pattern in _BY_ENDS:
        if found := _made(rf"(?<![\w-])(?:{pattern})(?![\w-])").search(rest):
            way, kind = _end(found["end"])
            groups = found.groupdict()
            way = ("up" if way == "down" else "down") if groups.get("last") else way
            return _without(rest, found), way, kind, groups.get("noun") or ""
    for way, kind, words in _BY_NAMES:
        order = r"(?: (?:order|reihenfolge|folge|sortierung))?"
        if found := _made(rf"(?<![\w-]){_LED}(?:{words}){order}(?![\w-])").search(rest):
            return _without(rest, found), way, kind, ""
    return rest, None, "", ""


def _end(word: str) -> tuple[Way, Kind]:
    return next((way, kind) for way, kind, words in _ENDS if _made(words).fullmatch(word))


def _without(rest: str, found: re.Match[str]) -> str:
    return f"{rest[: found.start()].rstrip(' ,')} {rest[found.end() :].lstrip(' ,')}".strip()


# The column that is meant.

_WORD: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+")
_FILLING: Final = frozenset(
    """
    the column field its their our my of spalte feld colonne columna der die das dem den le la les el los las de des
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_COUNTING: Final = frozenset(
    """
    number count num nr no nb n anzahl nombre numero cantidad
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_TIMES: Final = frozenset(
    """
    date day month week quarter year time at datum tag monat woche jahr zeit fecha dia mes ano jour mois semaine
    annee
    """.split()  # noqa: SIM905 — a list of words is read as words
)
_NAMING: Final = frozenset(("id", "key", "code", "zip"))
_GENERIC: Final[dict[str, Kind]] = {
    **dict.fromkeys(("date", "time", "datum", "zeit", "fecha"), "date"),
    **dict.fromkeys(("value", "number", "figure", "wert", "zahl", "valeur", "valor"), "number"),
}
_NUMBERED: Final = re.compile(r"(?:column|spalte|colonne|columna) (?:no\.? |nr\.? |number )?(?P<number>\d{1,3})")
_ORDINAL: Final = re.compile(r"(?P<place>first|second|third|last) column")
_PLACES: Final = {"first": 0, "second": 1, "third": 2, "last": -1}


def order_of(wish: SortWish, heads: Sequence[Head], current: Order | None) -> Order | None:
    """Return the order that is meant, of rows on show in the order `current`; None where no column of theirs is."""
    if wish.turned:
        return None if current is None else (current[0], "up" if current[1] == "down" else "down")
    place, way = column_of(wish.by or wish.noun, heads), wish.way
    # "by highest revenue"
    if place is None and wish.by and (found := _made(rf"(?P<end>{_END}) (?P<name>.+)").fullmatch(wish.by)):
        place, way = column_of(found["name"], heads), way or _end(found["end"])[0]
    if place is None and (kind := _GENERIC.get(stem(wish.by))):
        place = _only(kind, heads)
    if place is None and not wish.by:
        place = _unnamed(wish.kind, heads, current)
    return None if place is None else (place, way or "up")


def column_of(name: str, heads: Sequence[Head]) -> int | None:
    """Return the place of the one column that a person calls so: by its name, else by words of it; None for none."""
    if found := _NUMBERED.fullmatch(name):
        return int(found["number"]) - 1 if 0 < int(found["number"]) <= len(heads) else None
    if found := _ORDINAL.fullmatch(name):
        place = _PLACES[found["place"]]
        return place % len(heads) if place < len(heads) else None
    said, names = words_of(name), [words_of(head.name) for head in heads]
    counted = said - _COUNTING
    numbers = [at for at, head in enumerate(heads) if head.kind == "number"]
    ways = (
        [at for at, head in enumerate(heads) if fold(head.name) == fold(name)],
        [at for at, words in enumerate(names) if words == said],
        [at for at in numbers if counted != said and names[at] - _COUNTING == counted],  # "number of orders" is orders
        [at for at, words in enumerate(names) if said <= words],
        # Of numbers, it may be another one: "net revenue" need not be `revenue`.
        [at for at, head in enumerate(heads) if head.kind != "number" and _ends(name, head)],
    )
    found_at = next((places for places in ways if places), []) if said else []
    return found_at[0] if len(found_at) == 1 else None


def _ends(name: str, head: Head) -> bool:
    """Tell the name of a column behind that of a thing: "customer name" is `name`."""
    found = re.fullmatch(r"\w+ (\w+)", name)
    return found is not None and fold(found[1]) == fold(head.name)


def words_of(name: str) -> frozenset[str]:
    """Return the words of a column's name, each as one of several: "customerIDs" has those of "customer id"."""
    words = frozenset(stem(fold(word)) for word in _WORD.findall(name))
    return words - _FILLING or words


def _unnamed(kind: Kind, heads: Sequence[Head], current: Order | None) -> int | None:
    """Return the column that a direction is said of without a name: the one sorted by, or the only one there is."""
    if current is not None and (not kind or _is(kind, heads[current[0]])):
        return current[0]
    if kind == "text":  # the first one is what the rows are called
        return next((at for at, head in enumerate(heads) if _is(kind, head)), None)
    return _only(kind or "number", heads)


def _only(kind: Kind, heads: Sequence[Head]) -> int | None:
    places = [at for at, head in enumerate(heads) if _is(kind, head)]
    return places[0] if len(places) == 1 else None


def _is(kind: Kind, head: Head) -> bool:
    """Tell whether a column holds values of a kind; ids are no numbers, and months may be texts."""
    words = words_of(head.name)
    if kind == "date":
        return head.kind == "date" or bool(words & _TIMES)
    return head.kind == kind and not words & (_TIMES | (_NAMING if kind == "number" else frozenset()))
