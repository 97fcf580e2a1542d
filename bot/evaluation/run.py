"""A run over all questions: where they are asked, how far it is, and what came of it."""

import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.evaluation.answers import Answers, MeasuredAnswer, opened, read_answers
from bot.evaluation.exam import Exam, Write, WrongAnswer, near_in, no_examples
from bot.evaluation.questions import E, Golden, read_questions, sample
from bot.evaluation.summary import summary, versus
from bot.models.choice import choose
from bot.settings.environment import Settings
from bot.wiring.bot import connections_of
from router.catalog.catalog import Catalog
from router.catalog.connection import Connection, Connections
from router.errors import AgentAway, JobFailed, SettingsError
from router.llm.call import ModelCall
from router.sql.dialect import DIALECTS
from router.text_to_sql.agents import judge
from router.text_to_sql.prompt import extract, without_samples
from router.text_to_sql.question import NodeState, SqlTask, read_options
from router.text_to_sql.schema_text import schema_text
from router.text_to_sql.write_sql import WrittenSql, write_sql

# Plain prompting, which everything else is measured against.


PLAIN_SYSTEM_PROMPT = (
    "You write one {dialect} query that answers a question about this database. Answer with the SQL alone.\n\n{schema}"
)


def write_plainly(task: SqlTask) -> WrittenSql:
    """Return the query as the model wrote it, with its problem where it does not run."""
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
    """Return a connection for each database file, and those of connections.toml where questions name them."""
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


# The run itself, with a bar of progress on the terminal.


class Bar:
    """A bar of progress: one line that is written over."""

    def __init__(self, total: int, before: Iterable[MeasuredAnswer]) -> None:
        self._total, self._before, self._began = total, len(list(before)), time.monotonic()

    def draw(self, answers: Iterable[MeasuredAnswer]) -> None:
        """Say how many are answered, and how many of them rightly."""
        given = list(answers)
        asked = len(given) - self._before
        if not asked or not sys.stderr.isatty():
            return
        left = (time.monotonic() - self._began) / asked * (self._total - len(given))
        right = sum(answer.right for answer in given) / len(given)
        text = f"{len(given)} of {self._total}, {right:.0%} right, {left / 60:.0f} minutes to go"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)


WAYS: Mapping[str, Write] = {"shipped": write_sql, "plain": write_plainly}
"""Ways from a question to SQL: as the bot does it, or by plain prompting."""

SAMPLE_QUESTIONS_FILE = Path(__file__).with_name("sample.jsonl")
"""Questions on the sample company."""

NOTHING_KEPT = "Nothing was kept; with a file that is named by --out, the next run goes on where this one ends."

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """Request for a measurement; without a file, of the sample company's questions. `options` are as given."""

    questions: Path | None = None
    limit: int | None = None
    seed: int = 1
    out: Path | None = None
    options: Mapping[str, str] = field(default_factory=dict)
    examples: Path | None = None
    """Questions with right queries, which the model is shown where they are near."""


def evaluate(settings: Settings, wanted: Wanted, say: Say) -> int:
    """Ask the questions that the run does not have yet, and say the figures; returns the exit status.

    A model that is away ends the run: its questions are neither right nor wrong.
    """
    path = wanted.questions or SAMPLE_QUESTIONS_FILE
    questions = sample(read_questions(path), wanted.limit, wanted.seed)
    way = way_of(wanted.options)
    choice = choose(settings)
    asked = [[golden.id, golden.question, golden.right, golden.evidence] for golden in questions]
    answers = opened(wanted.out, about(wanted, choice.name, "questions", asked))
    left = [golden for golden in questions if golden.id not in answers.given]
    with closing(Catalog(connections_for(settings, questions, demo=not wanted.questions))) as catalog:
        near = near_in(read_questions(wanted.examples)) if wanted.examples else no_examples
        exam = Exam(catalog, choice.llm(), datetime.now(UTC).astimezone().date(), way, near)
        run = EvaluationRun(answers, Bar(len(questions), answers.given.values()), wanted.out, say)
        if not run.ask_each(left, lambda golden: answers.add(exam.ask(golden, golden.place)), "was left out"):
            return 1
    say(f"{choice.name}, {len(questions)} questions of {path.name}:")
    for line in summary(answers.given[golden.id] for golden in questions if golden.id in answers.given):
        say(line)
    return 0


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """A run that is under way: what was answered, how far it is, where the answers are kept, and who is told."""

    answers: Answers
    bar: Bar
    out: Path | None
    say: Say

    def ask_each(self, asked: Iterable[E], ask: Callable[[E], None], left: str) -> bool:
        """Tell whether a model was there to the end; what cannot be measured is `left`, and the run goes on."""
        for each in asked:
            try:
                ask(each)
            except (WrongAnswer, JobFailed) as error:
                self.bar.clear()
                self.say(f"{each.id} {left}: {error}")
            except AgentAway as error:
                self.bar.clear()
                kept = f"{len(self.answers.given)} answers are kept in {self.out}; run it again to go on."
                self.say(f"{error}\n{kept if self.out else NOTHING_KEPT}")
                return False
            self.bar.draw(self.answers.given.values())
        self.bar.clear()
        return True


def compare(old: Path, new: Path, say: Say) -> int:
    """Say how the second file of results differs from the first."""
    for line in versus(read_answers(old), read_answers(new)):
        say(line)
    return 0


def way_of(given: Mapping[str, str]) -> Write:
    """Return what the options mean; raises SettingsError with every problem."""
    options = dict(given)
    way = options.pop("way", "shipped")
    if way not in WAYS:
        raise SettingsError([f'way is one of {", ".join(WAYS)}, not "{way}".'])
    read = read_options(options)
    if way == "plain" and options:
        raise SettingsError(["way=plain takes no other option: nothing is done there that could be left out."])

    def write(task: SqlTask) -> WrittenSql:
        return WAYS[way](replace(task, options=read))

    return write


def about(wanted: Wanted, model: str, noun: str, asked: list[Any]) -> dict[str, Any]:
    """Return what was measured with what: the first line of a file of answers."""
    return {
        "model": model,
        "options": dict(wanted.options),
        noun: _digest(json.dumps(asked).encode()),
        "limit": wanted.limit,
        "seed": wanted.seed,
        **({"examples": _digest(wanted.examples.read_bytes())} if wanted.examples else {}),
    }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
