"""In what order the rows of a question come, how many of them, and both the other way round."""

import re
from dataclasses import dataclass

from router.language.detection import language_of
from router.understanding.followup.sentence import in_language

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
