"""A run over questions or talks: where they are asked, how far it is, and what came of it."""

import hashlib
import json
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from bot.command_line import Say
from bot.evaluation.answers import Answers, open_answers, read_answers
from bot.evaluation.exam import Exam, Write, WrongAnswer, near_in
from bot.evaluation.player import FOLLOWS, Follow, Player
from bot.evaluation.questions import Golden, MeasuredTalk, read_talks, sample
from bot.evaluation.summary import question_summary, talk_summary, versus
from bot.models.choice import choose
from bot.settings.environment import Settings
from bot.wiring.bot import connections_of
from bot.wiring.knowledge import intents_of
from bot.wiring.state import database_of
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.errors import AgentAway, JobFailed, SettingsError
from router.llm.call import ModelCall
from router.sql.dialect import DIALECTS
from router.storage.clock import now
from router.text_to_sql.agents import judge
from router.text_to_sql.prompt import extract, without_samples
from router.text_to_sql.question import NodeState, SqlTask, read_options
from router.text_to_sql.schema_text import schema_text
from router.text_to_sql.write_sql import WrittenSql, write_sql

N = TypeVar("N", bound=str)

# Plain prompting, which everything else is measured against.


PLAIN_SYSTEM_PROMPT = (
    "You write one {dialect} query that answers a question about this database. Answer with the SQL alone.\n\n{schema}"
)


def write_plainly(task: SqlTask) -> WrittenSql:
    """Return the query as the model wrote it, with its problem if it does not run."""
    question, dialect = task.question, task.schema.dialect
    system = PLAIN_SYSTEM_PROMPT.format(
        dialect=DIALECTS[dialect].label, schema=schema_text(without_samples(task.schema))
    )
    hint = f"Hint: {question.evidence}\n" if question.evidence else ""
    call = ModelCall(system, f"{hint}Question: {question.text}", task.requester, "sql", temperature=0.0)
    sql = extract(task.model.answer(call).text, dialect)
    if sql is None:
        return WrittenSql("", problem="The model wrote no SQL.")
    sql, problem, estimate = judge(task, sql)
    return WrittenSql(
        sql, (), estimate, problem=problem or None, status=NodeState.BAD_SQL if problem else NodeState.GOOD_SQL
    )


# The connections that questions are asked on.


QUERY_TIMEOUT_SECONDS = 30.0
"""Seconds for one query on a database file."""


def connections_for(settings: Settings, questions: Iterable[Golden], demo: bool) -> Connections:
    """Return a connection for each database file, and those of connections.toml if questions name them."""
    files = list({golden.database.resolve(): golden.database for golden in questions if golden.database}.values())
    made = [
        Connection(
            file.stem,
            number,
            file.stem,
            DIALECTS["sqlite"],
            f"sqlite:///{file.absolute()}",
            timeout=QUERY_TIMEOUT_SECONDS,
        )
        for number, file in enumerate(files, 1_000_001)
    ]
    named = {golden.connection for golden in questions if golden.connection}
    places = {name.casefold(): f"the connection {name}" for name in named}
    for file in files:
        other = places.setdefault(file.stem.casefold(), str(file))
        if other != str(file):
            raise SettingsError([f"{file} and {other} have one name; rename a file, so that they are told apart."])
    if not named:
        return Connections(made)
    known = connections_of(settings, demo=demo)
    if missing := sorted(name for name in named if name not in known):
        raise SettingsError([f'There is no connection "{missing[0]}" in connections.toml.'])
    return Connections([*(known[name] for name in named), *made])


# The run itself, with a line of progress on the terminal.


WAYS: Mapping[str, Write] = {"shipped": write_sql, "plain": write_plainly}
"""Ways from a question to SQL: as the bot does it, or by plain prompting."""

SAMPLE_QUESTIONS_FILE = Path(__file__).with_name("sample.jsonl")
SAMPLE_TALKS_FILE = Path(__file__).with_name("talks.jsonl")
"""Questions and talks on the sample company."""

NOTHING_KEPT = "Nothing was kept; with a file that is named by --out, the next run goes on where this one ends."


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request for a measurement; without a file, of the sample company's questions. `options` are as given.

    Questions are put as they are; `talks` are understood turn by turn, as in the bot.
    """

    file: Path | None = None
    limit: int | None = None
    seed: int = 1
    out: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    examples: Path | None = None
    """Questions with right queries, which the model is shown if they are near."""
    talks: bool = False


def evaluate(settings: Settings, wanted: Wanted, say: Say) -> int:
    """Lead the talks that the run does not have yet, and say the figures; returns the exit status.

    A talk that was left in the middle goes on with the answers that it had. A model that is away ends the run: its
    questions are neither right nor wrong. Sentences are told apart as in the bot, by the site's examples and with the
    vectors that it has of them.
    """
    path = wanted.file or (SAMPLE_TALKS_FILE if wanted.talks else SAMPLE_QUESTIONS_FILE)
    talks = sample(read_talks(path), wanted.limit, wanted.seed)
    turns = [turn for talk in talks for turn in talk.turns]
    write, follow = _way_of(wanted)
    choice = choose(settings)
    answers = open_answers(wanted.out, _about(wanted, choice.name, turns))
    demo = not wanted.file
    with ExitStack() as stack:
        database = stack.enter_context(closing(database_of(settings)))
        catalog = stack.enter_context(closing(Catalog(connections_for(settings, turns, demo))))
        intents = intents_of(settings, database, now, demo=demo).intents
        near = near_in(turn for talk in read_talks(wanted.examples) for turn in talk.turns) if wanted.examples else None
        exam = Exam(catalog, choice.llm(), now().astimezone().date(), write, near)
        player = Player(exam, follow, intents.classifier().decide)
        progress = Progress(len(turns), answers)
        for talk in talks:
            try:
                _lead(talk, player, answers, progress)
            except (WrongAnswer, JobFailed) as error:
                progress.clear()
                say(f"{talk.id} was left out: {error}")
            except AgentAway as error:
                progress.clear()
                kept = f"{len(answers.given)} answers are kept in {wanted.out}; run it again to go on."
                say(f"{error}\n{kept if wanted.out else NOTHING_KEPT}")
                return 1
        progress.clear()
    say(f"{choice.name}, {len(talks)} {'talks' if wanted.talks else 'questions'} of {path.name}:")
    for line in (talk_summary if wanted.talks else question_summary)(talks, answers.given):
        say(line)
    return 0


def _lead(talk: MeasuredTalk, player: Player, answers: Answers, progress: "Progress") -> None:
    """Say the turns that are not answered yet."""
    for number, turn in enumerate(talk.turns):
        if turn.id not in answers.given:
            answers.add(player.say(turn, [answers.given[earlier.id] for earlier in talk.turns[:number]]))
            progress.draw()


class Progress:
    """A line of progress that is written over."""

    def __init__(self, total: int, answers: Answers) -> None:
        self._total, self._answers = total, answers
        self._before, self._began = len(answers.given), time.monotonic()

    def draw(self) -> None:
        """Say how many are answered, and how many of them rightly."""
        given = self._answers.given.values()
        left = (time.monotonic() - self._began) / (len(given) - self._before) * (self._total - len(given))
        right = sum(answer.right for answer in given) / len(given)
        self._write(f"{len(given)} of {self._total}, {right:.0%} right, {left / 60:.0f} minutes to go")

    def clear(self) -> None:
        """Take the line away."""
        self._write("")

    def _write(self, text: str) -> None:
        if sys.stderr.isatty():
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def compare_runs(old: Path, new: Path, say: Say) -> int:
    """Say how the second file of results differs from the first."""
    for line in versus(read_answers(old), read_answers(new)):
        say(line)
    return 0


def _way_of(wanted: Wanted) -> tuple[Write, Follow]:
    """Return what the options mean; raises SettingsError with every problem."""
    options = dict(wanted.options)
    follow = _one_of(FOLLOWS, "follow", options.pop("follow", "shipped")) if wanted.talks else "off"
    way = WAYS[_one_of(tuple(WAYS), "way", options.pop("way", "shipped"))]
    read = read_options(options)
    if way is write_plainly and options:
        raise SettingsError(["way=plain takes no other option: nothing is done there that could be left out."])

    def write(task: SqlTask) -> WrittenSql:
        return way(replace(task, options=read))

    return write, follow


def _one_of(known: tuple[N, ...], name: str, text: str) -> N:
    for each in known:
        if each == text:
            return each
    raise SettingsError([f'{name} is one of {", ".join(known)}, not "{text}".'])


def _about(wanted: Wanted, model: str, turns: Iterable[Golden]) -> dict[str, Any]:
    """Return what was measured with what: the first line of a file of answers."""
    asked = [[turn.id, turn.question, turn.right, turn.evidence] for turn in turns]
    return {
        "model": model,
        "options": dict(wanted.options),
        "talks" if wanted.talks else "questions": _digest(json.dumps(asked).encode()),
        "limit": wanted.limit,
        "seed": wanted.seed,
        **({"examples": _digest(wanted.examples.read_bytes())} if wanted.examples else {}),
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
