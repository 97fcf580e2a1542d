"""Whether somebody wants to know what they asked before, in this talk."""

import re

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

LONGEST = 100
"""Characters of a sentence that asks for it."""


def recalls(text: str) -> bool:
    """Tell whether a sentence asks for what the person asked before, and for nothing else."""
    typed = " ".join(text.replace("’", "'").split()).strip(" .?!¿¡")
    return len(typed) <= LONGEST and bool(_RECALLS.fullmatch(typed))
