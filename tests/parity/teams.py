"""Talks in Teams."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any, Literal

from adapters.teams.clicks import COMING, TAKEN
from adapters.teams.controls import CHOOSE, FILL, PRESS
from adapters.teams.markdown import JOINER
from bot.commands.teams import at_work
from bot.wiring.bot import Bot, built
from router.cards import Chart, Field, Head, Option, Series
from router.notifier import Channel
from tests.parity.chat import Chat
from tests.parity.site import PEOPLE, SETS, ParitySite, email, founded, person
from tests.parity.transcript import Transcript
from tests.platforms.teams.cards.filling import Impossible, visible
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import Message
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.teams_bot import environment

Element = dict[str, Any]


class TeamsChat(Chat):
    """A thread in a channel of Teams."""

    def __init__(self, teams: Teams, site: ParitySite, bot: Bot) -> None:
        super().__init__(site, bot)
        self.teams = teams
        self.root: Message | None = None
        self.old: set[str] = set()
        self.refused, self.disliked = len(teams.refused), len(teams.faults)
        self.toasts = 0

    @property
    def me(self) -> str:
        """The person who acts."""
        return person(self.who, self.names)

    def complaints(self) -> list[object]:
        return [*self.teams.refused[self.refused :], *self.teams.faults[self.disliked :]]

    @property
    def help(self) -> Channel:
        return Channel("teams", self.teams.conversation("data-help").id, "#data-help")

    def begin(self) -> None:
        self.old = {message.id for message in self._said()}
        self.toasts = len(self.teams.toasts)

    def write(self, text: str) -> None:
        where = "private" if self.private else "General"
        message = self.teams.say(where, text, user=self.me, thread=self.root)
        self.root = self.root or message

    def offers(self, answer: str) -> bool:
        return any(each["data"].get("a") == answer for each in self._actions(PRESS)) or bool(self._more(answer))

    def click(self, answer: str) -> None:
        found = [each for each in self._actions(PRESS) if each["data"]["a"] == answer]
        if not found and self._more(answer):
            self.choose([answer])
            return
        if not found:
            raise Impossible(f"there is no button for {answer!r}")
        self.teams.press(self._standing(), found[0]["id"], user=self.me)

    def _more(self, answer: str) -> list[Element]:
        """Return the menu of buttons without room, where it has this answer."""
        menus = [each for each in self._parts() if each.get("placeholder") == "More"]
        return [each for each in menus if any(choice["value"] == answer for choice in each["choices"])]

    def click_lasting(self, answer: str) -> None:
        for message in reversed(self._said()):
            card = message.card_for(self.me)
            parts = list(parts_of(visible(card))) if card else []
            menus = [each["id"] for each in parts if any(c["value"] == answer for c in each.get("choices", []))]
            buttons = [each["id"] for each in parts if each.get("data", {}).get("a") == answer]
            chosen = [each["id"] for each in parts if each.get("verb") == CHOOSE] if menus else buttons
            if chosen:
                self.teams.press(message, chosen[0], user=self.me, fill={id: [answer] for id in menus})
                return

    def choose(self, answers: list[str]) -> None:
        message, ok = self._standing(), self._actions(CHOOSE)[0]
        menu = next(each for each in self._parts() if each.get("type") == "Input.ChoiceSet")
        if "choices.data" in menu:
            self.teams.search(message, menu["id"], answers[0].removeprefix("menu:"), user=self.me)
        self.teams.press(message, ok["id"], user=self.me, fill={menu["id"]: answers})

    def send(self, values: dict[str, str]) -> None:
        ids = [each["id"] for each in self._parts() if str(each.get("type")).startswith("Input.")]
        fill = {next(id for id in ids if id.endswith(f":{name}")): value for name, value in values.items()}
        self.teams.press(self._standing(), self._actions(FILL)[0]["id"], user=self.me, fill=fill)

    def read(self) -> Iterable[tuple[str, Transcript]]:
        self.teams.wait_posted()
        self.site.rest("teams")
        for message in self._said():
            if message.id not in self.old:
                transcript = Transcript()
                card = message.card_for(person("ana", self.names))
                if card is None:
                    transcript.say(plain(message.text))
                else:
                    Reader(transcript).read(card["body"])
                yield message.id, transcript
        for n, toast in enumerate(self.teams.toasts[self.toasts :]):
            if toast not in (COMING, TAKEN):
                transcript = Transcript()
                transcript.say(toast)
                yield f"toast {n}", transcript

    def demand_kept(self, before: Transcript, after: Transcript) -> None:
        """Fail as elsewhere, but where an answered message does not name the database of its folded SQL."""
        parts = [
            part.partition("\n")[2] if kind == "code" and not part.startswith(" ") else part
            for part, kind in zip(before.parts, before.kinds, strict=True)
        ]
        super().demand_kept(replace(before, parts=parts) if before.asks else before, after)

    def _said(self) -> list[Message]:
        with self.teams.lock:
            held = [each for place in self.teams.world.conversations.values() for each in place.messages.values()]
        said = [each for each in held if each.from_bot and not each.deleted and each.activity["type"] == "message"]
        return sorted(said, key=lambda each: int(each.id))

    def _standing(self) -> Message:
        return next(each for each in self._said() if each.id == self.standing)

    def _parts(self) -> list[Element]:
        return list(parts_of(visible(self._standing().card_for(self.me))))

    def _actions(self, verb: str) -> list[Element]:
        return [each for each in self._parts() if each.get("verb") == verb]


class Reader:
    """Reads the elements of a card, one below the other."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self._title = ""
        """A line in bold: it belongs to what comes next."""
        self._fields: list[Field] = []
        self._wrong = ""
        """The problem with the field below."""

    def read(self, elements: list[Element]) -> None:
        """Read elements of a card or a container."""
        for element in elements:
            match element["type"]:
                case "RichTextBlock" | "TextBlock":
                    self._say(_mentioned(element) if element["type"] == "TextBlock" else element)
                case "CodeBlock":
                    self.transcript.code(self._headline(), element["codeSnippet"])
                case "Table":
                    _table(element, self.transcript)
                case "Container":
                    self.read(element["items"])
                case "Input.ChoiceSet" if not element["id"].startswith("field:"):
                    self._menu(element)
                case "Input.ChoiceSet" | "Input.Text":
                    self._field(element)
                case "ActionSet":
                    self._act(element["actions"])
                case kind:
                    assert kind.startswith("Chart."), element
                    _chart(element, self._headline(), self.transcript)
        if self._title:
            self.transcript.say(self._headline())

    def _say(self, element: Element) -> None:
        text = "".join(_run(each) for each in element["inlines"])
        if self._title and text.startswith("⚠️ "):
            self._wrong = text.removeprefix("⚠️ ")
            return
        if self._title:
            self.transcript.say(self._headline())
        if all(each.get("weight") == "Bolder" for each in element["inlines"]):
            self._title = "".join(each["text"] for each in element["inlines"])
        elif element.get("spacing") == "None":
            self.transcript.go_on(text)
        else:
            self.transcript.say(text)

    def _headline(self) -> str:
        title, self._title = self._title, ""
        return title

    def _field(self, element: Element) -> None:
        menu = tuple(Option(each["value"], each["title"]) for each in element.get("choices", []))
        kind: Literal["code", "menu"] = "menu" if menu else "code"
        field = Field("", element["label"], kind, element.get("value", ""), problem=self._wrong, options=menu)
        self._fields.append(field)
        self._wrong = ""

    def _menu(self, element: Element) -> None:
        labels = [each["title"] for each in element["choices"]]
        if element["placeholder"] == "More":
            self.transcript.more(labels)
        else:
            self.transcript.menu(labels, element["placeholder"], element["isMultiSelect"])

    def _act(self, actions: list[Element]) -> None:
        buttons = [each for each in actions if each.get("verb") == PRESS]
        for action in actions:
            if action["type"] == "Action.OpenUrl":
                self.transcript.file(action["title"].removeprefix("Download "))
            elif action.get("verb") == FILL:
                self.transcript.form(self._headline(), self._fields)
            else:
                folds = action["type"] == "Action.ToggleVisibility"
                assert folds or action in buttons or action.get("verb") == CHOOSE, action
        if buttons:
            self.transcript.buttons([each["title"] for each in buttons])


def plain(markdown: str) -> str:
    """Return what Markdown shows, with the bot's own marks."""
    text = unescape(markdown.replace(JOINER, "").replace("**", "*"))
    return re.sub(r"\\([\\`*_~\[\]|#+=.-])", r"\1", text).replace("\n\n", "\n")


def _mentioned(element: Element) -> Element:
    """Return a line that mentions somebody as it is with their address."""
    said = re.sub(r"<at>(Ana|Bob)</at>", lambda who: f"{who[1].lower()}@example.com", element["text"])
    return {"inlines": [{"type": "TextRun", "text": said}]}


def _run(inline: Element) -> str:
    mark = "`" if inline.get("fontType") == "Monospace" else "*" if inline.get("weight") == "Bolder" else ""
    return f"{mark}{inline['text']}{mark}"


def _table(element: Element, transcript: Transcript) -> None:
    head, *rows = ([cell["items"][0] for cell in row["cells"]] for row in element["rows"])
    transcript.table(
        [Head(_plain(each), "number" if each.get("horizontalAlignment") == "Right" else "text") for each in head],
        [[_plain(each) for each in row] for row in rows],
    )


def _plain(block: Element) -> str:
    return "".join(each["text"] for each in block["inlines"])


def _chart(element: Element, title: str, transcript: Transcript) -> None:
    data, kind = element["data"], element["type"]
    if "values" not in data[0]:
        data = [{"legend": element.get("yAxisTitle") or element["xAxisTitle"], "values": data}]
    series = tuple(Series(each["legend"], tuple(point["y"] for point in each["values"])) for each in data)
    labels = tuple(point["x"] for point in data[0]["values"])
    transcript.chart(Chart(title, "line" if "Line" in kind else "bar", labels, series))


@contextmanager
def teams_stage(folder: Path, mails: bool = False, more: str = "") -> Iterator[tuple[Teams, ParitySite, Bot]]:
    """Run one bot in Teams for all talks."""
    with Teams() as teams:
        hidden = teams.channel("private")
        teams.channel("data-help")
        with founded(folder, f"teams:{hidden.id}", mails, more) as site:
            for names in SETS:
                for name in PEOPLE:
                    someone = teams.person(person(name, names), name.title(), email(name, names))
                    for where in ("General", "private"):
                        teams.conversation(where).members.append(someone)
            settings = settings_of(environment(folder, teams, site.model) | site.environment())

            def listening(port: int) -> None:
                teams.bot_url = f"http://127.0.0.1:{port}/api/messages"

            with (
                built(settings, details=False, clock=site.clock) as bot,
                in_a_thread(bot, lambda turns: at_work(bot, turns, settings, settings.teams), listening),
            ):
                yield teams, site, bot
