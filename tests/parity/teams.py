"""Talks in Teams."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any, Literal

from adapters.teams.clicks import ALREADY_RUNNING, MESSAGE_ARRIVING
from adapters.teams.controls import CHOOSE, FILL, OPEN, PRESS
from adapters.teams.markdown import JOINER
from bot.wiring.bot import Bot, build_bot
from router.cards import Chart, Field, Head, Option, Series
from router.notifier import Channel
from tests.parity.chat import DIALOG, NOTICE, Chat
from tests.parity.site import PEOPLE, SETS, ParitySite, email, founded, person
from tests.parity.transcript import Transcript
from tests.platforms.teams.cards.filling import Impossible, visible
from tests.platforms.teams.cards.judge import parts_of
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams.world import Message
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.teams_bot import environment, serving

Element = dict[str, Any]


class TeamsChat(Chat):
    """A thread in a channel of Teams."""

    keeps_dialogs = False
    """True if a form is filled in where it opens."""

    def __init__(self, teams: Teams, site: ParitySite, bot: Bot) -> None:
        super().__init__(site, bot)
        self.teams = teams
        self.root: Message | None = None
        self.old: set[str] = set()
        self.refused, self.disliked = len(teams.refused), len(teams.faults)
        self.toasts = 0
        self.results: set[str] = set()
        """The ids of the messages with rows, whose buttons last."""
        self._opened: tuple[Message, Element]
        """The button that opened the dialog."""

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
        return self._button(answer) is not None

    def click(self, answer: str) -> None:
        found = self._button(answer)
        if found is None:
            raise Impossible(f"there is no button for {answer!r}")
        self._press(*found)

    def _button(self, answer: str) -> tuple[Message, Element] | None:
        """Return the button of an answer: of the question that stands, or of the last result that has one."""
        standing = [each for each in self._said() if each.id == self.standing]
        for message in (*standing, *(each for each in reversed(self._said()) if each.id in self.results)):
            for part in self._parts(message):
                if is_button(part) and part["data"].get("a", "").partition("@")[0] == answer:
                    return message, part
        return None

    def drawn_at(self, id: str) -> int:
        """Return the place of a message among all as they were drawn last: people see what changes as it changes."""
        with self.teams.lock:
            drawn = [n for n, call in enumerate(self.teams.calls) if call.ok and id in (call.id, _made(call.answer))]
        return max(drawn, default=len(self.teams.calls))

    def _press(self, message: Message, button: Element) -> None:
        """Press a button, behind the "…" or in a group too; a dialog that asks whether it was meant is answered."""
        self.teams.press(message, button["id"], user=self.me)
        if button["type"] == "Action.Submit":
            self.teams.wait_posted()
            self._opened = (message, button)
            if self.dialog and not any(is_input(each) for each in parts_of(self.dialog)):
                self.teams.submit(self.me)
            elif not self.keeps_dialogs:
                self._leave()

    def _leave(self) -> None:
        """Close the dialog: in an old client, what it asks comes as a message, as in the written talks."""
        if self.dialog is None:
            return
        self.teams.close(self.me)
        message, button = self._opened
        self.teams.press(message, button["id"], user=self.me, dialogs=False)

    @property
    def dialog(self) -> Element | None:
        """The card of the dialog that is open."""
        found = self.teams.dialogs.get(self.me)
        return found.card if found else None

    def click_lasting(self, answer: str) -> None:
        for message in reversed(self._said()):
            card = message.card_for(self.me)
            parts = list(parts_of(visible(card))) if card else []
            menus = [each["id"] for each in parts if any(c["value"] == answer for c in each.get("choices", []))]
            buttons = [each for each in parts if each.get("data", {}).get("a") == answer]
            chosen = [each for each in parts if each.get("verb") == CHOOSE] if menus else buttons
            if menus and chosen:
                self.teams.press(message, chosen[0]["id"], user=self.me, fill={id: [answer] for id in menus})
                return
            if chosen:
                self._press(message, chosen[0])
                return

    def choose(self, answers: list[str]) -> None:
        if len(answers) == 1 and (found := self._button(answers[0])):
            self._press(*found)
            return
        message = self._standing()
        ok = self._actions(CHOOSE)[0]
        menu = next(each for each in self._parts() if each.get("type") == "Input.ChoiceSet")
        if "choices.data" in menu:
            self.teams.search(message, menu["id"], answers[0].removeprefix("menu:"), user=self.me)
        self.teams.press(message, ok["id"], user=self.me, fill={menu["id"]: answers})

    def send(self, values: dict[str, str]) -> None:
        shown = list(parts_of(visible(self.dialog))) if self.dialog else self._parts()
        ids = [each["id"] for each in shown if is_input(each) and each["id"].startswith("field:")]
        fill = {next(id for id in ids if id.endswith(f":{name}")): value for name, value in values.items()}
        times = {each["id"] for each in shown if each.get("type") == "Input.Time"}
        fill = {id: value.zfill(len("08:00")) if id in times else value for id, value in fill.items()}
        if self.dialog:
            self.teams.submit(self.me, fill)
        else:
            self.teams.press(self._standing(), self._actions(FILL)[0]["id"], user=self.me, fill=fill)

    def read(self) -> Iterable[tuple[str, Transcript]]:
        self.teams.wait_posted()
        self.site.rest(self.bot, "teams")
        for message in self._said():
            if message.id not in self.old:
                transcript = Transcript()
                card = message.card  # what people see before their own client asks for theirs
                if card is None:
                    transcript.say(plain(message.text))
                else:
                    Reader(transcript).read(card["body"])
                    answers = [each["data"]["a"] for each in parts_of(card) if is_button(each)]
                    self.results |= {message.id} if any("@" in answer for answer in answers) else set()
                if not (message.conversation.kind == "personal" and NOTICE.fullmatch(transcript.text)):
                    yield message.id, transcript
        if dialog := self.dialog:
            transcript = Transcript()
            Reader(transcript).read(dialog["body"], self.teams.dialogs[self.me].title)
            yield DIALOG, transcript
        for n, toast in enumerate(self.teams.toasts[self.toasts :]):
            if toast not in (MESSAGE_ARRIVING, ALREADY_RUNNING):
                transcript = Transcript()
                transcript.say(toast)
                yield f"toast {n}", transcript

    def _said(self) -> list[Message]:
        with self.teams.lock:
            held = [each for place in self.teams.world.conversations.values() for each in place.messages.values()]
        said = [each for each in held if each.from_bot and not each.deleted and each.activity["type"] == "message"]
        return sorted(said, key=lambda each: int(each.id))

    def _standing(self) -> Message:
        return next(each for each in self._said() if each.id == self.standing)

    def _parts(self, message: Message | None = None) -> list[Element]:
        """Return what this person sees of a message, by default of the one that stands."""
        message = message or self._standing()
        return list(parts_of(visible(message.card_for(self.me))))

    def _actions(self, verb: str) -> list[Element]:
        return [each for each in self._parts() if each.get("verb") == verb]


def _made(answer: Any) -> str:
    """Return the id of the message that a call made."""
    return str(answer.get("id", "")) if isinstance(answer, dict) else ""


def is_input(element: Element) -> bool:
    """Return whether something can be filled in."""
    return str(element.get("type")).startswith("Input.")


def is_button(element: Element) -> bool:
    """Return whether an element is the button of an answer: it is pressed at once, or opens a dialog."""
    data = element.get("data")
    return isinstance(data, dict) and data.get("v") in (PRESS, OPEN)


class Reader:
    """Reads the elements of a card, one below the other."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self._title = ""
        """A line in bold: it belongs to what comes next."""
        self._steps: list[str] = []
        """What is said of the source text below."""
        self._caption = ""
        """What the folded text below is."""
        self._fields: list[Field] = []
        self._wrong = ""
        """The problem with the field below."""
        self._heading = ("", "")
        """The title of the table below, and where its rows come from."""

    def read(self, elements: list[Element], title: str = "") -> None:
        """Read elements of a card or a container, and of a dialog below its title."""
        self._title = title
        for element in elements:
            self._read(element)
        self._say_heading()
        if self._title:
            self.transcript.say(self._headline())

    def _say_heading(self) -> None:
        """Read a heading that was no table's."""
        heading, self._heading = self._heading[0], ("", "")
        if heading:
            self.transcript.say(heading)

    def _read(self, element: Element) -> None:
        if element.get("targetWidth", "").startswith("atMost:"):
            return  # the same once more, for phones
        if element["type"] != "Table":
            self._say_heading()
        match element["type"]:
            case "RichTextBlock" | "TextBlock":
                self._say(_mentioned(element) if element["type"] == "TextBlock" else element)
            case "CodeBlock":
                caption = self._caption or self._headline()
                self.transcript.code(caption, element["codeSnippet"], self._steps)
                self._steps, self._caption = [], ""
            case "Table":
                _table(element, self.transcript, *self._heading)
                self._heading = ("", "")
            case "Container":
                self._contain(element)
            case "Input.ChoiceSet" if not element["id"].startswith("field:"):
                self._menu(element)
            case "Input.ChoiceSet" | "Input.Text" | "Input.Time":
                self._field(element)
            case "ActionSet":
                self._act(element["actions"])
            case kind:
                assert kind.startswith("Chart."), element
                _chart(element, self._headline(), self.transcript)

    def _contain(self, element: Element) -> None:
        """Read what is in a container; a line that opens what is folded says what that is.

        SQL without a caption is what the message made room for: it was read before.
        """
        if "selectAction" in element:
            _, *about = element["items"][0]["inlines"]
            self._caption = f"{about[0]['text'].removeprefix('  ·  ')} — SQL" if about else ""
        elif element.get("isVisible") is not False or self._caption:
            for each in element["items"]:
                self._read(each)
        else:
            sources = (each for each in element["items"] if each["type"] == "CodeBlock")
            self.transcript.folded += [each["codeSnippet"] for each in sources]

    def _say(self, element: Element) -> None:
        first, *others = element["inlines"]
        text = "".join(_run(each) for each in element["inlines"])
        if text.startswith("• "):
            self._steps.append(text.removeprefix("• "))
            return
        if text.startswith("📎 "):
            self.transcript.file(text.removeprefix("📎 "))
            return
        if (self._title or self._fields) and text.startswith("⚠️ "):
            self._wrong = text.removeprefix("⚠️ ")
            return
        if self._title:
            self.transcript.say(self._headline())
        if first.get("size") == "Medium" and [each["text"].startswith("  ·  ") for each in others] in ([], [True]):
            source = others[0]["text"].removeprefix("  ·  ") if others else ""
            self._heading = (first["text"], source)
        elif all(each.get("weight") == "Bolder" for each in element["inlines"]):
            self._title = "".join(each["text"] for each in element["inlines"])
        elif element.get("spacing") == "None":
            self.transcript.go_on(text)
        else:
            self.transcript.say(text)
            if (first.get("isSubtle") or first.get("color") == "Attention") and self.transcript.kinds[-1:] == ["text"]:
                self.transcript.kinds[-1] = "quiet"  # no buttons answer small print, or a problem

    def _headline(self) -> str:
        title, self._title = self._title, ""
        return title

    def _field(self, element: Element) -> None:
        menu = tuple(Option(each["value"], each["title"]) for each in element.get("choices", []))
        kind: Literal["code", "menu"] = "menu" if menu else "code"
        label = re.sub(r" \(only for: .*\)$", "", element["label"])
        field = Field("", label, kind, element.get("value", ""), problem=self._wrong, options=menu)
        self._fields.append(field)
        self._wrong = ""

    def _menu(self, element: Element) -> None:
        if self._title:
            self.transcript.say(self._headline())
        if element["label"] != element["placeholder"]:
            self.transcript.say(element["label"])
        labels = [each["title"] for each in element["choices"]]
        self.transcript.menu(labels, element["placeholder"], element["isMultiSelect"])

    def _act(self, actions: list[Element]) -> None:
        buttons: list[str] = []
        for action in actions:
            match action["type"]:
                case "Action.ShowCard":
                    inner = [each for part in action["card"]["body"] for each in part["actions"]]
                    buttons += [each["title"] for each in inner]
                case _ if action["data"]["v"] == FILL:
                    self.transcript.form(self._headline(), self._fields)
                    self._fields = []
                case _:
                    assert is_button(action) or action.get("verb") == CHOOSE, action
                    buttons += [action["title"].removeprefix("Download ")] if is_button(action) else []
        if buttons and self._title:
            self.transcript.say(self._headline())
        if buttons:
            self.transcript.buttons(buttons)


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


def _table(element: Element, transcript: Transcript, title: str, source: str) -> None:
    head, *rows = ([cell["items"][0] for cell in row["cells"]] for row in element["rows"])
    transcript.table(
        [Head(_plain(each), "number" if each.get("horizontalAlignment") == "Right" else "text") for each in head],
        [[_plain(each) for each in row] for row in rows],
        title,
        source,
    )


def _plain(block: Element) -> str:
    return "".join(each["text"] for each in block["inlines"])


def _chart(element: Element, title: str, transcript: Transcript) -> None:
    data, kind = element["data"], element["type"]
    if kind == "Chart.Pie":
        labels = tuple(part["legend"] for part in data)
        transcript.chart(Chart(title, "pie", labels, (Series("", tuple(part["value"] for part in data)),)))
        return
    if "values" not in data[0]:
        data = [{"legend": element.get("yAxisTitle") or element["xAxisTitle"], "values": data}]
    series = tuple(Series(each["legend"], tuple(point["y"] for point in each["values"])) for each in data)
    labels = tuple(point["x"] for point in data[0]["values"])
    transcript.chart(Chart(title, "line" if "Line" in kind else "bar", labels, series))


@contextmanager
def teams_stage(
    folder: Path, mails: bool = False, more: str = "", state: str = ""
) -> Iterator[tuple[Teams, ParitySite, Bot]]:
    """Run one bot in Teams for all talks."""
    with Teams() as teams:
        hidden = teams.channel("private")
        teams.channel("data-help")
        with founded(folder, f"teams:{hidden.id}", mails, more, state) as site:
            for names in SETS:
                for name in PEOPLE:
                    someone = teams.person(person(name, names), name.title(), email(name, names))
                    for where in ("General", "private"):
                        teams.conversation(where).members.append(someone)
            settings = settings_of(environment(folder, teams, site.model) | site.environment())

            def listening(port: int) -> None:
                teams.bot_url = f"http://127.0.0.1:{port}/api/messages"

            with (
                build_bot(settings, details=False, clock=site.clock) as bot,
                in_a_thread(bot, lambda turns: serving(bot, turns, settings), listening),
            ):
                yield teams, site, bot
