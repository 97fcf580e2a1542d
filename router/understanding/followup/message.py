"""A message taken apart: the words around it, whether it stands on its own, and the parts of what it asks for."""

import re
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from router.language.inflection import stem
from router.understanding.followup.filters import EXCLUDE, INCLUDE
from router.understanding.followup.previous import PreviousQuestion
from router.understanding.followup.rows import Group, Limit, groups_in, limit_in, number_of, order_in, plainly
from router.understanding.followup.times import TimePhrase, times_in

_END = r"(?=[\s,.:;!?]|$)[\s,.:;!]*"


def _lead(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(words)}){_END}", re.IGNORECASE)


def _tail(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\s,])[\s,]+(?:{words})$", re.IGNORECASE)


_EMPTY = _lead(
    "ok(?:ay)?|thanks(?: a lot| so much)?|thank you(?: very much)?|thx|great|good|nice|cool|perfect|fine|hm+|right"
    "|yes|yeah|yep|no(?:pe)?(?=[,.!;]| i (?:meant|want))|sorry"
    "|actually|wait|well|so(?! far)|oh|ah|alright|hey(?: bot)?|hi(?: bot)?|please|pls|plz|kindly|then|next|my bad|i"
    " meant?(?: to say)?|maybe",
    "gut|super|danke|ja|nein(?=,)|bitte|also|hallo|merci|oui|non(?=,)|d'accord|s'il (?:te|vous) plaît"
    "|gracias|sí|vale|por favor",
)
_AND = _lead("and then|and|plus|but|und|aber|et|mais|y(?! (?:compris|a)\\b| a-t-il)|e|pero")
_ALSO = _lead(
    r"(?:(?:i|we)(?: also (?:need|want|require|would like)|'d also like)|can i also (?:have|see|get))(?: to see)?",
    "also|additionally|in addition|auch(?: noch)?|zusätzlich|aussi|también|además",
)
_NOW = _lead("now|jetzt|nun|maintenant|ahora|again|nochmal")
_ONLY = _lead("only|just|solely|nur|lediglich|seulement|uniquement|juste|s[oó]lo|solamente|únicamente")
_ABOUT = _lead(
    r"(?:what|how) about|what if (?:we|i|you)(?: (?:just|only))?(?: (?:take|took|look(?:ed)? at|use))?"
    r"|how (?:does|do|did) (?:that|it|this|they|these)(?= compare\b)"
    r"|(?:what is it|what's it|how is it|how's it|what is that|what would it be|what (?:was|were) (?:it|that|this"
    r"|they)|how (?:was|were) (?:it|that|they))(?= (?:for|in|by|per|with|without"
    r"|at)\b)"
    "|how does (?:it|that|this) look|how did (?:it|that|this) look|what does (?:it|that|this) look like|and if",
    "was ist mit|wie sieht es|wie wäre es mit|wie ist es|qu'en est-il(?: de| pour)?|et si|qué (?:hay|pasa|tal(?="
    " con| si))(?: de| con)?",
)
_SAME_AGAIN = _lead(
    r"(?:(?:show|give|do|run|repeat|make)(?: me)? )?(?:exactly )?(?:the )?same(?: thing| again| query| question|"
    r" report| numbers?| figures?| as before| as above| list| table)?"
    r"(?:,? but)?(?=\s*(?:$|[,.!?:;]|(?:for|in|by|per|but|with|without|only|just|from|to|on|now|again|sorted|as|für"
    r"|im|pro|nach|nur|ohne|pour|en|par|sans"
    r"|para|con|sin|por|last|this|previous|next|please|and|instead|since|excluding|\d+)\b))|(?:do|repeat|run|redo|rerun)"
    r" (?:that|this|it)(?: again)?(?:,? but)?|likewise|ditto|again,? but",
    r"(?:noch ?mal )?(?:das ganze|the whole thing|le tout|dasselbe|das ?gleiche|das selbe)(?: nochmal)?"
    r"|(?:la )?même chose|pareil|idem|lo mismo|igual",
)
_WISHED = _lead(
    "(?:(?:doch|lieber|eher|mejor|plutôt|rather) ?)+",
    "(?:but )?i (?:actually |really |had )*(?:meant|wanted|asked for)",
    "(?:aber )?ich (?:(?:hatte|habe) nach(?= .*gefragt)|(?:meinte|wollte)(?: eigentlich)?)",
    "(?:mais )?je (?:voulais(?: dire)?|parlais d[eu]s?)|(?:pero )?(?:yo )?(?:quería(?: decir)?|me refería al?)",
)
_SHOW = _lead(
    r"(?:filter|restrict)(?: (?:it|that|this|them))? (?:by|on|to|for)",
    r"(?:can|could|would|will|may) (?:you|we|i)(?: please)?(?: (?:have|see|get)(?: (?:it|that|this|them|those))?)?"
    r"|(?:i|we)(?:'d| would| only| just)* (?:like|want|need|prefer)(?: to)?(?: (?:see|have|know|get)(?: (?:it|that"
    r"|this|them|those))?)?",
    r"(?:(?:please )?(?:show|give|display|list|get|return|see|filter|restrict|narrow|limit|reduce|cut|keep|make"
    r"|change(?! in\b)|switch|set|lower"
    r"|raise|increase|update|adjust|modify|replace|swap|put|do|take|use|try|break|split|group|add))"
    r"(?: (?:me|us))?(?: (?:it|that|this|these|those|them|the (?:result|results|list|numbers|rows|table)))?(?:"
    r" (?:down|up|out))?(?: (?:to|on|with))?",
    r"(?:change|switch|set) the (?:\w+ ){1,2}to",
    r"(?:write|put|express|report) (?:it|that|this|them)(?= (?:in|as|per|by)\b)",
    r"(?:zoom|drill)(?: down)?(?: in(?:to)?| on| to)*",
    r"let(?:'s| us| me) (?:see|have|look at|take|try)",
    r"zeig(?:e|en)?(?: (?:mir|uns|sie))?(?: (?:das|es|sie|die))?|gib (?:mir|uns)"
    r"|ich (?:will|möchte|brauche|hätte gern)|kannst du|können sie|mach(?:e)?(?: das| es)?",
    r"montre(?:z)?(?:-(?:moi|nous|le|la|les))*|affiche(?:z)?|donne(?:z)?(?:-moi)?|je (?:veux|voudrais)"
    r"|j'aimerais|il (?:me )?faudrait|me gustaría|quisiera|muéstra(?:me"
    r"|lo)?|dame|quiero(?: ver)?|puedes",
)
_TAILS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("instead", _tail("instead|rather|stattdessen|lieber|à la place|plutôt|en su lugar|mejor|meine ich|i mean")),
    ("also", _tail("too|as well|also|in addition|auch|dazu|aussi|en plus|también")),
    (
        "only",
        _tail(
            r"(?:is|are|will be|would be) (?:enough|sufficient)(?: for me)?|will do|reich(?:t|en)(?: mir| uns)?"
            r"|genüg(?:t|en)(?: mir)?|(?:me |nous )?suffi(?:t|sent)|(?:me |nos )?bastan?"
        ),
    ),
    ("only", _tail("only|alone|nur|seulement|uniquement|solamente|s[oó]lo")),
    (
        "",
        _tail(
            "please|pls|plz|then|now|again|thanks|thank you|bitte|danke|jetzt|s'il (?:te|vous) plaît|merci|por favor"
            "|ahora|aus|i meant|gefragt"
        ),
    ),
)
_NOT_THAT = r"(?:do not|don'?t|does not|doesn'?t|won'?t)"
_FILLERS = re.compile(
    rf"[,.;!?-]? *\b(?:(?:i|we) (?:want|need) (?:it|them) all|(?:(?:i|we) {_NOT_THAT} (?:really )?(?:need|want|care)"
    rf"|(?:the|all) (?:rest|others)\b(?! of)|den rest|der rest|die (?:anderen|übrigen)\b|le reste|les autres|el resto"
    rf"|lo demás|l[oa]s demás)(?: [^\s,.;!?]+)+"
    rf"|(?:the )?(?:\w+ )?(?:ones? |rest )?{_NOT_THAT} (?:really )?matter(?: \w+)?|lol|haha)(?=[,.;!?]|$)",
    re.IGNORECASE,
)
"""What is said of what is not wanted: "I don't need the rest", "die anderen können weg"."""
_REASON = re.compile(
    r"(?:the|my|our|it|that|this|there|they|we|i|it's|that's|die|der|das|mein\w*|unser\w*|es|le|la|les|mon|ma|notre"
    r"|c'est|il|el|los|las|mi|nuestr[oa]) (?:[^\s]+ )*?(?:is|are|was|were|has|have|says|said|stays?|ist|sind|war|waren"
    r"|hat|haben|bleib\w*|est|sont|était|ont|restent?|son|está|están|era)\b",
    re.IGNORECASE,
)
"""A sentence that only tells why."""
_PLEASE = re.compile(r",? \b(?:please|pls|plz|bitte|svp|s'il (?:te|vous) plaît|por favor|porfa)(?=[ ,])", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[^\W\d_])")
_FLAGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("same", _SAME_AGAIN),
    ("about", _ABOUT),
    ("adds", _AND),
    ("also", _ALSO),
    ("instead", _WISHED),
    ("now", _NOW),
    ("only", _ONLY),
    ("shows", _SHOW),
    ("", _EMPTY),
)
_MODAL = ("", "can", "could", "would", "will", "may", "i", "we")
_INSTEAD = re.compile(r"(?:no|nope|sorry|actually|wait|i meant?|nein|non)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MessageCore:
    """A message without the words around it, and what these tell.

    `adds`: it begins with "and"; `also`: it asks for more ("too"); `instead`: for something else; `about`: it begins
    with "what about"; `shows`: with a verb such as "show"; `verb` is that verb.
    """

    rest: str
    adds: bool = False
    also: bool = False
    now: bool = False
    only: bool = False
    about: bool = False
    same: bool = False
    instead: bool = False
    shows: bool = False
    verb: str = ""

    @property
    def leads(self) -> bool:
        """True where it begins as no question of its own does."""
        return self.adds or self.about or self.same or self.also


def without_fillers(message: str) -> str:
    """Return a message without reasons, courtesies, and what is said of things that nobody wants."""
    told = [each for each in _SENTENCE_END.split(message) if not _REASON.match(each)] or [message]
    text = _FILLERS.sub("", _PLEASE.sub("", " ".join(told)))
    return text if re.search(r"\w", text) else message


def said_in(message: str) -> MessageCore:
    """Return what a message says without the words around it."""
    said = MessageCore(message, instead=bool(_INSTEAD.match(message)))
    while (shorter := _shorter(said)) != said and shorter.rest:
        said = shorter
    while (shorter := _without_tail(said)) != said and shorter.rest:
        said = shorter
    return said


def _shorter(said: MessageCore) -> MessageCore:
    """Return it without the first of the words around it."""
    for flag, pattern in _FLAGS:
        match = pattern.match(said.rest)
        if match is None or not match[0]:
            continue
        shorter = replace(said, rest=said.rest[match.end() :])
        if flag == "shows":
            asks = said.verb in _MODAL  # "can you add …" is about adding
            return replace(shorter, shows=True, verb=match[0].split()[0].lower() if asks else said.verb)
        return _flagged(shorter, flag)
    return said


def _without_tail(said: MessageCore) -> MessageCore:
    def cut(now: MessageCore, tail: tuple[str, re.Pattern[str]]) -> MessageCore:
        flag, pattern = tail
        shorter = pattern.sub("", now.rest)
        return now if not shorter or shorter == now.rest else _flagged(replace(now, rest=shorter), flag)

    return reduce(cut, _TAILS, said)


def _flagged(said: MessageCore, flag: str) -> MessageCore:
    changes: dict[str, Any] = {flag: True} if flag else {}
    return replace(said, **changes)


_ASKS = re.compile(
    r"(?:who|what|which|whose|when|where(?= (?:is|are|was|were|do|does|did|can|have|has|our|the)\b(?! \w+ (?:over"
    r"|above|under)))|why|how|is|are|was|were|do|does|did|has|have|had|should|calculate|compute|compare(?! (?:(?:it"
    r"|that|this|them) )?(?:to|with)\b)|find|tell|count|summari[sz]e"
    r"|wer|wann|wo|wie|warum|welche[rsn]?|gibt|haben|hat|ist|sind|wurden?|qui|que|quoi|quels?|quelles?|combien"
    r"|comment|quand|où|pourquoi|est-ce|y a-t-il"
    r"|quién|quiénes|qué|cuál|cuáles|cuándo|dónde|cómo|cuánt[oa]s?|cuantos|hay)\b",
    re.IGNORECASE,
)
_ASKS_LATER = re.compile(
    r"^(?:\w+ )(?:which|what|whom|whose|how|welche\w*|quel\w*|qué|cuál\w*|wie|combien|cuánt\w+)\b|\b(?:how many|how"
    r" much|what (?:is|was|are)|which|wie viele|combien|cuánt[oa]s)\b",
    re.IGNORECASE,
)
_LISTS = re.compile(
    r"(?:(?:give|show|get|send|need|want|prepare)\b.*? )?(?:(?:a|an|the) (?:\w+ )?)?(?:list|overview|names|details)"
    r" of (?:all )?(?!(?:it|that|this|them|these|those|the (?:result|rows)|their)\b)\w"
    r"|(?:for )?(?:each|every) [^\W\d]+(?: [^\W\d]+)?,?"
    r" (?:return|give|show|list|get|find|count|the|its|how|what|which)\b"
    r"|(?:list|show|give me|get) (?:each|every)\b|(?:je (?:cherche|voudrais savoir)|ich suche|busco)\b|add up\b",
    re.IGNORECASE,
)
"""A question of its own, though its words could be parts of one: "list of late deliveries", "for each store, the …"."""
_POLITE = re.compile(
    r"(?:(?:can|could|would) (?:you|i|we)|please|i (?:need|want)|i'd like)(?: please)?(?: have| see)? ", re.I
)
_SPOKEN_WORD = re.compile(r"[^\W\d_][\w'-]*")
MOST_WORDS = 14
"""Words of a message that is no question of its own."""


def asks_alone(said: MessageCore) -> bool:
    """Tell whether a message has a question word where no follow-up has one."""
    rest = said.rest
    if _ASKS.match(rest):
        return True
    if re.search(r"\bI(?:'(?:m|d|ll|ve))?\b", rest) or re.match(r"(?i)from now on\b", rest):
        return True
    if re.search(r"\w\? \w", rest) and len(rest.split()) > MOST_WORDS // 2:
        return True
    later = _ASKS_LATER.search(rest)
    return bool(later) and not (said.only and later and re.match(r"(?i)which", later[0]))


def lists(text: str) -> bool:
    """Tell whether a message asks for a list, or for something of each, whatever was asked before."""
    return bool(_LISTS.match(_POLITE.sub("", text)))


def is_long(said: MessageCore) -> bool:
    """Tell whether a message is too long to be a part of another question."""
    return len(_SPOKEN_WORD.findall(said.rest)) > MOST_WORDS


def speaks_of(text: str, body: str) -> bool:
    """Tell whether the last word of a text is one of the question before it: then it may narrow that question."""
    words = [stem(word) for word in _SPOKEN_WORD.findall(text)]
    return bool(words) and words[-1] in {stem(word) for word in _SPOKEN_WORD.findall(body)}


def names_things(text: str, asked: PreviousQuestion) -> bool:
    """Tell whether a text is one word for the rows of a table, such as "returns"."""
    return text.lower().endswith("s") and stem(text) in {stem(name) for name in asked.names}


def names_a_thing(text: str, asked: PreviousQuestion) -> bool:
    """Tell whether a text is about a table or a column of the database."""
    known = {stem(name) for name in asked.names}
    return any(stem(word) in known for word in _SPOKEN_WORD.findall(text))


_SHARE = re.compile(
    r"(?:(?:the )?(?:share|percentage) of (?:the )?total(?: in (?:%|percent))?"
    r"|(?:and )?(?:as|in|with) (?:a )?(?:percent(?:ages?)?|per cent|%|shares?|proportions?|fractions?)(?: of (?:the"
    r" )?(?:total|whole|all|sum))?"
    r"|as (?:a )?(?:share|percentage|fraction|proportion) of (?:the )?(?:total|whole|all)|(?:as (?:a )?)?(?:running"
    r" total|cumulative(?:ly)?|(?:year|month|quarter|week)[ -](?:over|on)[ -](?:year|month|quarter|week)|yoy"
    r"|growth(?: rate)?|rolling average)|percentages?(?: of (?:the"
    r" )?total)?(?: (?:instead of|rather than|not) [\w ]+)?|relative(?:ly)?"
    r"|(?:in|als) prozent\w*|prozentual\w*|als anteil(?:e)?|en pourcentage|en porcentaje)",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"(?:(?:in|as|converted to|convert (?:it |that )?to|into) (?P<money>euros?|eur|€|(?:us )?dollars?|usd|\$"
    r"|pounds?|gbp|£|(?:swiss )?francs?|chf|yen|jpy))"
    r"|in (?P<size>thousands?|millions?|k|m|tausend|millionen)",
    re.IGNORECASE,
)
_COMPARED = re.compile(
    r"(?:as )?(?:opposed to|in comparison (?:to|with)|compare(?:d)? (?:(?:it|that|this|them) )?(?:to|with)"
    r"|versus|vs\.?|against|verglichen mit|im vergleich zu|comparé à|comparado con) (?P<what>\S.*)"
    r"|(?P<beside>\S.*) (?:for|in) comparison|(?:zum vergleich (?P<de>\S.*))|(?P<abroad>\S.*)"
    r" (?:zum vergleich|pour comparer|en comparaison|para comparar)",
    re.IGNORECASE,
)
_BESIDE = re.compile(r" (?:vs\.?|versus|against|compared (?:to|with)|or|gegen|contre|contra) ", re.IGNORECASE)
_EDGE = re.compile(
    r"^[\s,;&-]+|(?<![\s,;&-])[\s,;&-]+$|^(?:and|but|und|et|y(?! compris)|then)\b\s*"
    r"|(?<!\s)\s+(?:and|but|und|et|y|only|for|in)$",
    re.IGNORECASE,
)


@dataclass(slots=True)
class MessageParts:
    """The parts of a message; `left` is the rest."""

    left: str
    order: str = ""
    limit: Limit | None = None
    share: str = ""
    unit: str = ""
    money: bool = False
    compared: str = ""
    exclude: str = ""
    include: str = ""
    times: list[TimePhrase] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """True where anything was understood."""
        return bool(
            self.order
            or self.limit
            or self.share
            or self.unit
            or self.compared
            or self.exclude
            or self.include
            or self.times
            or self.groups
        )


def parts_of(text: str, only: bool) -> MessageParts:
    """Return what a message asks for; with `only`, a number alone is a number of rows."""
    parts = MessageParts(text)
    for take in (_compared, _excluded, _ordered, _limited, _shared, _in_unit, _timed, _grouped):
        take(parts)
        parts.left = _trimmed(parts.left)
    number = number_of(parts.left) if not parts.limit and (only or not parts.any) else None
    if number:
        parts.limit, parts.left = number, ""
    return parts


def _compared(parts: MessageParts) -> None:
    match = _COMPARED.match(parts.left)
    if match:
        parts.compared, parts.left = next(each for each in match.groups() if each), ""


def _excluded(parts: MessageParts) -> None:
    """Take what is left out or put in; it ends where the message goes on with something else."""
    for name, pattern in (("exclude", EXCLUDE), ("include", INCLUDE)):
        match = re.search(rf"(?:^|(?<=[\s,])){pattern.pattern}", parts.left, re.IGNORECASE)
        if match is None:
            continue
        rest = parts.left[match.start() :]
        order, limit = order_in(rest), limit_in(rest)
        ends = [
            found.start()
            for found in (
                order,
                re.search(r",|\b(?:but|aber|mais|pero)\b|\band (?:by|per|sort|order|only|top|in 20)", rest),
            )
            if found
        ]
        ends += [limit[1]] if limit else []
        at = min([end for end in ends if end > 8], default=len(rest))
        setattr(parts, name, _trimmed(rest[:at]))
        parts.left = f"{parts.left[: match.start()]} {rest[at:]}".strip()


def _ordered(parts: MessageParts) -> None:
    match = order_in(parts.left)
    if match:
        parts.order = match[0].strip()
        _cut(parts, match.start(), match.end())


def _limited(parts: MessageParts) -> None:
    found = limit_in(parts.left)
    if found:
        parts.limit = found[0]
        _cut(parts, found[1], found[2])


def _shared(parts: MessageParts) -> None:
    match = _SHARE.fullmatch(parts.left) or re.search(rf"(?<!\w){_SHARE.pattern}$", parts.left, re.IGNORECASE)
    if match:
        parts.share = match[0]
        _cut(parts, match.start(), match.end())


def _in_unit(parts: MessageParts) -> None:
    match = re.search(rf"(?:^|(?<= ))(?:{_UNIT.pattern})$", parts.left, re.IGNORECASE)
    if match:
        parts.unit, parts.money = match[0], bool(match["money"])
        _cut(parts, match.start(), match.end())


def _timed(parts: MessageParts) -> None:
    times = times_in(parts.left)
    if len(times) == 2 and _BESIDE.fullmatch(parts.left[times[0].end : times[1].start]):
        parts.times.append(
            TimePhrase(
                0, 0, times[0].prep, parts.left[times[0].start : times[1].end].removeprefix(f"{times[0].prep} "), ""
            )
        )
        _cut(parts, times[0].start, times[1].end)
        return
    for time in reversed(times):
        parts.times.insert(0, time)
        _cut(parts, time.start, time.end)


def _grouped(parts: MessageParts) -> None:
    parts.left = plainly(parts.left)
    for group in reversed(groups_in(parts.left)):
        parts.groups.insert(0, group)
        _cut(parts, group.start, group.end)
    if parts.groups and parts.left.startswith(":"):
        parts.groups[-1] = replace(parts.groups[-1], names=f"{parts.groups[-1].names}{parts.left}")
        parts.left = ""


def _cut(parts: MessageParts, start: int, end: int) -> None:
    parts.left = f"{parts.left[:start].rstrip()} {parts.left[end:].lstrip()}".strip()


def _trimmed(text: str) -> str:
    while (shorter := _EDGE.sub("", text)) != text:
        text = shorter
    return text
