"""Talks by hand: `python -m tests.platforms.teams --port 3979`, then start the bot with the lines that it prints.

Type a question to mention the bot in a channel, `dm TEXT` to write to it, `press LABEL` to press a button of its last
message, `press LABEL | INPUT = VALUE | ...` to fill in inputs first. What the bot says is printed.
"""

import argparse
import threading

from tests.platforms.teams.cards.filling import Impossible
from tests.platforms.teams.looking import shown
from tests.platforms.teams.stand_in import Teams


def main() -> None:
    """Serve and read lines until the end of the input."""
    options = argparse.ArgumentParser(prog="python -m tests.platforms.teams", description=__doc__)
    options.add_argument("--port", type=int, default=3979)
    options.add_argument("--bot", default="http://127.0.0.1:3978/api/messages", help="where the bot takes activities")
    options.add_argument("--anonymous", action="store_true", help="send no tokens and demand none")
    given = options.parse_args()
    with Teams(port=given.port, bot_url=given.bot, anonymous=given.anonymous) as teams:
        print("MicrosoftAppType=SingleTenant")
        print(f"MicrosoftAppId={teams.app_id}")
        print(f"MicrosoftAppPassword={teams.app_password}")
        print(f"MicrosoftAppTenantId={teams.tenant}")
        print(f"# login {teams.login_url}, keys {teams.openid_url}, connector {teams.service_url}", flush=True)
        threading.Thread(target=_print_messages, args=(teams,), daemon=True).start()
        try:
            while True:
                _act(teams, input().strip())
        except (EOFError, KeyboardInterrupt):
            print()


def _act(teams: Teams, line: str) -> None:
    word, _, rest = line.partition(" ")
    try:
        if word == "dm":
            teams.say("alex", rest)
        elif word == "press":
            name, *fields = (part.strip() for part in rest.split("|"))
            pairs = (field.partition("=") for field in fields)
            teams.press(teams.wait_message(), name, fill={key.strip(): value.strip() for key, _, value in pairs})
        elif line:
            teams.say("sales", line)
    except (Impossible, TimeoutError) as problem:
        print(f"! {problem}")


def _print_messages(teams: Teams) -> None:
    """Print every message of the bot whenever it is new or has changed, and every fault and refusal."""
    printed: dict[str, str] = {}
    told = 0
    while True:
        with teams.lock:
            teams.lock.wait()
            held = [each for place in teams.world.conversations.values() for each in place.messages.values()]
            words = {each.id: shown(each, "alex") for each in held if each.from_bot and not each.deleted}
            problems = [*teams.faults, *(f"{call.method}: {call.status} {call.answer}" for call in teams.refused)]
        for id_, text in words.items():
            if printed.get(id_) != text:
                print(f"--- {id_}\n{text}", flush=True)
        for problem in problems[told:]:
            print(f"! {problem}", flush=True)
        printed, told = words, len(problems)


if __name__ == "__main__":
    main()
