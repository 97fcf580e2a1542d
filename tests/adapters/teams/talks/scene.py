"""Scenes in Teams."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from adapters.teams.controls import CHOOSE, FILL
from tests.adapters.teams.talks.site import has_button, told
from tests.platforms.teams.cards.filling import inputs_of, visible
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.cards.words import words_of
from tests.platforms.teams.looking import shown
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import Message
from tests.support.teams_bot import environment, running
from tests.support.writing_scene import Place, Scene, founded, until

PEOPLE = ("ana", "bob", "carla")
OURS = ("ICC_", "MICROSOFT", "TEAMS_", "PORT", "OLLAMA", "SQL_MODEL", "SMTP_", "EMAIL_")
TAKEN = ("Got it.", "Working on it", "✓ ")


@dataclass
class TeamsScene(Scene):
    """A thread in a channel of Teams."""

    hears = False
    teams: Teams = field(kw_only=True)
    channel: str = "General"
    root: Message | None = field(default=None, init=False)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        with running(self.place.folder, self.teams, self.place.model, **self.place.environment):
            yield

    @contextmanager
    def alive(self) -> Iterator[None]:
        own = {name: value for name, value in os.environ.items() if not name.upper().startswith(OURS)}
        given = environment(self.place.folder, self.teams, self.place.model) | self.place.environment
        command = [sys.executable, "-m", "bot", "teams"]
        with subprocess.Popen(command, env=own | given, stdout=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None
                while "at work" not in (line := process.stdout.readline()):
                    assert line, "the program ended"
                port = line.partition("on port ")[2].partition(".")[0]
                self.teams.bot_url = f"http://127.0.0.1:{port}/api/messages"
                yield
            finally:
                process.send_signal(signal.SIGKILL)

    def say(self, text: str, user: str = "ana", meant: bool = True) -> None:
        message = self.teams.say(self.channel, text, user=user, thread=self.root, mention=meant)
        self.root = self.root or message

    def press(self, label: str, user: str = "ana", wait: bool = True) -> str:
        message = until(lambda: self._newest("title", label, user))
        post = self.teams.press(message, label, user=user)
        if not wait:
            return ""
        said = told(post.wait())
        dialog = self.teams.dialogs.get(user)
        if dialog is None:
            return _heard(said)
        # A dialog that only asks whether it was meant is answered with yes; a form is filled in later.
        return "" if inputs_of(dialog.card) else _heard(told(self.teams.submit(user).wait()))

    def choose(self, entry: str) -> None:
        message = until(lambda: self._newest("verb", CHOOSE) or self._newest("title", entry))
        assert message.card is not None
        if has_button(message, entry):
            told(self.teams.press(message, entry, user="ana").wait())
            return
        menu = inputs_of(message.card)[0]["id"]
        action = next(each for each in parts_of(message.card) if each.get("verb") == CHOOSE)
        told(self.teams.press(message, action["id"], user="ana", fill={menu: entry}).wait())

    def fill(self, value: str, user: str = "ana", **others: str) -> str:
        if (dialog := self.teams.dialogs.get(user)) is not None:
            field = next(each["id"] for each in inputs_of(dialog.card) if each["type"] == "Input.Text")
            return _heard(told(self.teams.submit(user, {field: value}).wait()))
        message = until(lambda: self._newest("verb", FILL))
        assert message.card is not None
        action = next(each for each in parts_of(message.card) if each.get("verb") == FILL)
        first = next(each["id"] for each in inputs_of(message.card) if each["type"] == "Input.Text")
        ids = {each["id"].rpartition(":")[2]: each["id"] for each in inputs_of(message.card)}
        values = {first: value} | {ids[name]: other for name, other in others.items()}
        return _heard(told(self.teams.press(message, action["id"], user=user, fill=values).wait()))

    def fill_in(self, opener: str = "", **values: str) -> dict[str, str]:
        if opener:
            self.press(opener)
        dialog = self.teams.dialogs["ana"]
        ids = {each["id"].rpartition(":")[2]: each["id"] for each in inputs_of(dialog.card)}
        said = told(self.teams.submit("ana", {ids[name]: value for name, value in values.items()}).wait())
        again = self.teams.dialogs.get("ana")
        return _wrong_in(again.card) if again else {"": said} if _heard(said) else {}

    def said(self, alone: str = "") -> list[str]:
        return [shown(each) for each in self._held(alone)]

    def ever(self) -> str:
        assert self.root is not None
        with self.teams.lock:
            held = list(self.teams.conversation(self.channel).messages.values())
        return str([[each.activity, each.edits] for each in held if each.root == self.root.root and each.from_bot])

    def settle(self) -> None:
        self.teams.wait_posted()

    def _held(self, alone: str = "") -> list[Message]:
        """Return the bot's messages since the talk began."""
        assert self.root is not None
        since = int(self.root.id)
        where, thread = (alone, None) if alone else (self.root.conversation, self.root.root or None)
        return [each for each in self.teams.messages(where, thread, "bot") if int(each.id) > since]

    def _newest(self, name: str, value: str, user: str = "ana") -> Message | None:
        """Return the newest message with a part like this, as it is or as this person sees it."""
        messages = sorted([*self._held(), *self._held("ana")], key=lambda each: int(each.id))
        for message in reversed(messages):
            parts = parts_of(visible(message.seen.get(user) or message.card))
            if any(value in (part.get(name), str(part.get(name)).partition(" on ")[0]) for part in parts):
                return message
        return None


def _wrong_in(card: dict[str, Any]) -> dict[str, str]:
    """Return what a form says in the line above an input, by field."""
    wrong, above = {}, ""
    for part in card["body"]:
        if part["type"].startswith("Input.") and above.startswith("⚠️"):
            wrong[part["id"].rpartition(":")[2]] = above.removeprefix("⚠️").strip()
        above = "" if part["type"].startswith("Input.") else words_of(part)
    return wrong


def _heard(text: str) -> str:
    """Return what the person is told who pressed; nothing if they see that it is being done, or who decided."""
    return "" if any(words in text for words in TAKEN) else text


@contextmanager
def teams_place(folder: Path) -> Iterator[tuple[Place, Teams]]:
    """Build the databases and a Teams full of people."""
    with Teams() as teams:
        hidden = teams.channel("secret")
        with founded(folder, f"teams:{hidden.id}") as place:
            for name in PEOPLE:
                person = teams.person(name, name.title(), f"{name}@example.com")
                for where in ("General", "secret"):
                    teams.conversation(where).members.append(person)
            yield place, teams
