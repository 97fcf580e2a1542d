"""The times that a question speaks of, and what becomes of them when another time is asked for."""

import re
from dataclasses import dataclass
from functools import cache

from router.language.wording import MONTHS
from router.understanding.followup.rows import NUMBER

MONTH = (
    r"(?:jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vrier|febrero|enero|mar(?:ch|s|zo)|märz|maerz|mar(?=\.? \d)"
    r"|apr(?:il)?"
    r"|avril|abril|may(?= \d)|mai(?= \d)|mayo|june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|ao[ûu]t|agosto"
    r"|sept?(?:ember|embre)?|septiembre|oct(?:ober|obre)?|oktober|octubre|nov(?:ember|embre)?|noviembre"
    r"|dec(?:ember)?|dezember|d[ée]cembre|diciembre"
    r"|(?:(?<=in )|(?<=for )|(?<=of )|(?<=only )|(?<=and )|(?<=about )|(?<=im )|(?<=en )|(?<=nur )|(?<=und )"
    r"|(?<=to )|(?<=bis )|(?<=until ))(?:may"
    r"|mai))"
)
YEAR = r"(?:19[5-9]\d|20\d\d)"
_UNIT = (
    r"(?:days?|weeks?|weekends?|months?|quarters?|years?|fiscal years?|school years?|semesters?|terms?|seasons?"
    r"|springs?|summers?|autumns?|winters?|holidays?)"
)
_QUARTER = (
    r"(?:q[1-4]|(?:the )?(?:first|second|third|fourth|1st|2nd|3rd|4th) quarter|h[12]|(?:the )?(?:first|second) half"
    rf"|t[1-4](?= (?:de )?{YEAR})|(?:(?<=au )|(?<=du )|(?<=del )|(?<=en ))t[1-4]"
    r"|(?:das )?(?:(?:erste|zweite|dritte|vierte)[nsmr]?|[1-4]\.) (?:quartal|halbjahr)s?"
    r"|(?:le )?(?:premier|deuxième|second|troisième|quatrième|1er|[2-4](?:e|ème)) (?:trimestre|semestre)"
    r"|(?:el )?(?:primer|segundo|tercer|cuarto) (?:trimestre|semestre))"
)
_WEEK_NAME = r"(?:kw|cw|(?:the )?(?:calendar )?weeks?|(?:die )?(?:kalender)?wochen?|(?:la )?(?:semaine|semana))"
_WEEK = (
    rf"(?:{_WEEK_NAME} ?\d{{1,2}}(?!\d)"
    rf"(?:(?: ?[-–] ?| (?:to|and|bis|und|à|a|al|et|y) )(?:{_WEEK_NAME} ?)?\d{{1,2}}(?!\d))?"
    r"|\d{1,2}(?:st|nd|rd|th) calendar week|\d{1,2}\. kalenderwoche)"
)
_WEEK_YEAR = rf"[ /](?:of |de |del |von )?(?:{YEAR}|last year|letzte[ns] jahre?s?|l['’]an dernier|año pasado)"
_WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|freitag|samstag"
    r"|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
    r"|lunes|martes|miércoles|jueves|viernes|sábado|domingo)"
)
_FEAST = r"(?:easter|christmas|new year|ostern|pfingsten|weihnachten|neujahr|pâques|noël|pascua|navidad)"
_BOUND = "|".join(
    f"(?<={word} )" for word in ("since", "until", "before", "after", "seit", "bis", "vor", "nach", "depuis", "desde")
)
"""Words before a day of the week or a feast, which without them are often a name or every such day."""
_DATE = r"(?:\d{4}-\d\d-\d\d|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2}/\d{1,2}/\d{4})"
_RELATIVE = "|".join(
    (
        r"(?:the )?day before yesterday|(?:of )?all[- ]time|qtd|wtd|(?:quarter|week)[- ]to[- ]date",
        rf"(?:the )?(?:rolling|trailing) (?:{NUMBER} )?{_UNIT}",
        rf"(?:last|this|past|letzte[ns]?|diesen) (?:{_WEEKDAY}|{_FEAST})|{_WEEKDAY} (?:dernier|pasado)",
        rf"(?:{_BOUND})(?:{_WEEKDAY}|{_FEAST})",
        r"(?:seit )?(?:jahres|quartals|monats|wochen)(?:beginn|anfang)|vor(?:monat|woche|quartal)|anteayer|antier",
        r"(?:die |der |das |den )?vorletzte[nrsm]? (?:jahr|monat|woche|quartal)(?:es|s)?|letzte[ns] halbjahr(?:es|s)?",
        r"(?:das |der |die )(?:jahr|monat|quartal|woche) (?:davor|danach)",
        r"(?:l['’]année|le mois|le trimestre|la semaine) d['’]avant",
        r"(?:depuis )?(?:le )?début (?:de l['’]année|du mois|du trimestre|de la semaine)|avant-hier",
        rf"(?:les )?{NUMBER} derni(?:er|ère)s (?:jours|semaines|mois|trimestres|ans|années)",
        r"(?:en )?lo que va del? (?:año|mes|trimestre)|(?:el )?(?:año|mes|trimestre) actual",
        rf"(?:los |las )?últim[oa]s {NUMBER} (?:días|semanas|meses|trimestres|años)",
        r"this year so far|(?:the )?same (?:period|time|months?|quarter|weeks?|days?) (?:of )?(?:the )?(?:last"
        r"|previous|prior) year",
        rf"(?:the )?(?:last|past|previous|next|this|current|coming) (?:(?:few|couple of|{NUMBER}) )?{_UNIT}",
        r"(?:the )?(?:year|month|week|quarter|day) (?:before|after|earlier)(?: that| this)?|the following (?:year"
        r"|month)",
        rf"{NUMBER} {_UNIT} ago",
        r"(?:the day )?before yesterday|today|yesterday|tomorrow|year[- ]to[- ]date|ytd|month[- ]to[- ]date|mtd|so"
        r" far this year|to date",
        r"(?:letzte|diese|vorige|vergangene|nächste|aktuelle)[nrsm]? (?:jahr|monat|woche|quartal)(?:es|s)?",
        rf"(?:die |den |der )?letzten? {NUMBER} (?:tage|tagen|wochen|monate|monaten|jahre|jahren)|vorgestern|gestern"
        rf"|heute|vorjahr",
        r"cette (?:année|semaine)|ce (?:mois|trimestre)|l['’]an(?:née)? (?:derni(?:er|ère)|passée?)"
        r"|(?:le|la|au|du) (?:mois|semaine|trimestre) derni(?:er|ère)"
        r"|hier|aujourd'hui",
        r"est[ea] (?:año|mes|semana|trimestre)|(?:el |la )?(?:año|mes|semana|trimestre) (?:pasad[oa]|anterior)|hoy"
        r"|ayer",
    )
)
_POINT = "|".join(
    (
        _DATE,
        rf"\d{{1,2}}(?:st|nd|rd|th|\.)? {MONTH}\.?(?: {YEAR})?",
        rf"{MONTH}\.?(?: \d{{1,2}}(?:st|nd|rd|th)?(?!\d),?)? (?:of |de )?{YEAR}",
        rf"{YEAR}-(?:0[1-9]|1[0-2])\b",
        rf"{_WEEK}(?:{_WEEK_YEAR})?",
        rf"{_QUARTER}(?:[ /](?:of |de )?{YEAR})?",
        rf"{YEAR}[ -]{_QUARTER}",
        YEAR,
        MONTH,
    )
)
_PREP = (
    r"(?:in|for|during|of|from|since|until|till|before|after|up to|through|over|within|on|as of|starting(?: in|"
    r" from)?|im jahre?|im|in den|im"
    r"|aus|seit|bis|vor|nach|für|fuer|en|pour|depuis|avant|après|jusqu'(?:en|à|au)|de|du"
    r"|para|desde|hasta|durante|a partir de|au|du|del|ab)"
)
_EDGE = (
    r"(?:(?:the )?(?:end|start|beginning|middle) of "
    r"|(?:ende|anfang|mitte|fin|début|finales de|principios de|mediados de) )?"
)
_DAY_NAME = r"(?:today|yesterday|now|heute|gestern|aujourd'hui|hier|hoy|ayer)"
_CORE = (
    rf"(?<![\w@./:'’\"-])(?:(?P<prep>{_PREP}) )?(?P<core>"
    rf"(?:between|entre|zwischen) (?:the )?(?:{_POINT}) (?:and|et|y|und) (?:{_POINT})"
    rf"|(?:(?:from|von|de|du) )?{_EDGE}(?:{_POINT}|{_FEAST})(?: ?(?:-|–|to|until|till|through|bis|à|a|au) ?)"
    rf"{_EDGE}(?:{_POINT}|{_DAY_NAME})"
    rf"|{_EDGE[:-1]}(?:{_POINT})"
    rf"|{_RELATIVE}|(?:year |the year |fiscal year |all of |the whole of |the whole |whole |the entire |entire"
    rf" )?(?:{_POINT}))(?P<tail>'s| onwards?| on(?= ?$)| or"
    rf" later)?(?![\w@/])(?![.,:-]\d)"
)
_NUMBER_BEFORE = re.compile(r"(?:than|above|over|under|below|least|most|top|first|last|[<>=€$£#]) ?$", re.IGNORECASE)
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|(?<!\w)'[^']+'(?!\w)")
_BARE_YEAR = re.compile(rf"(?:the )?(?:year )?({YEAR})$", re.IGNORECASE)
_ABSOLUTE_YEAR = re.compile(YEAR)
_PART_OF = re.compile(rf"{_EDGE}(?:{MONTH}\.?|may|mai|{_QUARTER}|{_WEEK})$", re.IGNORECASE)
_ONE_WEEK = re.compile(rf"{_WEEK_NAME} ?(?P<number>\d{{1,2}})(?:{_WEEK_YEAR})?$", re.IGNORECASE)
_ONE_QUARTER = re.compile(rf"[qt](?P<number>[1-4])(?:[ /](?:of |de )?{YEAR})?$", re.IGNORECASE)
_NEIGHBOUR = re.compile(
    r"(?:the )?(?:(?P<unit>year|month|week|quarter) (?P<way>before|after|earlier)(?: that| this)?"
    r"|the (?P<way2>previous|following|next) (?P<unit2>year|month|week|quarter))$",
    re.IGNORECASE,
)
_NEIGHBOUR_WORDS = {
    "year": ("jahr", "l'année"),
    "month": ("monat", "mois"),
    "week": ("woche", "semaine"),
    "quarter": ("quartal", "trimestre"),
}
_NEIGHBOUR_ELSEWHERE = re.compile(
    r"(?:das |der |die |le |la )?(?P<unit>[\w'’]+) (?P<way>davor|danach|d['’]avant)$", re.IGNORECASE
)
_RANGE = re.compile(
    r"\d ?[-–] ?\d{4}|\b(?:between|entre|zwischen|to|until|till|through|bis|à|and|y|et|und)\b", re.IGNORECASE
)
_UNTIL = ("until", "till", "up to", "through", "bis", "jusqu'en", "jusqu'à", "hasta")
_YEARLY_OR_MONTHLY = re.compile(
    r"(?:this (?:year|month|quarter)|diese[nsm]? (?:jahr|monat|quartal)|cette année|ce (?:mois|trimestre)"
    r"|este (?:año|mes|trimestre))$",
    re.IGNORECASE,
)
"""A time that goes on, and may be cut short: "this year until the end of July"."""
_YEARLY = re.compile(r"(?:the )?(?:last|this|previous|past|next|current) (?:fiscal )?year$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A time in a text from `start` to `end`: `prep` is the word before it, `tail` what belongs to it behind."""

    start: int
    end: int
    prep: str
    core: str
    tail: str

    @property
    def text(self) -> str:
        """The whole of it, as it was typed."""
        return f"{self.prep} {self.core}{self.behind}".strip()

    @property
    def behind(self) -> str:
        """The words that belong to it behind, but for an 's, after which something would have to follow."""
        return self.tail.removesuffix("'s")


@cache
def _pattern() -> re.Pattern[str]:
    """Return what finds a time; made at the first question, as it takes longer than most imports."""
    return re.compile(_CORE, re.IGNORECASE)


def times_in(text: str) -> tuple[TimePhrase, ...]:
    """Return the times of a text in their order; numbers that are no years, and what is quoted, are none."""
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    found = []
    for match in _pattern().finditer(text):
        inside = any(start <= match.start() < end for start, end in quoted)
        if inside or (match["core"].isdecimal() and _NUMBER_BEFORE.search(text[: match.start("core")])):
            continue
        prep, start = match["prep"] or "", match.start()
        found.append(TimePhrase(start, match.end(), prep, match["core"], match["tail"] or ""))
    return tuple(found)


def merged(old: TimePhrase, new: TimePhrase) -> str:
    """Return the words that stand where the old time stood: the new one, completed from the old where it is a part.

    "April" after "in March 2025" is "in April 2025"; "2023" after "in March 2025" is "in March 2023".
    """
    if new.prep.lower() in _UNTIL and old.prep.lower() not in _UNTIL and _YEARLY_OR_MONTHLY.match(old.core):
        return f"{old.text} {new.text}"
    core = new.core
    year, part = _ABSOLUTE_YEAR.search(old.core), _PART_OF.match(new.core)
    if neighbour := _neighbour(old, new):
        core = neighbour
    elif part and (year or _YEARLY.match(old.core)):
        core = f"{new.core} {year[0] if year else old.core}"
    elif year and (bare := _BARE_YEAR.match(new.core)) and _is_part(old.core) and bare[1] != year[0]:
        core = f"{old.core[: year.start()]}{bare[1]}{old.core[year.end() :]}"
    if old.tail == "'s" and not new.prep:
        return f"{core}'s"
    if neighbour and old.prep:
        return f"{old.prep} {core}{new.behind}"
    if (week := re.match(_WEEK, core, re.IGNORECASE)) and not new.prep and re.match(_WEEK, old.core, re.IGNORECASE):
        return f"{old.prep} {core}{new.behind}".strip()
    if week and not new.prep and old.prep.lower() in ("im", "im jahr", "im jahre"):
        return f"in {core}{new.behind}"
    prep = new.prep or (
        old.prep if _fits(old, new) else "" if _free(core) else "in" if old.prep or not _adjective(old) else ""
    )
    return f"{prep} {core}{new.behind}".strip()


def standing(new: TimePhrase, language: str) -> str:
    """Return a time as it stands behind a question that had none: "2024" is "in 2024"."""
    if new.prep or _free(new.core):
        return new.text
    return new.core + new.tail if language == "de" else f"{'in' if language == 'en' else 'en'} {new.core}{new.tail}"


def is_free(new: TimePhrase) -> bool:
    """Tell whether a time needs no word before it: "last year", "yesterday", "since 2022"."""
    return bool(new.prep) or _free(new.core)


def _free(core: str) -> bool:
    low = core.lower()
    if re.match(_EDGE, low, re.IGNORECASE).end():  # type: ignore[union-attr]
        return True
    if re.fullmatch(r"(?:of )?all[- ]time", low):
        return True
    if re.match(r"(?:all|the whole|whole|the entire|entire)\b", low):
        return False
    return not (_BARE_YEAR.match(core) or _PART_OF.match(core) or re.match(rf"(?:{_POINT})$", low, re.IGNORECASE))


def _fits(old: TimePhrase, new: TimePhrase) -> bool:
    """Tell whether the word before the old time may stand before the new one."""
    return not _free(new.core) and old.prep.lower() in _PLAIN and not _RANGE.search(old.core)


_PLAIN = frozenset(
    ("in", "for", "during", "of", "from", "im jahr", "im jahre", "im", "en", "de", "pour", "para", "durante", "aus")
)


def _adjective(old: TimePhrase) -> bool:
    """Tell whether a year stands as it does in "2024 revenue"."""
    return not old.prep and bool(_BARE_YEAR.match(old.core))


def _is_part(core: str) -> bool:
    """Tell whether a time is a month or a quarter of a year, and no day or span."""
    rest = _ABSOLUTE_YEAR.sub("", core).strip(" -/").lower().removesuffix(" of")
    return bool(_PART_OF.match(rest))


def _neighbour(old: TimePhrase, new: TimePhrase) -> str:
    """Return the year or month beside the old one that "the year before" means; "" where that is not clear."""
    core = _in_english(new.core)
    core = re.sub(r"(?i)^(?:the )?same \w+ (?:of )?(?:the )?(?:last|previous|prior) year$", "the year before", core)
    match, year = _NEIGHBOUR.match(core), _ABSOLUTE_YEAR.search(old.core)
    if "year before" in core and core != new.core and old.core.lower() == "this year":
        return "last year"
    if (
        match
        and not year
        and (beside := re.fullmatch(r"(?i)(?:the )?(?:last|this|previous|next) (year|month|week|quarter)", old.core))
    ):
        unit, way = (match["unit"] or match["unit2"]).lower(), (match["way"] or match["way2"]).lower()
        later = way in ("after", "following", "next")
        return f"the {unit} {'after' if later else 'before'} {old.core}" if unit == beside[1].lower() else ""
    unit = (match["unit"] or match["unit2"]).lower() if match else ""
    step = 1 if match and (match["way"] or match["way2"]).lower() in ("after", "following", "next") else -1
    if unit in ("week", "quarter"):
        return _counted_on(old.core, unit, step)
    if not match or not year or len(_ABSOLUTE_YEAR.findall(old.core)) > 1:
        return ""
    if unit == "year":
        return f"{old.core[: year.start()]}{int(year[0]) + step}{old.core[year.end() :]}"
    month = next((n for n, name in enumerate(MONTHS) if old.core.lower().startswith(name[:3].lower())), None)
    if month is None or not _is_part(old.core):
        return ""
    number = int(year[0]) * 12 + month + step
    return f"{MONTHS[number % 12]} {number // 12}"


def _in_english(core: str) -> str:
    """Return "the week before" for "die Woche davor"; another time as it is."""
    match = _NEIGHBOUR_ELSEWHERE.match(core)
    said = match["unit"].lower().replace("’", "'") if match else ""
    unit = next((each for each, words in _NEIGHBOUR_WORDS.items() if said in words), "")
    return f"the {unit} {'after' if match and match['way'].lower() == 'danach' else 'before'}" if unit else core


def _counted_on(core: str, unit: str, step: int) -> str:
    """Return the week or quarter beside one that is numbered, "" where it would be in another year that is not said."""
    match = (_ONE_WEEK if unit == "week" else _ONE_QUARTER).match(core)
    if not match:
        return ""
    number, year = int(match["number"]) + step, _ABSOLUTE_YEAR.search(core)
    last = 52 if unit == "week" else 4
    if number in range(1, last + 1):
        return f"{core[: match.start('number')]}{number}{core[match.end('number') :]}"
    if unit == "week" or not year:
        return f"the {unit} {'after' if step > 0 else 'before'} {core}"
    moved = f"{core[: match.start('number')]}{4 if number < 1 else 1}{core[match.end('number') : year.start()]}"
    return f"{moved}{int(year[0]) + step}{core[year.end() :]}"
