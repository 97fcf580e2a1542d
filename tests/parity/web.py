"""Talks on the web page: its real objects, and NiceGUI's simulation in place of a browser."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

from nicegui import Client, ui
from nicegui.element import Element
from nicegui.testing import User as Simulated
from nicegui.testing import UserInteraction, user_simulation

from adapters.event_loop_bridge import EventLoopBridge
from adapters.turns import Turns
from adapters.web.cards import ResultTable
from adapters.web.log import TalkLog
from adapters.web.sidebar import Sidebar
from adapters.web.talks import PageNotifier, Talks
from adapters.web.view import ChatView, Composer, WebInfo
from bot.wiring.bot import Bot, built
from router.cards import Chart, Field, Head, Option, Series
from router.memory.draft import User
from tests.parity.chat import Chat
from tests.parity.site import ParitySite, email, founded, person
from tests.parity.transcript import Transcript
from tests.support.bot_settings import settings_of


class Page:
    """The page in one process: `open` is a new tab."""

    def __init__(self, talks: Talks, simulated: Simulated, runner: asyncio.Runner) -> None:
        self.talks, self.simulated, self.runner = talks, simulated, runner
        self.user = User("")
        self.view: ChatView | None = None

        @ui.page("/")
        def page(client: Client) -> None:
            sidebar = Sidebar(talks, self.user)
            self.view = ChatView(client, talks, self.user, "new", WebInfo(), sidebar)
            self.view.greet()

    def open(self, user: User) -> Client:
        """Return a new tab of this person."""
        self.user = user
        return self.runner.run(self.simulated.open("/"))

    def trigger(self, element: Element, event: str, args: object = None) -> None:
        """Do something with an element, and wait until the bot has answered."""
        self.runner.run(self._trigger(element, event, args))

    async def _trigger(self, element: Element, event: str, args: object) -> None:
        UserInteraction(self.simulated, {element}, None).trigger(event, args)
        assert self.view is not None
        talk = self.talks.look(self.talks.log.threads(self.user.id, 1)[0].id, self.user, self.view)
        async with asyncio.timeout(20):
            while talk.running:
                await asyncio.sleep(0.003)


class WebChat(Chat):
    """A thread on the page."""

    def __init__(self, page: Page, site: ParitySite, bot: Bot) -> None:
        super().__init__(site, bot)
        self.page = page
        self.client: Client | None = None

    def begin(self) -> None:
        self.client = self.page.open(User(f"web:{person('ana', self.names)}", "Ana", email("ana", self.names)))

    def write(self, text: str) -> None:
        self.page.trigger(self._only(Composer), "send", text)

    def offers(self, answer: str) -> bool:
        return any(_answers(each, answer) for each in self._standing())

    def click(self, answer: str) -> None:
        if answer.startswith("sort:"):
            _, column, way = answer.split(":")
            table = next(each for each in self._standing() if isinstance(each, ResultTable))
            assert table.props["sortable"]
            self.page.trigger(table, "sort", [int(column), way])
            return
        found = [each for each in self._standing() if _answers(each, answer)]
        assert found, f"there is no button for {answer!r}"
        self._press(found[0])

    def _press(self, button: Element) -> None:
        """Press a button; what opens a form is sent with it as it stands, what asks first is confirmed."""
        self.page.trigger(button, "click")
        for dialog in self._dialogs():
            inner = list(dialog.descendants())
            if not self._form_stands(inner):
                confirm = next(each for each in inner if each.props.get("data-answer") == "confirm")
                self.page.trigger(confirm, "click")

    def _form_stands(self, inner: list[Element]) -> bool:
        return any(each.props.get("data-answer") == "submit" for each in inner)

    def _dialogs(self) -> list[ui.dialog]:
        assert self.client is not None
        return [
            each
            for each in self.client.elements.values()
            if isinstance(each, ui.dialog)
            and each.value
            and any("over" in inner.classes for inner in each.descendants())
        ]

    def click_lasting(self, answer: str) -> None:
        for box in reversed(self._entries()):
            drawn = list(box.descendants())
            menus = [each for each in drawn if isinstance(each, ui.select) and answer in each.options]
            for menu in menus:
                menu.value = answer
            if found := [each for each in drawn if _answers(each, "ok" if menus else answer)]:
                self.page.trigger(found[0], "click")
                return

    def wait(self, found: Callable[[], bool]) -> None:
        async def poll() -> None:
            async with asyncio.timeout(20):
                while not found():
                    await asyncio.sleep(0.003)

        self.page.runner.run(poll())

    def choose(self, answers: list[str]) -> None:
        menu = next(each for each in self._standing() if isinstance(each, ui.select))
        assert isinstance(menu.options, dict)
        assert set(answers) <= set(menu.options)
        menu.value = answers if menu.multiple else answers[0]
        self.click("ok")

    def send(self, values: dict[str, str]) -> None:
        dialogs = self._dialogs()
        inside = list(dialogs[0].descendants()) if dialogs else self._standing()
        inputs = {each.props.get("data-field"): each for each in inside}
        for name, value in values.items():
            drawn = inputs[name]
            assert isinstance(drawn, INPUTS)
            people = isinstance(drawn, ui.input_chips)
            drawn.value = [each.strip() for each in value.split(",")] if people else value
        self.page.trigger(next(each for each in inside if each.props.get("data-answer") == "submit"), "click")

    def read(self) -> Iterable[tuple[str, Transcript]]:
        for box in self._entries():
            if "said" not in box.classes:
                transcript = Transcript()
                for element in box.default_slot.children:
                    _read(element, transcript)
                assert transcript.asks <= ("stands" in box.classes), transcript
                yield str(box.id), transcript

    def demand_framed(self, transcript: Transcript) -> None:
        """The page says nothing of the kind yet."""
        assert transcript.frame == []

    def demand_kept(self, before: Transcript, after: Transcript) -> None:
        """Fail where an entry that was answered lost more than what asked: of buttons, the page leaves nothing."""
        kept = before.answered if before.asks else before.parts
        assert after.parts in (kept, kept[:-1] if before.asks else kept), f"{after.parts} are left of {before.parts}"

    def _only(self, kind: type[Element]) -> Element:
        assert self.client is not None
        (found,) = [each for each in self.client.elements.values() if isinstance(each, kind)]
        return found

    def _entries(self) -> list[Element]:
        assert self.client is not None
        (entries,) = [each for each in self.client.elements.values() if "entries" in each.classes]
        return list(entries.default_slot.children)

    def _standing(self) -> list[Element]:
        return [inner for box in self._entries() if str(box.id) == self.standing for inner in box.descendants()]


def _answers(element: Element, answer: str) -> bool:
    """Tell whether a button stands for an answer, of whichever result."""
    given = str(element.props.get("data-answer", ""))
    return given == answer or (not is_persistent(given) and given.partition("@")[0] == answer)


def _read(element: Element, transcript: Transcript) -> None:
    """Read a card."""
    if "permalink" in element.classes:
        return
    if "heading" in element.classes:
        transcript.say(" · ".join(each.text for each in element.descendants() if isinstance(each, ui.label)))
        return
    if "below" in element.classes or "steps" in element.classes or "fold" in element.classes:
        for inner in element.default_slot.children:
            if not isinstance(inner, ui.button):
                _read(inner, transcript)
        return
    if isinstance(element, ui.html):
        transcript.say(_plain(element.content))
    elif isinstance(element, ui.label):
        transcript.say(element.text)
    elif isinstance(element, ResultTable):
        heads = [Head(each["name"], each["kind"]) for each in element.props["columns"]]
        transcript.table(heads, [["NULL" if cell is None else cell for cell in row] for row in element.props["rows"]])
    elif "code" in element.classes:
        caption, pre = (next(each for each in element.descendants() if isinstance(each, kind)) for kind in CODE)
        transcript.code(f"{caption.text} — SQL", _plain(pre.content).removesuffix("\n"))
    elif "chart" in element.classes:
        _chart(element, transcript)
    elif "file" in element.classes:
        transcript.file(str(element.props["download"]))
    elif "chosen" in element.classes:
        transcript.decided = next(each.text for each in element.descendants() if isinstance(each, ui.label))
    else:
        assert "ask" in element.classes, element
        _ask(element, transcript)


CODE: tuple[Any, Any] = (ui.label, ui.html)
INPUTS = ui.input | ui.textarea | ui.codemirror | ui.select | ui.radio | ui.input_chips


def _ask(group: Element, transcript: Transcript) -> None:
    prompt, label = "", ""
    fields: list[Field] = []
    for element in group.descendants():
        if isinstance(element, ui.label) and element.visible:
            if "prompt" in element.classes:
                prompt = element.text
            elif "label" in element.classes:
                label = element.text.removesuffix(" (optional)")
            else:
                fields[-1] = replace(fields[-1], problem=element.text)
        elif isinstance(element, INPUTS):
            fields.append(_field(element, label))
    if "form" in group.classes:
        transcript.form(prompt, fields)
        return
    if prompt:
        transcript.say(prompt)
    if fields:
        labels = [option.label for option in fields[0].options]
        many = next(each for each in group.descendants() if isinstance(each, ui.select)).multiple
        transcript.menu(labels, f"Type to find one of {len(labels)}" if len(labels) > 20 else "", many)
    else:
        transcript.buttons([each.text for each in group.descendants() if isinstance(each, ui.button)])


def _field(element: ui.input | ui.textarea | ui.codemirror | ui.select, label: str) -> Field:
    if not isinstance(element, ui.select):
        return Field("", label, "code", element.value or "")
    assert isinstance(element.options, dict)
    options = tuple(Option(answer, each) for answer, each in element.options.items())
    return Field("", label, "menu", str(element.value), options=options)


def _plain(html: str) -> str:
    """Return what HTML shows, with the bot's own marks."""
    return unescape(re.sub(r"<[^<>]*>", "", re.sub(r"</?strong>", "*", re.sub(r"</?code>", "`", html))))


def _chart(figure: Element, transcript: Transcript) -> None:
    title = next(each.text for each in figure.descendants() if isinstance(each, ui.label))
    options = next(each.options for each in figure.descendants() if isinstance(each, ui.echart))
    axis = next(options[name] for name in ("xAxis", "yAxis") if options[name]["type"] == "category")
    series = [Series(each["name"], tuple(each["data"])) for each in options["series"]]
    transcript.chart(Chart(title, options["series"][0]["type"], tuple(axis["data"]), tuple(series)))


@contextmanager
def web_stage(folder: Path, mails: bool = False, more: str = "") -> Iterator[tuple[Page, ParitySite, Bot]]:
    """Run one bot behind the page for all talks."""
    with founded(folder, "", mails, more) as site, asyncio.Runner() as runner:
        settings = settings_of(
            {
                "ICC_BOT_HOME": str(folder / "home"),
                "ICC_BOT_CONNECTIONS": str(folder / "connections.toml"),
                "OLLAMA_BASE_URL": site.model.url,
                "SQL_MODEL_NAME": "qwen2.5-coder:7b",
                **site.environment(),
            }
        )
        with built(settings, clock=site.clock) as bot:
            simulation = _simulated(bot)
            talks, simulated = runner.run(simulation.__aenter__())
            yield Page(talks, simulated, runner), site, bot
            runner.run(simulation.__aexit__(None, None, None))


@asynccontextmanager
async def _simulated(bot: Bot) -> AsyncIterator[tuple[Talks, Simulated]]:
    async with AsyncExitStack() as stack:
        turns, log = Turns(bot.router), TalkLog(bot.database)
        stack.callback(turns.close)
        talks = Talks(turns, log)
        assert bot.timer
        bot.timer.serve("web", PageNotifier(talks, EventLoopBridge(asyncio.get_running_loop())))
        yield talks, await stack.enter_async_context(user_simulation())
