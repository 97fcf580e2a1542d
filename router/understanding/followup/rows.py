"""The rows of a question: by what they are grouped, in what order they come, and how many of them."""

import re
from dataclasses import dataclass

from router.language.detection import language_of
from router.understanding.followup.previous import in_language

# Small numbers, in digits and in the words of four languages.


_WORDS = """
one ein eine einen un une uno una two zwei deux dos three drei trois tres four vier quatre cuatro five fünf
fuenf cinq cinco six sechs seis seven sieben sept siete eight acht huit ocho nine neun neuf nueve ten zehn dix
diez twelve zwölf douze doce fifteen fünfzehn quinze quince twenty zwanzig vingt veinte twenty-five
fünfundzwanzig thirty dreißig trente treinta fifty fünfzig cinquante cincuenta hundred hundert cent cien
"""

NUMBER = r"(?:(?!(?:19|20)\d\d\b)\d{1,5}|(?:a )?(?:" + "|".join(sorted(_WORDS.split(), key=len, reverse=True)) + "))"
"""A number of rows; no year."""


_IT = r"(?:(?:it|that|this|them|those|these|the (?:list|result|results|rows|table)|das|es|sie|les?|la) )?"
_END = (
    r"(?:(?:the )?(?:(?:high|low|small|old|new|cheap)(?:er|est)?|big(?:ger|gest)?|large(?:r|st)?)|most|least|fewest|a|z"
    r"|best|worst|top|bottom)"
)
_DIRECTION = (
    r"(?:(?:in )?(?:descending|ascending|desc|asc)(?: order)?|(?:the )?(?:highest|lowest|largest|smallest|biggest"
    r"|newest|oldest|latest"
    r"|earliest|cheapest|youngest|most|fewest|least|best|worst|longest|shortest|most expensive)(?: \w+)? (?:first"
    r"|last|on top)"
    rf"|(?:from )?{_END} to {_END}"
    r"|(?:die )?(?:größten|höchsten|kleinsten|niedrigsten|neuesten|ältesten|teuersten|billigsten|meisten|besten)"
    r" (?:zuerst|oben)|les plus \w+ (?:d'abord|en premier)|l[oa]s más \w+ primero|(?:par )?ordre (?:dé)?croissant"
    r"|absteigend|aufsteigend|décroissant"
    r"|croissant|descendente|ascendente)"
)
_NO_NAME = "desc|asc|and|in|from|for|highest|lowest|largest|smallest|newest|oldest|most|only|top|but|please"
_SORT_NAME = rf"(?!it\b|them\b)[^\W\d][\w'-]*(?: (?!(?:{_NO_NAME})(?:\b|end|ing))[\w'-]+){{0,3}}"
_SORT = re.compile(
    rf"(?<!\w)(?:(?:please )?(?:sort(?:ed|iere|iert)?|order(?:ed)?|rank(?:ed)?|arranged?|trié[es]*|trier"
    rf"|ordenad[oa]s?|ordenar) {_IT}"
    rf"(?:(?:(?:{_DIRECTION}|alphabetically) )?(?:by|nach|par|por) {_SORT_NAME}(?:,? (?:and then |then )?{_DIRECTION})?"
    rf"|{_DIRECTION}|alphabetically|alphabetisch)"
    rf"|{_IT}nach {_SORT_NAME} sortiert|(?:absteigend|aufsteigend|alphabetisch) sortiert|par ordre (?:\w+)"
    rf"|alphabetically|in alphabetical order|{_DIRECTION})(?!\w)",
    re.IGNORECASE,
)
_OLD = re.compile(rf",? ?(?:{_SORT.pattern})", re.IGNORECASE)
_LEAD = re.compile(rf"^(?:please )?(?:sort|order|rank|arrange) {_IT}", re.IGNORECASE)
_REVERSE = re.compile(
    r"(?:(?:sort|order|put|turn|rank|list|show) (?:it|that|this|them|those) )?(?:(?:the )?other way (?:a?round)"
    r"|(?:in )?reversed?(?: (?:it|that|this|the order|order))?|(?:in )?(?:the"
    r" )?(?:opposite|reverse)(?: order)?"
    r"|(?:flip|invert|turn)(?: (?:it|that|the order))(?: around)?|umgekehrt|andersherum|à l'inverse|l'inverse|al"
    r" revés|a la inversa|vice versa)",
    re.IGNORECASE,
)
_PAIRS = (
    ("most expensive", "cheapest"),
    ("most", "fewest"),
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("biggest", "smallest"),
    ("greatest", "smallest"),
    ("best", "worst"),
    ("top", "bottom"),
    ("descending", "ascending"),
    ("newest", "oldest"),
    ("latest", "earliest"),
    ("longest", "shortest"),
    ("maximum", "minimum"),
    ("more than", "less than"),
    ("absteigend", "aufsteigend"),
    ("meisten", "wenigsten"),
    ("höchsten", "niedrigsten"),
    ("teuersten", "billigsten"),
)
_OTHER = {a: b for pair in reversed(_PAIRS) for a, b in (pair, pair[::-1])} | {"least": "most", "last": "first"}
_TURN = re.compile(rf"\b(?:{'|'.join(sorted(_OTHER, key=len, reverse=True))})\b", re.IGNORECASE)

_RANK = (
    r"(?:top|first|last|bottom|best|worst|biggest|largest|smallest|lowest|highest|cheapest|most expensive|newest"
    r"|latest|oldest|leading|ersten|besten|letzten"
    r"|premiers|premières|primer[oa]s|mejores)"
)
_LIMIT = re.compile(
    rf"(?<!\w)(?:(?:the |die |les |l[oa]s )?(?P<rank>{_RANK}) (?P<number>{NUMBER})(?: (?:rows|results|entries|ones"
    rf"|of them|lines))?(?! (?:days?|weeks?|months?|quarters?|years?|tagen?|wochen|monaten?|jahren?))"
    rf"|(?:the |die |les |l[oa]s )?(?P<count>{NUMBER}) (?P<behind>{_RANK})(?: (?:rows|results|entries|ones|of them"
    rf"|lines))?)(?!\w)",
    re.IGNORECASE,
)
_BARE = re.compile(rf"{NUMBER}(?: (?:rows|results|entries|ones|of them|lines))?", re.IGNORECASE)
_ALL = re.compile(
    r"(?:all(?: of (?:them|it|those))?|all (?:the )?(?:rows|results)|everything|the whole list|no limit|without"
    r" (?:a |the )?limit)",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    rf"(?<!\w)(?P<before>(?:which|the|list|show|show me|give me|top|first|bottom|last|die|welche|les|quels|quelles"
    rf"|los|las)(?: the)?(?: {_RANK})?) "
    rf"(?P<number>{NUMBER})(?!\w)(?! (?:days?|weeks?|months?|quarters?|years?))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Limit:
    """The number of rows wanted; `rank` is the word for the kind ("top"), empty where only the number is said."""

    rank: str
    number: str
    text: str


def order_in(text: str) -> re.Match[str] | None:
    """Return where a text says in which order its rows come."""
    return _SORT.search(text)


def ordered(body: str, words: str) -> str:
    """Return the question with this order in place of the one it had."""
    said = _LEAD.sub("sorted ", words)
    said = re.sub(r"^(?:sort|order|rank)(?=ed\b)", "sort", said)
    return f"{_OLD.sub('', body)}, {said}"


def reverses(text: str) -> bool:
    """Tell whether a message asks for the other order and nothing else."""
    return bool(_REVERSE.fullmatch(text))


def reversed_of(body: str, said: str = "") -> str:
    """Return the question with its order turned round: the most become the fewest."""

    def other(match: re.Match[str]) -> str:
        word = match[0].lower()
        some = re.match(r" [\w-]+", body[match.end() :])
        uncounted = word == "most" and some is not None and not some[0].endswith("s")
        return _as(match[0], "least" if uncounted else _OTHER[word])

    turned, count = _TURN.subn(other, body)
    return turned if count else f"{body}, {said if language_of(body) != 'en' else 'in the opposite order'}"


def limit_in(text: str) -> tuple[Limit, int, int] | None:
    """Return how many rows a text asks for by their rank, and where."""
    match = _LIMIT.search(text)
    if match is None:
        return None
    found = Limit(match["rank"] or match["behind"], match["number"] or match["count"], match[0])
    return found, match.start(), match.end()


def number_of(text: str) -> Limit | None:
    """Return how many rows are meant by a number alone."""
    return Limit("", re.sub(rf"(?i)^({NUMBER}).*", r"\1", text), text) if _BARE.fullmatch(text) else None


def unlimited(text: str) -> bool:
    """Tell whether all rows are wanted."""
    return bool(_ALL.fullmatch(text))


def limited(body: str, limit: Limit) -> str:
    """Return the question with another number of rows, or with one where it had none."""
    old = _COUNTED.search(body)
    low = limit.rank.lower() in ("bottom", "worst", "lowest", "smallest", "cheapest", "fewest")
    if old is None:
        if language_of(body) != "en":
            return f"{body}, {in_language('only', body)} {limit.text}"
        return f"{body}, {limit.text} only" if limit.rank else f"{body}, {limit.number} rows only"
    start, end = old.span("number")
    changed = f"{body[:start]}{limit.number}{body[end:]}"
    return (
        reversed_of(changed)
        if low and re.search(r"\b(?:top|most|highest|best|largest)\b", changed, re.IGNORECASE)
        else changed
    )


def without_limit(body: str) -> str:
    """Return the question without its number of rows."""
    shorter = re.sub(rf"(?i),? (?:the )?{_RANK} {NUMBER} only\b|,? {NUMBER} rows only\b", "", body)
    old = _COUNTED.search(shorter)
    if old is None:
        return shorter if shorter != body else f"{body}, all of them"
    lead = re.sub(rf"(?i) ?\b{_RANK}$", "", old["before"])
    every = " all" if lead.lower() in ("list", "show", "give me", "show me") else ""
    return f"{shorter[: old.start()]}{lead or 'All'}{every}{shorter[old.end() :]}"


def _as(old: str, new: str) -> str:
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


_BY = (
    r"(?:(?:grouped|group|broken down|split(?: up)?|divided|summarized|aggregated) (?:by|per|into)|by|per|for"
    r" (?:each|every)|each|every|across(?: the| all)?"
    r"|pro|je|nach|(?:gruppiert|aufgeteilt|aufgeschlüsselt) nach|par|por|según)"
)
_STOP = (
    r"(?:in|for|from|with|without|where|who|that|which|only|just|sorted|ordered|sort|ranked|order(?= by)|rank|top|first"
    r"|last|descending"
    r"|ascending|instead|too|also|please|pls|excluding|including|except|as|is|are|was|were|did|do|does|have|has|had"
    r"|between"
    r"|since|before|after|during|than|now|vs|versus|compared|but|then|and|or|at|on|to|this|we|you|it|them|far"
    r"|rather|not"
    r"|im|für|von|mit|ohne|nur|und|statt|stattdessen|sortiert|absteigend|aufsteigend|bitte|seit|letzt\w+|dies\w+"
    r"|haben|wir"
    r"|en|pour|avec|sans|seulement|et|ou|au|plutôt|depuis|cette|y|para|con|sin|solo|sólo|desde|hay|hasta"
    rf"|(?:19|20)\d\d|{NUMBER}|q[1-4])"
)
_GROUP_WORD = rf"(?!{_STOP}\b)[^\W\d][\w'-]*"
_GROUP_NAME = rf"(?:(?:the|a|their|its|our) )?{_GROUP_WORD}(?: {_GROUP_WORD}){{0,4}}"
_GROUP_NAMES = (
    rf"{_GROUP_NAME}(?:(?:, | ?/ ?)(?!{_BY} |the |total |average |number |list ){_GROUP_NAME})*"
    rf"(?:,? (?:and|und|et|y|&) (?:(?:by|per) )?{_GROUP_NAME})?"
)
_GROUP = re.compile(rf"(?<![\w'-])(?P<by>{_BY}) (?P<names>{_GROUP_NAMES})(?![\w@])", re.IGNORECASE)
_DONE = re.compile(
    r"\b(?:\w+(?:ed|wn)|spent|made|paid|sold|sent|bought|built|run|kept|led|taken|sort|order|rank|sortiert|geordnet"
    r"|trié[es]*|ordenad[oa]s?"
    r"|followed|filter|filtern|divide|multiply|multiplied|one|more|less|by|close|step|line|day|month|year)$",
    re.IGNORECASE,
)
_GROUPED = re.compile(r"\b(?:grouped|broken down|split(?: up)?|divided|summarized|aggregated)$", re.IGNORECASE)
_ADVERBS = {
    "daily": "by day",
    "weekly": "by week",
    "monthly": "by month",
    "quarterly": "by quarter",
    "yearly": "by year",
    "annually": "by year",
    "täglich": "pro Tag",
    "wöchentlich": "pro Woche",
    "monatlich": "pro Monat",
    "quartalsweise": "pro Quartal",
    "jährlich": "pro Jahr",
    "mensuellement": "par mois",
    "mensualmente": "por mes",
}
_ADVERB = re.compile(rf"\b(?:on a )?(?P<adverb>{'|'.join(_ADVERBS)})(?: basis)?\b", re.IGNORECASE)
_EACH = re.compile(r"(?P<unit>day|week|month|quarter|year) (?:by|for|after) (?P=unit)", re.IGNORECASE)
_TIME = re.compile(
    r"(?:the )?(?:calendar |fiscal )?(?:day|week|weekday|month|quarter|year|date|hour|tag|woche|monat|quartal|jahr"
    r"|mois|semaine|jour|trimestre"
    r"|année|an|mes|semana|día|año)s?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Group:
    """A grouping in a text from `start` to `end`: "by", and what it is by."""

    start: int
    end: int
    by: str
    names: str

    @property
    def text(self) -> str:
        """The whole of it."""
        return f"{self.by} {self.names}"

    @property
    def of_time(self) -> bool:
        """True for groups by days, months and the like."""
        return bool(_TIME.match(self.names))


def groups_in(text: str) -> tuple[Group, ...]:
    """Return the groupings of a text; "sorted by" and "paid by" are none."""
    found = []
    for match in _GROUP.finditer(text):
        if match["by"].lower() == "every":
            continue  # that is how often, not by what
        before = text[: match.start()].rstrip()
        if (
            not _DONE.search(before)
            or _GROUPED.search(before)
            or match["by"].lower() in ("per", "for each", "pro", "je")
        ):
            found.append(Group(match.start(), match.end(), match["by"], match["names"]))
    return tuple(found)


def plainly(text: str) -> str:
    """Return a text in which "monthly", or "month by month", alone is "by month"."""
    text = text.strip()
    if each := _EACH.fullmatch(text):
        return f"by {each['unit']}"
    match = _ADVERB.fullmatch(text)
    return _ADVERBS[match["adverb"].lower()] if match else text


def grouped(body: str, new: Group, adds: bool) -> tuple[str, str]:
    """Return the question with this grouping, and the same with the other reading where there is one.

    A time takes the place of a time. Otherwise `adds` decides whether it stands beside what there is, or in its place.
    """
    old = [group for group in groups_in(body) if not group.by.lower().startswith(("each", "every"))]
    if not old:
        return "", ""
    last = old[-1]
    if any(name.lower() in new.names.lower() for name in (last.names,)):
        return f"{body[: last.start]}{new.text}{body[last.end :]}", ""
    of_one_kind = next((group for group in old if group.of_time and new.of_time), None)
    beside = f"{body[: last.end]} {_and(last.by)} {new.names}{body[last.end :]}"
    at = of_one_kind or last
    instead = f"{body[: at.start]}{_short(new, at)}{body[at.end :]}"
    return (beside, instead) if adds and of_one_kind is None else (instead, beside if of_one_kind is None else "")


def ungrouped(body: str) -> str:
    """Return the question without what it is grouped by."""
    for group in reversed(groups_in(body)):
        body = f"{body[: group.start].rstrip()}{body[group.end :]}"
    return body


def _short(new: Group, old: Group) -> str:
    """Return a grouping with the shorter word for "by"."""
    return new.text if " " not in new.by or " " in old.by else f"{old.by} {new.names}"


def _and(by: str) -> str:
    return {"pro": "und", "je": "und", "nach": "und", "par": "et", "por": "y", "según": "y"}.get(by.lower(), "and")
