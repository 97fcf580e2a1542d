"""Talks in Slack."""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from itertools import zip_longest
from pathlib import Path
from typing import Any

from adapters.slack import scopes
from adapters.slack.menus import CHOOSE, FEEDBACK, FORM, PRESS, TAKE
from adapters.slack.modals import PICKED
from adapters.slack.mrkdwn import JOINER
from bot.wiring.bot import Bot, ResultPage, build_bot
from router.cards import Chart, Field, Head, Option, Series
from router.notifier import Channel
from tests.parity.chat import NOTICE, Chat
from tests.parity.site import PEOPLE, SETS, ParitySite, email, founded, person
from tests.parity.transcript import Transcript
from tests.platforms.slack.forms import Impossible, usable
from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack.world import Message, View
from tests.support.bot_settings import settings_of
from tests.support.bot_thread import in_a_thread
from tests.support.slack_bot import environment, serving

Block = dict[str, Any]

FOLDED = "SQL"
"""The caption of SQL that is folded below what came of it."""

TABLE_NAMED = re.compile(r"\*(.+)\*(?: · (.+))?")
"""The line above a table: what the rows are, and their database."""

PAGE = ResultPage()
"""The page of rows on every platform here, so that one transcript holds for all."""


class SlackChat(Chat):
    """A thread in a channel of Slack."""

    late = True
    """True if buttons are pressed so late that no form opens: it is asked for in the thread, and read there."""

    def __init__(self, slack: Slack, site: ParitySite, bot: Bot) -> None:
        super().__init__(site, bot)
        self.slack = slack
        self.root: Message | None = None
        self.view: View | None = None
        self.named = ("", "")
        self.told: list[str] = []
        """Sentences that somebody else was told in a form of theirs."""
        self.old: set[str] = set()
        self.refused, self.disliked = len(slack.refused), len(slack.faults)

    @property
    def me(self) -> str:
        """The person who acts."""
        return person(f"U{self.who.upper()}", self.names)

    def complaints(self) -> list[object]:
        opened = {call.arguments["trigger_id"] for call in self.slack.calls if call.method == "views.open" and call.ok}
        late = [
            call
            for call in self.slack.refused[self.refused :]
            if call.method == "views.open"
            and call.arguments["trigger_id"] not in opened
            and call.answer["error"] == "exchanged_trigger_id"
        ]  # buttons are pressed late here, so that the form is asked for in the thread
        refused = [call for call in self.slack.refused[self.refused :] if call not in late]
        return [*refused, *self.slack.faults[self.disliked :]]

    @property
    def help(self) -> Channel:
        return Channel("slack", "CHELP", "#data-help")

    def begin(self) -> None:
        self.old = {message.ts for message in self._said()}

    def write(self, text: str) -> None:
        channel = "CPRIVATE" if self.private else "C1"
        message = self.slack.say(channel, text, user=self.me, thread=self.root, mention=True)
        self.root = self.root or message

    def offers(self, answer: str) -> bool:
        return self._button(answer) is not None

    def click(self, answer: str) -> None:
        found = self._button(answer)
        if found is None:
            raise Impossible(f"there is no button for {answer!r}")
        self._use(*found)

    def _button(self, answer: str) -> tuple[Message, Block, str] | None:
        """Return the button of an answer: of the question that stands, or of the last result that has one."""
        standing = [each for each in self._said() if each.ts == self.standing]
        for message in (*standing, *(each for each in reversed(self._said()) if each.ts in self.results)):
            for _, element in usable(message.blocks):
                for value in _values(element) if _is(element, PRESS) else []:
                    if value == answer or value.partition("@")[0] == answer:
                        return message, element, value
        return None

    def _use(self, message: Message, element: Block, answer: str) -> None:
        """Press a button, or an entry of a menu."""
        if element["type"] == "button":
            self.slack.press(message, element["action_id"], user=self.me, late=self.late)
        elif element["type"] == "overflow":
            self.slack.press(message, answer, user=self.me, late=self.late)
        else:
            self.slack.choose(message, element["action_id"], answer, user=self.me, late=self.late)

    def click_lasting(self, answer: str) -> None:
        for message in reversed(self._said()):
            for _, element in usable(message.blocks):
                if answer in _values(element):
                    self._use(message, element, answer)
                    return

    def choose(self, answers: list[str]) -> None:
        message = self._standing()
        menu = next(each for _, each in usable(message.blocks) if _is(each, CHOOSE))
        many = menu["type"].startswith("multi_")
        typed = answers[0].removeprefix("menu:")
        self.slack.choose(message, menu["action_id"], answers if many else answers[0], user=self.me, typed=typed)
        if many:
            self.slack.press(message, "OK", user=self.me)

    def send(self, values: dict[str, str]) -> None:
        view = self.view
        if self.who != "ana":
            message = self._standing()
            opener = next(each for _, each in usable(message.blocks) if _is(each, FORM))
            self.slack.press(message, opener["action_id"], user=self.me)
            view = self.slack.wait(lambda: next((v for v in self.slack.views if v.user == self.me), None))
        assert view is not None
        answer = self.slack.submit(view, values, user=self.me)
        if self.who != "ana" and answer:
            self.told.append(next(iter(answer["errors"].values())))

    def read(self) -> Iterable[tuple[str, Transcript]]:
        self.slack.wait_delivered()
        self.site.rest(self.bot, "slack")
        for message in self._said():
            if message.ts not in self.old:
                transcript = Transcript()
                if not message.blocks and message.text:
                    transcript.say(plain(message.text))
                for file in message.files:
                    transcript.file(file.name)
                empty: Block = {}
                for block, after in zip_longest(message.blocks, message.blocks[1:], fillvalue=empty):
                    if after.get("type") == "data_table" and (named := _named(block)):
                        self.named = named
                    else:
                        self._block(block, message, transcript)
                pressed = [each for _, each in usable(message.blocks) if _is(each, PRESS)]
                holds = any("@" in value for each in pressed for value in _values(each))
                self.results = self.results | {message.ts} if holds else self.results - {message.ts}
                if not NOTICE.fullmatch(transcript.text):
                    yield message.ts, transcript
        for n, text in enumerate(self.told):
            transcript = Transcript()
            transcript.say(text)
            yield f"told {n}", transcript

    def _said(self) -> list[Message]:
        with self.slack.lock:
            held = [each for channel in self.slack.world.channels.values() for each in channel.messages.values()]
        return sorted((each for each in held if each.bot_id and not each.deleted), key=lambda each: each.ts)

    def _standing(self) -> Message:
        return next(each for each in self._said() if each.ts == self.standing)

    def _block(self, block: Block, message: Message, transcript: Transcript) -> None:
        match block["type"]:
            case "section" if "accessory" in block:
                transcript.say(plain(block["text"]["text"]))
                self._menu(block["accessory"], message, transcript)
            case "section":
                transcript.say(_heading(plain(block["text"]["text"])))
            case "context":
                for each in block["elements"]:
                    transcript.say(plain(each["text"]), small=True)
            case "rich_text":
                transcript.say(_heading(_rich(block)))
            case "container":
                texts = [each["text"]["text"] for each in block["child_blocks"]]
                steps = [
                    plain(line).removeprefix("• ") for t in texts if not t.startswith("```") for line in t.split("\n")
                ]
                body = "\n".join(_unfenced(text) for text in texts if text.startswith("```"))
                _code(block, body, steps, transcript)
            case "data_table":
                _table(block, transcript, *self.named)
                self.named = ("", "")
            case "data_visualization":
                _chart(block, transcript)
            case "actions":
                self._actions(block["elements"], message, transcript)
            case kind:
                assert kind == "context_actions", block
                assert [each["action_id"] for each in block["elements"]] == [FEEDBACK]

    def _actions(self, elements: list[Block], message: Message, transcript: Transcript) -> None:
        buttons = [each for each in elements if _is(each, PRESS)]
        for element in elements:
            if _is(element, FORM):
                self._form(element["text"]["text"], message, transcript)
            elif _is(element, CHOOSE):
                self._menu(element, message, transcript)
            else:
                assert element in buttons or _is(element, TAKE), element
        if buttons:
            buttons.sort(key=lambda each: int(each["action_id"].split(":")[2]))  # menus stand behind the buttons
            transcript.buttons([label for each in buttons for label in _labels(each)])

    def _menu(self, element: Block, message: Message, transcript: Transcript) -> None:
        many = element["type"].startswith("multi_")
        if many:
            transcript.drop("Choose one or more:")
        outside = "external" in element["type"]
        entries = self.slack.suggest(message, element["action_id"], "", self.me) if outside else element["options"]
        transcript.menu([each["text"]["text"] for each in entries], element["placeholder"]["text"], many)

    def _form(self, title: str, message: Message, transcript: Transcript) -> None:
        """Open the form, which stays open until another one is, and read it."""
        if self.view is not None and self.view.open:
            self.slack.close(self.view)
        for view in self.slack.views:
            self.slack.close(view)
        self.slack.press(message, title, user=person("UANA", self.names))
        self.view = self.slack.wait_view()
        fields, wrong, asked = [], "", ""
        for block in self.view.blocks:
            # People are picked, or their addresses typed in the field below.
            if block["block_id"].endswith(PICKED) if "block_id" in block else False:
                asked = re.sub(r" \(only for: .*\)$", "", block["label"]["text"])
                continue
            if block["type"] == "alert":
                wrong = block["text"]["text"]
                transcript.drop(wrong)  # it stands above the button, too
                continue
            field = _field(block, wrong)
            fields.append(replace(field, label=asked) if asked else field)
            wrong = asked = ""
        transcript.form(title, fields)


def _code(block: Block, body: str, steps: list[str], transcript: Transcript) -> None:
    """Read SQL; what is folded below what came of it has no caption of its own."""
    if block["title"]["text"] == FOLDED:
        assert block["default_collapsed"], block
        transcript.folded.append(body)
    else:
        transcript.code(block["title"]["text"], body, steps)


def _field(block: Block, wrong: str) -> Field:
    label, element, hint = block["label"]["text"], block["element"], (block.get("hint") or {}).get("text", "")
    name, label = block["block_id"], re.sub(r" \(only for: .*\)$", "", label)
    if element["type"] == "timepicker":
        return Field(name, label, "time", element.get("initial_time", ""), problem=wrong, hint=hint)
    if "options" not in element:
        return Field(name, label, "code", element.get("initial_value", ""), problem=wrong, hint=hint)
    kind = "radio" if element["type"] == "radio_buttons" else "menu"
    options = tuple(Option(each["value"], each["text"]["text"]) for each in element["options"])
    chosen = element.get("initial_option", {}).get("value", "")
    return Field(name, label, kind, chosen, problem=wrong, options=options, hint=hint)


def plain(mrkdwn: str) -> str:
    """Return what mrkdwn shows, with the bot's own marks."""
    # A mention of somebody who is waited for stands for their address.
    mrkdwn = re.sub(r"<@U(ANA|BOB)\d+>", lambda who: f"{who[1].lower()}@example.com", mrkdwn)
    return unescape(re.sub(r"<https://[^|>]+\|([^>]+)>", r"\1", mrkdwn).replace(JOINER, ""))


def _values(element: Block) -> list[str]:
    """Return what an element can send: a button its value, a menu those of its entries."""
    return [str(each["value"]) for each in (element, *element.get("options", [])) if "value" in each]


def _labels(element: Block) -> list[str]:
    return [each["text"]["text"] for each in element.get("options", [element])]


def _is(element: Block, kind: str) -> bool:
    return str(element.get("action_id")).partition(":")[0] == kind


def _rich(block: Block) -> str:
    marks = {"italic": "", "bold": "*", "code": "`"}
    said = []
    for part in block["elements"]:
        assert part["type"] == "rich_text_section", part
        for piece in part["elements"]:
            mark = next((marks[each] for each in piece.get("style", {})), "")
            said.append(f"{mark}{piece['text']}{mark}")
    return "".join(said)


def _unfenced(mrkdwn: str) -> str:
    body = plain(mrkdwn)
    assert body.startswith("```\n"), body
    return body.removeprefix("```\n").removesuffix("\n```")


def _heading(text: str) -> str:
    """Return a paragraph; one that is bold from end to end is a heading, which has no marks of its own."""
    bold = re.fullmatch(r"\*([^*]+)\*", text)
    return bold[1] if bold else text


def _named(block: Block) -> tuple[str, str] | None:
    """Return what the rows of a table are, and their database, of the line above it."""
    found = TABLE_NAMED.fullmatch(plain(block["text"]["text"])) if block["type"] == "section" else None
    return (found[1], found[2] or "") if found else None


def _table(block: Block, transcript: Transcript, title: str, source: str) -> None:
    head, *rows = block["rows"]
    kinds = [any(row[n]["type"] == "raw_number" for row in rows) for n in range(len(head))]
    heads = [Head(each["text"], "number" if kind else "text") for each, kind in zip(head, kinds, strict=True)]
    rows_read = [[each["text"] if "text" in each else _rich(each) for each in row] for row in rows]
    transcript.table(heads, rows_read, title, source)


def _chart(block: Block, transcript: Transcript) -> None:
    chart = block["chart"]
    if chart["type"] == "pie":
        chart = {"type": "pie", "series": [{"name": "", "data": chart["segments"]}]}
    series = [Series(each["name"], tuple(point["value"] for point in each["data"])) for each in chart["series"]]
    labels = tuple(point["label"] for point in chart["series"][0]["data"])
    transcript.chart(Chart(block["title"], chart["type"], labels, tuple(series)))


@contextmanager
def slack_stage(
    folder: Path, mails: bool = False, more: str = "", page: ResultPage = PAGE, state: str = ""
) -> Iterator[tuple[Slack, ParitySite, Bot]]:
    """Run one bot in Slack for all talks."""
    with founded(folder, "slack:CPRIVATE", mails, more, state) as site, Slack() as slack:
        for names in SETS:
            for name in PEOPLE:
                slack.user(person(f"U{name.upper()}", names), name.title(), email(name, names))
                slack.world.channels["C1"].members.add(person(f"U{name.upper()}", names))
        for channel in ("CPRIVATE", "CHELP"):
            slack.channel(channel)
        slack.scopes = {*scopes.SCOPES, *scopes.OPTIONAL_SCOPES}
        settings = settings_of(environment(folder, slack, site.model, "socket") | site.environment())
        with (
            build_bot(settings, page=page, details=False, clock=site.clock) as bot,
            in_a_thread(bot, lambda turns: serving(bot, turns, settings), lambda port: None),
        ):
            slack.wait_socket()
            yield slack, site, bot
