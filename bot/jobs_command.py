"""`icc-bot jobs`: its arguments, and what each of them leads to."""

import argparse

from router.jobs.entries import State

STATES = tuple(state.value.lower() for state in State)


def add_jobs(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    acts = command.add_subparsers(title="what to do", metavar="ACT")
    listed = acts.add_parser("list", help="the latest jobs; so does no ACT at all")
    for parser in (command, listed):
        parser.set_defaults(run=run, act="list")
        parser.add_argument("--state", choices=STATES, default="", help="only those in this state")
        parser.add_argument("--asker", default="", metavar="ID", help="only those of this person: slack:U0123ABCD")
        parser.add_argument("--most", type=int, default=20, metavar="N", help="how many (default: 20)")
    for act, help in (
        ("show", "everything about one job"),
        ("retry", "do a job again that failed or was cancelled"),
        ("cancel", "end a job that is not over"),
    ):
        one = acts.add_parser(act, help=help)
        one.add_argument("id", metavar="JOB", help="its number, such as W-7F3K2Q4M")
        one.set_defaults(run=run, act=act)
        if act == "retry":
            one.add_argument("--twice", action="store_true", help="also an e-mail that may have gone out")
    repeated = acts.add_parser("schedules", help="what is repeated, for whom and when")
    repeated.add_argument("--asker", default="", metavar="ID", help="only those of this person: slack:U0123ABCD")
    repeated.set_defaults(run=run, act="schedules")
    ended = acts.add_parser("stop", help="have a schedule never run again")
    ended.add_argument("id", metavar="SCHEDULE", help="its number, such as T-7F3K2Q4M")
    ended.set_defaults(run=run, act="stop")


def run(given: argparse.Namespace) -> int:
    """Do what was asked for, and return the exit status."""
    from bot.jobs import cancel_job, list_jobs, retry_job, show_job
    from bot.settings import read_settings

    settings = read_settings()
    if given.act in ("schedules", "stop"):
        from bot.schedules import list_schedules, stop_schedule

        if given.act == "stop":
            return stop_schedule(settings, print, given.id)
        return list_schedules(settings, print, asker=given.asker)
    match given.act:
        case "show":
            return show_job(settings, print, given.id)
        case "retry":
            return retry_job(settings, print, given.id, given.twice)
        case "cancel":
            return cancel_job(settings, print, given.id)
    return list_jobs(settings, print, state=given.state, asker=given.asker, most=given.most)
