"""A run over talks, turn by turn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal, get_args

from tabulate import tabulate

from bot.evaluation.answers import MeasuredAnswer, opened
from bot.evaluation.exam import Exam, Write
from bot.evaluation.questions import Golden, place_of, read_each, right_of, sample, text_of
from bot.evaluation.run import Bar, EvaluationRun, Say, Wanted, about, connections_for, way_of
from bot.evaluation.summary import summary
from bot.models.choice import choose
from bot.settings.environment import Settings
from bot.wiring.knowledge import intents_of
from bot.wiring.state import database_of
from router.catalog.catalog import Catalog
from router.catalog.values import names_in
from router.errors import SettingsError
from router.knowledge.knowledge import Example
from router.llm.client import Llm
from router.memory.understanding import Understanding
from router.storage.clock import now
from router.understanding.categories import SQL_CATEGORIES, Category
from router.understanding.interpretation import Context, Decide, chosen, understand

# Reading talks: one JSON object a line.


@dataclass(frozen=True, slots=True)
class MeasuredTalk:
    """A talk: what was said, turn by turn, with the right queries; `kinds` says of each turn what it changes.

    `held_out` talks were not looked at while the rules were written.
    """

    id: str
    turns: tuple[Golden, ...]
    kinds: tuple[str, ...]
    held_out: bool = False

    @property
    def place(self) -> str:
        """The database's or the connection's name, for people."""
        return self.turns[0].place


def read_talks(path: Path) -> list[MeasuredTalk]:
    """Return all talks; a `database` is relative to the file. Raises SettingsError with what is wrong in a line."""
    return read_each(path, _talk, "talk")


def _talk(said: Any, folder: Path, number: int) -> MeasuredTalk:
    if not isinstance(said, dict):
        raise ValueError("this is no JSON object.")
    turns = said.get("turns")
    if not isinstance(turns, list) or not turns or not all(isinstance(turn, dict) for turn in turns):
        raise ValueError('"turns" must be a list of objects with "say" and "sql".')
    file, connection = place_of(said, folder)
    id = str(said.get("id") or number)
    goldens = (
        Golden(f"{id}.{count}", text_of(turn, "say"), right_of(turn), file, connection)
        for count, turn in enumerate(turns, 1)
    )
    kinds = tuple(str(turn.get("kind") or "") for turn in turns)
    return MeasuredTalk(id, tuple(goldens), kinds, bool(said.get("held_out")))


# A talk as the bot would lead it: each turn is understood as there, by what was said before it.


Follow = Literal["shipped", "all", "off"]
"""The messages that a model is shown with the question and the SQL before them: those that are taken for questions, as
shipped; all, whatever they are taken for; or none."""

FOLLOWS: tuple[Follow, ...] = get_args(Follow)


class Player:
    """Says the turns of talks, one after the other."""

    def __init__(self, catalog: Catalog, llm: Llm, today: date, write: Write, follow: Follow, decide: Decide) -> None:
        self._catalog, self._follow, self._decide = catalog, follow, decide
        self._exam = Exam(catalog, llm, today, write)

    def say(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> MeasuredAnswer:
        """Return what came of a turn, after the answers of those before it, the newest last; raises as `Exam.ask`.

        Where a person would be asked what is meant, the likely answer is given; other than by the bot, it is not kept
        for the same sentence later in the talk. What is taken for no question gets no SQL, and is wrong.
        """
        known, context = Understanding(turn.question, turn.question), self._context(turn, before)
        if self._follow == "shipped":
            known = understand(known, context, self._decide)
        asked_back = known.needs_clarification
        if known.clarification:
            known = chosen(known, known.clarification.options[0].id, context)
        intent, question = known.classified_intent, known.processed_query
        if intent and (intent not in SQL_CATEGORIES or not question):
            fault = f"taken for {intent}"
            return MeasuredAnswer(turn.id, turn.place, turn.question, "", fault, False, 0.0, False, intent=intent)
        follows = context.asked if self._follow == "all" else known.follows
        self._exam.follows = Example(*follows) if follows and self._follow != "off" else None
        answer = self._exam.ask(replace(turn, question=question), turn.place)
        return replace(answer, intent=intent, asked_back=asked_back)

    def _context(self, turn: Golden, before: Sequence[MeasuredAnswer]) -> Context:
        schema = self._catalog.schema(turn.place)
        asked = ((answer.question, answer.sql) for answer in reversed(before) if answer.runs)
        return Context(next(asked, ()), names_in(schema), any(answer.sql for answer in before))


# The figures of talks, as text.


OWN_QUESTION_KINDS = ("first", "new")
"""The kinds of turns that are questions of their own."""


def talk_summary(talks: Iterable[MeasuredTalk], given: Mapping[str, MeasuredAnswer]) -> Iterator[str]:
    """Say how many turns and whole talks are right, by the number of the turn and by what it changes."""
    whole = [talk for talk in talks if all(turn.id in given for turn in talk.turns)]
    yield from summary(given[turn.id] for talk in whole for turn in talk.turns)
    if not whole:
        return
    yield ""
    for title, some in (("", whole), (" of those held out", [talk for talk in whole if talk.held_out])):
        if some:
            right = sum(all(given[turn.id].right for turn in talk.turns) for talk in some)
            share = f"{right / len(some):.0%}"
            yield f"{right} of {len(some)} talks{title} are right from the first turn to the last: {share}."
    turns = [(talk, number, given[turn.id]) for talk in whole for number, turn in enumerate(talk.turns)]
    yield from _table("turn", turns, lambda talk, number: str(number + 1))
    yield from _table("kind", turns, lambda talk, number: talk.kinds[number] or "other")
    yield from _table(
        "talks",
        [turn for turn in turns if turn[1] > 0],
        lambda talk, number: "later turns, held out" if talk.held_out else "later turns, others",
    )
    if any(answer.intent for _, _, answer in turns):
        said = [
            (talk.kinds[at] in OWN_QUESTION_KINDS, answer.intent == Category.REFINE_QUESTION)
            for talk, at, answer in turns
        ]
        follow = [followed for alone, followed in said if not alone]
        own = [followed for alone, followed in said if alone]
        yield ""
        yield f"{sum(follow)} of {len(follow)} follow-ups were understood as such."
        yield f"{sum(own)} of {len(own)} questions of their own were taken for one."
        asked = sum(answer.asked_back for _, _, answer in turns)
        yield f"{asked} of {len(turns)} turns were asked back about; the likely answer was taken."


def _table(
    title: str, turns: list[tuple[MeasuredTalk, int, MeasuredAnswer]], name: Callable[[MeasuredTalk, int], str]
) -> Iterator[str]:
    groups: dict[str, list[MeasuredAnswer]] = {}
    for talk, number, answer in turns:
        groups.setdefault(name(talk, number), []).append(answer)
    rows = [
        (
            key,
            len(answers),
            sum(answer.right for answer in answers),
            f"{sum(a.right for a in answers) / len(answers):.0%}",
        )
        for key, answers in groups.items()
    ]
    yield ""
    yield tabulate(rows, (title, "turns", "right", "share"))


# The run itself.


SAMPLE_TALKS_FILE = Path(__file__).with_name("talks.jsonl")
"""Talks on the sample company."""


def evaluate_talks(settings: Settings, wanted: Wanted, say: Say) -> int:
    """Lead the talks that the run does not have yet, and say the figures; returns the exit status.

    A talk that was left in the middle goes on with the answers that it had. A model that is away ends the run.
    Sentences are told apart as in the bot, by the site's examples and with the vectors that it has of them.
    """
    path = wanted.questions or SAMPLE_TALKS_FILE
    talks = sample(read_talks(path), wanted.limit, wanted.seed)
    options = dict(wanted.options)
    follow = _follow(options.pop("follow", "shipped"))
    write = way_of(options)
    choice = choose(settings)
    asked = [[turn.id, turn.question, turn.right] for talk in talks for turn in talk.turns]
    answers = opened(wanted.out, about(wanted, choice.name, "talks", asked))
    turns = [turn for talk in talks for turn in talk.turns]
    with ExitStack() as stack:
        database = stack.enter_context(closing(database_of(settings)))
        catalog = stack.enter_context(
            closing(Catalog(connections_for(settings, turns, demo=path == SAMPLE_TALKS_FILE)))
        )
        opened_intents = intents_of(settings, database, now, demo=path == SAMPLE_TALKS_FILE, logs=False)
        decide = opened_intents.intents.classifier().decide
        player = Player(catalog, choice.llm(), now().astimezone().date(), write, follow, decide)
        run = EvaluationRun(answers, Bar(len(turns), answers.given.values()), wanted.out, say)
        if not run.ask_each(talks, lambda talk: _lead(talk, player, run), "was left"):
            return 1
    say(f"{choice.name}, {len(talks)} talks of {path.name}:")
    for line in talk_summary(talks, answers.given):
        say(line)
    return 0


def _lead(talk: MeasuredTalk, player: Player, run: EvaluationRun) -> None:
    """Say the turns that are not answered yet."""
    answers = run.answers
    for number, turn in enumerate(talk.turns):
        if turn.id not in answers.given:
            before = [answers.given[earlier.id] for earlier in talk.turns[:number]]
            answers.add(player.say(turn, before))
            run.bar.draw(answers.given.values())


def _follow(text: str) -> Follow:
    for follow in FOLLOWS:
        if text == follow:
            return follow
    raise SettingsError([f'follow is one of {", ".join(FOLLOWS)}, not "{text}".'])
