"""Talks on the web page: its real objects, and NiceGUI's simulation in place of a browser."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

from nicegui import Client, background_tasks, ui
from nicegui.element import Element
from nicegui.testing import User as Simulated
from nicegui.testing import UserInteraction, user_simulation

from adapters.chat.notifier import ChatNotifier
from adapters.event_loop_bridge import EventLoopBridge
from adapters.turns import Turns
from adapters.web.cards import ResultTable
from adapters.web.sidebar import Sidebar
from adapters.web.talks import Talk, Talks
from adapters.web.view import ChatView, Composer, WebInfo
from bot.commands.web import page_talks
from bot.wiring.bot import Bot, build_bot
from router.cards import Buttons, Chart, Field, Head, Option, Series
from router.interactions.persistent_buttons import is_persistent
from router.memory.draft import User
from router.turn import Pressed
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

    def give(self, answer: str) -> None:
        """Have the bot take an answer as if its button had no form, and wait until it has answered."""
        self.runner.run(self._give(answer))

    async def _give(self, answer: str) -> None:
        assert self.view is not None
        talk = self.talks.look(self.talks.log.threads(self.user.id, 1)[0].id, self.user, self.view)
        question = self.talks.service.reply_sender.shown.question(talk.key)
        assert question is not None
        assert await self.talks.take(talk, Pressed(answer, question.turn), self.view)
        await self._rest(talk)

    async def _rest(self, talk: Talk) -> None:
        async with asyncio.timeout(20):
            while talk.running:
                await asyncio.sleep(0.003)

    async def _trigger(self, element: Element, event: str, args: object) -> None:
        before = set(background_tasks.running_tasks)
        UserInteraction(self.simulated, {element}, None).trigger(event, args)
        if begun := background_tasks.running_tasks - before:
            await asyncio.wait(begun)
        assert self.view is not None
        await self._rest(self.talks.look(self.talks.log.threads(self.user.id, 1)[0].id, self.user, self.view))


class WebChat(Chat):
    """A thread on the page."""

    def __init__(self, page: Page, site: ParitySite, bot: Bot) -> None:
        super().__init__(site, bot)
        self.page = page
        self.client: Client | None = None
        self.became: set[int] = set()
        """The entries in whose place something else came."""

    def begin(self) -> None:
        self.client = self.page.open(User(f"web:{person('ana', self.names)}", "Ana", email("ana", self.names)))

    def write(self, text: str) -> None:
        self.page.trigger(self._only(Composer), "send", text)

    def offers(self, answer: str) -> bool:
        boxes = [box for box in self._entries() if self._id(box) == self.standing]
        return any(_answers(each, answer) for box in boxes for each in box.descendants())

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
        """Press a button, in a menu too; what asks first is confirmed, and a form is left for the talk to ask."""
        self.page.trigger(button, "click")
        dialog = self._dialog()
        if dialog is None:
            return
        inner = {str(each.props.get("data-answer")): each for each in dialog.descendants()}
        if "confirm" in inner:
            self.page.trigger(inner["confirm"], "click")
            return
        # The written talks ask in the thread what the page asks over it; the browser's tests hold the dialogs.
        self.page.trigger(inner["close"], "click")
        self.page.give(str(button.props["data-answer"]))

    def _dialog(self) -> ui.dialog | None:
        assert self.client is not None
        every = [each for each in self.client.elements.values() if isinstance(each, ui.dialog)]
        return next((each for each in every if each.value), None)

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
                while not found() or self.page.talks._showing.tasks:  # what was told is drawn in a moment
                    await asyncio.sleep(0.003)

        self.page.runner.run(poll())

    def choose(self, answers: list[str]) -> None:
        menu = next(each for each in self._standing() if isinstance(each, ui.select))
        assert isinstance(menu.options, dict)
        assert set(answers) <= set(menu.options)
        menu.value = answers if menu.multiple else answers[0]
        self.click("ok")

    def send(self, values: dict[str, str]) -> None:
        inside = self._standing()
        inputs = {each.props.get("data-field"): each for each in inside}
        for name, value in values.items():
            drawn = inputs[name]
            assert isinstance(drawn, INPUTS)
            people = isinstance(drawn, ui.input_chips)
            drawn.value = [each.strip() for each in value.split(",")] if people else value
        self.page.trigger(next(each for each in inside if each.props.get("data-answer") == "submit"), "click")

    def _shown(self, *, asks: bool = True) -> str:
        """Return what is new; a result that stands already is shown once more only if its rows changed."""
        standing = [id for id, transcript in self.read() if transcript.asks]
        results = [self._id(box) for box in self._entries() if any(map(_of_result, box.descendants()))]
        return super()._shown(asks=asks and not set(standing) & set(results))

    def read(self) -> Iterable[tuple[str, Transcript]]:
        found = dict(self._read())
        for transcript in [each for each in found.values() if each.asks][:-1]:
            transcript.asks = False  # a result keeps its buttons whatever was asked since
        return found.items()

    def _read(self) -> Iterable[tuple[str, Transcript]]:
        for box in self._entries():
            if "said" not in box.classes:
                offers = any("data-answer" in each.props for each in box.descendants())
                transcript = Transcript(order=self._order(box) if offers else [])
                for element in box.default_slot.children:
                    _read(element, transcript)
                before = self._before.get(self._id(box))
                left = before is None or set(transcript.parts) <= {*before.parts, *before.answered}
                if before and before.asks and not transcript.asks and not transcript.decided and not left:
                    self.became.add(box.id)  # what came of a card stands in its place
                yield self._id(box), transcript

    def _order(self, box: Element) -> list[str]:
        """Return the answers of the buttons as the router gives them: the page has some in menus, which come last."""
        thread = self.page.talks.log.threads(self.page.user.id, 1)[0].id
        entry = self.page.talks.log.entry(thread, int(str(box.props["id"]).removeprefix("m")))
        assert entry is not None
        cards = [card for card in entry.reply.cards if isinstance(card, Buttons)]
        return [option.answer for card in cards for option in card.options]

    def _id(self, box: Element) -> str:
        return f"{box.id} became" if box.id in self.became else str(box.id)

    def became_another(self, before: Transcript, after: Transcript) -> bool:
        return False  # what stands in a question's place has an id of its own here

    def require_framed(self, transcript: Transcript) -> None:
        """The page says nothing of the kind yet."""
        assert transcript.frame == []

    def require_kept(self, before: Transcript, after: Transcript) -> None:
        """Fail where a card that was acted upon says anything new, or one that was left lost more than what asked."""
        if after.decided:
            assert set(after.parts) <= set(before.parts), f"{after.parts} were not all in {before.parts}"
            return
        kept = before.answered if before.kinds[-1:] != ["buttons"] or after.kinds[-1:] != ["buttons"] else before.parts
        assert after.parts in (kept, kept[:-1], before.parts), f"{after.parts} are left of {before.parts}"

    def _only(self, kind: type[Element]) -> Element:
        assert self.client is not None
        (found,) = [each for each in self.client.elements.values() if isinstance(each, kind)]
        return found

    def _entries(self) -> list[Element]:
        assert self.client is not None
        (entries,) = [each for each in self.client.elements.values() if "entries" in each.classes]
        return list(entries.default_slot.children)

    def _standing(self) -> list[Element]:
        """Return what is drawn of the question that stands, and of what else can be pressed, the last first."""
        boxes = sorted(self._entries(), key=lambda box: (self._id(box) == self.standing, box.id), reverse=True)
        return [inner for box in boxes for inner in box.descendants()]


def _answers(element: Element, answer: str) -> bool:
    """Return whether a button stands for an answer, of whichever result."""
    given = str(element.props.get("data-answer", ""))
    return given == answer or (not is_persistent(given) and given.partition("@")[0] == answer)


def _read(element: Element, transcript: Transcript) -> None:
    """Read a card, or what stands around one."""
    if "heading" in element.classes:
        transcript.say(" · ".join(each.text for each in element.descendants() if isinstance(each, ui.label)))
    elif "below" in element.classes or "fold" in element.classes:
        for inner in element.default_slot.children:
            if not isinstance(inner, ui.button) and inner.tag != "summary":
                _read(inner, transcript)
    elif "steps" in element.classes:
        transcript.steps = [each.text for each in element.descendants() if isinstance(each, ui.label)]
    elif "permalink" not in element.classes:
        _read_card(element, transcript)


def _read_card(element: Element, transcript: Transcript) -> None:
    if isinstance(element, ui.html):
        transcript.say(_plain(element.content))
    elif isinstance(element, ui.label):
        transcript.say(element.text)
    elif isinstance(element, ResultTable):
        heads = [Head(each["name"], each["kind"]) for each in element.props["columns"]]
        transcript.table(heads, [["NULL" if cell is None else cell for cell in row] for row in element.props["rows"]])
    elif "code" in element.classes:
        caption, pre = (next(each for each in element.descendants() if isinstance(each, kind)) for kind in CODE)
        body = _plain(pre.content).removesuffix("\n")
        if caption.text == "SQL":  # it came from the card whose place was taken
            transcript.folded.append(body)
        else:
            transcript.code(f"{caption.text} — SQL", body, transcript.steps)
        transcript.steps = []
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


def _asked(group: Element) -> tuple[str, list[Field]]:
    """Return the prompt and the fields."""
    prompt, label = "", ""
    fields: list[Field] = []
    for element in group.descendants():
        if isinstance(element, ui.label) and element.visible and "tip" not in element.classes:
            if "prompt" in element.classes:
                prompt = element.text
            elif "label" in element.classes:
                label = element.text.removesuffix(" (optional)")
            else:
                fields[-1] = replace(fields[-1], problem=element.text)
        elif isinstance(element, INPUTS):
            fields.append(_field(element, label))
    return prompt, fields


def _ask(group: Element, transcript: Transcript) -> None:
    prompt, fields = _asked(group)
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
        if not prompt and transcript.kinds[-1:] == ["text"]:
            transcript.kinds[-1] = "lines"  # nothing is asked right above the buttons
        ways = [each for each in group.descendants() if _is_way(each)]
        ways.sort(key=lambda each: transcript.order.index(str(each.props["data-answer"])))
        transcript.buttons([_label(each) for each in ways])


def _of_result(element: Element) -> bool:
    given = str(element.props.get("data-answer", ""))
    return "@" in given and not is_persistent(given)


def _is_way(element: Element) -> bool:
    return isinstance(element, ui.menu_item) or (isinstance(element, ui.button) and "opens" not in element.classes)


def _label(element: Element) -> str:
    if isinstance(element, ui.button):
        return element.text
    return next(each.text for each in element.descendants() if isinstance(each, ui.item_section) and each.text)


def _field(element: Any, label: str) -> Field:
    if isinstance(element, ui.input_chips):
        return Field("", label, "people", ", ".join(element.value or []))
    if not isinstance(element, ui.select | ui.radio):
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
    if options["series"][0]["type"] == "pie":
        (pie,) = options["series"]
        labels = tuple(part["name"] for part in pie["data"])
        parts = Series(pie["name"], tuple(part["value"] for part in pie["data"]))
        transcript.chart(Chart(title, "pie", labels, (parts,)))
        return
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
        with build_bot(settings, clock=site.clock) as bot:
            simulation = _simulated(bot)
            talks, simulated = runner.run(simulation.__aenter__())
            yield Page(talks, simulated, runner), site, bot
            runner.run(simulation.__aexit__(None, None, None))


@asynccontextmanager
async def _simulated(bot: Bot) -> AsyncIterator[tuple[Talks, Simulated]]:
    async with AsyncExitStack() as stack:
        turns = Turns(bot.router)
        stack.callback(turns.close)
        talks = page_talks(bot, turns, None)
        talks.begin_hearing()
        assert bot.timer
        bot.timer.serve("web", ChatNotifier(talks.service, EventLoopBridge(asyncio.get_running_loop())))
        yield talks, await stack.enter_async_context(user_simulation())
