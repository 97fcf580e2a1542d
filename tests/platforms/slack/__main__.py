"""Talks by hand: `python -m tests.platforms.slack --port 3005`, then start the bot with the lines that it prints.

Type a question to mention the bot in a channel, `dm TEXT` to write to it, `press LABEL` to press a button of its last
message, `choose MENU = VALUE` to choose in it, `/command TEXT` for a command. What the bot says is printed. The token
has the scopes that the manifest asks for.
"""

import argparse
import json
import threading
from pathlib import Path

from tests.platforms.slack.forms import Impossible
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack

MANIFEST = Path(__file__).parents[3] / "manifests/slack.json"


def main() -> None:
    """Serve and read lines until the end of the input."""
    options = argparse.ArgumentParser(prog="python -m tests.platforms.slack", description=__doc__)
    options.add_argument("--port", type=int, default=3005)
    options.add_argument("--request-url", default="", help="speak HTTP to this address instead of Socket Mode")
    given = options.parse_args()
    with Slack(port=given.port, request_url=given.request_url) as slack:
        slack.scopes |= set(json.loads(MANIFEST.read_text(encoding="utf-8"))["oauth_config"]["scopes"]["bot"])
        print(f"SLACK_API_URL={slack.url}")
        print(f"SLACK_BOT_TOKEN={slack.bot_token}")
        print(f"SLACK_APP_TOKEN={slack.app_token}")
        print(f"SLACK_SIGNING_SECRET={slack.signing_secret}", flush=True)
        threading.Thread(target=_print_messages, args=(slack,), daemon=True).start()
        try:
            while True:
                _act(slack, input().strip())
        except (EOFError, KeyboardInterrupt):
            print()


def _act(slack: Slack, line: str) -> None:
    word, _, rest = line.partition(" ")
    try:
        if word == "dm":
            slack.dm("U1", rest)
        elif word == "press":
            slack.press(slack.wait_message(), rest)
        elif word == "choose":
            menu, _, value = rest.partition("=")
            slack.choose(slack.wait_message(), menu.strip(), value.strip())
        elif word.startswith("/"):
            slack.command(word, rest)
        elif line:
            slack.say("C1", line, mention=True)
    except (Impossible, TimeoutError) as problem:
        print(f"! {problem}")


def _print_messages(slack: Slack) -> None:
    """Print every message of the bot whenever it is new or has changed, and every fault and refusal."""
    printed: dict[str, str] = {}
    told = 0
    while True:
        with slack.lock:
            slack.lock.wait()
            held = [each for channel in slack.world.channels.values() for each in channel.messages.values()]
            shown = {each.ts: words_of(each.blocks) or each.text for each in held if each.bot_id and not each.deleted}
            problems = [*slack.faults, *(f"{call.method}: {call.answer}" for call in slack.refused)]
        for ts, words in shown.items():
            if printed.get(ts) != words:
                print(f"--- {ts}\n{words}", flush=True)
        for problem in problems[told:]:
            print(f"! {problem}", flush=True)
        printed, told = shown, len(problems)


if __name__ == "__main__":
    main()
