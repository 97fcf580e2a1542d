"""Reads the parts of a sentence about the plan on show: what each does, with which steps, and what else it says."""

import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from router.language.folding import without_accents
from router.memory.thread import Mode
from router.understanding.parameters.plan_steps import PlanStep
from router.understanding.result_actions import ADDRESS
from router.understanding.schedule_wishes import ScheduleWish, schedule_wish_of
from router.understanding.values.choices import FileForm as Form

FORMS: dict[str, Form] = {"csv": "csv", "xlsx": "xlsx"}
"""The formats, by the kinds of their words."""

WRITE_MODES: dict[str, Mode] = {"append": "append", "truncate": "truncate", "drop_table": "drop"}
"""The modes of writing, by the kinds of their words."""

_CUT = re.compile(
    r"\s*[,;!…]+\s*|\s*:\s+|\.(?:\s+|$)|\s+[–—-]+\s+"
    r"|(?<!thing)(?<!\ball)\s+(?:and|but|und|aber|sondern|et|mais|y|e|pero|sino|plus|\+|&)\s+",
    re.IGNORECASE,
)
_INSTEAD_OF = re.compile(
    r"\s+(?=(?:instead of|rather than|anstelle von|anstatt|statt|au lieu d[eu']|plut[oô]t que|en vez de|en lugar de"
    r"|not)\s+\S)",
    re.IGNORECASE,
)
_TABLE = re.compile(r"(?:\w+\.){1,2}\w+|\w*[^\W_]_\w+|(?<=\btable )(?:called |named )?\w+|(?<=\btabelle )\w+")
_TO_SOMEBODY = re.compile(r"(?<=\bto |\ban )(?!(?:Excel|CSV)\b)[A-Z][^\W\d_]+(?!\w)")
_TO_ME = re.compile(r"\b(?:to|an|à|a) (?:me|myself|mich|moi|mi)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:(?:step|number|no\.?|schritt|nummer|étape|etape|paso|#)\s*)?\b(\d)\b")
_STEP_WORD = re.compile(r"\b(?:steps?|number|schritte?|nummer|[eé]tapes?|pasos?)\b|#\d", re.IGNORECASE)
_NTH = re.compile(
    r"\b(first|second|third|fourth|last|ersten?|zweiten?|dritten?|letzten?|premi[eè]re?|deuxi[eè]me|derni[eè]re?"
    r"|primer[ao]?|segund[ao]|tercer[ao]?|[uú]ltim[ao])\s+(?:ones?|steps?|schritt|[eé]tape|paso)\b",
    re.IGNORECASE,
)
_NTHS = {
    "fi": 1,
    "se": 2,
    "th": 3,
    "fo": 4,
    "la": 0,
    "er": 1,
    "zw": 2,
    "dr": 3,
    "le": 0,
    "pr": 1,
    "de": 2,
    "te": 3,
    "ul": 0,
}
"""Lines of the card by the first letters of such words; 0 is the last."""
_PERSON, _TABLE_MARK, _STEP_MARK = "\1", "\2", "\3"
_MARKED = re.compile(rf"({_PERSON}|{_TABLE_MARK}|{_STEP_MARK})(\d+)")


@dataclass(slots=True)
class Clause:
    """One part of a sentence: what it does, with which steps, and the words that no list has."""

    text: str
    modes: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    people: list[str] = field(default_factory=list)
    table: str = ""
    numbers: list[int] = field(default_factory=list)
    when: ScheduleWish | None = None
    typed_when: str = ""
    unread: list[str] = field(default_factory=list)

    @property
    def says(self) -> bool:
        """True where it names a step, or something of one."""
        return bool(self.kinds or self.people or self.table or self.numbers or self.when or self.unread)

    @property
    def bare(self) -> bool:
        """True where it names steps, and says nothing of them."""
        return bool(self.kinds) and not (self.modes or self.people or self.table or self.when)


def clauses_of(typed: str, steps: tuple[PlanStep, ...]) -> tuple[list[Clause], list[str]]:
    """Return the parts of a sentence, each with what stands between it and the one before it."""
    people, tables = list[str](), list[str]()
    marked = _marked(typed, steps, people, tables)
    parts, cuts, at = list[str](), [""], 0
    for cut in _CUT.finditer(marked):
        parts.append(marked[at : cut.start()])
        cuts.append(cut[0])
        at = cut.end()
    parts.append(marked[at:])
    clauses, between = list[Clause](), list[str]()
    for part, cut_text in zip(parts, cuts, strict=True):
        read = [
            read_clause(folded(piece), _unmarked(piece, people, tables), people, tables)
            for piece in _INSTEAD_OF.split(part)
        ]
        if not all(clause.says for clause in read):  # "the mail is not needed" is of one piece
            read = [read_clause(folded(part), _unmarked(part, people, tables), people, tables)]
        clauses += read
        between += [cut_text, *("," for _ in read[1:])]
    return _in_order(clauses, between)


def _in_order(clauses: list[Clause], between: list[str]) -> tuple[list[Clause], list[str]]:
    """Return the clauses with "B" behind "not A" where "B, not A" was said, so that one takes the other's place."""
    if len(clauses) == 2 and "drop" in clauses[1].modes and not clauses[0].modes & {"drop", "only", "keep"}:
        first, second = clauses
        alike = (first.people and second.people) or (first.when and second.when) or (first.table and second.table)
        if alike or first.bare:
            return [second, first], ["", ","]
    return clauses, between


def _marked(typed: str, steps: tuple[PlanStep, ...], people: list[str], tables: list[str]) -> str:
    """Return the sentence with marks in place of people and tables, which are put into the lists."""

    def keep(found: list[str], mark: str, said: str) -> str:
        found.append(said)
        return f"{mark}{len(found) - 1}"

    text = re.sub(ADDRESS, lambda found: keep(people, _PERSON, found[0]), typed)
    text = _TABLE.sub(lambda found: found[0] if _known(folded(found[0])) else keep(tables, _TABLE_MARK, found[0]), text)
    for address in (each for step in steps if step.kind == "email" for each in re.findall(ADDRESS, step.text)):
        name = re.compile(rf"(?<!\w){re.escape(address.partition('@')[0])}(?!\w)", re.IGNORECASE)
        if name.search(text):
            text = name.sub(keep(people, _PERSON, address), text)
    text = _TO_SOMEBODY.sub(
        lambda found: found[0] if _known(folded(found[0])) or _time_of(found[0]) else keep(people, _PERSON, found[0]),
        text,
    )
    text = _NTH.sub(lambda found: f"{_STEP_MARK}{_NTHS[_nth(found[1])]} ", text)
    if _STEP_WORD.search(text):  # what is numbered begins with the question, or with the first step
        text = _ORDINAL.sub(rf"{_STEP_MARK}\1", text)
    return _TO_ME.sub(lambda _: f"to {keep(people, _PERSON, 'me')}", text)


def _unmarked(text: str, people: list[str], tables: list[str]) -> str:
    def said(found: re.Match[str]) -> str:
        if found[1] == _STEP_MARK:
            return found[2]
        return (people if found[1] == _PERSON else tables)[int(found[2])]

    return _MARKED.sub(said, text)


def read_clause(plain: str, text: str, people: list[str], tables: list[str]) -> Clause:
    """Return a clause, with every word in its place."""
    clause = Clause(text.strip())
    for mark in _MARKED.finditer(plain):
        if mark[1] == _PERSON and people:
            clause.people.append(people[int(mark[2])])
        elif mark[1] == _TABLE_MARK and tables:
            clause.table = tables[int(mark[2])]
        elif mark[1] == _STEP_MARK:
            clause.numbers.append(int(mark[2]))
    rest = _MARKED.sub(" ", plain)
    unread = list[str]()
    for word, mode, kind in _tokens(rest):
        if mode:
            clause.modes.add(mode)
        elif kind:
            clause.kinds.add(kind)
        elif not _filler(word):
            unread.append(word)
    if unread or re.search(r"\d|\bevery|\bjed|\bdaily|ly\b", rest):
        clause.typed_when = _when(rest)
        clause.when = _time_of(clause.typed_when)
    clause.unread = [] if clause.when else unread
    return clause


def _when(rest: str) -> str:
    """Return the words of a clause that may say a time."""
    words = [word for word, mode, kind in _tokens(rest) if not mode and kind != "repeat"]
    begins = next((at for at, word in enumerate(words) if not _filler(word)), 0)
    tails = (" ".join(words[at:]) for at in range(begins + 1))
    return next((tail for tail in tails if _time_of(tail)), "")


def _nth(word: str) -> str:
    plain = folded(word)
    return "la" if plain.startswith("dern") else plain[:2]


def _time_of(text: str) -> ScheduleWish | None:
    wish = schedule_wish_of(text, asked=True) if text else None
    return wish if wish and (wish.every or wish.at or wish.unknown or wish.condition) else None


def _tokens(plain: str) -> list[tuple[str, str, str]]:
    """Return the words and phrases of a clause, each with its mode or its kind, "" where it has none."""
    found, at = list[tuple[str, str, str]](), 0
    while at < len(plain):
        if not plain[at].isalnum() and plain[at] not in "#'":
            at += 1
            continue
        size, mode, kind = 0, "", ""
        for name, pattern in _patterns().items():
            if (match := pattern.match(plain, at)) and len(match[0]) > size:
                size = len(match[0])
                mode, kind = (name[5:], "") if name.startswith("mode:") else ("", name)
        if kind == "filler":
            kind, word = "", plain[at : at + size]
            found += [(each, "", "") for each in word.split()] if " " not in word else [(word, "", "")]
        elif size:
            found.append((plain[at : at + size], mode, kind))
        else:
            word_match = re.compile(r"[^\s\"()]+").match(plain, at)
            size = len(word_match[0]) if word_match else 1
            if word_match:
                found.append((word_match[0].strip("'\""), "", ""))
        at += size
    return found


def _filler(word: str) -> bool:
    found = _patterns()["filler"].match(word)
    return not word or (found is not None and found.end() == len(word))


def _known(word: str) -> bool:
    return any((found := pattern.match(word)) and found.end() == len(word) for pattern in _patterns().values())


def folded(text: str) -> str:
    return without_accents(text.replace("’", "'")).lower().replace("ß", "ss")


_POLITE = re.compile(
    r"(?:please |bitte )?(?:can|could|would|will) (?:you|we)\b|kannst du|konnen (?:sie|wir)|konntest du|peux-tu"
    r"|pouvez-vous|on peut|puedes|podemos|podrias"
)


def asks_politely(typed: str) -> bool:
    return bool(_POLITE.match(folded(typed)))


@cache
def _lists() -> dict[str, Any]:
    text = files("router.understanding.parameters").joinpath("plan_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return what finds the words of each list at one place."""
    lists = _lists()
    named = {f"mode:{name}": words for name, words in lists["modes"].items()} | lists["kinds"]
    return {
        name: re.compile(rf"(?:{'|'.join(sorted(words, key=len, reverse=True))})(?:(?<=')|(?![\w-]))")
        for name, words in {**named, "filler": lists["fillers"]["words"]}.items()
    }


@cache
def question_words() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """Return what finds the beginning of a question, a word for the plan, and words of questions about data."""
    lists = _lists()["questions"]
    begins, plan, others = (
        re.compile(rf"(?<!\w)(?:{'|'.join(lists[name])})(?!\w)") for name in ("begins", "plan", "others")
    )
    return begins, plan, others
