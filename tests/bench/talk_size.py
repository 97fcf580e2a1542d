"""What ten whole talks look and weigh like in Slack and in Teams, to be compared before and after a change.

`uv run python -m tests.bench.talk_size [--json FILE] [NAME ...]` plays the talks of `tests/bench/whole_talks.py`
against the real adapters and the stand-ins of `tests/platforms`. For each talk, a line says how many

- messages of the bot are left in the end,
- times a message was changed,
- calls the bot made of the Web API or the connector, without those that log in,
- buttons were in sight on one card at most: all that an overflow, a menu or a popup holds counts as one, and the
  thumbs do not count,
- words stand in these messages in the end, without what is folded, and
- words there were to read: of each message that was ever there, its longest state.

A message that says what is being done comes only after 0.4 seconds: on a busy machine, some calls more are made.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tabulate import tabulate

from bot.commands.slack import SLACK_PAGE
from tests.bench.whole_talks import TALKS, SlackHand, TeamsHand, is_field, play, steps_of
from tests.parity.site import PEOPLE, person
from tests.parity.slack import Block, slack_stage
from tests.parity.teams import Element, teams_stage
from tests.platforms.slack.forms import usable
from tests.platforms.slack.looking import words_of as words_of_blocks
from tests.platforms.teams.cards.filling import visible
from tests.platforms.teams.cards.words import words_of as words_of_card
from tests.platforms.teams.world import ADAPTIVE

HEADS = ("messages", "changes", "calls", "buttons", "words", "words to read")
LOGIN = ("token", "openid", "keys", "apps.connections.open", "auth.test")
"""Calls that have nothing to do with a talk."""


@dataclass(frozen=True)
class Size:
    """What one talk weighs on one platform; the columns are told above."""

    messages: int
    changes: int
    calls: int
    buttons: int
    words: int
    words_to_read: int
    methods: dict[str, int]
    """The calls, by their names."""

    @property
    def figures(self) -> tuple[int, ...]:
        """The columns."""
        return (self.messages, self.changes, self.calls, self.buttons, self.words, self.words_to_read)


def together(sizes: list[Size]) -> Size:
    """Return the sum of all; of buttons, the most."""
    methods: Counter[str] = Counter()
    for each in sizes:
        methods.update(each.methods)
    most = max((each.buttons for each in sizes), default=0)
    messages, changes, calls, _, words, read = map(sum, zip(*(each.figures for each in sizes), strict=True))
    return Size(messages, changes, calls, most, words, read, dict(methods))


def size_of(left: list[int], read: list[int], buttons: list[int], calls: list[str], change: str) -> Size:
    """Return the size of a talk: words of messages that are left, and of all that were; buttons of each card."""
    methods = Counter(each for each in calls if each not in LOGIN)
    return Size(
        len(left), methods[change], methods.total(), max(buttons, default=0), sum(left), sum(read), dict(methods)
    )


def count(text: str) -> int:
    """Return the number of words."""
    return len(text.split())


# Slack.


def blocks_in_sight(value: Any) -> Any:
    """Return blocks without what is folded, and without the entries of menus."""
    if isinstance(value, list):
        return [blocks_in_sight(each) for each in value]
    if not isinstance(value, dict):
        return value
    closed = {"options", "option_groups", "confirm"}
    if value.get("type") == "container" and value.get("default_collapsed"):
        closed.add("child_blocks")
    shown = {name: blocks_in_sight(held) for name, held in value.items() if name not in closed}
    if value.get("type") == "data_table":
        shown["rows"] = shown["rows"][: value.get("page_size", 5) + 1]
    return shown


def buttons_in_blocks(blocks: list[Block], user: str) -> int:
    """Return how many buttons and menus one person sees."""
    elements = [element for _, element in usable(blocks_in_sight(blocks)) if element["type"] != "feedback_buttons"]
    return sum(user in each.get("visible_to_user_ids", [user]) for each in elements)


def slack_size(hand: SlackHand, name: str) -> Size:
    """Play a talk in Slack and return its size."""
    slack = hand.slack
    with slack.lock:
        before = len(slack.calls)
        old = {ts for channel in slack.world.channels.values() for ts in channel.messages}
    play(steps_of(name), hand)
    with slack.lock:
        held = [each for channel in slack.world.channels.values() for ts, each in channel.messages.items()]
        said = [each for each in held if each.ts not in old and each.bot_id]
        states = {each.ts: [*each.edits, (each.text, each.blocks)] for each in said}
        calls = [call.method for call in slack.calls[before:]]

    def words(text: str, blocks: list[Block]) -> int:
        return count(words_of_blocks(blocks_in_sight(blocks)) or text)

    left = [words(each.text, each.blocks) + len(each.files) for each in said if not each.deleted]
    read = [max(words(*state) for state in states[each.ts]) + len(each.files) for each in said]
    people = [person(f"U{each.upper()}", hand.names) for each in PEOPLE]
    buttons = [buttons_in_blocks(blocks, each) for all in states.values() for _, blocks in all for each in people]
    return size_of(left, read, buttons, calls, "chat.update")


# Teams.


def elements_in_sight(value: Any) -> Any:
    """Return a card without the entries of menus, and with one of the actions behind the three dots."""
    if isinstance(value, list):
        aside = [each for each in value if isinstance(each, dict) and each.get("mode") == "secondary"]
        return [elements_in_sight(each) for each in value if each not in aside[1:]]
    if not isinstance(value, dict):
        return value
    closed = {"data", "fallback", "choices", "selectAction"}
    if str(value.get("type")) in ("Action.ShowCard", "Action.Popover"):
        closed |= {"card", "content", "popoverContent"}
    shown = {name: elements_in_sight(held) for name, held in value.items() if name not in closed}
    return {**shown, "title": ""} if value.get("mode") == "secondary" else shown


def buttons_in_card(value: Any) -> int:
    """Return how many buttons and menus are in sight; the fields of a form are neither."""
    if isinstance(value, list):
        return sum(map(buttons_in_card, value))
    if not isinstance(value, dict):
        return 0
    kind = str(value.get("type"))
    own = kind.startswith("Action.") or (kind == "Input.ChoiceSet" and not is_field(value))
    return own + sum(map(buttons_in_card, value.values()))


def teams_size(hand: TeamsHand, name: str) -> Size:
    """Play a talk in Teams and return its size."""
    teams = hand.teams
    with teams.lock:
        before = len(teams.calls)
        old = {id for place in teams.world.conversations.values() for id in place.messages}
    play(steps_of(name), hand)
    with teams.lock:
        held = [each for place in teams.world.conversations.values() for each in place.messages.values()]
        said = [each for each in held if each.id not in old and each.from_bot and each.activity["type"] == "message"]
        calls = [call.method for call in teams.calls[before:]]

    def shown(activity: dict[str, Any]) -> list[Element]:
        attached = [each for each in activity.get("attachments") or [] if each.get("contentType") == ADAPTIVE]
        return [elements_in_sight(visible(each["content"])) for each in attached]

    def words(activity: dict[str, Any]) -> int:
        return count(words_of_card(shown(activity)) or str(activity.get("text") or ""))

    left = [words(each.activity) for each in said if not each.deleted]
    read = [max(words(state) for state in (*each.edits, each.activity)) for each in said]
    buttons = [buttons_in_card(shown(state)) for each in said for state in (*each.edits, each.activity)]
    return size_of(left, read, buttons, calls, "update")


# All talks.


@contextmanager
def in_slack(folder: Path) -> Iterator[Callable[[str], Size]]:
    """Give what plays a talk in Slack."""
    with slack_stage(folder, True, page=SLACK_PAGE) as stage:
        yield lambda name: slack_size(SlackHand(*stage), name)


@contextmanager
def in_teams(folder: Path) -> Iterator[Callable[[str], Size]]:
    """Give what plays a talk in Teams."""
    with teams_stage(folder, True) as stage:
        yield lambda name: teams_size(TeamsHand(*stage), name)


PLATFORMS = {"Slack": in_slack, "Teams": in_teams}


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.talk_size")
    options.add_argument("names", nargs="*", help="some of the talks: " + "; ".join(TALKS), metavar="NAME")
    options.add_argument("--json", type=Path, help="write the figures, and the calls by name, into this file")
    given = options.parse_args()
    names = given.names or list(TALKS)
    sizes: dict[str, dict[str, Size]] = {}
    for platform, at in PLATFORMS.items():
        with tempfile.TemporaryDirectory() as folder, at(Path(folder)) as played:
            sizes[platform] = {}
            for name in names:
                try:
                    sizes[platform][name] = played(name)
                except (AssertionError, TimeoutError) as problem:
                    print(f"{platform}, {name}: the talk cannot be played to its end: {problem}")
        if sizes[platform]:
            sizes[platform]["all"] = together(list(sizes[platform].values()))
    for platform, each in sizes.items():
        print(tabulate([[name, *size.figures] for name, size in each.items()], [platform, *HEADS]), end="\n\n")
    if given.json:
        told = {platform: {name: asdict(size) for name, size in each.items()} for platform, each in sizes.items()}
        given.json.write_text(json.dumps(told, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
