"""A run over talks, turn by turn."""

import hashlib
import json
from collections.abc import Iterable
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from bot.evaluation.answers import opened
from bot.evaluation.bar import Bar
from bot.evaluation.places import connections_for
from bot.evaluation.player import FOLLOWS, Follow, Player
from bot.evaluation.questions import sample
from bot.evaluation.run import Run, Say, Wanted, way_of
from bot.evaluation.talk_summary import talk_summary
from bot.evaluation.talks import Talk, read_talks
from bot.intents import opened_intents
from bot.models import choose
from bot.settings import Settings
from bot.wiring import model_settings
from router.catalog.catalog import Catalog
from router.errors import SettingsError
from router.intents.deciding import decided

TALKS = Path(__file__).with_name("talks.jsonl")
"""Talks on the sample company."""


def evaluate_talks(settings: Settings, wanted: Wanted, say: Say) -> int:
    """Lead the talks that the run does not have yet, and say the figures; returns the exit status.

    A talk that was left in the middle goes on with the answers that it had. A model that is away ends the run.
    Sentences are told apart as in the bot, by the examples of the house and with the vectors that it has of them.
    """
    path = wanted.questions or TALKS
    talks = sample(read_talks(path), wanted.limit, wanted.seed)
    options = dict(wanted.options)
    follow = _follow(options.pop("follow", "shipped"))
    write = way_of(options)
    choice = choose(model_settings(settings))
    answers = opened(wanted.out, _about(wanted, choice.name, talks))
    turns = [turn for talk in talks for turn in talk.turns]
    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        catalog = stack.enter_context(closing(Catalog(connections_for(settings, turns, demo=path == TALKS))))
        house = opened_intents(settings, _now, stack, demo=path == TALKS, logs=False)
        decide = partial(decided, house.intents.classifier())
        player = Player(catalog, choice.llm(), _now().astimezone().date(), write, follow, decide)
        run = Run(answers, Bar(len(turns), answers.given.values()), wanted.out, say)
        if not run.ask_each(talks, lambda talk: _lead(talk, player, run), "was left"):
            return 1
    say(f"{choice.name}, {len(talks)} talks of {path.name}:")
    for line in talk_summary(talks, answers.given):
        say(line)
    return 0


def _now() -> datetime:
    return datetime.now(UTC)


def _lead(talk: Talk, player: Player, run: Run) -> None:
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


def _about(wanted: Wanted, model: str, talks: Iterable[Talk]) -> dict[str, Any]:
    said = json.dumps([[turn.id, turn.question, turn.right] for talk in talks for turn in talk.turns])
    return {
        "model": model,
        "options": dict(wanted.options),
        "talks": hashlib.sha256(said.encode()).hexdigest()[:16],
        "limit": wanted.limit,
        "seed": wanted.seed,
    }
