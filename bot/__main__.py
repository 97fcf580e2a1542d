"""The command line: `icc-bot demo`, and what those who run the bot need."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from bot.api_command import add_api
from bot.arenas import keep_few_arenas
from bot.eval_command import add_eval
from bot.examples_command import add_examples
from bot.intents_command import add_intents
from bot.jobs_command import add_jobs
from router.errors import BotError, SettingsError

ABOUT: Final = "Ask your company's databases a question; approve the SQL; see the rows."


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
    if argv[:1] == ["guard"]:
        from bot.guard import run as guard
        from bot.guarded import scope_of

        return guard(argv[1:], scope_of)
    given = parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = given.run
    return command(given)


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    top = argparse.ArgumentParser("icc-bot", description=ABOUT)
    top.add_argument("--version", action="version", version=f"icc-bot {version('icc-bot')}")
    commands = top.add_subparsers(title="commands", required=True, metavar="COMMAND")

    demo = commands.add_parser(
        "demo", help="try it in the browser: sample database, small local model, nothing else needed"
    )
    _page(demo)
    demo.set_defaults(run=_demo)

    web = commands.add_parser("web", help="the page on your own connections (connections.toml)")
    _page(web)
    web.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    web.add_argument(
        "--public", action="store_true", help="allow an address that other machines reach; prints a link with a token"
    )
    web.set_defaults(run=_web)

    console = commands.add_parser("console", help="the same bot in this terminal; a talk may be piped in")
    console.add_argument(
        "--thread", metavar="NAME", help="go on with the talk of this name, or begin it (default: a new talk)"
    )
    console.set_defaults(run=_console)

    slack = commands.add_parser("slack", help="the bot in Slack; the README tells how to bring it there")
    instead = slack.add_mutually_exclusive_group()
    instead.add_argument("--check", action="store_true", help="look at tokens, scopes and manifest, and start nothing")
    instead.add_argument(
        "--new-key", action="store_true", help="print a new SLACK_TOKEN_KEY, for an app in several workspaces"
    )
    slack.set_defaults(run=_slack)

    teams = commands.add_parser("teams", help="the bot in Microsoft Teams; the README tells how to bring it there")
    teams.add_argument("--check", action="store_true", help="look at ids, credentials and tenants, and start nothing")
    teams.add_argument(
        "--local", action="store_true", help="without any token, for a client on this machine such as the playground"
    )
    teams.set_defaults(run=_teams)

    _manifest_parser(commands.add_parser("manifest", help="write the package of the app for Teams"))

    doctor = commands.add_parser(
        "doctor", help="check the settings, the model and each connection, and say what to mend"
    )
    doctor.set_defaults(run=_doctor)

    add_jobs(commands.add_parser("jobs", help="what was run, written and e-mailed; try again what failed"))

    add_api(
        commands.add_parser("api", help="reading, writing and e-mailing for programs, over HTTP; not started otherwise")
    )

    add_examples(commands.add_parser("examples", help="questions with SQL that was found right; files of them for git"))

    add_intents(commands.add_parser("intents", help="what free sentences are taken for; learn from what people chose"))

    add_eval(commands.add_parser("eval", help="measure a model on questions whose answers are known"))

    commands.add_parser("guard", help="judge SQL from standard input, without running it (icc-bot guard --help)")

    flow = commands.add_parser("flow", help="print the stages of a talk as a Mermaid diagram")
    flow.set_defaults(run=_flow)
    return top


def _manifest_parser(command: argparse.ArgumentParser) -> None:
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
    teams.set_defaults(run=_manifest)


def _page(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--port", type=_port, metavar="PORT", help="the port (default: PORT, else 8080; 0 takes any free one)"
    )
    command.add_argument("--no-browser", action="store_true", help="do not open a browser")


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text} is no port; ports go from 0 to 65535")
    return int(text)


def _demo(given: argparse.Namespace) -> int:
    from bot.serve import serve_page

    return serve_page(demo=True, host="127.0.0.1", port=given.port, public=False, open_browser=not given.no_browser)


def _web(given: argparse.Namespace) -> int:
    from bot.serve import serve_page

    return serve_page(
        demo=False, host=given.host, port=given.port, public=given.public, open_browser=not given.no_browser
    )


def _console(given: argparse.Namespace) -> int:
    from bot.serve import serve_console

    return serve_console(given.thread)


def _slack(given: argparse.Namespace) -> int:
    if given.new_key:
        from adapters.slack.cipher import new_key

        print(new_key())
        return 0
    from bot.slack import serve_slack

    return serve_slack(check=given.check)


def _teams(given: argparse.Namespace) -> int:
    from bot.teams import serve_teams

    return serve_teams(check=given.check, local=given.local)


def _manifest(given: argparse.Namespace) -> int:
    from bot.manifest import open_questions, pack_teams
    from bot.settings import read_settings

    questions, unread = open_questions(read_settings())
    for finding in (*unread, *pack_teams(given.app_id, given.host, given.out, questions)):
        print(finding)
    return 0


def _doctor(given: argparse.Namespace) -> int:
    from bot.doctor import examine
    from bot.settings import read_settings

    return examine(read_settings(), print)


def _flow(given: argparse.Namespace) -> int:
    from router.flow import FLOW

    print(FLOW.mermaid())
    return 0


if __name__ == "__main__":
    main()
