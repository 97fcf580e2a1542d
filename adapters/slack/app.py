"""The listeners of the bot in Slack: each acknowledges at once, and hands over what was heard."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from slack_bolt.async_app import AsyncApp

from adapters.chat.admission import TurnedAway, is_meant
from adapters.chat.conversation_service import ConversationService
from adapters.chat.profiles import picked_and_typed
from adapters.chat.reply_sender import place_of
from adapters.chat.surface import Heard, NotTaken, Refusal, Undelivered, form_of, offer_example
from adapters.in_order import in_order
from adapters.rendering.controls import asked_from
from adapters.slack.clients import FAILED, Clients, word_of
from adapters.slack.controls import TOO_LONG
from adapters.slack.ephemeral import NOT_OPENED, TELL_AFTER_SECONDS, admitted, known, open_modal, tell
from adapters.slack.examples import EXAMPLE, ExamplePresses
from adapters.slack.home import ASK, press_example, press_tab, show_tab
from adapters.slack.inbound import (
    CHANGES,
    actor_of,
    asked_by,
    brings_no_words,
    card_of,
    heard_change,
    heard_form,
    heard_message,
    heard_press,
    is_direct,
    menu_of,
    pressed_in,
    team_of,
)
from adapters.slack.menus import CHANGE, CHOOSE, FEEDBACK, FORM, PRESS, REPEAT, STOP, TAKE, keeps_choice, matching
from adapters.slack.modals import FIELD_PROBLEM_MAX_CHARS, PICKED, ask_modal, opened_by, picked_in, values_of, view_of
from adapters.slack.mrkdwn import typed
from adapters.slack.permalinks import asked_behind, with_questions
from adapters.slack.scopes import COMMAND, GLOBAL_SHORTCUT, SHORTCUT
from adapters.slack.surface import SlackSurface
from router.cards import Buttons, Choice, Form
from router.language.wording import truncate
from router.memory.draft import User
from router.memory.thread import ThreadKey
from router.stages.tasks import LEAVE
from router.turn import Pressed, Said
from router.understanding import button_words

ACK_SECONDS = 1.5
"""How long a press waits for its form to open before it is acknowledged; Slack waits 3 s."""

FIELD_PROBLEM_SECONDS = 0.8
"""Seconds that a modal waits for what is wrong with its field; later, the thread says it."""

UNKNOWN_BUTTON = "That button is too old for me. Please ask again."
NOTHING_CHOSEN = "Choose at least one entry from the menu; then press OK."
NO_FILES = "I can't read files. Please write your question."
NO_QUESTION = "That link leads to no question that you asked me. Please write your question."
NO_ADDRESS = "I cannot see the e-mail address of one of these people. Type it below instead."

Body = dict[str, Any]


Uninstalled = Callable[[str], Awaitable[None]]
"""Deletes what is kept of a workspace outside the conversation service."""


async def _nothing_more(team: str) -> None:
    """Nothing more is kept of a workspace where there is only one."""


def listen(
    app: AsyncApp, service: ConversationService, surface: SlackSurface, uninstalled: Uninstalled = _nothing_more
) -> None:
    """Register every listener; `adapters.slack.scopes` names what the manifest must have for them."""
    listeners, asking = SlackListeners(service, surface, uninstalled), Asking(service, surface)
    app.event("app_mention", middleware=[listeners.keep])(listeners.done)
    app.event("message", middleware=[listeners.keep])(listeners.done)
    app.event("app_home_opened")(listeners.opened)
    app.event("agent_session_stopped")(listeners.session_stopped)
    app.event("app_uninstalled")(listeners.uninstalled)
    app.event("tokens_revoked")(listeners.revoked)
    app.command(COMMAND)(asking.command)
    app.shortcut(SHORTCUT)(asking.shortcut)
    app.shortcut(GLOBAL_SHORTCUT)(asking.anywhere)
    app.view("ask")(asking.asked)
    app.view_submission(FORM)(listeners.filled)
    app.view_closed(FORM)(listeners.closed)
    app.action(re.compile(f"^({PRESS}|{CHOOSE}|{TAKE}):"))(listeners.pressed)
    app.action(re.compile(f"^{FORM}:"))(listeners.form)
    app.action(re.compile(f"^{CHANGE}:"))(listeners.changed)
    app.action(STOP)(listeners.stop)
    app.action(re.compile(f"^{FEEDBACK}(:|$)"))(listeners.feedback)
    app.action(re.compile(f"^{REPEAT}:"))(listeners.repeat)
    app.action(ASK)(asking.pressed)
    app.action(re.compile(f"^{EXAMPLE}:"))(listeners.example)
    app.options(re.compile(f"^{CHOOSE}:"))(listeners.options)


class SlackListeners:
    """The listeners of one conversation service; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface, forget: Uninstalled) -> None:
        self.service, self.surface, self._forget = service, surface, forget
        self._examples = ExamplePresses(service)

    async def keep(self, body: Body, context: Any, next: Any) -> None:
        """Keep a message before it is acknowledged: what is acknowledged is not sent again."""
        if body["event"].get("subtype") in CHANGES:
            await self._change(body, context.bot_user_id or "")
            await next()
            return
        self.surface.note_channels(team_of(body), body["event"].get("text") or "")
        asked = await self._asked(body)
        shown = self.service.reply_sender.shown
        heard = await in_order(heard_message, body, context.bot_user_id or "", shown, asked)
        if heard and (alone := brings_no_words(body, heard)):
            if await in_order(self.service.inbox.note, heard):
                self.service.spawn(self._decline(body, heard, NO_FILES if alone == "files" else NO_QUESTION))
        elif heard:
            self._begin_session(heard)
            await self.service.hear(heard)
        await next()

    async def _change(self, body: Body, bot: str) -> None:
        """Take a message as its author changed it, or take back what was asked by one that is deleted."""
        message = body["event"].get("message") or {}
        asked = await self._asked({**body, "event": message})
        shown = self.service.reply_sender.shown
        if changed := await in_order(heard_change, body, bot, shown, asked):
            await self.service.change(*changed)

    def _begin_session(self, heard: Heard) -> None:
        """Have a thread's session be named by what it begins with: whatever comes later is a reply in it."""
        at_root = heard.event.endswith(f":{heard.key.thread}")
        if at_root and isinstance(heard.input, Said):
            self.surface.sessions.begin(heard.key, heard.input.text, self.surface.home(heard.user.id))

    async def _asked(self, body: Body) -> dict[ThreadKey, str]:
        """Return what the author of a message asked in the threads that it links to."""
        event = body["event"]
        if not event.get("user"):
            return {}
        router = self.service.reply_sender.router
        return await asked_behind(router, event.get("text") or "", team_of(body), actor_of(body))

    async def _decline(self, body: Body, heard: Heard, sentence: str) -> None:
        """Tell whoever sent a file or a link to the bot that it reads words."""
        meant = heard.addressed or await is_meant(self.service.reply_sender, heard)
        if meant and await admitted(self.surface, body):
            await tell(self.surface, body, sentence)

    async def done(self, event: Body) -> None:
        """Do nothing more: the message is kept."""

    async def pressed(self, ack: Any, body: Body) -> None:
        """Take a pressed button or a chosen entry; one that has a form opens it while it still may."""
        heard = await in_order(heard_press, body, self.service.reply_sender.shown)
        trigger = body.get("trigger_id", "")
        if heard and (form := await in_order(self._form_of, body, heard)):
            opening = asyncio.create_task(self._opened(body, heard, form))
            # A press whose form cannot be opened is kept before Slack hears of it, unless Slack cannot wait for that.
            await asyncio.wait({opening}, timeout=ACK_SECONDS)
            if not opening.done() or opening.result():
                await ack()
                if await opening:
                    return
            trigger = ""
        if heard:
            work = await self.service.take(heard, trigger=trigger)
            self.service.spawn(self.service.close_copy(pressed_in(body), heard, work))
        await ack()
        if heard and keeps_choice(body["actions"][0]):
            self.service.spawn(self._unchosen(body, heard.user))
        kind = body["actions"][0]["action_id"].partition(":")[0]
        if heard is None and kind != CHOOSE and await admitted(self.surface, body):
            await tell(self.surface, body, NOTHING_CHOSEN if kind == TAKE and asked_by(body) else UNKNOWN_BUTTON)

    async def _unchosen(self, body: Body, user: User) -> None:
        """Have a menu that lasts forget what was chosen in it, so that it can be chosen again."""
        reply_sender = self.service.reply_sender
        card = await in_order(card_of, body, reply_sender.shown)
        if not isinstance(card, Buttons | Choice) or not card.lasting:
            return
        at = pressed_in(body)
        message = await in_order(reply_sender.shown.message, at.channel, at.id)
        if message is None or message.decision:
            return
        shape = await reply_sender.shape_of(message, user)
        if list(map(type, shape.reply.cards)) != list(map(type, message.reply.cards)):
            return  # rows that expired stay where they are shown
        try:
            await self.surface.redraw(place_of(message), at, shape)
        except Undelivered as error:
            log.info("what was chosen in a menu stays there: %s", error)

    def _form_of(self, body: Body, heard: Heard) -> Form | None:
        """Return the form of a pressed button whose question stands, or holds for long."""
        shown = self.service.reply_sender.shown
        card = card_of(body, shown)
        if not isinstance(card, Buttons) or not isinstance(heard.input, Pressed):
            return None
        question = shown.question(heard.key)
        if not card.lasting and (question is None or question.reply.turn != heard.input.turn):
            return None
        answer = heard.input.answer
        return next((option.form for option in card.options if option.answer == answer), None)

    async def _opened(self, body: Body, heard: Heard, form: Form) -> bool:
        """Open a button's form for whoever leads the talk; where that cannot be, the press itself is taken."""
        asked = asked_by(body)
        assert isinstance(heard.input, Pressed)
        try:
            await known(self.surface, body)
            memory = await asyncio.to_thread(self.service.reply_sender.router.memory, heard.key)
            if asked is None or memory is None or (memory.owner and memory.owner.id != heard.user.id):
                return False
            return await self.surface.open_form(form, asked, body.get("trigger_id", ""), heard.input.answer)
        except (TurnedAway, Undelivered) as why:
            log.info("a form was not opened by its button: %s", why)
            return False

    async def form(self, ack: Any, body: Body) -> None:
        """Open a question's form."""
        await ack()
        if not await admitted(self.surface, body):
            return
        asked, form = asked_by(body), await in_order(card_of, body, self.service.reply_sender.shown)
        if asked is None or not isinstance(form, Form):
            await tell(self.surface, body, UNKNOWN_BUTTON)
            return
        try:
            if not await self.surface.open_form(form, asked, body["trigger_id"]):
                await tell(self.surface, body, TOO_LONG)
        except Undelivered as error:
            log.warning("a form could not be opened: %s", error)
            await tell(self.surface, body, NOT_OPENED)

    async def changed(self, ack: Any, body: Body) -> None:
        """Show the fields of an open form that apply to what was chosen in it."""
        await ack()
        view = body.get("view") or {}
        form = await in_order(self.surface.modals.form, str(view.get("id")))
        if form is None:
            return
        where, answer = opened_by(view["private_metadata"])
        drawn = view_of(form, asked_from(where), answer, values_of(view["state"]["values"]))
        if drawn is None:
            return
        try:
            await self.surface.change_form(team_of(body), view["id"], view.get("hash", ""), drawn)
        except Undelivered as error:
            log.info("the fields of a form could not be changed: %s", error)

    async def filled(self, ack: Any, body: Body) -> None:
        """Take a form; what is wrong with it is said on its field, if that is known in time."""
        view = body["view"]
        values, unknown = await self._values(body)
        if unknown:
            await ack(response_action="errors", errors={unknown: NO_ADDRESS})
            return
        heard = heard_form(body, values, await in_order(self.surface.modals.turn, view["id"]))
        if heard is None:
            await ack()
            return
        refusal: Refusal = asyncio.get_running_loop().create_future()
        await self.service.take(heard, refusal=refusal)
        try:
            wrong = await asyncio.wait_for(asyncio.shield(refusal), FIELD_PROBLEM_SECONDS)
        except TimeoutError:
            refusal.cancel()
            wrong = NotTaken()
        if not wrong.sentence:
            await in_order(self.surface.modals.close, view["id"])
            await ack()
            return
        if wrong.turn:
            await in_order(self.surface.modals.move, view["id"], wrong.turn)
            await self._redrawn(heard.key)
        block = await in_order(self._wrong_field, heard.key, view, wrong)
        await ack(response_action="errors", errors={block: truncate(wrong.sentence, FIELD_PROBLEM_MAX_CHARS)})

    async def closed(self, ack: Any, body: Body) -> None:
        """Leave what an open form was about, once it was sent with something wrong and nothing else stands for it."""
        await ack()
        view = body["view"]
        turn = await in_order(self.surface.modals.turn, view["id"])
        await in_order(self.surface.modals.close, view["id"])
        heard = heard_form(body, {}, turn) if turn else None
        last_turn = self.service.reply_sender.shown.last_turn
        if heard and turn and await in_order(last_turn, heard.key) < turn:
            left = replace(heard, input=Pressed(LEAVE.answer, turn), event=f"{heard.key.team}:{view['id']}:closed")
            await self.service.take(left, quiet=True)

    async def _values(self, body: Body) -> tuple[dict[str, str], str]:
        """Return what was put into a form, people as their addresses; and the block of one who has none."""
        state, team = body["view"]["state"]["values"], team_of(body)
        values = values_of(state)
        for name, ids in picked_in(state).items():
            found: list[str] = []
            for id in ids:
                try:
                    person = await asyncio.wait_for(
                        self.surface.person(team, User(f"slack:{id}")), TELL_AFTER_SECONDS / 2
                    )
                except (Undelivered, TimeoutError):
                    return values, f"{name}{PICKED}"
                if not person.user.email:
                    return values, f"{name}{PICKED}"
                found.append(person.user.email)
            values[name] = picked_and_typed(found, values.get(name, ""))
        return values, ""

    async def _redrawn(self, key: ThreadKey) -> None:
        """Wait a moment for the question with what is wrong in its fields."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.service.delivered(key), FIELD_PROBLEM_SECONDS)

    def _wrong_field(self, key: ThreadKey, view: Body, refused: NotTaken) -> str:
        """Return the block of the field that is wrong; the first one where nobody knows."""
        blocks = [str(block["block_id"]) for block in view["blocks"] if block["type"] == "input"]
        question = self.service.reply_sender.shown.question(key)
        form = form_of(question.reply) if question else None
        said = (field.name for field in form.fields if field.problem == refused.sentence) if form else ()
        wrong = refused.field or next(iter(said), "")
        return wrong if wrong in blocks else next((each for each in blocks if not each.endswith(PICKED)), blocks[0])

    async def stop(self, ack: Any, body: Body) -> None:
        """End what runs in the button's thread."""
        await ack()
        user = await admitted(self.surface, body)
        if user and (asked := asked_by(body)):
            await self.service.stop(asked.key, user)
        elif user:
            await tell(self.surface, body, UNKNOWN_BUTTON)

    async def session_stopped(self, body: Body) -> None:
        """End what runs: the person pressed Slack's own Stop."""
        event = body["event"]
        key = ThreadKey("slack", team_of(body), event["channel"], event["thread_ts"])
        if user := await admitted(self.surface, body):
            await self.service.stop(key, user)

    async def feedback(self, ack: Any, body: Body) -> None:
        """Keep a thumb, and say so to whoever gave it."""
        await ack()
        rating, _, result = body["actions"][0]["value"].partition(":")
        if user := await admitted(self.surface, body):
            past = self.service.reply_sender.router.history
            said = await asyncio.to_thread(past.rate, user, result, rating == "up")
            await tell(self.surface, body, said)
            key = await asyncio.to_thread(past.may_keep, user, result) if rating == "up" else None
            if key and key.team == team_of(body):
                await self.service.take(offer_example(key, user, result, shared=not is_direct(key.channel)))

    async def repeat(self, ack: Any, body: Body) -> None:
        """Stop or resume what is repeated, by a button of the Home tab."""
        await ack()
        await press_tab(self.service, self.surface, body)

    async def example(self, ack: Any, body: Body) -> None:
        """Take a question that is pressed; Home says where it is answered."""
        question = await self._examples.pressed(ack, body)
        if question and body.get("view"):
            await press_example(self.service, self.surface, body, question)

    async def options(self, ack: Any, body: Body) -> None:
        """Offer the entries of a long menu that fit what is typed; none to strangers, whom Slack lets type too."""
        menu = await in_order(menu_of, body, self.service.reply_sender.shown)
        try:
            await known(self.surface, body)
        except TurnedAway:
            menu = None
        await ack(options=matching(menu, body.get("value", "")) if menu else [])

    async def opened(self, body: Body) -> None:
        """Show what stands in the tab that was opened."""
        await show_tab(self.service, self.surface, body)

    async def uninstalled(self, body: Body) -> None:
        """Delete everything of a workspace that took the app away."""
        await self._forget(team_of(body))
        await self.service.forget(team_of(body))

    async def revoked(self, body: Body) -> None:
        """Delete everything of a workspace that took the bot's token back; people's own tokens are none of ours."""
        if body["event"].get("tokens", {}).get("bot"):
            await self.uninstalled(body)


# Questions that come by the command, by the shortcut on a message, and by the modal that both open.


log = logging.getLogger("icc_bot")

MODAL_MESSAGE_MAX_CHARS = 2_900
"""Characters of a message that its modal begins with."""

TALK_WORDS = ("help", "cancel", "stop", "restart", "back", "done")
"""Words that belong into a talk, and are no question."""

ABOUT = (
    f"Type `{COMMAND}` and your question in your own words, such as `{COMMAND} revenue by region last quarter`. "
    "I write the SQL and show it to you; it runs when you press *Run*. "
    f"`{COMMAND}` alone opens a form. "
    "In the thread of a talk you can type `help`, `back`, `restart`, `stop` or `cancel`; here they do nothing."
)

EMPTY = "Please write a question."


class Asking:
    """The listeners of one conversation service for such questions; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface) -> None:
        self.service, self.surface = service, surface

    async def command(self, ack: Any, body: Body) -> None:
        """Take a question, ask for one where none was typed, and answer the words of a talk to the person alone."""
        text = typed(await self._with_questions(body)).strip()
        if not text:
            await ack()
            await self._ask(body, "", f"{body['channel_id']}:")
            return
        if button_words.word_of(text, TALK_WORDS):
            await ack(text=ABOUT, response_type="ephemeral")
            return
        key = ThreadKey("slack", team_of(body), body["channel_id"], "")
        event = f"{key.team}:command:{body['trigger_id']}"
        heard = Heard(key, actor_of(body), Said(text), event, shared=not is_direct(key.channel))
        await self.service.take(heard, respond=body.get("response_url", ""))
        await ack()

    async def _with_questions(self, body: Body) -> str:
        text, team, router = body.get("text") or "", team_of(body), self.service.reply_sender.router
        return with_questions(text, team, await asked_behind(router, text, team, actor_of(body)))

    async def shortcut(self, ack: Any, body: Body) -> None:
        """Ask what the person wants to know about a message."""
        await ack()
        message, channel = body["message"], body["channel"]["id"]
        where = f"{channel}:{message.get('thread_ts') or message['ts']}"
        await self._ask(body, typed(message.get("text") or "")[:MODAL_MESSAGE_MAX_CHARS], where)

    async def anywhere(self, ack: Any, body: Body) -> None:
        """Ask for a question that is about no message; it is answered in direct messages."""
        await ack()
        await self._ask(body, "", ":")

    async def pressed(self, ack: Any, body: Body) -> None:
        """Ask for a question, from the Home tab; it is answered in direct messages."""
        await self.anywhere(ack, body)

    async def _ask(self, body: Body, text: str, where: str) -> None:
        if await admitted(self.surface, body):
            await open_modal(self.surface, body, ask_modal(text, where))

    async def asked(self, ack: Any, body: Body) -> None:
        """Take the question of a modal, in the thread that it was opened for where the bot may talk there."""
        view = body["view"]
        channel, _, thread = view["private_metadata"].partition(":")
        question = values_of(view["state"]["values"]).get("question", "").strip()
        if not question:
            await ack(response_action="errors", errors={"question": EMPTY})
            return
        await ack()
        key, user = ThreadKey("slack", team_of(body), channel, thread), actor_of(body)
        if thread and not await self._is_free(key, user):
            key = ThreadKey("slack", key.team, "", "")  # this goes to direct messages
        event = f"{key.team}:{view['id']}:{body.get('trigger_id', '')}"
        shared = bool(key.channel) and not is_direct(key.channel)
        await self.service.take(Heard(key, user, Said(question), event, shared=shared))

    async def _is_free(self, key: ThreadKey, user: User) -> bool:
        """Tell whether the bot is in a thread's channel, and nobody else talks with it in the thread."""
        memory = await asyncio.to_thread(self.service.reply_sender.router.memory, key)
        if memory and memory.owner and memory.owner.id != user.id:
            return False
        return await _reads(self.surface.clients, key)


async def _reads(clients: Clients, key: ThreadKey) -> bool:
    """Tell whether the bot can read a thread, as it can in those channels alone that it is in."""
    try:
        async with asyncio.timeout(TELL_AFTER_SECONDS):
            client = await clients.of(key.team)
            await client.conversations_replies(channel=key.channel, ts=key.thread, limit=1)
    except FAILED as error:
        log.info("%s cannot be read: %s", key, word_of(error))
        return False
    return True
