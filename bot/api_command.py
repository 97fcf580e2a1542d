"""`icc-bot api`: its arguments, and what each of them leads to."""

import argparse


def add_api(command: argparse.ArgumentParser) -> None:
    """Give the command its arguments."""
    command.set_defaults(run=run)
    command.add_argument("--host", default="127.0.0.1", help="the address to listen on (default: this machine only)")
    command.add_argument("--port", type=int, metavar="PORT", help="the port (default: PORT, else 8080)")
    acts = command.add_mutually_exclusive_group()
    acts.add_argument("--new-token", action="store_true", help="print a new token, once, and keep its hash")
    acts.add_argument("--tokens", action="store_true", help="list the tokens, which are not shown themselves")
    acts.add_argument("--revoke", metavar="NAME", help="let nobody in by this token any more")
    command.add_argument("--name", default="", help="what the new token is called, such as nightly-report")
    command.add_argument("--user", default="", help="whose rights it has: an e-mail address, or an id: slack:U0123ABCD")
    command.add_argument(
        "--scopes", default="read", help="what it may do: read,write,email,admin,act_for (default: read)"
    )


def run(given: argparse.Namespace) -> int:
    """Do what was asked for, and return the exit status."""
    from bot.api_tokens import list_tokens, make_token, revoke_token
    from bot.settings import read_settings

    settings = read_settings()
    if given.new_token:
        return make_token(settings, print, given.name, given.user, given.scopes)
    if given.tokens:
        return list_tokens(settings, print)
    if given.revoke is not None:
        return revoke_token(settings, print, given.revoke)
    from bot.api import serve_api

    return serve_api(settings, given.host, settings.port if given.port is None else given.port)
