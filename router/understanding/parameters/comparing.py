"""Reads what a sentence changes of a comparison that a card shows: its key, its pairs, its tolerances, or its report.

Only what was understood to the last word counts; a question changes nothing.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from router.language.folding import unaccented, without_accents
from router.memory.comparing import Reporting
from router.understanding.business_words import meanings_of
from router.understanding.kinds import is_question
from router.understanding.values.columns import column_pairs

CORRECTION_MAX_CHARS = 200
"""Characters of a sentence that is looked at."""

_LEAD = re.compile(
    r"^(?:(?:yes|no|nein|ja|non|oui|si|ok|okay|please|bitte|sorry|actually|and|und|et|y|but|aber|mais|pero|then|use"
    r"|take|nimm"
    r"|prends|usa|make|set|it'?s|let'?s (?:use|take|say)|show(?: me)?|give me|i (?:want|need|meant?)|compare|just|only"
    r"|nur|solo|seulement|instead|lieber|rather|wait|halt|stop|hm+|can you|could you|should be|it should be|better"
    r"|well|also"
    r"|auch|aussi|tambien|(?:we|i) (?:should|must|need to|have to|can|would like to)|let'?s|wir sollten|on devrait"
    r"|deberiamos"
    r"|match(?: (?:them|it|rows|the rows))?|join(?: (?:them|it))?|pick|choose|vergleiche?|compara|va|toma|mejor"
    r"|plutot)\b"
    r"[,:!.]*\s+)+"
)
_THE = r"(?:(?:the|der|die|das|le|la|l'|el|los|las|les|den|dem|our|this|columns?|spalten?|colonnes?|columnas?)\s*)*"
_KEY = r"(?:(?:primary |join |matching )?keys?|schlussel\w*|cles?|claves?|id column|identifiers?)"
_IS = (
    r"(?:is|are|as|(?:should|must|shall|has to|needs to) be|ist|sind|als|soll(?:te|en)?|muss|est|c'est|sont|comme"
    r"|doi(?:t|ven?t) etre"
    r"|devrai(?:t|ent) etre|es|son|como|deb(?:e|en|eria|erian) ser)"
)
_KEYS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_THE}(?P<names>.+?) (?:{_IS} {_THE}{_KEY}"
        r"|(?:is|are|ist|sind|est|sont|es|son) (?:unique|eindeutig|uniques?|unic[oa]s?)"
        r"|(?:identif(?:y|ies)|tells?|identifiziert) (?:the |a |each |every |die )?(?:rows?|zeilen?).*)",
        rf"{_THE}{_KEY}(?: {_IS}|:| =)? {_THE}(?P<names>.+?)(?: sein)?",
        r"(?:(?:rows )?belong together )?(?:by|on|via|using|per|uber|nach|anhand (?:von|der|des)?|par|sur|por|segun"
        r"|mit)"
        r" (?P<names>.+?)",
        r"(?P<names>.+?) (?:on both sides|in both|auf beiden seiten|des deux cotes|en ambos lados)",
        r"(?P<names>.+?)",
    )
)
_INSTEAD = re.compile(
    r"(?P<new>.+?)(?:,? (?:instead of|rather than|and not|not|statt|anstatt|und nicht|nicht|au lieu d[eu']|et pas|pas"
    r"|plutot que"
    r"|en vez de|y no|no) ?)(?P<old>.+)"
)
_NOT_BUT = re.compile(
    r"(?:not|nicht|pas|no) (?:by |on |nach |par |por )?(?P<old>.+?)(?:,|[, ]+(?:but|sondern|mais|sino)) (?P<new>.+)"
)
_TAIL = re.compile(
    r"\s*(?:,? (?:please|pls|plz|bitte|svp|por favor|instead|then|as well|too|also|auch|aussi|tambien|together|zusammen"
    r"|ensemble|junt[ao]s|only|nur|seulement|solo))+$"
)
_AND = re.compile(r"\s*(?:,|\+|&|\band\b|\bund\b|\bet\b|\by\b)\s*")
_CLAUSE = re.compile(
    r"\s*[,;]\s*(?:and |but |und |aber |et |mais |y |pero )?|\s+(?:and|but|und|aber|et|mais|y|pero)\s+"
)
_REASON = re.compile(
    r"(?:because|since|as|they(?:'re)?|those|weil|denn|da|sie|parce que|car|ils|elles|porque|ya que|son|estan)\b"
)
_PAIR = re.compile(
    r"(?P<left>.+?)\s*(?:=+>?|->|→|\b(?:(?:goes|belongs|corresponds|maps?|matches|compared?"
    r"|is compared)(?: up)? (?:to|with)"
    r"|matches|equals|is (?:called|named)|(?:is|means) the same as|is|against|with|to|vs\.?|versus"
    r"|gegen|mit|zu|gehort zu|entspricht|heisst(?: dort)?|ist|avec|contre|correspond a|s'appelle|est|con|contra"
    r"|frente a"
    r"|corresponde a|se llama|es)\b)\s*(?P<right>.+?)"
    r"(?: (?:in|on|of|auf|dans|en|de) (?:the )?(?:b|other (?:one|side)|second(?: (?:one|query))?|right(?: side)?"
    r"|der anderen|l'autre"
    r"|la otra|there|over there))?"
)
_SAME = re.compile(
    r"(?P<left>.+?) (?:and|und|et|y|&) (?P<right>.+?) (?:(?:are|mean|sind|sont|son) (?:the same(?: thing)?|dasselbe"
    r"|das gleiche|pareils?"
    r"|la meme chose|lo mismo|equal)|(?:belong|go) together|match|gehoren zusammen|vont ensemble|van junt[ao]s)"
)
_ONLY = re.compile(
    r"(?:only|just|solely|nothing but|nur|bloss|ausschliesslich|seulement|uniquement|juste|solo|solamente|unicamente)"
    r"(?: (?:compare|the|look at|use|vergleiche?|compare[rz]?|compara\w*|den|die|das|le|la|les|el|los"
    r"|las))* (?P<names>.+?)"
    r"(?: (?:vergleichen|please|bitte|comparer|comparar))*"
)
_EXCEPT = re.compile(
    r"(?P<drops>(?:drop|ignore|leave out|skip|remove|hide) )?(?:everything|all(?: columns?)?|alles|alle spalten|tout"
    r"|toutes les colonnes|todo"
    r"|todas las columnas) (?:except|but|apart from|other than|ausser|bis auf|sauf|excepto|menos"
    r"|salvo)(?: for)? (?P<names>.+)"
)
_NO_KEY = re.compile(
    r"(?:there(?: i|')s |es gibt |il n'y a |no hay )?(?:no|without(?: an?| any| the)?|kein\w*|ohne|pas de|sans"
    r"|sin)(?: (?:la|le|el|den))?"
    rf" {_KEY}|whole rows|ganze zeilen|lignes entieres|filas enteras"
)
_NUMBER = re.compile(
    r"(?P<number>\d+(?:[.,]\d+)?)\s*(?P<unit>%|percent|prozent|pour ?cent|por ?ciento|cents?|ct|centimes?|centimos?)?"
)
_REPORTS: tuple[Reporting, ...] = ("columns", "differences", "aggregates", "summary", "all")
_NUMBERED = frozenset({"id", "number"})
"""Words that a name of a column is known without: the store is its number."""
_TOLERATED = re.compile(
    r"\b(?:toleran\w*|toler\w*|tolera\w*|within|up to|at most|below|under|less than|smaller than|differ(?:s|ences?)?"
    r"|off by|by|apart"
    r"|bis(?: zu)?|unter|hochstens|kleiner als|unterschiede?|abweichung\w*|moins de|jusqu'a|ecarts?|menos de|hasta"
    r"|diferenci?as?)\b"
)


@dataclass(frozen=True, slots=True)
class ComparisonCorrection:
    """Changes of a comparison; empty is what stays.

    `keys` are names of columns of either query, `pairs` columns of the second query by those of the first, "" to leave
    one out; `tolerances` are values of the form of what does not count as a difference. `only` are the columns of the
    first query that are compared; with `no_key`, whole rows are.
    """

    keys: tuple[str, ...] = ()
    pairs: Mapping[str, str] = field(default_factory=dict)
    report: Reporting | None = None
    tolerances: Mapping[str, str] = field(default_factory=dict)
    only: tuple[str, ...] = ()
    no_key: bool = False

    def __bool__(self) -> bool:
        return self != ComparisonCorrection()

    def __or__(self, other: "ComparisonCorrection") -> "ComparisonCorrection":
        return ComparisonCorrection(
            (*self.keys, *other.keys),
            {**self.pairs, **other.pairs},
            other.report or self.report,
            {**self.tolerances, **other.tolerances},
            (*self.only, *other.only),
            self.no_key or other.no_key,
        )


def comparison_correction(text: str, left: tuple[str, ...], right: tuple[str, ...]) -> ComparisonCorrection:
    """Return what a sentence changes; `left` and `right` are the columns of the queries. A question changes nothing."""
    if len(text) > CORRECTION_MAX_CHARS or is_question(text):
        return ComparisonCorrection()
    plain = unaccented(text).replace("ß", "ss").strip(" .!")
    if whole := _read(plain, text, left, right):
        return whole
    found = ComparisonCorrection()
    for clause in _CLAUSE.split(plain):
        denied = _words("without").match(clause)
        if (found and _REASON.match(clause)) or (denied and _report(clause[denied.end() :].strip())):
            continue  # "not everything, just the differences"
        read = _read(clause, clause, left, right)
        if not read:
            return ComparisonCorrection()
        found |= read
    return found


def _read(plain: str, text: str, left: tuple[str, ...], right: tuple[str, ...]) -> ComparisonCorrection:
    """Return what a clause changes, as a whole."""
    bare = _LEAD.sub("", plain, count=1) or plain
    if pairs := _pairs(_TAIL.sub("", bare), text, left, right):
        return ComparisonCorrection(pairs=pairs)
    if _NO_KEY.fullmatch(bare):
        return ComparisonCorrection(no_key=True)
    if report := _report(plain):
        return ComparisonCorrection(report=report)
    if tolerances := _tolerances(plain):
        return ComparisonCorrection(tolerances=tolerances)
    if only := _only(plain, left):
        return only
    plain = _TAIL.sub("", bare)
    if out := _left_out(plain, left, right):
        return ComparisonCorrection(pairs=dict.fromkeys(out, ""))
    return ComparisonCorrection(keys=_keys(plain, (*left, *right)))


def _report(plain: str) -> Reporting | None:
    """Return the report that a clause asks for and nothing else; None in doubt."""
    rest = _words("fillers").sub(" ", plain)
    hides, same = _words("without").search(plain), _words("same").search(plain)
    if same and not _words("fillers").sub(" ", _words("without").sub(" ", _words("same").sub(" ", rest))).strip(" ,"):
        return "differences" if hides else "all"
    if hides:
        return None
    if plain == "all":  # of the columns, or of the rows
        return None
    if _words("summary").search(plain):
        plain = _words("differences").sub(" ", plain)  # "how many rows differ"
    for name in _REPORTS:
        pattern = _words(name)
        if pattern.search(plain) and not _words("fillers").sub(" ", pattern.sub(" ", plain)).strip(" ,"):
            return name
    return None


def _tolerances(plain: str) -> dict[str, str]:
    """Return what does not count as a difference, as the form of tolerances has it; empty for any other clause."""
    hides = _words("without").search(plain) or _words("no_matter").search(plain)
    if (number := _NUMBER.search(plain)) and _TOLERATED.search(plain):
        rest = _TOLERATED.sub(" ", _NUMBER.sub(" ", plain, count=1))
        if not _bare(rest) or re.fullmatch(r"fine|ok(?:ay)?|euros?|dollars?|€|\$|allow|erlaubt?|set", _bare(rest)):
            unit, amount = number["unit"] or "", float(number["number"].replace(",", "."))
            if unit.startswith("c"):
                return {"absolute": f"{amount / 100:g}"}
            return {"relative" if unit else "absolute": f"{amount:g}"}
    for name, words in _lists()["ignored"].items():
        pattern = _any(tuple(words))
        insensitive = "insensitive" in plain
        if pattern.search(plain) and (hides or insensitive) and not _bare(pattern.sub(" ", plain)):
            setting, _, value = name.partition("=")
            return {setting: value}
    return {}


def _bare(text: str) -> str:
    """Return the words of a clause that are no fillers."""
    for name in ("no_matter", "without", "fillers"):
        text = _words(name).sub(" ", text)
    return " ".join(text.replace(",", " ").split())


def _pairs(plain: str, text: str, left: tuple[str, ...], right: tuple[str, ...]) -> dict[str, str]:
    """Return the columns of the second query by those of the first that a clause names; "" to leave one out."""
    if pairs := column_pairs(text, left):
        found = {source: _column(target, right) for source, target in pairs.items()}
        if all(found[source] or not target for source, target in pairs.items()):
            return found
    for clause in (_kept(plain), plain):
        if match := _SAME.fullmatch(clause) or _PAIR.fullmatch(clause):
            one, other = match["left"], match["right"]
            if (source := _column(one, left)) and (target := _column(other, right)):
                return {source: target}
            if (source := _column(other, left)) and (target := _column(one, right)):
                return {source: target}
    return {}


def _only(plain: str, left: tuple[str, ...]) -> ComparisonCorrection:
    """Return the columns of the first query that alone are compared, or all others: "all except the email"."""
    besides, alone = _EXCEPT.fullmatch(plain), _ONLY.fullmatch(plain)
    found = besides or alone
    names = [_column(name, left) for name in _AND.split(found["names"]) if name] if found else []
    if not names or not all(names):
        return ComparisonCorrection()
    if besides and not besides["drops"]:
        return ComparisonCorrection(pairs=dict.fromkeys(names, ""))
    return ComparisonCorrection(only=tuple(names))


def _left_out(plain: str, left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of the first query that a clause leaves out."""
    hides = _words("without").match(plain) or re.search(rf"(?:{_words('no_matter').pattern})$", plain)
    if not hides:
        return ()
    rest = _words("no_matter").sub(
        " ", _words("without").sub(" ", plain, count=1) if _words("without").match(plain) else plain
    )
    names = [_column(name, left) for name in _AND.split(" ".join(rest.split())) if name]
    return tuple(names) if names and all(names) else ()


def _keys(plain: str, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns that a sentence names as the key, all of which there are; else nothing."""
    for clause in dict.fromkeys((plain, _LEAD.sub("", _kept(plain), count=1))):
        for pattern in _KEYS:
            if match := pattern.fullmatch(clause):
                names = [_column(name, columns) for name in _AND.split(match["names"]) if name]
                if names and all(names):
                    return tuple(dict.fromkeys(names))
    return ()


def _kept(plain: str) -> str:
    """Return what a clause says that shall be, without what shall not: "email, not name", "not name but email"."""
    found = _NOT_BUT.fullmatch(plain) or _INSTEAD.fullmatch(plain)
    return found["new"].strip(" ,") if found else plain


def _column(name: str, columns: tuple[str, ...]) -> str:
    """Return the column that is called so, in one of four languages; "" where there is none, or several."""
    wanted = re.sub(rf"^{_THE}(?=\S)", "", _plain(name)).strip()
    exact = [column for column in dict.fromkeys(columns) if _plain(column) == wanted]
    meant = meanings_of(wanted)
    for less in (frozenset[str](), _NUMBERED):
        alike = exact or [each for each in dict.fromkeys(columns) if _meant(each, less) == meant - less != frozenset()]
        if alike:
            return alike[0] if len(alike) == 1 else ""
    return ""


def _meant(column: str, less: frozenset[str]) -> frozenset[str]:
    return meanings_of(_plain(column)) - less


def _plain(name: str) -> str:
    return without_accents(name).casefold().replace("_", " ").strip(" \"'`.")


def _words(name: str) -> re.Pattern[str]:
    lists = _lists()
    return _any(tuple(lists["reports"].get(name) or lists["words"][name]))


@cache
def _any(words: tuple[str, ...]) -> re.Pattern[str]:
    either = "|".join(sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{either})(?:(?<=')|(?![\w-]))")


@cache
def _lists() -> dict[str, dict[str, list[str]]]:
    text = files("router.understanding.parameters").joinpath("comparing.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)
