"""Ten talks from the question to the end, and hands that play them: to see what a talk looks and weighs like.

They are written as the golden talks of `tests/support/transcript.py` are, without what the bot answers, and say what is
wanted rather than what is written on a button, so that the same talk goes on when cards change:
    @press write | table            the first option whose answer is one of these, or begins with one
    @fill to=ana@example.com        a form; the fields that it does not have are left out
    @else me                        typed where nothing of the last line was there
    @press? more / @fill? c0=name   passed over where nothing like it is there
    @shot NAME [COUNT]              the last message of the bot, or more of them, is of interest by this name
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from tests.parity.chat import Chat
from tests.parity.site import ParitySite
from tests.parity.slack import SlackChat
from tests.parity.teams import Element, TeamsChat, is_button
from tests.parity.transcript import Transcript
from tests.platforms.ollama import Answer
from tests.platforms.slack.forms import Impossible, usable
from tests.platforms.slack.world import Message as SlackMessage
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.world import Message as TeamsMessage
from tests.support.transcript import Step, read

MODEL_SECONDS = 0.9
"""Seconds in which the model answers: long enough that people see what is being done."""

TALKS = {
    "ask and run": """
@connections shop
@model SELECT c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name
> Which customers brought the most revenue?
@shot sql
@press yes
@shot rows-few
@shot decided 2
""",
    "follow-up": """
@connections shop
@model SELECT c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.name
> Revenue by customer in 2026
@press yes
@model SELECT c.name, SUM(o.total) AS revenue FROM customers c JOIN orders o ON o.customer_id = c.id \
WHERE o.status = 'paid' GROUP BY c.name
> only for paid orders
@shot sql-follow-up
@press yes
""",
    "correct the SQL by a sentence": """
@connections shop
@model SELECT id, total FROM orders WHERE status = 'paid'
> show me the orders
@model SELECT id, total FROM orders WHERE status = 'open'
> no, only the open ones
@shot sql-corrected
@press yes
""",
    "own SQL": """
@connections shop
> SELECT id, status, total FROM orders ORDER BY id
@shot sql-own
@press yes
""",
    "chart and CSV": """
@connections shop
@model SELECT status, SUM(total) AS total FROM orders GROUP BY status
> total of the orders by status
@press yes
@press chart
@else chart
@shot chart
@press csv
@else csv
@shot file 2
""",
    "e-mail": """
@connections shop, backup
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@shot choose-database
@press menu:shop | shop
@press yes
@press email
@else email
@shot email-form
@fill to=bob@example.com
@else bob@example.com
@shot email-confirm
@press email | send | yes
@shot email-sent
""",
    "write to a table": """
@connections shop, backup, depot
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press menu:shop | shop
@press yes
@press write
@else write
@shot write-database
@press? menu:depot | depot
@shot write-schema
@press? menu:archive | archive
@shot write-table
@fill table=old_regions
@else old_regions
@shot write-confirm
@press write | yes
@shot written
""",
    "compare two queries": """
@connections shop, backup, warehouse
> SELECT id, status, total FROM orders
@press menu:shop | shop
@press yes
@press compare
@else compare
@shot compare-second
@press same
@shot compare-database
@press menu:warehouse | warehouse
@press yes
@shot compare-columns
@press? accept | yes
@shot compare-report
@press? differences
@shot compare-confirm
@press yes | compare
@shot compare-rows
""",
    "repeat on workdays": """
@connections shop
@model SELECT id, name FROM regions ORDER BY id
> list all regions by number
@press yes
@press repeat
@else repeat this every workday at 8:00
@shot repeat-form
@fill? every=workday & at=8:00
@shot repeat-confirm
@press yes | start
@shot repeat-started
@at 2026-03-16 08:00
@due
@shot repeat-news
""",
    "approved by somebody else": """
@connections shop, vault
> SELECT id, status FROM orders
@press menu:vault | vault
@shot approval
@as Bob
@press yes
@as Ana
@shot approved
""",
}
"""What is played, by the names of the talks."""


class Hand(Protocol):
    """A person at a platform, who also sees what can be pressed and filled in."""

    site: ParitySite

    def offered(self) -> list[str]:
        """Return the answers that the question that stands offers, whether in a button, a menu or behind one."""

    def fields(self) -> list[str]:
        """Return the names of the fields of the form that stands."""

    def say(self, text: str) -> str:
        """Type a line."""

    def press(self, answers: list[str]) -> str:
        """Press a button, or choose in a menu."""

    def fill(self, values: dict[str, str]) -> str:
        """Put these values into fields of a form, and send it."""

    def due(self) -> str:
        """Have run what is due."""

    def direct(self, word: str, rest: str) -> None:
        """Change what is around the talk."""


class Lenient(Chat):
    """A talk that is only looked at: whether it went as it should is for the tests."""

    def require_framed(self, transcript: Transcript) -> None:
        """Demand nothing."""

    def require_kept(self, before: Transcript, after: Transcript) -> None:
        """Demand nothing."""


class SlackHand(Lenient, SlackChat):
    """A person in Slack."""

    late = False

    def offered(self) -> list[str]:
        """Return the answers in the elements of the message that stands; long menus ask the bot for theirs."""
        found = []
        for message in self.asking():
            for _, element in usable(message.blocks):
                entries = element.get("options", [])
                if "external" in element["type"]:
                    entries = self.slack.suggest(message, element["action_id"], "", self.me)
                found += [each["value"].partition("@")[0] for each in [element, *entries] if "value" in each]
        return found

    def fields(self) -> list[str]:
        """Return the names of the fields of the open modal, which is the one that is filled in."""
        opened = [each for each in self.slack.views if each.user == self.me and each.open]
        self.view = opened[-1] if opened else self.view
        return [block["block_id"] for block in self.view.blocks] if self.view and self.view.open else []

    def asking(self) -> list[SlackMessage]:
        """Return the message with the question that stands, if there is one, and the last one with rows."""
        results = [each for each in self.said() if each.ts in self.results]
        return [*(each for each in self.said() if each.ts == self.standing), *results[-1:]]

    def said(self) -> list[SlackMessage]:
        """Return what the bot said in this talk."""
        return [each for each in self._said() if each.ts not in self.old]


class TeamsHand(Lenient, TeamsChat):
    """A person in Teams."""

    keeps_dialogs = True

    def offered(self) -> list[str]:
        """Return the answers in the actions and menus of the card that stands."""
        standing = [each for each in self._said() if each.id == self.standing]
        parts = [part for each in (*standing, *self._results()) for part in self._parts(each)]
        pressed = [each["data"]["a"].partition("@")[0] for each in parts if is_button(each)]
        return pressed + [choice["value"] for each in parts for choice in each.get("choices", [])]

    def _results(self) -> list[TeamsMessage]:
        """Return the last message with rows."""
        return [each for each in self._said() if each.id in self.results][-1:]

    def fields(self) -> list[str]:
        """Return the names of the inputs of the card that stands."""
        shown = list(parts_of(self.dialog)) if self.dialog else self._parts() if self.standing else []
        inputs = [each["id"] for each in shown if is_field(each)]
        return [id.rpartition(":")[2] for id in inputs]

    def said(self) -> list[TeamsMessage]:
        """Return what the bot said in this talk."""
        return [each for each in self._said() if each.id not in self.old]


def is_field(element: Element) -> bool:
    """Return whether an element of a card in Teams is a field of a form."""
    return str(element.get("type")).startswith("Input.") and str(element.get("id")).startswith("field:")


def steps_of(name: str, talks: Mapping[str, str] = TALKS) -> list[Step]:
    """Return the steps of a talk."""
    return read(f"{name}{talks[name]}")[1]


def play(steps: Sequence[Step], hand: Hand, shot: Callable[[str], None] = lambda name: None) -> None:
    """Play a talk; `shot` is called at each moment of interest. Raises Impossible where it cannot go on."""
    missed = ""
    for step in steps:
        if step.word == "else":
            if missed:
                hand.say(step.rest)
            missed = ""
            continue
        if missed:
            raise Impossible(missed)
        if step.word == "shot":
            shot(step.rest)
        elif not _done(step, hand) and not step.word.endswith("?"):
            missed = f"nothing like {step.line!r} in {hand.offered()} and {hand.fields()}"
    if missed:
        raise Impossible(missed)


def _done(step: Step, hand: Hand) -> bool:
    """Do what a step says; returns False if it is not there to be done."""
    match step.word.removesuffix("?"):
        case "press":
            return _press(step.rest, hand)
        case "fill":
            return _fill(step.rest, hand)
        case ">":
            hand.say(step.rest)
        case "due":
            hand.due()
        case "model":
            hand.site.model.enqueue(Answer(step.rest, pace=MODEL_SECONDS / len(step.rest.split(" "))))
        case _:
            hand.direct(step.word, step.rest)
    return True


def _press(wanted: str, hand: Hand) -> bool:
    """Press the first option that is wanted, if there is one."""
    offered = hand.offered()
    names = [each.strip() for each in wanted.split("|")]
    exact = (each for name in names for each in offered if each == name)
    begun = (each for name in names for each in offered if each.startswith(name))
    answer = next(exact, None) or next(begun, None)
    if answer is None:
        return False
    hand.press([answer])
    return True


def _fill(wanted: str, hand: Hand) -> bool:
    """Fill in those of the fields that are there, and send the form, if any is."""
    values = dict(each.split("=", 1) for each in wanted.split(" & "))
    known = {name: value for name, value in values.items() if name in hand.fields()}
    if known:
        hand.fill(known)
    return bool(known)
