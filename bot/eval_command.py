"""`icc-bot eval`: its arguments, and what they lead to."""

import argparse
from pathlib import Path

from router.errors import SettingsError

OWN_TALKS = Path()
"""Stands for the talks on the sample company."""


def add_eval(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    what = command.add_mutually_exclusive_group()
    what.add_argument(
        "--questions",
        type=Path,
        metavar="FILE.jsonl",
        help="questions with right queries (default: some on the sample company)",
    )
    what.add_argument(
        "--compare", type=Path, nargs=2, metavar=("OLD", "NEW"), help="two files of results, to be compared"
    )
    what.add_argument(
        "--talks",
        type=Path,
        nargs="?",
        const=OWN_TALKS,
        metavar="FILE.jsonl",
        help="talks of several turns with right queries (without a file: some on the sample company)",
    )
    command.add_argument("--limit", type=_count, metavar="N", help="ask so many of them only")
    command.add_argument("--seed", type=int, default=1, metavar="S", help="which ones (default: 1)")
    command.add_argument("--out", type=Path, metavar="FILE", help="keep the results; a run that was ended goes on")
    command.add_argument("--model", default="", metavar="NAME", help="instead of SQL_MODEL_NAME")
    command.add_argument(
        "--set",
        type=_option,
        action="append",
        default=[],
        dest="options",
        metavar="OPTION=VALUE",
        help="how a question becomes SQL, such as way=plain",
    )
    command.add_argument(
        "--examples",
        type=Path,
        metavar="FILE.jsonl",
        help="show the model the nearest of these questions with their queries, but for the one that is asked",
    )
    command.set_defaults(run=run)


def run(given: argparse.Namespace) -> int:
    """Measure or compare, and return the exit status."""
    from bot.evaluation.run import Wanted, compare, evaluate
    from bot.evaluation.talk_run import evaluate_talks
    from bot.settings import read_settings

    if given.compare:
        old, new = given.compare
        return compare(old, new, print)
    settings = read_settings()
    if given.model:
        settings = settings.model_copy(update={"sql_model": given.model})
    options = dict(given.options)
    if given.talks is not None:
        if given.examples:
            raise SettingsError(["--examples goes with questions; in a talk, the answer before is shown."])
        file = None if given.talks == OWN_TALKS else given.talks
        return evaluate_talks(settings, Wanted(file, given.limit, given.seed, given.out, options), print)
    wanted = Wanted(given.questions, given.limit, given.seed, given.out, options, given.examples)
    return evaluate(settings, wanted, print)


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is no number of questions")
    return int(text)


def _option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f'"{text}" is not OPTION=VALUE')
    return name.strip(), value.strip()
