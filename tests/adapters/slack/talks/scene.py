"""Scenes in Slack."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.slack import scopes
from adapters.slack.menus import CHOOSE, FORM
from adapters.slack.modals import PICKED
from tests.platforms.slack.forms import usable
from tests.platforms.slack.looking import words_of
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message, View
from tests.support.slack_bot import environment, running
from tests.support.writing_scene import Place, Scene, founded, until

PEOPLE = ("ana", "bob", "carla")
OURS = ("ICC_", "SLACK_", "PORT", "SMTP_", "EMAIL_", "OLLAMA", "SQL_MODEL")


@dataclass
class SlackScene(Scene):
    """A thread in a channel of Slack."""

    hears = True
    slack: Slack = field(kw_only=True)
    channel: str = "C1"
    root: Message | None = field(default=None, init=False)

    @property
    def _environment(self) -> dict[str, str]:
        given = environment(self.place.folder, self.slack, self.place.model, "socket")
        return given | self.place.environment

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with running(self.place.folder, self.slack, self.place.model, "socket", **self.place.environment):
            yield

    @contextmanager
    def alive(self) -> Iterator[None]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
        command = [sys.executable, "-m", "bot", "slack"]
        with subprocess.Popen(command, env=clean | self._environment, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                while "at work" not in (line := process.stdout.readline()):
                    assert line, "the program ended"
                self.slack.wait_socket()
                yield
            finally:
                process.send_signal(signal.SIGKILL)

    def say(self, text: str, user: str = "ana", meant: bool = True) -> None:
        message = self.slack.say(self.channel, text, user=_id(user), thread=self.root, mention=meant)
        self.root = self.root or message

    def press(self, label: str, user: str = "ana", wait: bool = True) -> str:
        message = until(lambda: self._with(label))
        self.slack.press(message, label, user=_id(user))
        return ""

    def choose(self, entry: str) -> None:
        message = until(lambda: self._newest(lambda each: str(each["action_id"]).startswith(CHOOSE)))
        menu = next(each for _, each in usable(message.blocks) if str(each["action_id"]).startswith(CHOOSE))
        self.slack.choose(message, menu["action_id"], entry, user="UANA")

    def fill(self, value: str, user: str = "ana", **others: str) -> str:
        message = until(lambda: self._newest(lambda each: str(each["action_id"]).startswith(FORM)))
        opener = next(each for _, each in usable(message.blocks) if str(each["action_id"]).startswith(FORM))
        for view in self._views(user):
            self.slack.close(view)
        self.slack.press(message, opener["action_id"], user=_id(user))
        view = until(lambda: next(iter(self._views(user)), None))
        fields = (block["block_id"] for block in view.blocks if block["type"] == "input")
        first = next(each for each in fields if not each.endswith(PICKED))  # people are typed
        answer = self.slack.submit(view, {first: value, **others}, user=_id(user))
        return " ".join(answer["errors"].values()) if answer and "errors" in answer else words_of(answer or {})

    def fill_in(self, opener: str = "", **values: str) -> dict[str, str]:
        if opener:
            for view in self._views("ana"):
                self.slack.close(view)
            self.press(opener)
        view = until(lambda: next(iter(self._views("ana")), None))
        answer = self.slack.submit(view, dict(values), user="UANA") or {}
        assert set(answer) <= {"response_action", "errors"}, answer
        return dict(answer.get("errors", {}))

    def said(self, alone: str = "") -> list[str]:
        return [words_of(each.blocks) or each.text for each in self._held(alone)]

    def ever(self) -> str:
        with self.slack.lock:
            held = list(self.slack.world.channels[self.channel].messages.values())
        assert self.root is not None
        seen = [each for each in held if each.thread == self.root.ts and each.bot_id and not each.ephemeral_to]
        return str([[each.text, each.blocks, each.edits] for each in seen])

    def settle(self) -> None:
        self.slack.wait_delivered()

    def _held(self, alone: str = "") -> list[Message]:
        """Return the bot's messages since the talk began."""
        with self.slack.lock:
            held = [each for c in self.slack.world.channels.values() for each in c.messages.values()]
        assert self.root is not None
        mine = [each for each in held if each.bot_id and not each.deleted and each.ts > self.root.ts]
        if alone:
            home = {c.id for c in self.slack.world.channels.values() if c.kind == "im" and _id(alone) in c.members}
            found = [each for each in mine if each.ephemeral_to == _id(alone) or each.channel in home]
        else:
            found = [each for each in mine if each.thread == self.root.ts and not each.ephemeral_to]
        return sorted(found, key=lambda each: each.ts)

    def _newest(self, wanted: Any) -> Message | None:
        messages = sorted([*self._held(), *self._held("ana")], key=lambda each: each.ts)
        return next((m for m in reversed(messages) if any(wanted(each) for _, each in usable(m.blocks))), None)

    def _with(self, label: str) -> Message | None:
        return self._newest(lambda each: label in _labels(each))

    def _views(self, user: str) -> list[View]:
        return [view for view in self.slack.views if view.user == _id(user)]


def _labels(element: dict[str, Any]) -> list[str]:
    """Return what a button says, or what the entries of an overflow menu say; without the database's name."""
    said = {"button": [element], "overflow": element.get("options", [])}.get(element["type"], [])
    return [each["text"]["text"].partition(" on ")[0] for each in said]


def _id(user: str) -> str:
    return f"U{user.upper()}"


@contextmanager
def slack_place(folder: Path) -> Iterator[tuple[Place, Slack]]:
    """Build the databases and a Slack full of people."""
    with founded(folder, "slack:CSECRET") as place, Slack() as slack:
        slack.scopes = {*scopes.SCOPES, *scopes.OPTIONAL_SCOPES}
        for name in PEOPLE:
            slack.user(_id(name), name.title(), f"{name}@example.com")
        slack.channel("CSECRET")
        for channel in ("C1", "CSECRET"):
            slack.world.channels[channel].members |= {_id(name) for name in PEOPLE}
        yield place, slack
