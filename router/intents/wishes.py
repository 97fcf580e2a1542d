"""Several wishes in one sentence: a question, and what is to become of its result; told by rules, without a model.

"revenue by region, then mail it to Ana" and "email revenue by region to ana@company.example" ask for the same.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

from router.intents.errand_words import ADDRESS, POLITE
from router.intents.errands import errand_of
from router.intents.further import further_in
from router.intents.pointing import only_points
from router.intents.repetitions import repetition_of
from router.intents.wish_words import (
    ANY_WHEN,
    CLAUSES,
    DONE,
    DRAW,
    EXPORT,
    FILE_OF,
    FIRST_WHEN,
    GIVE,
    LAST_WHEN,
    MADE,
    MAILED,
    NEGATED,
    NO_QUESTION,
    RELATIVE,
    TO_ME,
    TO_THEM,
    TOLD,
    clause,
)

Step = Literal["write", "email", "csv", "xlsx", "chart", "repeat", "ask"]
"""What can become of a result, by the words of its buttons; "ask" is the next question."""

LONGEST = 500
MOST = 4
"""Steps of a plan."""
MOST_CUTS = 25
"""Commas and "and" from the end of a sentence among which the last wish is looked for; people are listed with them."""


@dataclass(frozen=True, slots=True)
class Wished:
    """A step, and the words that ask for it, as if they were typed under the result."""

    step: Step
    text: str


_AND = re.compile(
    r"\s*(?:[,;.!?]\s*|\s)(?:(?:and|then|und|dann|et|puis|ensuite|y|luego|also|afterwards|after that|finally)\s+)+"
    r"|\s*[,;.!?]\s+",
    re.IGNORECASE,
)
_ADDRESS_LAST = re.compile(rf"{ADDRESS}$")
_ADDRESS_FIRST = re.compile(rf"(?:{ADDRESS}|me\b)")
_ASKED = re.compile(rf"{POLITE}(?:{GIVE}\s+(?:me|us|mir|uns|moi)|export|download)\s+", re.IGNORECASE)
_COUNTS = re.compile(r"(?:how|which|what|who|when|where|is|are|do|does|did)\b", re.IGNORECASE)


def wishes_of(text: str, shown: bool = True) -> tuple[str, tuple[Wished, ...]]:
    """Return the question of a sentence ("" where it has none), and what is to become of its result, in their order.

    A further question is the last of them, with whatever was said after it. `shown`: there is a result that "save the
    open orders to tmp_open" may mean.
    """
    rest = text.strip().rstrip("?.! ")
    if not rest or len(rest) > LONGEST or "\n\n" in rest:
        return text, ()
    if parted := further_in(text.strip(), lambda first: step_of(first) is not None):
        first, further = parted
        question, before = wishes_of(first, shown)
        alone = step_of(first) if not before else None
        return ("", (alone, Wished("ask", further))) if alone else (question, (*before, Wished("ask", further)))
    rest, found = _bare(rest), list[Wished]()
    while (split := _last(rest)) and len(found) < MOST:
        rest, wish = split
        rest = _bare(rest)
        found.insert(0, wish)
    said = _said_in(_Said(rest))
    if (alone := step_of(rest)) and ((shown and not _asks_of(rest)) or not said.any):
        return ("", (alone, *found)) if found else (text, ())
    if said.any and len(found) + len(said.wishes) <= MOST:
        asked = _ASKED.match(said.question)
        rest, found = said.question[asked.end() if asked else 0 :], [*said.wishes, *found]
    if found and only_points(rest):
        return ("", tuple(found)) if len(found) > 1 and not said.any else (text, ())
    return (rest.strip(" ,;:") if found else text), tuple(found)


def step_of(text: str) -> Wished | None:
    """Return the step that a sentence typed under a result asks for; None where it is something else."""
    return _step_of(_bare(text.strip().rstrip("?.! ")))


def _step_of(typed: str) -> Wished | None:
    """Return the step that a clause asks for that has nothing behind it."""
    if errand := errand_of(clause(MADE).sub("it", typed)):
        exported = clause(EXPORT).fullmatch(typed)
        return Wished(_form(exported["form"]), typed) if exported else Wished(errand, typed)
    if found := clause(EXPORT).fullmatch(typed):
        return Wished(_form(found["form"]), typed)
    if clause(DRAW).fullmatch(typed):
        return Wished("chart", typed)
    return Wished("repeat", typed) if repetition_of(typed) else None


def forbids(text: str) -> bool:
    """Tell a sentence that says what shall not be done with a result."""
    return bool(clause(NEGATED).match(text[:LONGEST].strip())) and errand_of(text) is None


@dataclass(frozen=True, slots=True)
class _Said:
    """A clause without what it says of wishes, and what that is."""

    question: str
    people: str = ""
    when: str = ""
    form: str = ""
    chart: bool = False
    table: str = ""

    @property
    def any(self) -> bool:
        return bool(self.people or self.when or self.form or self.chart or self.table)

    @property
    def wishes(self) -> tuple[Wished, ...]:
        """What is to be done, in the order in which it can be; an e-mail brings its file, a repetition its e-mail."""
        found, form = list[Wished](), "CSV" if self.form == "csv" else "Excel"
        mailed = f" as {form}" if self.people and self.form else ""
        if self.table:
            found.append(Wished("write", f"save it into table {self.table}"))
        if self.chart:
            found.append(Wished("chart", "draw it as a chart"))
        if self.form and not self.people:
            found.append(Wished(_form(self.form), f"export it as {form}"))
        if self.when:
            mail = f", mail it to {self.people}{mailed}" if self.people else ""
            found.append(Wished("repeat", f"repeat it {self.when}{mail}"))
        elif self.people:
            found.append(Wished("email", f"email it to {self.people}{mailed}"))
        return tuple(found)


def _said_in(said: _Said) -> _Said:
    """Return a clause taken apart; as it is where it has no wish in it."""
    text = said.question
    if clause(NEGATED).search(text):
        return said
    if not said.when and (found := clause(FIRST_WHEN).fullmatch(text)):
        return _said_in(replace(said, question=found["head"], when=found["when"]))
    for pattern in CLAUSES:
        if (found := clause(pattern).fullmatch(text)) and (more := _with(said, found)):
            return _said_in(more)
    if said.any and (found := clause(TO_THEM).fullmatch(text)) and (more := _with(said, found)):
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
    return _Said(head, str(people), str(when), str(form), bool(chart), str(table))


def _last(text: str) -> tuple[str, Wished] | None:
    """Return what stands before the last wish, and the wish; None where the sentence ends otherwise."""
    for cut in list(_AND.finditer(text))[: -MOST_CUTS - 1 : -1]:
        head, tail = text[: cut.start()].strip(" ,;"), text[cut.end() :]
        if _ADDRESS_LAST.search(head) and _ADDRESS_FIRST.match(tail):
            continue  # one list of people
        tail = clause(MAILED).sub("mail it", tail, count=1) if clause(MAILED).match(tail) else tail
        if (told := clause(TOLD).fullmatch(tail)) and "@" in tail:
            tail = f"mail it to {told['people'] or told['known']}"
        if head and len(tail) > 3 and (wish := _step_of(tail.rstrip("?.! "))):
            return head, wish
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
