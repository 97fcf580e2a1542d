"""`icc-bot examples`: its arguments, and what each of them leads to."""

import argparse
from pathlib import Path


def add_examples(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    acts = command.add_subparsers(title="what to do", metavar="ACT")
    listed = acts.add_parser("list", help="what is kept; so does no ACT at all")
    checked = acts.add_parser("check", help="have each database look at its examples, and flag those that do not run")
    for parser, act in ((command, "list"), (listed, "list"), (checked, "check")):
        parser.set_defaults(run=run, act=act)
        parser.add_argument("--connection", default="", metavar="NAME", help="only those of this connection")
    taken = acts.add_parser("export", help="write all to a file for git, one a line; - writes to the terminal")
    brought = acts.add_parser("import", help="take all of a file, or, if one of them is refused, none")
    for parser, act in ((taken, "export"), (brought, "import")):
        parser.add_argument("file", metavar="FILE.jsonl")
        parser.set_defaults(run=run, act=act)
    taken.add_argument("--connection", default="", metavar="NAME", help="only those of this connection")
    gone = acts.add_parser("remove", help="keep one no longer")
    gone.add_argument("id", metavar="ID", help="its id, such as E-7F3K2Q4M")
    gone.set_defaults(run=run, act="remove")


def run(given: argparse.Namespace) -> int:
    """Do what was asked for, and return the exit status."""
    from bot import examples_acts as acts
    from bot.settings import read_settings

    settings = read_settings()
    match given.act:
        case "check":
            return acts.check_examples(settings, print, given.connection)
        case "export":
            return acts.export_examples(settings, print, given.file, given.connection)
        case "import":
            return acts.import_examples(settings, print, Path(given.file))
        case "remove":
            return acts.remove_example(settings, print, given.id)
    return acts.list_examples(settings, print, given.connection)
