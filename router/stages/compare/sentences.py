"""Sentences at the cards of a comparison that ask for more than the card does: steps, another query, another wish."""

import re
from dataclasses import replace
from typing import Literal

from router.memory.draft import Draft, Wish
from router.stages.planned_steps import add_step, possible, why_not
from router.stages.side_questions import heard
from router.stages.tasks import comparing_of, set_comparing
from router.turn import Said, Turn
from router.understanding.button_words import is_answer
from router.understanding.categories import CATEGORY_TO_AGENT, SQL_CATEGORIES, Category
from router.understanding.interpretation import STEP_TO_AGENT
from router.understanding.steps import step_of, wishes_of

NOT_REPEATED = "Comparisons can't be scheduled. Compare now, and press Compare again for a fresh one."

_ITS_ROWS = re.compile(
    r"\b(?:(?:only |just )?(?:the|all|its|die|das|den|les?|la|el|los|las) )?(?:differences?|diffs?|comparison|report"
    r"|unterschiede?"
    r"|abweichungen|vergleich|bericht|[eé]carts|comparaison|rapport|diferencias|comparaci[oó]n|informe)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^(?:(?:and|then|also|afterwards|und|dann|et|puis|ensuite|y|luego)\b[ ,]*)+", re.IGNORECASE)
_NO_COMPARING = re.compile(
    r"(?:(?:no|nein|non|ok|actually|sorry|hm+|well|ach|eigentlich)[,.!]* )*"
    r"(?:(?:don'?t|do not|no|not|stop|cancel|forget(?: about)?|instead of|rather than|never ?mind|skip|end|leave|quit)"
    r" (?:the |this |that |a |to )?(?:compar\w+)"
    r"|(?:kein(?:en)?|nicht|ohne|statt|vergiss|stopp?|lass|beende) (?:den |dem |das |einen )?vergleich\w*"
    r"|(?:pas de|annule|oublie|arr[eê]te|sans|au lieu de) (?:la |cette )?compar\w+|ne compare pas"
    r"|(?:sin|no|cancela|olvida|deja) (?:la |esta |m[aá]s )?compar\w+)"
    r"(?: (?:it|them|this|anything|any ?more|please|bitte|mehr|plus|nada))*",
    re.IGNORECASE,
)
_WHICH = re.compile(
    r"(?:(?:hm+|no|nein|non|wait|sorry|oh|halt|and|but|also|the|die|der|das|la|le|el|my|for)[,.!]* )*"
    r"(?P<which>first|1st|left|erste|linke|premi[eè]re|primera|second|2nd|right|other|zweite|rechte|andere"
    r"|deuxi[eè]me|seconde|segunda"
    r"|otra)"
    r"(?: (?:query|one|question|abfrage|frage|requ[eê]te|consulta|pregunta))?"
    r"(?: (?:is|was|ist|war|est|era|es|already|schon|d[eé]j[aà]|ya))*"
    r"(?: (?:wrong|not right|falsch|faux|fausse|mal))?(?: already)?[,;:.!]*"
    r"(?: (?:it|i|we|sie|ich|elle|je))?(?: (?:should|must|needs? to|has to|soll(?:te)?|muss|doit|debe"
    r"|shall)(?: (?P<only>only|nur))?(?: be| sein)?)?"
    r"(?: (?:need|want|brauche|will|veux|quiero|meant?))?\s+(?P<change>\S.*)",
    re.IGNORECASE,
)
_THERE = re.compile(r"\s+(?:there|in it|in that one|dort|darin|da|l[àa]|ah[ií]|all[ií])$", re.IGNORECASE)
_FIRST = re.compile(r"first|1st|left|erste|linke|premi|primera", re.IGNORECASE)


Asked = Literal["ask_first", "ask_second"]
"""The query that is asked anew."""


def steps_in(text: str) -> tuple[str, tuple[Wish, ...]]:
    """Return a sentence without what shall become of the rows of the comparison, and those steps."""
    plain = _ITS_ROWS.sub("it", _LEAD.sub("", text, count=1).strip(" .!"))
    alone = step_of(plain)
    head, steps = ("", (alone,)) if alone else wishes_of(plain)
    if not steps:
        return text, ()
    # What stands before the steps is read in its own words.
    before = text[: len(text) - len(plain) + len(head)] if head and plain.startswith(head) and head in text else head
    return before, tuple(Wish(STEP_TO_AGENT[each.step], each.text) for each in steps)


def plan_steps_of(turn: Turn, wishes: tuple[Wish, ...]) -> str:
    """Have steps be done with the rows of the comparison; return why they cannot be, empty where they can."""
    for wish in wishes:
        if wish.agent_id in (CATEGORY_TO_AGENT[Category.SCHEDULE], CATEGORY_TO_AGENT[Category.ASK_DATA]):
            return NOT_REPEATED
        if not possible(turn, wish):
            return " ".join(why_not(wish))
    for wish in wishes:
        add_step(turn, wish)
    return ""


def _left_for(turn: Turn) -> str | None:
    """Return the other wish for which the person leaves it, empty where they only leave it; None where they stay."""
    typed = turn.text.strip(" .!").replace("’", "'")
    found = _NO_COMPARING.match(typed) if isinstance(turn.incoming.input, Said) else None
    if found is None:
        return None
    rest = typed[found.end() :].strip(" ,;:.-")
    if not rest:
        return ""
    wish = re.sub(r"^(?:(?:but|just|rather|instead|only|sondern|lieber|mais|plutôt|sino|mejor|nur)\b[ ,]*)+", "", rest)
    return wish if step_of(wish) else None


def left_comparison(turn: Turn) -> Literal["cancel", "over"] | None:
    """Tell whether the person leaves the comparison, and whether there is a result to go back to."""
    other = _left_for(turn)
    if other is None and not turn.word("cancel"):
        return None
    memory, left, before = turn.memory, comparing_of(turn).left, comparing_of(turn).before
    if memory.answer is None:
        turn.note("Cancelled; nothing was compared.", "quiet")
        return "over"
    if left and left.place.connection == memory.answer.connection:
        memory.place = left.place
    elif before.connection:
        memory.place = before
    set_comparing(turn, None)
    memory.draft = Draft()
    if other:
        turn.incoming, turn.goes_on = replace(turn.incoming, input=Said(other)), True
    return "cancel"


def requeried(turn: Turn) -> Asked | None:
    """Have one of the queries asked anew as a sentence says: "the second one should be for 2022"."""
    given, comparing = turn.incoming.input, comparing_of(turn)
    found = (
        _WHICH.fullmatch(given.text.strip(" .!?")) if isinstance(given, Said) and not is_answer(given.text) else None
    )
    if (
        found is None
        or comparing.left is None
        or found["change"].lower().startswith(("and ", "or ", "und ", "et ", "y "))
    ):
        return None
    first = bool(_FIRST.match(found["which"]))
    this, other = (comparing.left, comparing.right) if first else (comparing.right, comparing.left)
    follows = next((each.draft.as_asked for each in (this, other) if each), ())
    change = f"{'only ' if found['only'] else ''}{_THERE.sub('', found['change'])}"
    if not follows or heard(turn).category not in (None, *SQL_CATEGORIES):
        return None
    plan = turn.memory.draft.plan
    turn.memory.draft = Draft(change, "generate", follows=follows, leans=True, plan=plan)
    if place := this or other:
        turn.memory.place = place.place
    gone = replace(comparing, columns=None, failed=False)
    set_comparing(turn, replace(gone, left=None) if first else replace(gone, right=None))
    return "ask_first" if first else "ask_second"
