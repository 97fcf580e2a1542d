"""Recognises short wishes: to keep an answer as an example, to ask a person, to see the questions of this talk."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from router.language.detection import language_of
from router.understanding.button_words import waits, word_of

# To keep the answer on show as an example.


_KEEP = re.compile(
    r"(?:please )?(?:keep|save|store|add|remember|use) (?:(?:this|that|it|this answer|the answer|this one) )?"
    r"(?:as|for) (?:an? )?(?:good |verified |new )?example(?: please)?[.!]?"
    r"(?:\s*[:\u2013\u2014-]\s*(?P<question>\S.*))?",
    re.IGNORECASE | re.DOTALL,
)


def example_wished(text: str) -> str | None:
    """Return the question under which the answer is to be kept, empty where none is typed; None for anything else."""
    found = _KEEP.fullmatch(text.strip())
    return None if found is None else " ".join((found["question"] or "").split())


# To have a person asked, with the reason, where that is said.


_REASON = re.compile(
    r"(?P<wish>.+?)\s*(?::|,|—|\bbecause\b|\babout\b|\bwhy\b)\s*(?P<why>\S.*)", re.DOTALL | re.IGNORECASE
)


HELP_WISH_MAX_CHARS = 500
"""Characters of a sentence that is looked at."""


def human_wished(text: str) -> str | None:
    """Return why somebody wants a person asked, empty where they do not say; None where they do not want that."""
    if len(text) > HELP_WISH_MAX_CHARS:
        return None
    if word_of(text, ("human",)):
        return ""
    if (found := _REASON.fullmatch(text.strip())) and word_of(found["wish"], ("human",)):
        return found["why"].strip()
    return None


_WHEN = (
    r"(?:\s+(?:before(?: that)?|earlier|last(?: time)?|first|yesterday|today|so far|until now|up to now|just now"
    r"|previously|again|a moment ago|in this (?:talk|thread|chat|conversation)|here|you|about))*"
)
_QUESTIONS = r"(?:(?:last|latest|previous|earlier|recent|past|first|old)\s+(?:\w+\s+)?)questions?"
_RECALLS = re.compile(
    rf"(?:(?:hi|hey|ok|please|and|so|sorry|hm+|can|could|you|tell me|show me|remind me(?: of)?|list|again)[,\s]+)*(?:"
    rf"what (?:have I|did I|I)(?: have)?(?: just| already| last)? (?:asked|ask|typed|type){_WHEN}"
    rf"|which questions (?:have I|did I)(?: already)? ask(?:ed)?{_WHEN}"
    rf"|what (?:was|were|is|are) my {_QUESTIONS}{_WHEN}|what was my question{_WHEN}"
    rf"|(?:(?:show|see|list|give me)\s+)?(?:me\s+)?my {_QUESTIONS}{_WHEN}"
    rf"|what did we (?:talk|speak) about{_WHEN}"
    r"|was (?:habe?|hatte) ich (?:(?:dich|hier|vorhin|zuletzt|bisher|gestern|vorher|eben|gerade|schon|zuerst) )*gefragt"
    r"|was war(?:en)? meine (?:letzten?|vorigen?|vorherigen?|bisherigen?|ersten?) fragen?"
    r"|(?:zeig\w* (?:mir )?)?meine (?:letzten|vorigen|vorherigen|bisherigen) fragen"
    r"|qu'?est-ce que j'ai demandé(?: avant| plus tôt| hier| tout à l'heure)?"
    r"|qu(?:elle était ma|elles étaient mes) (?:dernière|première|précédente)s? questions?"
    r"|(?:montre[- ]moi )?mes (?:dernières|précédentes) questions"
    r"|qué (?:te )?(?:he preguntado|pregunté)(?: antes| ayer| aquí)?"
    r"|cuál(?:es)? fue(?:ron)? mis? (?:última|primera|anterior)(?:e?s)? preguntas?"
    r"|(?:muéstrame )?mis (?:últimas|anteriores) preguntas"
    r")",
    re.IGNORECASE,
)

RECALL_WISH_MAX_CHARS = 100
"""Characters of a sentence that asks for it."""


def recalls(text: str) -> bool:
    """Tell whether a sentence asks for what the person asked before, and for nothing else."""
    typed = " ".join(text.replace("’", "'").split()).strip(" .?!¿¡")
    return len(typed) <= RECALL_WISH_MAX_CHARS and bool(_RECALLS.fullmatch(typed))


# To see what is repeated for the person.


_SCHEDULES = re.compile(
    r"(?:(?:hi|hey|ok|please|so|and|can you|could you|bitte|peux-tu|puedes|show|list|tell|see|give|zeig\w*|montre\w*"
    r"|muéstra\w*|me|mir|moi|all|alle|the|of|list|liste|a)[, -]+)*"
    r"(?:(?:which|what|how many|are|is|do|does|welche[rsn]?|wie viele|quel\w*|combien de|qué|cuál\w*|cuánt\w+|my"
    r"|meine[rn]?|mes|mis|the|any|there|i|have|any of|of|von|de|all|sind|laufen|habe|ich|ai-je|tengo) )+"
    r"(?:(?:recurring|repeated|scheduled|automatic|running|active|wiederkehrenden?) )*"
    r"(?:schedules?|recurring (?:reports?|jobs?|mails?|queries)|scheduled (?:reports?|jobs?|mails?|queries)"
    r"|zeitpläne|wiederholungen|planifications?|envois programmés|programaciones|envíos programados)"
    r"(?: (?:are|is|do|does|did|still|currently|now|i|have|there|running|active|on|set|up|ran|run|stopped|paused|for|me"
    r"|laufen|läuft|gerade|aktiv|habe|ich|gibt|es|sind|tournent|sont|actives?|en cours|ai-je|tengo|están|activ[ao]s|hay"
    r"|today|heute|will))*",
    re.IGNORECASE,
)

SCHEDULES_WISH_MAX_CHARS = 100
"""Characters of a sentence that asks for them."""


def asks_schedules(text: str) -> bool:
    """Tell whether a sentence asks what is repeated for the person, and for nothing else."""
    typed = " ".join(text.split()).strip(" .?!¿¡")
    return len(typed) <= SCHEDULES_WISH_MAX_CHARS and bool(_SCHEDULES.fullmatch(typed))


# Answers to sentences that are no business of a database, in the language they were typed in.


_THANKS = re.compile(
    r"\b(?:thank\w*|thx|cheers|great|nice|perfect|well done|good job|awesome|danke\w*|super|merci|gracias|vielen)\b|🙏",
    re.IGNORECASE,
)


_OKAY = re.compile(
    r"(?:ah|oh)?,?\s*(?:ok(?:ay|i|idoki)?|k|fine|good|cool|right|all ?right|got it|i see|understood|passt|alles klar"
    r"|gut|d'accord|entendu|vale|bien)[.!]*|[👍👌👏🙌💪🎉✅🆗💯❤🙂😀😃😄😁😊😉🤗🥳😂🤣😅😎\ufe0f\s]+",
    re.IGNORECASE,
)


def thanks(text: str) -> bool:
    """Tell whether somebody thanks, or praises."""
    return bool(_THANKS.search(text))


def agrees(text: str) -> bool:
    """Tell a word that says no more than that it was read."""
    return bool(_OKAY.fullmatch(text.strip()))


def reply_to(category: str, text: str) -> str:
    """Return what is said to a sentence of a category that no query answers; in English where it has no language.

    Besides categories there are a few words more: "asked_before" and "asked_nothing", for whoever wants to know that.
    """
    talk = "wait" if waits(text) else "thanks" if thanks(text) else "okay" if agrees(text) else category
    said = _replies()[talk if category == "small_talk" else category]
    return said.get(language_of(text), said["en"])


@cache
def _replies() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("router.understanding").joinpath("replies.toml").read_text(encoding="utf-8"))
