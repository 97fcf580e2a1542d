"""A run over all questions: where they are asked, how far it is, and what came of it."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from bot.evaluation.answers import Answers, opened, read_answers
from bot.evaluation.bar import Bar
from bot.evaluation.exam import Exam, Write, WrongAnswer
from bot.evaluation.near import near_in, no_examples
from bot.evaluation.places import connections_for
from bot.evaluation.plain import write_plainly
from bot.evaluation.questions import Asked, Golden, read_questions, sample
from bot.evaluation.summary import summary
from bot.evaluation.versus import versus
from bot.models import choose
from bot.settings import Settings
from bot.wiring import model_settings
from router.agents.options import read_options
from router.agents.sql import write_sql
from router.catalog.catalog import Catalog
from router.errors import AgentAway, JobFailed, SettingsError

WAYS: Mapping[str, Write] = {"shipped": write_sql, "plain": write_plainly}
"""How a question becomes SQL: as the bot does it, or by plain prompting."""

SAMPLE = Path(__file__).with_name("sample.jsonl")
"""Questions on the sample company."""

NOTHING_KEPT = "Nothing was kept; with a file that is named by --out, the next run goes on where this one ends."

Say = Callable[[str], None]

A = TypeVar("A", bound=Asked)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be measured; without a file, the questions on the sample company. `options` are as they were given."""

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
    path = wanted.questions or SAMPLE
    questions = sample(read_questions(path), wanted.limit, wanted.seed)
    way = way_of(wanted.options)
    choice = choose(model_settings(settings))
    answers = opened(wanted.out, _about(wanted, choice.name, questions))
    left = [golden for golden in questions if golden.id not in answers.given]
    with closing(Catalog(connections_for(settings, questions, demo=not wanted.questions))) as catalog:
        near = near_in(read_questions(wanted.examples)) if wanted.examples else no_examples
        exam = Exam(catalog, choice.llm(), datetime.now(UTC).astimezone().date(), way, near)
        run = Run(answers, Bar(len(questions), answers.given.values()), wanted.out, say)
        if not run.ask_each(left, lambda golden: answers.add(exam.ask(golden, golden.place)), "was left out"):
            return 1
    say(f"{choice.name}, {len(questions)} questions of {path.name}:")
    for line in summary(answers.given[golden.id] for golden in questions if golden.id in answers.given):
        say(line)
    return 0


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is under way: what was answered, how far it is, where the answers are kept, and who is told."""

    answers: Answers
    bar: Bar
    out: Path | None
    say: Say

    def ask_each(self, asked: Iterable[A], ask: Callable[[A], None], left: str) -> bool:
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
    return partial(write_sql, options=read) if way == "shipped" else WAYS[way]


def _about(wanted: Wanted, model: str, questions: Iterable[Golden]) -> dict[str, Any]:
    asked = json.dumps([[golden.id, golden.question, golden.right, golden.evidence] for golden in questions])
    return {
        "model": model,
        "options": dict(wanted.options),
        "questions": hashlib.sha256(asked.encode()).hexdigest()[:16],
        "limit": wanted.limit,
        "seed": wanted.seed,
        **({"examples": hashlib.sha256(wanted.examples.read_bytes()).hexdigest()[:16]} if wanted.examples else {}),
    }
