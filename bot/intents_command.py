"""`icc-bot intents`: its arguments, and what each of them leads to."""

import argparse
import sys
from pathlib import Path


def add_intents(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    acts = command.add_subparsers(title="what to do", metavar="ACT", required=True)
    shown = acts.add_parser("show", help="say what a sentence is taken for, how surely, and the nearest examples")
    shown.add_argument("sentence", metavar="SENTENCE")
    shown.add_argument("--after", default="", metavar="QUESTION", help="the question that it follows in the talk")
    reviewed = acts.add_parser("review", help="look at what people chose where the bot asked what they meant")
    reviewed.add_argument("verdict", nargs="?", choices=("accept", "dismiss"), help="what becomes of one")
    reviewed.add_argument("id", nargs="?", default="", metavar="ID", help="its id, such as I-7F3K2Q4M")
    reviewed.add_argument("--as", dest="category", default="", metavar="CATEGORY", help="accept it as this instead")
    built = acts.add_parser("rebuild", help="make the classifier anew of all examples, and say how many there are")
    measured = acts.add_parser("eval", help="measure it on sentences whose categories are known")
    measured.add_argument(
        "--file", required=True, type=Path, metavar="F.jsonl", help='lines {"sentence": …, "category": …}'
    )
    measured.add_argument("--errors", action="store_true", help="list each sentence that was wrong or clarified")
    measured.add_argument("--strict", action="store_true", help="leave with 1 where the targets are missed")
    for parser, act in ((shown, "show"), (reviewed, "review"), (built, "rebuild"), (measured, "eval")):
        parser.set_defaults(run=run, act=act)


def run(given: argparse.Namespace) -> int:
    """Do what was asked for, and return the exit status."""
    from bot import intents_acts as acts
    from bot.settings import read_settings

    settings = read_settings()
    match given.act:
        case "show":
            return acts.show_sentence(settings, print, given.sentence, given.after)
        case "rebuild":
            return acts.rebuild(settings, print)
        case "eval":
            from bot.intents_eval import measure

            return measure(settings, print, given.file, errors=given.errors, strict=given.strict)
    if given.verdict:
        return acts.review_one(settings, print, given.verdict, given.id, given.category)
    return acts.review_all(settings, print, input if sys.stdin.isatty() and sys.stdout.isatty() else None)
