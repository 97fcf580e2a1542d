"""The command line: `icc-bot demo`, and what those who run the bot need; the arguments of every command.

What a command needs is imported once it runs: to print a help, or to list jobs, no library of a platform is loaded.
"""

import argparse
import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Final, NoReturn

from bot.sharing import TALKS_AT_ONCE, add_concurrency, add_sample, add_worker
from bot.upkeep import add_db, add_forget, add_learn, add_trace
from router.errors import BotError, SettingsError
from router.jobs.job_entry import JobState

JOB_STATES: Final = tuple(state.value.lower() for state in JobState)
SAMPLE_TALKS: Final = Path()
"""Stands for the talks on the sample company."""

PORT_MAX: Final = 65535

MORE: Final = (
    "For better answers: examples, learn, intents, eval. To look inside: trace, guard, flow. "
    "Each of them says more with --help."
)

THREAD_ARENAS_MAX: Final = 2
_M_ARENA_MAX: Final = -8
"""glibc's number of the setting, in malloc.h."""


def start() -> NoReturn:
    """Run the program, and end its process once nothing is left to do.

    The interpreter is not taken down: its last steps stop daemon threads wherever they are, and one that stands in a
    library written in C++ aborts the process, which a service manager takes for a crash.
    """
    status = 0
    try:
        main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join()
    atexit._run_exitfuncs()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(status)


def main(argv: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    os.umask(0o077)  # questions, SQL and results are for nobody else on this machine
    keep_few_arenas()
    try:
        raise SystemExit(run(arguments))
    except SettingsError as error:
        print("icc-bot cannot start:", *(f"- {problem}" for problem in error.problems), sep="\n", file=sys.stderr)
        raise SystemExit(2) from None
    except BotError as error:
        print(f"icc-bot: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    except (KeyboardInterrupt, BrokenPipeError):
        raise SystemExit(130) from None


def run(argv: list[str]) -> int:
    """Run the command that `argv` names and return its exit status."""
    if argv[:1] == ["guard"]:  # it has a help and an exit status of its own
        from bot.commands.guard import run as guard

        return guard(argv[1:])
    given = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.run
    return command(given)


def keep_few_arenas() -> None:
    """Let threads share a few of the C library's arenas; does nothing where there is no glibc.

    By itself glibc keeps one a thread, up to eight a processor, and each keeps what it once had: with many large rows
    under way the process is twice as large.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).mallopt(_M_ARENA_MAX, THREAD_ARENAS_MAX)


# The arguments, in the order of `icc-bot --help`.


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser(
        "icc-bot", description="Ask your company's databases a question; approve the SQL; see the rows.", epilog=MORE
    )
    top.add_argument("--version", action="version", version=f"icc-bot {version('icc-bot')}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    demo = commands.add_parser(
        "demo", help="try it in the browser: sample database, small local model, nothing else needed"
    )
    _add_page(demo)
    demo.set_defaults(run=_run_page, demo=True, host="127.0.0.1", public=False, concurrency=TALKS_AT_ONCE)

    web = commands.add_parser("web", help="the page on your own connections (connections.toml)")
    _add_page(web)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    web.add_argument(
        "--public", action="store_true", help="allow an address that other machines reach; prints a link with a token"
    )
    add_concurrency(web, least=0)
    web.set_defaults(run=_run_page, demo=False)

    console = commands.add_parser("console", help="the same bot in this terminal; a talk may be piped in")
    console.add_argument(
        "--thread", metavar="NAME", help="go on with the talk of this name, or begin it (default: a new talk)"
    )
    console.set_defaults(run=_run_console)

    slack = commands.add_parser("slack", help="the bot in Slack; docs/slack.md tells how to bring it there")
    instead = slack.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="look at tokens, scopes and manifest, and start nothing")
    instead.add_argument(
        "--new-key", action="store_true", help="print a new SLACK_TOKEN_KEY, for an app in several workspaces"
    )
    add_concurrency(slack, least=0)
    add_sample(slack)
    slack.set_defaults(run=_run_slack)

    add_worker(commands.add_parser("worker", help="works on the talks that `icc-bot slack`, `teams` and `web` take in"))

    teams = commands.add_parser("teams", help="the bot in Microsoft Teams; docs/teams.md tells how to bring it there")
    teams.add_argument("--check", action="store_true", help="look at ids, credentials and tenants, and start nothing")
    teams.add_argument(
        "--local", action="store_true", help="without any token, for a client on this machine such as the playground"
    )
    add_concurrency(teams, least=0)
    add_sample(teams)
    teams.set_defaults(run=_run_teams)

    _add_manifest(commands.add_parser("manifest", help="write the package of the app for Teams"))
    doctor = commands.add_parser(
        "doctor", help="check the settings, the model and each connection, and say what to mend"
    )
    doctor.set_defaults(run=_run_doctor)
    _add_jobs(commands.add_parser("jobs", help="what was run, written and e-mailed; try again what failed"))
    _add_api(
        commands.add_parser("api", help="reading, writing and e-mailing for programs, over HTTP; not started otherwise")
    )
    add_db(
        commands.add_parser("db", help="bring the bot's database up to this version; move it to a server; back it up")
    )
    add_forget(commands.add_parser("forget", help="delete what is kept of a person, of a talk, or of old talks"))
    # A command without a help is not listed: the last lines of `icc-bot --help` name these.
    _add_examples(commands.add_parser("examples", description="Questions with SQL that was found right."))
    add_learn(commands.add_parser("learn", description="Take over what dbt, views or past queries say."))
    _add_intents(
        commands.add_parser("intents", description="What sentences are taken for; learn from what people chose.")
    )
    _add_eval(commands.add_parser("eval", description="Measure a model on questions whose answers are known."))
    add_trace(commands.add_parser("trace", description="What happened in a talk, and when, from what was kept."))
    commands.add_parser("guard")
    flow = commands.add_parser("flow", description="Print the stages of a talk as a Mermaid diagram.")
    flow.set_defaults(run=_run_flow)
    return top


def _add_page(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port", type=_port, metavar="PORT", help="the port (default: PORT, else 8080; 0 takes any free one)"
    )
    command.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > PORT_MAX:
        raise argparse.ArgumentTypeError(f"{text} is no port; ports go from 0 to {PORT_MAX}")
    return int(text)


def _run_page(given: argparse.Namespace) -> int:
    from bot.commands.web import serve_page

    return serve_page(
        demo=given.demo,
        host=given.host,
        port=given.port,
        public=given.public,
        open_browser=not given.no_browser,
        concurrency=given.concurrency,
    )


def _run_console(given: argparse.Namespace) -> int:
    from bot.commands.console import serve_console

    return serve_console(given.thread)


def _run_slack(given: argparse.Namespace) -> int:
    if given.new_key:
        from adapters.slack.access import new_key

        print(new_key())
        return 0
    from bot.commands.slack import serve_slack

    return serve_slack(check=given.check, concurrency=given.concurrency, sample=given.sample)


def _run_teams(given: argparse.Namespace) -> int:
    from bot.commands.teams import serve_teams

    return serve_teams(check=given.check, local=given.local, concurrency=given.concurrency, sample=given.sample)


def _add_manifest(command: argparse.ArgumentParser) -> None:
    platforms = command.add_subparsers(title="platforms", required=True, metavar="PLATFORM")
    teams = platforms.add_parser("teams", help="the app that is uploaded in Teams")
    teams.add_argument("--app-id", required=True, metavar="GUID", help="the Microsoft App ID of the Azure Bot")
    teams.add_argument(
        "--host", default="", metavar="NAME", help="the host that has the pages on the app: /, /privacy and /terms"
    )
    teams.add_argument(
        "--out",
        type=Path,
        default=Path("icc-bot-teams.zip"),
        metavar="FILE",
        help="where to write it (default: icc-bot-teams.zip)",
    )
    teams.set_defaults(run=_run_manifest)


def _run_manifest(given: argparse.Namespace) -> int:
    from bot.commands.teams_manifest import open_questions, pack_teams
    from bot.settings.environment import read_settings

    questions, unread = open_questions(read_settings())
    for finding in (*unread, *pack_teams(given.app_id, given.host, given.out, questions)):
        print(finding)
    return 0


def _run_doctor(given: argparse.Namespace) -> int:
    from adapters.check_finding import report
    from bot.checks.doctor import findings
    from bot.settings.environment import read_settings

    return report(findings(read_settings()), print)


def _run_flow(given: argparse.Namespace) -> int:
    from router.flow import FLOW

    print(FLOW.mermaid())
    return 0


def _add_jobs(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="what to do", metavar="ACT")
    listed = acts.add_parser("list", help="the latest jobs; so does no ACT at all")
    for parser in (command, listed):
        parser.set_defaults(run=_run_jobs, act="list")
        parser.add_argument("--state", choices=JOB_STATES, default="", help="only those in this state")
        parser.add_argument("--asker", default="", metavar="ID", help="only those of this person: slack:U0123ABCD")
        parser.add_argument("--most", type=int, default=20, metavar="N", help="how many (default: 20)")
    for act, help in (
        ("show", "everything about one job"),
        ("retry", "do a job again that failed or was cancelled"),
        ("cancel", "end a job that is not over"),
    ):
        one = acts.add_parser(act, help=help)
        one.add_argument("id", metavar="JOB", help="its number, such as W-7F3K2Q4M")
        one.set_defaults(run=_run_jobs, act=act)
        if act == "retry":
            one.add_argument("--twice", action="store_true", help="also an e-mail that may have gone out")
    repeated = acts.add_parser("schedules", help="what is repeated, for whom and when")
    repeated.add_argument("--asker", default="", metavar="ID", help="only those of this person: slack:U0123ABCD")
    repeated.set_defaults(run=_run_jobs, act="schedules")
    ended = acts.add_parser("stop", help="have a schedule never run again")
    ended.add_argument("id", metavar="SCHEDULE", help="its number, such as T-7F3K2Q4M")
    ended.set_defaults(run=_run_jobs, act="stop")


def _run_jobs(given: argparse.Namespace) -> int:
    from bot.commands import jobs as acts
    from bot.settings.environment import read_settings

    settings = read_settings()
    match given.act:
        case "show":
            return acts.show_job(settings, print, given.id)
        case "retry":
            return acts.retry_job(settings, print, given.id, given.twice)
        case "cancel":
            return acts.cancel_job(settings, print, given.id)
        case "schedules":
            return acts.list_schedules(settings, print, asker=given.asker)
        case "stop":
            return acts.stop_schedule(settings, print, given.id)
    return acts.list_jobs(settings, print, state=given.state, asker=given.asker, most=given.most)


def _add_api(command: argparse.ArgumentParser) -> None:
    command.set_defaults(run=_run_api)
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    command.add_argument("--port", type=int, metavar="PORT", help="the port (default: PORT, else 8080)")
    add_sample(command)
    acts = command.add_mutually_exclusive_group()
    acts.add_argument("--new-token", action="store_true", help="print a new token, once, and keep its hash")
    acts.add_argument("--tokens", action="store_true", help="list the tokens, which are not shown themselves")
    acts.add_argument("--revoke", metavar="NAME", help="let nobody in by this token any more")
    command.add_argument("--name", default="", help="what the new token is called, such as nightly-report")
    command.add_argument("--user", default="", help="whose rights it has: an e-mail address, or an id: slack:U0123ABCD")
    command.add_argument(
        "--scopes", default="read", help="what it may do: read,write,email,admin,act_for (default: read)"
    )


def _run_api(given: argparse.Namespace) -> int:
    from bot.commands.api_tokens import list_tokens, make_token, revoke_token
    from bot.settings.environment import read_settings

    settings = read_settings()
    if given.new_token:
        return make_token(settings, print, given.name, given.user, given.scopes)
    if given.tokens:
        return list_tokens(settings, print)
    if given.revoke is not None:
        return revoke_token(settings, print, given.revoke)
    from bot.commands.api import serve_api

    return serve_api(settings, given.host, settings.port if given.port is None else given.port, given.sample)


def _add_examples(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="what to do", metavar="ACT")
    listed = acts.add_parser("list", help="what is kept; so does no ACT at all")
    checked = acts.add_parser("check", help="have each database look at its examples, and flag those that do not run")
    for parser, act in ((command, "list"), (listed, "list"), (checked, "check")):
        parser.set_defaults(run=_run_examples, act=act)
        parser.add_argument("--connection", default="", metavar="NAME", help="only those of this connection")
    taken = acts.add_parser("export", help="write all to a file for git, one a line; - writes to the terminal")
    brought = acts.add_parser("import", help="take all of a file, or, if one of them is refused, none")
    for parser, act in ((taken, "export"), (brought, "import")):
        parser.add_argument("file", metavar="FILE.jsonl")
        parser.set_defaults(run=_run_examples, act=act)
    taken.add_argument("--connection", default="", metavar="NAME", help="only those of this connection")
    gone = acts.add_parser("remove", help="keep one no longer")
    gone.add_argument("id", metavar="ID", help="its id, such as E-7F3K2Q4M")
    gone.set_defaults(run=_run_examples, act="remove")


def _run_examples(given: argparse.Namespace) -> int:
    from bot.commands import examples as acts
    from bot.settings.environment import read_settings

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


def _add_intents(command: argparse.ArgumentParser) -> None:
    acts = command.add_subparsers(title="what to do", metavar="ACT", required=True)
    shown = acts.add_parser("show", help="say what a sentence is taken for, how surely, and the nearest examples")
    shown.add_argument("sentence", metavar="SENTENCE")
    shown.add_argument("--after", default="", metavar="QUESTION", help="the question that it follows in the talk")
    reviewed = acts.add_parser("review", help="look at what people chose where the bot asked what they meant")
    reviewed.add_argument("verdict", nargs="?", choices=("accept", "dismiss"), help="what becomes of one")
    reviewed.add_argument("id", nargs="?", default="", metavar="ID", help="its id, such as I-7F3K2Q4M")
    reviewed.add_argument("--as", dest="category", default="", metavar="CATEGORY", help="accept it as this instead")
    built = acts.add_parser("rebuild", help="make the classifier anew of all examples, and say how many there are")
    for parser, act in ((shown, "show"), (reviewed, "review"), (built, "rebuild")):
        parser.set_defaults(run=_run_intents, act=act)


def _run_intents(given: argparse.Namespace) -> int:
    from bot.commands import intents as acts
    from bot.settings.environment import read_settings

    settings = read_settings()
    match given.act:
        case "show":
            return acts.show_sentence(settings, print, given.sentence, given.after)
        case "rebuild":
            return acts.rebuild(settings, print)
    if given.verdict:
        return acts.review_one(settings, print, given.verdict, given.id, given.category)
    return acts.review_all(settings, print, input if sys.stdin.isatty() and sys.stdout.isatty() else None)


def _add_eval(command: argparse.ArgumentParser) -> None:
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
        const=SAMPLE_TALKS,
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
    command.set_defaults(run=_run_eval)


def _run_eval(given: argparse.Namespace) -> int:
    from bot.evaluation.run import Wanted, compare, evaluate
    from bot.evaluation.talk_run import evaluate_talks
    from bot.settings.environment import read_settings

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
        file = None if given.talks == SAMPLE_TALKS else given.talks
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


if __name__ == "__main__":
    start()
