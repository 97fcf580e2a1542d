"""The words that sentences about repeating are made of, as regular expressions on text in lower case, without accents.

English first, and the common ones of German, French and Spanish.
"""

from router.intents.errand_words import POLITE

EACH = r"(?:every|each|on|jeden?|jede[sr]?|am|chaque|tous les|toutes les|cada|todos los|todas las|el|los|le|les)"
EACH_TIME = r"\b(?:every|each|jeden|jede|chaque|cada|tous|toutes|todos|todas|mornings|evenings|nights)\b"

HALF = r"(?P<half>a\.?m\.?|p\.?m\.?|o'?clock|uhr|h|heures?|hrs?)?"
AT_TIME = rf"(?:at|um|ab|gegen|a las|a la|a|around|@) ?(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>\d{{2}}))? ?{HALF}"
TIME_ALONE = r"(?P<hour>\d{1,2})(?:[:h](?P<minute>\d{2}))? ?(?P<half>a\.?m\.?|p\.?m\.?|uhr|o'?clock)"
TIME_BARE = r"(?P<hour>\d{1,2})[:h](?P<minute>\d{2})(?P<half>)"

UNKNOWN = (
    r"(?:(?:every|each|alle|cada|tou(?:te)?s les) (?:other |second |third |\d+(?:st|nd|rd|th)? |two |three |few )"
    r"(?:seconds?|minutes?|minuten|hours?|stunden|days?|tage|weeks?|wochen|months?)"
    r"|(?:every|each|jede) (?:second|minute|quarter|year)|quarterly|yearly|annually|minutely|constantly"
    r"|(?:on )?(?:the )?(?:\d+(?:st|nd|rd|th)|last(?: day)?) of (?:the|each|every) month(?<!1st of the month)"
    r"(?<!1st of each month)(?<!1st of every month))"
)
DAYS = {
    day: rf"(?:(?:{EACH} )?(?:{names})s?(?: (?:vor|nach)mittags?)?)"
    for day, names in {
        "mon": "mon(?:day)?|montag|lundi|lunes",
        "tue": "tue(?:s(?:day)?)?|dienstag|mardi|martes",
        "wed": "wed(?:nesday)?|mittwoch|mercredi|miercoles",
        "thu": "thu(?:r(?:s(?:day)?)?)?|donnerstag|jeudi|jueves",
        "fri": "fri(?:day)?|freitag|vendredi|viernes",
        "sat": "sat(?:urday)?|samstag|sonnabend|samedi|sabado",
        "sun": "sun(?:day)?|sonntag|dimanche|domingo",
    }.items()
}
EVERY = {
    "workday": r"(?:(?:every|each|on|all|jeden|an) (?:working ?days?|work ?days?|week ?days?|business days?"
    r"|werktag(?:en)?|arbeitstag)|(?:on )?(?:mon(?:day)?|montag) ?(?:to|-|through|bis) ?(?:fri(?:day)?|freitag)"
    r"|werktags|chaque jour ouvre|cada dia laborable)",
    "hour": r"(?:hourly|(?:every|each|jede|chaque|cada) (?:hour|stunde|heure|hora)|once an hour|stundlich"
    r"|toutes les heures)",
    "day": r"(?:daily|(?:every|each) (?:single )?day|once a day|taglich|jeden tag|chaque jour|tous les jours|cada dia"
    r"|todos los dias|diariamente)",
    "week": r"(?:weekly|(?:every|each) week|once a week|wochentlich|jede woche|chaque semaine|toutes les semaines"
    r"|cada semana|semanalmente)",
    "month": r"(?:monthly|(?:every|each) month|once a month|(?:on )?(?:the )?(?:first|1st)(?: day)? of"
    r" (?:the|each|every) month|monatlich|jeden monat|chaque mois|tous les mois|cada mes|mensualmente)",
}
PARTS = {
    "08:00": rf"(?:(?:(?:in|on) the |{EACH} |la )?(?:mornings?|morgens?|fruh|matins?|mananas?))",
    "12:00": rf"(?:(?:at |{EACH} )?(?:noon|midday|mittags?|midi|mediodia))",
    "18:00": rf"(?:(?:in the |{EACH} )?(?:evenings?|abends?|soirs?|tardes?))",
    "22:00": rf"(?:(?:at |{EACH} )?(?:nights?|nachts?|nuits?|noches?))",
    "00:00": r"(?:(?:at )?(?:midnight|mitternacht|minuit|medianoche))",
}
THEY = r"(?:it|they|this|that|there|the (?:rows?|result|data|numbers|values)|something|anything|rows?|sich|es|was)"
CONDITIONS = {
    "changed": rf"(?:(?:but )?(?:only |just |nur )?(?:if|when|whenever|wenn|falls|si) (?:{THEY} )*"
    r"(?:has |have |is |are )?(?:changed?|changes|different|new|andert|geandert(?: hat| haben)?|change|cambian?)"
    r"|on changes?(?: only)?|only (?:the )?changes)",
    "rows": r"(?:(?:but )?(?:only |just |nur )?(?:if|when|wenn|falls|si) (?:it is not empty|it's not empty"
    r"|it isn't empty|not empty|there (?:are|is) (?:any |some )?(?:rows?|results?|something|anything|data|any)"
    r"|it has (?:any )?rows|(?:any|some) rows|there's (?:something|anything)|es (?:etwas|zeilen) gibt)"
    r"|unless (?:it is |it's )?empty|(?:if )?(?:only )?not empty)",
}
FORMS = {
    "csv": r"(?:(?:as|in|als|en) )?(?:a )?csv(?: file)?",
    "xlsx": r"(?:(?:as|in|als|en) )?(?:an? )?(?:excel|xlsx)(?: file| sheet)?",
}
MAILS = r"(?:(?:by|via|per|in an?|as an?|par|por) )?(?:e-?mail|mail|courriel|correo)(?: (?:to )?me)?"
TO = {
    "me": r"(?:(?:just |only )?(?:to )?me(?: alone| only)?|privately|in (?:a )?(?:dm|direct message|private)"
    r"|nur (?:an )?mich|mir|a mi|moi)",
    "thread": r"(?:(?:right )?here|(?:in|into|to) (?:this|the) (?:thread|channel|chat|conversation)|hier|ici|aqui)",
}
SCHEDULES = rf"(?:{POLITE})?(?:repeat|schedule|wiederhol\w*|repete[rz]?|repite|repetir|programa[rz]?)\b"
THIS = rf"{SCHEDULES} (?:this|it|that|these|them|das|dies|cela|ca|esto|lo)\b"
"""How a sentence begins that is about repeating where it also speaks of time, whatever else it says."""
TIMELY = r"\b(?:\d+(?:st|nd|rd|th)|tomorrow|tonight|later|(?:minute|hour|day|week|month|quarter|year)s?)\b"
VERBS = (
    r"(?:repeat(?:ing)?|schedule|re-?run|run|execute|send|post|show|share|give|tell|bring|deliver|report|update|refresh|put"
    r"|do|keep|wiederhol\w*|schick[et]*|sende?|zeig[et]*|fuhre?|mach[et]*|repete[rz]?|envoie[rz]?|montre[rz]?"
    r"|repite|repetir|envia(?:me)?|manda(?:me)?|muestra(?:me)?|programa[rz]?)"
)
FILLING = (
    r"(?:this|that|it|these|them|those|the|same|again|query|question|result|results|rows?|data|table|report|list|answer"
    r"|numbers|sql|to|and|us|me|please|pls|on|in|at|a|an|for|with|as|from now on|automatically|regularly|sharp|bitte"
    r"|das|es|dies|diese|die|den|abfrage|ergebnis|aus|noch einmal|s'il (?:te|vous) plait|cela|ca|le|la|les|requete|esto"
    r"|lo|los|consulta|por favor|uhr|o'?clock|schedule|timer|once|also|up)"
)
