"""Sentences with the meanings that are right for them, tried on the real path: each at its card, after its question.

A line is {"say": …, "at": CARD, "before": QUESTION, "right": [MEANING, …], "never": [MEANING, …]}; see docs/talking.md.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any, Final, Literal

from tabulate import tabulate

from bot.evaluation.questions import read_lines
from bot.settings.environment import Settings
from router.errors import SettingsError
from router.language.inflection import stem
from router.language.phrases import listed
from router.memory.comparing import ComparedSide
from router.memory.stage import Stage
from router.memory.thread import Memory, Tasks
from router.text_to_sql.periods import Period, periods
from router.understanding.categories import CATEGORY_TO_AGENT, OUT_OF_SCOPE, Category
from router.understanding.schedule_wishes import schedule_wish_of
from tests.sentences.real_path import CARDS, PERSON, STEPS, RealPath, Standing, TypedOutcome, real_path, state_of

Say = Callable[[str], None]
Meaning = Mapping[str, Any]
Verdict = Literal["right", "asked back", "wrong", "harmful"]

SENTENCES_DAY: Final = date(2026, 8, 13)
"""The day that "today" is for the days of a meaning."""

_RECALL_MIN, _PRECISION_MIN = 0.75, 0.5
"""The share of the words of the right question that another one has, and of its own words that are in the right one."""

_CATEGORIES: Final[Mapping[str, frozenset[str]]] = {
    "help": frozenset({Category.HELP}),
    "explain": frozenset({Category.EXPLAIN_RESULT, Category.HELP}),
    "describe": frozenset({Category.DESCRIBE_DATA}),
    "status": frozenset({Category.JOB_STATUS}),
    "human": frozenset({Category.HUMAN_HANDOFF}),
    "small_talk": frozenset({Category.SMALL_TALK}),
    "out_of_scope": frozenset(each for each, agent in CATEGORY_TO_AGENT.items() if agent == OUT_OF_SCOPE),
}
"""The categories of sentences that are answered at once, by what they mean."""

_WRITING = frozenset(
    {
        Stage.CHOOSE_TARGET,
        Stage.MAP_COLUMNS,
        Stage.CONFIRM_WRITE,
    }
)
_BEGUN: Final[Mapping[str, frozenset[Stage]]] = {
    "write": _WRITING,
    "email": frozenset({Stage.NEED_EMAIL_DETAILS, Stage.CONFIRM_EMAIL}),
    "schedule": frozenset({Stage.SCHEDULE, Stage.CONFIRM_SCHEDULE}),
    "compare": frozenset(each for each in Stage if re.search("FIRST|SECOND|COMPARE|AUTO_MATCH|MAP_TABLE", each)),
    "csv": frozenset({Stage.WRITE_FILE}),
    "xlsx": frozenset({Stage.WRITE_FILE}),
    "chart": frozenset({Stage.DRAW_CHART}),
    "share": frozenset({Stage.SHARE_RESULT}),
}
"""The stages at which a wish for the rows has begun."""

_BUTTONS: Final[Mapping[str, str]] = {"run": "yes", "stop": "cancel", "rewrite": "again"}
_MODES = ("append", "truncate", "drop")


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence, where it is typed, and what it means: one of `right`, and none of `never`."""

    say: str
    at: Standing
    right: tuple[Meaning, ...]
    never: tuple[Meaning, ...] = ()
    group: str = ""


def has_cases(path: Path) -> bool:
    """Return whether a file has sentences with meanings; raises SettingsError if it cannot be read."""
    return any(isinstance(line, dict) and "say" in line for _, line in read_lines(path))


def read_cases(path: Path) -> list[Case]:
    """Return the sentences of a file; raises SettingsError with what is wrong in a line."""
    return [_case(line, f"{path.name}, line {number}") for number, line in read_lines(path)]


def _case(line: Mapping[str, Any], where: str) -> Case:
    card, say, right = line.get("at", "open"), line.get("say"), line.get("right")
    if not isinstance(say, str) or not isinstance(right, list) or not right:
        raise SettingsError([f'{where}: it needs "say" and "right", a list of meanings.'])
    if card not in CARDS:
        raise SettingsError([f"{where}: {card} is no card; they are {', '.join(CARDS)}."])
    meanings = [*right, *line.get("never", [])]
    if not all(isinstance(each, dict) and isinstance(each.get("means"), str) for each in meanings):
        raise SettingsError([f'{where}: each meaning needs "means".'])
    if unknown := [each for each in line.get("plan", ()) if each not in STEPS]:
        raise SettingsError([f"{where}: {unknown[0]} is no step of a plan; they are {', '.join(STEPS)}."])
    if any(each["means"] == "choice" and not isinstance(each.get("number"), int) for each in meanings):
        raise SettingsError([f'{where}: a choice needs its "number".'])
    at = Standing(card, line.get("before", ""), tuple(line.get("choices", ())), tuple(line.get("plan", ())))
    return Case(say, at, tuple(right), tuple(line.get("never", ())), line.get("group") or card)


def measure(settings: Settings, say: Say, path: Path, *, errors: bool = False) -> None:
    """Say how many sentences are right, asked back and wrong."""
    cases = read_cases(path)
    groups: dict[str, Counter[str]] = {}
    seconds: list[float] = []
    with TemporaryDirectory() as folder, real_path(settings, Path(folder)) as walk:
        for case in cases:
            begun = process_time()
            outcome = walk.typed(case.say, case.at)
            seconds.append(process_time() - begun)
            verdict = judge(case, outcome, walk)
            groups.setdefault(case.at.card if case.group == "card" else case.group, Counter())[verdict] += 1
            if errors and verdict != "right":
                say(f"{verdict}: {case.say!r} at {case.at.card} is {_meant(case.right)}; came to {_told(outcome)}")
    say(_table(groups))
    total = sum(groups.values(), Counter[str]())
    wrong = total["wrong"] + total["harmful"]
    say(
        f"\n{len(cases)} sentences: {_share(total['right'], len(cases))} right, "
        f"{_share(total['asked back'], len(cases))} asked back, {_share(wrong, len(cases))} wrong "
        f"({total['harmful']} of them harmful). One takes {sorted(seconds)[len(seconds) // 2] * 1000:.1f} ms of the "
        "processor (median)."
    )


def judge(case: Case, outcome: TypedOutcome, walk: RealPath) -> Verdict:
    """Return whether what became of a sentence is one of its meanings."""
    if any(_fits(each, case, outcome, walk) for each in case.right):
        return "right"
    if any(_fits(each, case, outcome, walk) for each in case.never if outcome.changed or each["means"] != "button"):
        return "harmful"
    return "asked back" if _asks_back(outcome) else "wrong"


def _asks_back(outcome: TypedOutcome) -> bool:
    """Return whether nothing was done but to ask again, or to say what can be done."""
    asked = outcome.after.stage in (Stage.UNDERSTAND_QUERY, Stage.ASK_SQL_METHOD)
    quiet = outcome.category in ("", Category.SMALL_TALK, Category.HELP)
    return asked or (outcome.stays and not outcome.changed and quiet)


def _fits(meaning: Meaning, case: Case, outcome: TypedOutcome, walk: RealPath) -> bool:
    """Return whether an outcome is what a meaning says."""
    kind = meaning["means"]
    if kind in _CATEGORIES:
        return outcome.category in _CATEGORIES[kind] and not question_of(outcome)
    match kind:
        case "ask" | "refine":
            return _asks(meaning, outcome, walk)
        case "button":
            return _pressed(_BUTTONS.get(meaning["button"], meaning["button"]), case, outcome, walk)
        case "choice":
            return _chosen(meaning["number"], case, outcome, walk)
        case "name":
            return _named(meaning, outcome)
        case "correct":
            return _corrected(meaning, outcome)
        case "database":
            return _changes_place(meaning, outcome, walk)
    return _PLAIN[kind](outcome) if kind in _PLAIN else _begun(meaning, outcome)


def _changes_place(meaning: Meaning, outcome: TypedOutcome, walk: RealPath) -> bool:
    """Return whether the talk goes to another database, or asks for one; the first one of a talk is no change."""
    before, after, connections = (
        outcome.before.place.connection,
        outcome.after.place.connection,
        walk.services.connections,
    )
    standard = connections.default.name if connections.default else ""
    label = connections[after].label if after in connections else ""
    changed = after != (before or standard) and meaning.get("database", label) == label
    return changed or outcome.after.stage == Stage.CHOOSE_CONNECTION


_SQL_FORMS = frozenset({Stage.NEED_USER_SQL, Stage.NEED_FIRST_USER_SQL, Stage.NEED_SECOND_USER_SQL})

_PLAIN: Final[Mapping[str, Callable[[TypedOutcome], bool]]] = {
    "ask_back": _asks_back,
    "none_of_these": lambda outcome: outcome.after.stage == Stage.NEED_NATURAL_LANGUAGE,
    "own_sql": lambda outcome: (
        (bool(outcome.after.draft.sql) and outcome.after.draft.method == "provide")
        or (outcome.changed and outcome.after.stage in _SQL_FORMS)
    ),
    "teach": lambda outcome: bool(re.search("glossary|for everybody", outcome.said, re.IGNORECASE)),
}
"""Meanings without values."""


def question_of(outcome: TypedOutcome) -> str:
    """Return the question that a sentence was taken for; empty if it was taken for none."""
    before, after = outcome.before, outcome.after
    if after.stage == Stage.CONFIRM_PLAN:
        return after.understanding.processed_query if outcome.changed else ""
    new = after.draft.question != before.draft.question or not outcome.stays
    return after.draft.question if new and after.draft.method == "generate" and not after.draft.sql else ""


def _asks(meaning: Meaning, outcome: TypedOutcome, walk: RealPath) -> bool:
    asked, place = question_of(outcome), outcome.after.place.connection
    # A change of the question before is up to the model, which is shown both.
    refines = meaning["means"] == "refine" and bool(outcome.after.draft.follows or outcome.after.understanding.follows)
    if not asked or not (refines or _same_question(meaning, asked)):
        return False
    label = walk.services.connections[place].label if place in walk.services.connections else ""
    if label and meaning.get("database", label) != label:
        return False
    wanted = {STEPS[each["means"]].step for each in meaning.get("then", ()) if each["means"] in STEPS}
    planned = set(_steps(outcome.after))
    # Steps that were planned before stay, where a sentence says nothing of them.
    return planned == wanted or ("then" not in meaning and planned == set(_steps(outcome.before)))


def _same_question(meaning: Meaning, asked: str) -> bool:
    """Return whether a question is the right one, be its time in other words, and means the days that are right."""
    right = meaning.get("question", asked)
    times, others = periods(asked, SENTENCES_DAY), periods(right, SENTENCES_DAY)
    if times and ("from" in meaning or "to" in meaning) and not any(_fits_days(meaning, each) for each in times):
        return False
    if alike(right, asked):
        return True
    known = {(each.start, each.end) for each in others} or {_days(meaning)}
    same = bool(times) and {(each.start, each.end) for each in times} == known
    return same and alike(_without(right, others), _without(asked, times))


def _fits_days(meaning: Meaning, time: Period) -> bool:
    """Return whether a time is the days that are right; today and an open end are one where both reach it."""
    start, end = _days(meaning)
    reaches = end is not None and end >= SENTENCES_DAY and (time.end is None or time.end >= SENTENCES_DAY)
    return time.start == start and (time.end == end or reaches)


def _days(meaning: Meaning) -> tuple[date | None, date | None]:
    start, end = meaning.get("from"), meaning.get("to")
    return date.fromisoformat(start) if start else None, date.fromisoformat(end) if end else None


def _without(question: str, times: Iterable[Period]) -> str:
    for time in times:
        question = question.replace(time.typed, " ")
    return question


def _steps(memory: Memory) -> list[str]:
    return [wish.step for wish in memory.understanding.wishes or memory.draft.plan]


def alike(right: str, other: str) -> bool:
    """Return whether two questions ask for the same, by their words and numbers."""
    wanted, had = _words(right), _words(other)
    if not wanted:
        return right.strip(" ?.!").casefold() == other.strip(" ?.!").casefold()
    if not {word for word in wanted if word.isdigit()} <= had:
        return False
    shared = len(wanted & had)
    return shared / len(wanted) >= _RECALL_MIN and shared / max(1, len(had)) >= _PRECISION_MIN


def _words(text: str) -> set[str]:
    return {stem(word) for word in re.findall(r"\w+", text.lower()) if word not in listed("evaluation.small")}


def _pressed(word: str, case: Case, outcome: TypedOutcome, walk: RealPath) -> bool:
    """Return whether a sentence came to what the word of a button comes to."""
    by_word = walk.typed(word, case.at)
    if by_word.after.stage != outcome.after.stage:
        return False
    return _unapproved(by_word.after) == _unapproved(outcome.after) and (by_word.stays or by_word.said == outcome.said)


def _unapproved(memory: Memory) -> tuple[object, ...]:
    """Return what a card shows, or would be done, without who approved it when."""
    tasks = memory.tasks
    writing = tasks.writing and replace(tasks.writing, approval=None, key="")
    mailing = tasks.mailing and replace(tasks.mailing, approval=None, key="")
    compared = tasks.comparing
    comparing = compared and replace(
        compared, left=_unapproved_side(compared.left), right=_unapproved_side(compared.right), key=""
    )
    return state_of(replace(memory, tasks=replace(tasks, writing=writing, mailing=mailing, comparing=comparing)))


def _unapproved_side(side: ComparedSide | None) -> ComparedSide | None:
    return side and replace(side, draft=replace(side.draft, approval=None))


def _chosen(number: int, case: Case, outcome: TypedOutcome, walk: RealPath) -> bool:
    if case.at.card == "asked_back":
        draft = outcome.after.draft
        asked_anew = case.say in (draft.question, draft.typed)
        return tuple(Category)[number - 1] in (outcome.category, draft.intent) and not asked_anew
    return case.at.card == "write_mode" and number <= len(_MODES) and _pressed(_MODES[number - 1], case, outcome, walk)


def _named(meaning: Meaning, outcome: TypedOutcome) -> bool:
    before, after = outcome.before.tasks.writing, outcome.after.tasks.writing
    old = (before.table, before.name) if before else ()
    new = [each for each in ((after.table, after.name) if after else ()) if each and each not in old]
    return meaning["value"] in new if "value" in meaning else bool(new)


def _corrected(meaning: Meaning, outcome: TypedOutcome) -> bool:
    """Return whether what the card shows was changed as a meaning says."""
    return outcome.changed and all(
        _shows(name, value, outcome.after) for name, value in meaning.items() if name != "means"
    )


def _shows(name: str, value: Any, after: Memory) -> bool:
    """Return whether what is remembered has what a correction says; a name that is not known here is not looked at."""
    tasks, steps = str(after.tasks).casefold(), _steps(after)
    values: list[str] = list(value) if isinstance(value, list) else [str(value)] if value else []
    wishes = " ".join(wish.text for wish in (*after.understanding.wishes, *after.draft.plan)).casefold()
    match name:
        case "to" if people := set(after.tasks.recipients):
            return people == {PERSON.email if each == "me" else each for each in values}
        case "to" | "add_to":
            return all(each in tasks or each in wishes for each in values)
        case "drop_to":
            return not any(each in tasks for each in values)
        case "subject" | "table" | "mode" | "name":
            return str(value).casefold() in tasks or (name != "mode" and str(value).casefold() in wishes)
        case "drop_step":
            return STEPS[value].step not in steps
        case "only_step":
            return set(steps) == {STEPS[value].step}
        case "add_step":
            return value not in STEPS or STEPS[value].step in steps
    return _holds(name, value, after.tasks)


def _holds(name: str, value: Any, tasks: Tasks) -> bool:
    """Return whether a task has these pairs of columns, this format or this time."""
    match name:
        case "columns" if tasks.writing:
            pairs = {each.source: each.target for each in tasks.writing.pairs or ()}
            return all(_paired(pairs, one, other) for one, other in value.items())
        case "format" if tasks.mailing or tasks.repeating:
            forms = [each.form for each in (tasks.mailing, tasks.repeating) if each]
            return value in forms or (value == "inline" and forms[0] in ("", "table"))
        case "when" if (repeating := tasks.repeating) and (wish := schedule_wish_of(value, asked=True)):
            said = {name: each for name, each in wish.said().items() if name in ("every", "day", "at")}
            return all(getattr(repeating, name) == each for name, each in said.items())
    return True


def _paired(pairs: Mapping[str, str], one: str, other: str | None) -> bool:
    """Return whether two columns are a pair, whichever is the result's; a column with none is left out."""
    if not other:
        return one not in pairs
    return other in (pairs.get(one), *(source for source, target in pairs.items() if target == one))


def _begun(meaning: Meaning, outcome: TypedOutcome) -> bool:
    """Return whether a wish for the rows has begun, or is planned, with the values that it has."""
    kind, after = meaning["means"], outcome.after
    if not all(_shows(name, value, after) for name, value in meaning.items() if name in ("to", "table", "mode")):
        return False
    if after.stage in _BEGUN.get(kind, frozenset()) and outcome.changed:
        return True
    planned = [wish for wish in after.understanding.wishes if wish not in outcome.before.understanding.wishes]
    return kind in STEPS and STEPS[kind].step in [wish.step for wish in (*after.draft.plan, *planned)]


def _table(groups: Mapping[str, Counter[str]]) -> str:
    rows = [
        (name, sum(count.values()), *(count[each] for each in ("right", "asked back", "wrong", "harmful")))
        for name, count in sorted(groups.items())
    ]
    return tabulate(rows, ("group", "sentences", "right", "asked back", "wrong", "harmful"))


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.1f} %"


def _meant(meanings: Iterable[Meaning]) -> str:
    return " or ".join(" ".join(str(value) for value in each.values()) for each in meanings)


def _told(outcome: TypedOutcome) -> str:
    asked = question_of(outcome)
    return f"{outcome.after.stage}" + (f", {asked!r}" if asked else f": {outcome.said[:80]!r}" if outcome.said else "")
