"""The arguments of the commands that look after what is kept."""

import argparse
from pathlib import Path


def add_db(command: argparse.ArgumentParser) -> None:
    """Add what `icc-bot db` takes."""
    acts = command.add_subparsers(title="what to do", metavar="ACT", required=True)
    upgraded = acts.add_parser("upgrade", help="bring the tables up to this version, once no earlier one runs any more")
    upgraded.set_defaults(run=_run_db, act="upgrade")
    moved = acts.add_parser("move", help="move a home's files to the server that ICC_BOT_DATABASE_URL names")
    moved.add_argument("--home", type=Path, metavar="FOLDER", help="the home (default: ICC_BOT_HOME)")
    moved.set_defaults(run=_run_db, act="move")
    copied = acts.add_parser("backup", help="copy the home into a folder, while the bot is at work or not")
    copied.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or an empty one")
    copied.set_defaults(run=_run_backup)
    restored = acts.add_parser("restore", help="make the home of a backup; ICC_BOT_HOME must be empty")
    restored.add_argument("folder", type=Path, metavar="FOLDER", help="what `icc-bot db backup` made")
    restored.set_defaults(run=_run_restore)


def _run_db(given: argparse.Namespace) -> int:
    from bot.commands import db as acts
    from bot.settings.environment import read_settings

    settings = read_settings()
    return acts.upgrade(settings, print) if given.act == "upgrade" else acts.move(settings, print, given.home)


def _run_backup(given: argparse.Namespace) -> int:
    from bot.commands.backup import backup
    from bot.settings.environment import read_settings

    return backup(read_settings(), print, given.folder)


def _run_restore(given: argparse.Namespace) -> int:
    from bot.commands.backup import restore
    from bot.settings.environment import read_settings

    return restore(read_settings(), print, given.folder)


def add_learn(command: argparse.ArgumentParser) -> None:
    """Add what `icc-bot learn` takes."""
    acts = command.add_subparsers(title="what to do", metavar="ACT", required=True)
    for kind, what, files in (
        ("dbt", "descriptions, values, keys and metrics of dbt's manifest.json and semantic_manifest.json", "MANIFEST"),
        ("queries", "joins and examples of files of SQL; a comment before a query is its question", "FILE"),
        ("views", "joins and numbers of the database's views", ""),
    ):
        found = acts.add_parser(kind, help=what)
        if files:
            found.add_argument("files", nargs="+", type=Path, metavar=files)
        found.add_argument("--connection", default="", metavar="NAME", help="the database that it is about")
        found.add_argument(
            "--out", type=Path, default=Path("learned.toml"), metavar="FILE", help="what you review (learned.toml)"
        )
        found.set_defaults(run=_run_learn, act=kind, files=[])
    taken = acts.add_parser("accept", help="take over what you left in a reviewed file")
    taken.add_argument("file", type=Path, metavar="FILE")
    taken.set_defaults(run=_run_learn, act="accept")


def _run_learn(given: argparse.Namespace) -> int:
    from bot.commands import learn as acts
    from bot.settings.environment import read_settings

    settings = read_settings()
    if given.act == "accept":
        return acts.accept(settings, print, given.file)
    return acts.learn(settings, print, given.act, given.files, given.connection, given.out)


def add_forget(command: argparse.ArgumentParser) -> None:
    """Add what `icc-bot forget` takes."""
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("person", nargs="?", default="", metavar="PERSON", help="their id, such as slack:U0123ABCD")
    which.add_argument("--thread", default="", metavar="TALK", help="one talk: slack/T0123/C0123/1700000000.000100")
    which.add_argument(
        "--older-than", type=_days, dest="days", metavar="DAYS", help="talks whose last question is so many days old"
    )
    command.set_defaults(run=_run_forget)


def _days(text: str) -> float:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text} is no number of days")
    return float(text)


def _run_forget(given: argparse.Namespace) -> int:
    from bot.commands.forget import forget
    from bot.settings.environment import read_settings

    return forget(read_settings(), print, person=given.person, thread=given.thread, days=given.days)


def add_trace(command: argparse.ArgumentParser) -> None:
    """Add what `icc-bot trace` takes."""
    command.add_argument("thread", metavar="TALK", help="its key: slack/T0123/C0123/1700000000.000100")
    command.set_defaults(run=_run_trace)


def _run_trace(given: argparse.Namespace) -> int:
    from bot.commands.trace import trace
    from bot.settings.environment import read_settings

    return trace(read_settings(), print, given.thread)
