"""The words around what a message really says: "ok, and now please only …"."""

import re
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

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
    "gut|super|danke|ja|nein(?=,)|bitte|also|hallo|merci|oui|non(?=,)|d'accord|s'il (?:te|vous) plaît|gracias|sí"
    "|vale|por favor",
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
    r"(?:noch ?mal )?(?:dasselbe|das ?gleiche|das selbe)(?: nochmal)?|(?:la )?même chose|pareil|idem|lo mismo|igual",
)
_SHOW = _lead(
    r"(?:filter|restrict)(?: (?:it|that|this|them))? (?:by|on|to|for)",
    r"(?:can|could|would|will|may) (?:you|we|i)(?: please)?(?: (?:have|see|get)(?: (?:it|that|this|them|those))?)?"
    r"|(?:i|we)(?:'d| would| only| just)* (?:like|want|need|prefer)(?: to)?(?: (?:see|have|know|get)(?: (?:it|that"
    r"|this|them|those))?)?",
    r"(?:(?:please )?(?:show|give|display|list|get|return|see|filter|restrict|narrow|limit|reduce|cut|keep|make"
    r"|change(?! in\b)|switch|set|update|adjust|modify|replace|swap|put|do|take|use|try|break|split|group|add))"
    r"(?: (?:me|us))?(?: (?:it|that|this|these|those|them|the (?:result|results|list|numbers|rows|table)))?(?:"
    r" (?:down|up|out))?(?: (?:to|on|with))?",
    r"(?:change|switch|set) the (?:\w+ ){1,2}to",
    r"(?:write|put|express|report) (?:it|that|this|them)(?= (?:in|as|per|by)\b)",
    r"(?:zoom|drill)(?: down)?(?: in(?:to)?| on| to)*",
    r"let(?:'s| us| me) (?:see|have|look at|take|try)",
    r"zeig(?:e|en)?(?: (?:mir|uns|sie))?(?: (?:das|es|sie|die))?|gib (?:mir|uns)|ich (?:will|möchte|brauche)|kannst"
    r" du|können sie|mach(?:e)?(?: das| es)?",
    r"montre(?:z)?(?:-(?:moi|nous|le|la|les))*|affiche(?:z)?|donne(?:z)?(?:-moi)?|je (?:veux|voudrais)|muéstra(?:me"
    r"|lo)?|dame|quiero(?: ver)?|puedes",
)
_TAILS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("instead", _tail("instead|rather|stattdessen|lieber|à la place|plutôt|en su lugar|mejor")),
    ("also", _tail("too|as well|also|in addition|auch|dazu|aussi|en plus|también")),
    ("only", _tail("only|alone|nur|seulement|uniquement|solamente|s[oó]lo")),
    (
        "",
        _tail(
            "please|pls|plz|then|now|again|thanks|thank you|bitte|danke|jetzt|s'il (?:te|vous) plaît|merci|por favor"
            "|ahora|aus"
        ),
    ),
)
_AFTERWORDS = re.compile(
    r",? (?:i|we) (?:do not|don't|won't) (?:really )?(?:need|want|care about) (?:it|that|this|them|those|these)(?:"
    r" \w+)?$",
    re.IGNORECASE,
)
_FLAGS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("same", _SAME_AGAIN),
    ("about", _ABOUT),
    ("adds", _AND),
    ("also", _ALSO),
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


def said_in(message: str) -> MessageCore:
    """Return what a message says without the words around it."""
    said = MessageCore(_AFTERWORDS.sub("", message), instead=bool(_INSTEAD.match(message)))
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
