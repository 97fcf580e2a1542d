"""Several wishes in one sentence: a question, and what is to become of its result; told by rules, without a model.

"revenue by region, then mail it to Ana" and "email revenue by region to ana@company.example" ask for the same.
"""

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from router.language.folding import unaccented
from router.understanding.button_words import word_of
from router.understanding.result_actions import ADDRESS, NAME, POLITE, result_action_of
from router.understanding.schedule_wishes import schedule_wish_of
from router.understanding.two_questions import further_in
from router.understanding.wish_endings import (
    PICTURE,
    SHARE,
    bare_wish,
    mode_last,
    sent_file,
    shared,
    without_denied,
    without_inline,
)
from router.understanding.word_lists import words

# Words that only point at the result on show, so that no question is in them.


_EMPTY = words("pointing")
"""Words that ask for nothing by themselves: pronouns, politeness, and names for what is on show."""
_LETTERS = re.compile(r"[^\W\d_]+")
_BACK = re.compile(
    r"(?!(?:which|who|whose|how many|how much|when|where)\b)(?:(?:these|those)\b"
    r"|(?:this|that) (?:is|was|would|will|should|could|can|looks?|needs?|one|whole|list|table|result|data)\b"
    r"|.*\b(?:it|them|(?:all|copy|version|report) of (?:this|that|these|those|the above)|the above)\b"
    r"|(?:this|that) (?:for|to|by|as|in|please|now)\b|.*\b(?:this|that)$"
    r"|(?:the|this|that|my) (?:sql|summary|thread|chat|conversation|picture|chart|graph|csv|excel)\b)",
    re.DOTALL,
)


def only_points(text: str) -> bool:
    """Tell whether a text speaks of the result on show, or says nothing that could be asked."""
    plain = re.sub(rf"^{POLITE}", "", unaccented(text)).strip(" ,.;:!?")
    return bool(_BACK.match(plain)) or all(word in _EMPTY or len(word) < 2 for word in _LETTERS.findall(plain))


# A question and a wish for its result in one clause, as regular expressions on text as it was typed. Each finds the
# question as `head`, and of the wish what it says: `people`, `when`, `form`, `chart` or `table`.


IT = (
    r"(?:it|this|that|them|these|those|everything|(?:all )?(?:of )?(?:the |this |these |all )?"
    r"(?:results?|rows|data|table)|all|es|das|le|la|les|lo|los)"
)
_A = r"(?:an?\s+|the\s+|eine?n?\s+|une?\s+)?"
_FORM = r"(?P<form>csv|excel|xlsx)(?:[\s-]*(?:file|sheet|spreadsheet|datei|attachment|format|export|extract|list))?"
FILE = rf"(?:as|in|into|to|als|en|como|im)\s+(?:an?\s+|eine?\s+)?{_FORM}"
CHARTED = (
    rf"(?:as|in|with|als|en|como|comme|mit|avec|con|incl\.?|including|inkl\.?)\s+(?:an?\s+|einem?\s+|un\s+)?{PICTURE}"
)
PEOPLE = rf"(?P<people>(?:{ADDRESS}|{NAME}|me|us)(?:\s*(?:,\s*and|,|and|und|et|y|&)\s*(?:{ADDRESS}|{NAME}|me))*)"
_REACHED = rf"(?P<people>(?:{ADDRESS})(?:\s*(?:,\s*and|,|and|und|et|y|&)\s*(?:{ADDRESS}|me))*)"
_MAIL = r"(?:e-?mail|mail|send|forward|schick\w*|sende?|envoie\w*|env[ií]a\w*|manda\w*)"
_HAND = r"(?:share|shoot|get|give|pass|drop|deliver|report|show|post)"
_WANT = r"(?:i(?:'d|\s+would)\s+like|i\s+(?:want|need)|(?:can|could|may)\s+(?:i|we)\s+(?:have|get))"
GIVE = r"(?:send|show|give|get|tell|post|bring|report|schick\w*|zeig\w*|gib|envoie\w*|montre\w*|envia\w*|manda\w*)"
_SAVE = (
    r"(?:save|store|write|put|stick|park|stash|dump|copy|load|persist|append|archive|speicher\w*"
    r"|schreib\w*|enregistre\w*"
    r"|guarda\w*)"
)
_TABLE = (
    r"(?:the\s+|a\s+|new\s+|die\s+|la\s+|una?\s+|une\s+)*(?:(?:table|tabelle|tabla)\s+(?:called\s+"
    r"|named\s+)?(?P<table>[\w.\"]+)"
    r"|(?P<place>(?:\w+\.)*\w+_\w+|(?:[^\W\d]\w*\.){1,2}[^\W\d]\w*))"
)
_INBOX = (
    r"(?:in|into|to)\s+my\s+(?:inbox|mailbox|mails?|e-?mails?)|in\s+mein(?:en)?\s+(?:postfach|posteingang)"
    r"|dans\s+ma\s+bo[iî]te(?:\s+mail)?|en\s+mi\s+(?:buz[oó]n|bandeja(?:\s+de\s+entrada)?)"
)
_CLOCK = r"(?:\s*,?\s*(?:(?:at|um|à|a las)\s+\d{1,2}(?::\d\d)?\s*(?:[ap]\.?m\.?|uhr|h|o'clock)?|\d{1,2}:\d\d)(?!\w))"
_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_RHYTHM = (
    rf"(?:(?:every|each|on the)\s+(?:first|1st)(?:\s+day)?\s+of\s+(?:the|each|every)\s+month"
    rf"|(?:every|each|jeden|jede|chaque|cada)\s+(?:(?:\w+\s+)?(?:day|morning|evening|week|month|{_DAYS}|tag"
    r"|morgen|woche|monat|montag|dienstag|mittwoch|donnerstag|freitag|jour|matin|semaine|mois|lundi|vendredi|día|dia"
    rf"|semana|mes|lunes|viernes)|weekday|workday)|on\s+{_DAYS}s|daily|weekly|monthly)"
)
WHEN = rf"(?P<when>{_RHYTHM}{_CLOCK}?)"
_ASKS = r"(?:how\s+(?:many|much)|which|what|who|when|where)\b"
_COMMANDS = rf"(?:{GIVE}|{_MAIL}|{_SAVE}|{_HAND}|export|download)"
_HEAD = r"(?P<head>\S+\s.+?)"
_MEASURED = r"(?:revenue|sales|turnover|orders|income|profit|costs|umsatz)"
_FOR = r"(?:of|with|containing|showing|mit|von|der|des|du|del?|con|avec)"
_ABOUT_MAIL = r"(?:the |a )?(?:subject|message|text|note|title|name|header|betreff|objet|asunto)\b"


@cache
def clause(pattern: str) -> re.Pattern[str]:
    """Return one of these patterns, made at the first sentence: all of them take longer than most imports."""
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


FIRST_WHEN = (
    rf"{POLITE}{WHEN}(?:\s*[,:]\s*(?!{_ASKS})|\s+(?={POLITE}(?:{_COMMANDS}|{_WANT})\b"
    rf"(?!\s+(?:to|of|on|about)\b))|\s+(?:report|overview|summary|list|update|e-?mail|mail)\s+(?:of|on"
    rf"|about|with)\s+){_HEAD}"
)
FIRST_TIMED = rf"{POLITE}(?P<when>{_RHYTHM}{_CLOCK})\s*[,:]?\s+(?!(?:and|or|to|until|und|oder|bis|et|ou|y|o)\s){_HEAD}"
"""A time of day in front is one to run at, with a comma behind it or without."""
LAST_WHEN = rf"{_HEAD}(?P<comma>,?)\s+{WHEN}"
ANY_WHEN = rf"\s+{WHEN}\b"
TO_ME = (
    rf"{POLITE}(?:{GIVE}[\s-]+(?:me|us|mir|uns|moi)|let\s+me\s+know|(?:i\s+)?(?:want|need|would like|'d like)\s+to"
    rf"\s+(?:know|see))\s+(?:{WHEN}\s*,?\s+)?(?:(?:about|over)\s+)?(?P<head>\S+\s.+)"
)
CLAUSES = (
    rf"{POLITE}(?!put\s.*\sto\s+(?:[^\W_]+\.)+[^\W_]+$){_SAVE}\s+{_HEAD}\s+(?:in|into|to|onto|as|dans|en|nach)\s+{_TABLE}"
    r"(?:\s+(?:in|on|auf|dans|en)\s+(?:the\s+|dem\s+|der\s+|le\s+|la\s+|el\s+)?(?P<database>\w+))?",
    (
        rf"{POLITE}(?P<replaced>replace|overwrite|refill|recreate|ersetze|überschreibe|remplace|reemplaza)\s+"
        r"(?:the\s+)?(?:contents?\s+of\s+)?"
        rf"{_TABLE}\s+(?:with|by|from|mit|durch|par|con|por)\s+(?P<head>\S+\s.+)"
    ),
    rf"{POLITE}{_MAIL}\s+{WHEN}\s+{_HEAD}\s+(?:to|an|a|à)\s+{_REACHED}",
    rf"{POLITE}{_MAIL}\s+{_HEAD}\s+(?:over\s+)?(?:to|an|a|à)\s+{PEOPLE}",
    rf"{POLITE}{_HAND}\s+(?!of\s){_HEAD}\s+(?:over\s+)?(?:to|with)\s+{_REACHED}",
    rf"{POLITE}(?:{_MAIL}|{_HAND})\s+{_REACHED}\s+(?:{WHEN}\s*,?\s+)?{_HEAD}",
    rf"{POLITE}(?:e-?mail|mail)\s+(?P<people>me|us)\s+(?:{WHEN}\s*,?\s+)?(?:about\s+)?{_HEAD}",
    rf"{POLITE}(?:e-?mail|mail)\s+{PEOPLE}\s+(?P<head>(?:the|an?|all|our|my|how|which|what|this)\s.+)",
    rf"{POLITE}(?:tell|inform|notify)\s+{_REACHED}\s+(?:about\s+|of\s+)?{_HEAD}",
    rf"{POLITE}let\s+{_REACHED}\s+know\s+(?:about\s+)?{_HEAD}",
    (
        rf"{POLITE}(?:(?:{_MAIL}|get|give|let)[\s-]+(?:me|us|mir|uns|moi|nous)|{_WANT})\s+(?:have\s+)?{_HEAD},?\s+"
        rf"(?P<mailed>(?:by|via|per|in an?|par|por)\s+(?:e-?mail|mail)|{_INBOX})"
    ),
    rf"{_HEAD},?\s+(?:by|via|per|par|por)\s+(?:e-?mail|mail|correo|courriel)\s+(?:to|an|à|a)\s+{PEOPLE}",
    rf"{_HEAD}\s+{WHEN}\s+(?:to|an|à|a)\s+{_REACHED}",
    (
        rf"(?:kannst\s+du|könntest\s+du|können\s+sie|könnten\s+sie)\s+(?:mir\s+|uns\s+|bitte"
        rf"\s+)*{_HEAD}\s+an\s+{_REACHED}"
        r"\s+(?:schicken|senden|mailen)"
    ),
    rf"{_HEAD}\s+an\s+{_REACHED}\s+(?:schicken|senden|mailen)",
    (
        rf"{_HEAD}\s+(?:in|an|nach|unter)\s+{_TABLE}\s+(?:(?P<appended>anhängen|dranhängen|hinzufügen|anfügen)"
        r"|(?:rein)?schreiben|speichern|ablegen|sichern|laden|kopieren|archivieren)"
    ),
    rf"{POLITE}(?:schedule|repeat|automate)\s+{_HEAD},?\s+{WHEN}",
    rf"(?P<head>.+?),?\s+{FILE}",
    rf"{_HEAD},?\s+(?P<mailed>{_INBOX})",
    rf"{POLITE}(?:export|download|save)\s+{FILE}\s*[:,-]?\s+{_HEAD}",
    rf"(?P<head>.+?),?\s+(?P<chart>{CHARTED})",
    (
        rf"{POLITE}(?:{_WANT}\s+|{_COMMANDS}\s+(?:me\s+|us\s+)?|make\s+(?:me\s+)?|create\s+)?{_A}{_FORM}\s+{_FOR}\s+"
        rf"(?!{_ABOUT_MAIL})(?P<head>.+)"
    ),
    (
        rf"{POLITE}(?:{_WANT}\s+|{GIVE}\s+(?:me\s+|us\s+)?|make\s+(?:me\s+)?|draw\s+(?:me\s+)?|create"
        rf"\s+)?{_A}(?P<chart>{PICTURE})\s+"
        rf"(?:{_FOR})\s+(?!accounts?\b)(?P<head>\S+\s.+)"
    ),
    rf"{POLITE}(?P<chart>plot|chart|graph|draw)\s+(?P<head>(?:(?:the|our|my|all|this|last)\s+\S|{_MEASURED}\s).+)",
    rf"{POLITE}(?P<chart>visuali[sz]e)\s+{_HEAD}",
    rf"{POLITE}(?P<exported>export|download)\s+(?P<head>(?:all|every)\s+\S.+)",
)
"""Each with what else it may say; the first that fits is taken, as often as one does."""

TO_THEM = rf"{_HEAD}\s+to\s+{_REACHED}"
TO_TABLE = rf"{_HEAD}\s+(?:to|into|in|nach|dans|en)\s+{_TABLE}"
"""The recipients, or the table, where more is wished for: "weekly report of revenue to ana@company.example"."""
NO_QUESTION = (
    r".*\b(?:sent|shipped|delivered|sold|paid|made|addressed)(?:\s+by\s+\S+)?"
    r"|(?:when|if|once|as soon as|whenever|about|your|their|his|her)\b.*"
)
"""Words in the place of a question that are none: a verb's end, a condition, what a letter is about."""
NEGATED = (
    r"(?:^|[,;.!?]\s*|\b(?:and|but|please)\s+)(?:please\s+)?(?:do\s+not|don['’]?t|never|no\s+need\s+to)\s+"
    rf"(?:{_COMMANDS}|draw|plot|chart|graph|repeat|schedule|automate)\b"
)
"""A wish that something shall not be done."""
RELATIVE = r"\S\s+(?:that|who|which|whose)\s"
"""A clause that may still go on: "customers that order every week"."""
FILE_OF = (
    rf"{POLITE}(?:{_WANT}\s+|{_COMMANDS}\s+(?:me\s+)?)?{_A}(?:{_FORM}|{PICTURE})\s+{_FOR}\s+"
    rf"(?!{_ABOUT_MAIL})(?P<head>\S+\s.+)"
)
"""A file or a picture of something that may have to be asked first."""
DRAW = (
    rf"{POLITE}(?:(?:draw|plot|chart|graph|show|make|give me|zeig\w*|montre\w*)\s+)?(?:{IT}\s+)?"
    rf"(?:{CHARTED}|(?:an?\s+)?(?:(?:bar|line)\s+)?(?:chart|graph)(?:\s+of\s+{IT})?)|{POLITE}(?:draw"
    rf"|plot|chart|graph)\s+{IT}"
)
EXPORT = (
    rf"{POLITE}(?:(?:export|download|give|get|save|send|make|exportier\w*|exporte\w*|exporta\w*)"
    rf"\s+)?(?:me\s+)?(?:{IT}\s+)?"
    rf"(?:for me\s+)?{FILE}"
)
MAILED = rf"(?:e-?mailed|mailed|sent|forwarded|as\s+an?\s+(?:e-?mail|mail))(?=\s+to\s+{ADDRESS})"
"""A wish behind a comma: "…, mailed to ana@company.example"."""
TOLD = rf"{POLITE}(?:(?:tell|inform|notify)\s+{PEOPLE}|let\s+{PEOPLE.replace('people', 'known')}\s+know)"
"""A wish that does not say how they are told: by an e-mail with the rows."""
DONE = (
    r"(?<![\s,])[\s,]+(?:please|pls|plz|thanks|thank you|bitte|danke|s'il (?:te|vous) pla[iî]t|merci|por favor|gracias"
    r"|(?:when|once|as soon as)\s+(?:(?:it|that)(?:['’]?s|\s+is)\s+)?(?:done|finished|ready))$"
)
"""Words behind a wish that say nothing of it."""
MADE = r"(?<= )the (?:chart|graph|diagram|file|csv|excel|spreadsheet)(?: file)?(?= )"
"""A chart or file made of the result before: it is sent as the result is."""


Step = Literal["write", "email", "csv", "xlsx", "chart", "share", "repeat", "ask"]
"""An action on a result, by the words of its buttons; "ask" is the next question."""

PLAN_MAX_CHARS = 500
"""Characters of a sentence that is looked at."""

PLAN_MAX_STEPS = 4
"""Steps of a plan."""
PLAN_MAX_CUTS = 25
"""Commas and "and" from the end of a sentence among which the last wish is looked for; people are listed with them."""


@dataclass(frozen=True, slots=True)
class WishedStep:
    """A step, and the words that ask for it, as if they were typed under the result."""

    step: Step
    text: str


_AND = re.compile(
    r"\s*(?:[,;.!?]\s*|\s)(?:(?:and|then|und|dann|et|puis|ensuite|y|luego|also|afterwards|after that|finally|plus|sowie"
    r"|ainsi que|\+|&|[-=]>|→)\s+)+"
    r"|\s*[,;.!?]\s+",
    re.IGNORECASE,
)
_DENIES = re.compile(r"(?:no|not|without|kein\w*|nicht|ohne|pas|sans|sin)\b", re.IGNORECASE)
_ADDRESS_LAST = re.compile(rf"{ADDRESS}$")
_ADDRESS_FIRST = re.compile(rf"(?:{ADDRESS}|me\b)")
_ASKED = re.compile(rf"{POLITE}(?:{GIVE}\s+(?:me|us|mir|uns|moi)|export|download)\s+", re.IGNORECASE)
_COUNTS = re.compile(r"(?:how|which|what|who|when|where|is|are|do|does|did)\b", re.IGNORECASE)


def wishes_of(text: str, shown: bool = True) -> tuple[str, tuple[WishedStep, ...]]:
    """Return the question of a sentence ("" where it has none), and what is to become of its result, in their order.

    A further question is the last of them, with whatever was said after it. `shown`: there is a result that "save the
    open orders to tmp_open" may mean.
    """
    rest = text.strip().rstrip("?.! ")
    if not rest or len(rest) > PLAN_MAX_CHARS or "\n\n" in rest or (shown and _is_schedule(rest)):
        return text, ()
    if (kept := without_denied(_bare(rest))) != _bare(rest):
        return wishes_of(kept, shown)
    if ended := _with_ending(rest, shown):
        return ended
    if parted := further_in(text.strip(), lambda first: step_of(first) is not None):
        first, further = parted
        question, before = wishes_of(first, shown)
        alone = step_of(first) if not before else None
        return ("", (alone, WishedStep("ask", further))) if alone else (question, (*before, WishedStep("ask", further)))
    rest, found = _bare(rest), list[WishedStep]()
    while (split := _last(rest)) and len(found) < PLAN_MAX_STEPS:
        rest, wish = split
        rest = _bare(rest)
        found.insert(0, wish)
    said = _said_in(_Said(rest))
    if (alone := step_of(rest)) and ((shown and not _asks_of(rest)) or not said.any):
        return ("", (alone, *found)) if found else (text, ())
    if said.any and len(found) + len(said.wishes) <= PLAN_MAX_STEPS:
        asked = _ASKED.match(said.question)
        rest, found = said.question[asked.end() if asked else 0 :], [*said.wishes, *found]
    if found and word_of(rest, ("yes",)):
        return "", tuple(found)
    if found and only_points(rest):
        return ("", tuple(found)) if len(found) > 1 and not said.any else (text, ())
    return (rest.strip(" ,;:") if found else text), tuple(found)


def _is_schedule(text: str) -> bool:
    """Return whether all of a text is one schedule: "run it on mondays and fridays at 8"."""
    wish = schedule_wish_of(text)
    return wish is not None and not wish.unknown


def _with_ending(text: str, shown: bool) -> tuple[str, tuple[WishedStep, ...]] | None:
    """Return what a sentence asks for that ends with how a table is filled, or an e-mail; None for any other one."""
    head, mode = mode_last(_bare(text))
    kind: Step = "write" if mode else "email"
    head, said = (head, mode) if mode else (without_inline(text), "inline")
    question, wishes = wishes_of(head, shown) if head != text else ("", ())
    if not any(wish.step == kind for wish in wishes):
        return None
    return question, tuple(WishedStep(kind, f"{wish.text}, {said}") if wish.step == kind else wish for wish in wishes)


def step_of(text: str) -> WishedStep | None:
    """Return the step that a sentence typed under a result asks for; None where it is something else."""
    return _step_of(_bare(text.strip().rstrip("?.! ")))


def _step_of(typed: str) -> WishedStep | None:
    """Return the step that a clause asks for that has nothing behind it."""
    if action := result_action_of(clause(MADE).sub("it", typed)):
        exported = clause(EXPORT).fullmatch(typed)
        return WishedStep(_form(exported["form"]), typed) if exported else WishedStep(action, typed)
    if found := clause(EXPORT).fullmatch(typed):
        return WishedStep(_form(found["form"]), typed)
    if clause(DRAW).fullmatch(typed):
        return WishedStep("chart", typed)
    if shared(typed):
        return WishedStep("share", SHARE)
    if sent := sent_file(typed):
        return WishedStep(*sent)  # type: ignore[arg-type]
    return WishedStep("repeat", typed) if schedule_wish_of(typed) else None


def forbids(text: str) -> bool:
    """Tell a sentence that says what shall not be done with a result."""
    return bool(clause(NEGATED).match(text[:PLAN_MAX_CHARS].strip())) and result_action_of(text) is None


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause without what it says of wishes, and what that is."""

    question: str
    people: str = ""
    when: str = ""
    form: str = ""
    chart: bool = False
    table: str = ""
    mode: str = ""

    @property
    def any(self) -> bool:
        return bool(self.people or self.when or self.form or self.chart or self.table)

    @property
    def wishes(self) -> tuple[WishedStep, ...]:
        """The steps in the order in which they can be done; an e-mail brings its file, a schedule its e-mail."""
        found, form = list[WishedStep](), "CSV" if self.form == "csv" else "Excel"
        mailed = f" as {form}" if self.people and self.form else ""
        if self.table:
            found.append(WishedStep("write", f"save it into table {self.table}{self.mode}"))
        if self.chart:
            found.append(WishedStep("chart", "draw it as a chart"))
        if self.form and not self.people:
            found.append(WishedStep(_form(self.form), f"export it as {form}"))
        if self.when:
            found.append(WishedStep("repeat", f"repeat it {self.when}"))
        if self.people:
            found.append(WishedStep("email", f"email it to {self.people}{mailed}"))
        return tuple(found)


def _said_in(said: _Said) -> _Said:
    """Return a clause taken apart; as it is where it has no wish in it."""
    text = said.question
    if clause(NEGATED).search(text):
        return said
    if not said.when and (found := clause(FIRST_WHEN).fullmatch(text) or clause(FIRST_TIMED).fullmatch(text)):
        return _said_in(replace(said, question=found["head"], when=found["when"]))
    for pattern in CLAUSES:
        if (found := clause(pattern).fullmatch(text)) and (more := _with(said, found)):
            return _said_in(more)
    for pattern in (TO_THEM, TO_TABLE) if said.any else ():
        if (found := clause(pattern).fullmatch(text)) and (more := _with(said, found)):
            return _said_in(more)
    if not said.when and (found := clause(LAST_WHEN).fullmatch(text)):
        told = clause(TO_ME).fullmatch(found["head"]) if not said.any else None
        inside = _said_in(replace(said, question=told["head"] if told else found["head"]))
        if (told or inside.any) and (found["comma"] or not _goes_on(found["head"], inside.question)):
            return replace(inside, when=found["when"])
    if not said.when and (found := clause(TO_ME).fullmatch(text)) and found["when"]:
        return _said_in(replace(said, question=found["head"], when=found["when"]))
    return said


def _goes_on(head: str, question: str) -> bool:
    """Tell whether "every week" without a comma belongs to what is asked, and is no time to ask it."""
    return bool(_COUNTS.match(question) or clause(RELATIVE).search(head))


def _with(said: _Said, found: re.Match[str]) -> _Said | None:
    """Return what is said with what a clause says besides; None where that was said before, or is no wish."""
    told = {name: words for name, words in found.groupdict().items() if words}
    head = told.pop("head")
    people = told.get("people") or ("me" if "mailed" in told else "")
    table = (told.get("table") or told.get("place", "")).strip('"')
    table = f"{table} in {told['database']}" if table and "database" in told else table
    form = told.get("form", "").lower() or ("csv" if "exported" in told else "")
    if only_points(clause(ANY_WHEN).sub("", head)) or " " not in head.strip():
        return None
    if people and (clause(NO_QUESTION).fullmatch(head) or not _somebody(people)):
        return None
    before = (said.people, said.when, said.form, said.chart, said.table)
    now = (people, told.get("when", ""), form, "chart" in told, table)
    if any(new and old for new, old in zip(now, before, strict=True)):
        return None
    people, when, form, chart, table = (new or old for new, old in zip(now, before, strict=True))
    mode = ", replace the table" if "replaced" in told else ", append" if "appended" in told else said.mode
    return _Said(head, str(people), str(when), str(form), bool(chart), str(table), mode)


def _last(text: str) -> tuple[str, WishedStep] | None:
    """Return what stands before the last wish, and the wish; None where the sentence ends otherwise."""
    for cut in list(_AND.finditer(text))[: -PLAN_MAX_CUTS - 1 : -1]:
        head, tail = text[: cut.start()].strip(" ,;"), text[cut.end() :]
        if _ADDRESS_LAST.search(head) and _ADDRESS_FIRST.match(tail):
            continue  # one list of people
        tail = clause(MAILED).sub("mail it", tail, count=1) if clause(MAILED).match(tail) else tail
        if (told := clause(TOLD).fullmatch(tail)) and "@" in tail:
            tail = f"mail it to {told['people'] or told['known']}"
        tail = tail.rstrip("?.! ")
        if head and len(tail) > 3 and (wish := _step_of(tail)):
            return head, wish
        if head and not _DENIES.match(head) and not only_points(head) and (bare := bare_wish(tail)):
            return head, WishedStep(*bare)  # type: ignore[arg-type]
    return None


def _asks_of(text: str) -> bool:
    """Tell whether a file or a chart is wished for of something else than the result on show."""
    found = clause(FILE_OF).fullmatch(text)
    return found is not None and not only_points(found["head"])


def _bare(text: str) -> str:
    """Return a clause without the words behind it that say nothing."""
    while (shorter := clause(DONE).sub("", text)) != text:
        text = shorter
    return text


def _somebody(people: str) -> bool:
    """Tell people from what else stands behind "to": an address, "me", or a name with a capital."""
    first = people.split()[0].strip("\"'`“„«,")
    return "@" in first or first.lower() in ("me", "us") or (first[:1].isupper() and not first.isupper())


def _form(name: str) -> Literal["csv", "xlsx"]:
    return "csv" if name.lower() == "csv" else "xlsx"
