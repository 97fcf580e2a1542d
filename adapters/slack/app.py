"""The listeners of the bot in Slack: each acknowledges at once, and hands over what was heard."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt.async_app import AsyncApp

from adapters.chat.admission import TurnedAway, is_meant
from adapters.chat.conversation_service import ConversationService
from adapters.chat.surface import Heard, Undelivered, offer_example
from adapters.ordered_calls import call_in_order
from adapters.slack.asking import AskListeners
from adapters.slack.ephemeral import UNKNOWN_BUTTON, admit_actor, find_actor, tell_actor
from adapters.slack.examples import EXAMPLE
from adapters.slack.forms import FormListeners
from adapters.slack.home import ASK, press_tab, show_tab
from adapters.slack.inbound import (
    CHANGES,
    asked_by,
    brings_no_words,
    card_of,
    heard_change,
    heard_message,
    heard_press,
    is_direct,
    pressed_in,
    team_of,
)
from adapters.slack.menus import CHOOSE, FEEDBACK, FORM, PRESS, REPEAT, STOP, TAKE
from adapters.slack.scopes import COMMAND, GLOBAL_SHORTCUT, SHORTCUT
from adapters.slack.surface import SlackSurface
from router.cards import Buttons, Form
from router.memory.thread import ThreadKey
from router.turn import Pressed

log = logging.getLogger("icc_bot")

ACK_SECONDS = 1.5
"""Seconds that a press waits for its form to open before it is taken itself; Slack waits 3 s."""

NOTHING_CHOSEN = "Choose at least one entry from the menu; then press OK."
NO_WORDS = "I can't read files. Please write your question."

Body = dict[str, Any]

Uninstalled = Callable[[str], Awaitable[None]]
"""Deletes what is kept of a workspace outside the conversation service."""


async def _nothing_more(team: str) -> None:
    """Nothing more is kept of a workspace if there is only one."""


def listen(
    app: AsyncApp, service: ConversationService, surface: SlackSurface, uninstalled: Uninstalled = _nothing_more
) -> None:
    """Register every listener; `adapters.slack.scopes` names what the manifest must have for them."""
    listeners, asking = SlackListeners(service, surface, uninstalled), AskListeners(service, surface)
    forms = FormListeners(service, surface)
    for kind in ("app_mention", "message"):
        app.event(kind, middleware=[listeners.keep])(listeners.done)
    app.event("app_home_opened")(listeners.opened)
    app.event("agent_session_stopped")(listeners.session_stopped)
    for kind in ("app_uninstalled", "tokens_revoked"):
        app.event(kind)(listeners.uninstalled)
    app.command(COMMAND)(asking.command)
    app.shortcut(SHORTCUT)(asking.about_message)
    app.shortcut(GLOBAL_SHORTCUT)(asking.anywhere)
    app.view(ASK)(asking.asked)
    app.view_submission(FORM)(forms.filled)
    app.view_closed(FORM)(forms.closed)
    app.options(re.compile(f"^{CHOOSE}:"))(forms.options)
    actions: dict[str, Callable[..., Awaitable[None]]] = {
        ASK: asking.anywhere,
        EXAMPLE: asking.example,
        FORM: forms.open,
        PRESS: listeners.pressed,
        CHOOSE: listeners.pressed,
        TAKE: listeners.pressed,
        STOP: listeners.stop,
        FEEDBACK: listeners.feedback,
        REPEAT: listeners.repeat,
    }
    for name, listener in actions.items():
        app.action(re.compile(f"^{name}(:|$)"))(listener)


class SlackListeners:
    """The listeners of one conversation service; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface, forget: Uninstalled) -> None:
        self.service, self.surface, self._forget = service, surface, forget

    async def keep(self, body: Body, context: Any, next: Any) -> None:
        """Keep a message before it is acknowledged: what is acknowledged is not sent again."""
        event, bot, sender = body["event"], context.bot_user_id or "", self.service.reply_sender
        changes = event.get("subtype") in CHANGES
        text = ((event.get("message") or {}) if changes else event).get("text") or ""
        if changes:
            if changed := await call_in_order(heard_change, body, bot, sender.shown):
                await self.service.change(*changed)
        elif heard := await call_in_order(heard_message, body, bot, sender.shown):
            self.surface.note_channels(heard.key.team, text)
            await self._hear(body, heard)
        await next()

    async def _hear(self, body: Body, heard: Heard) -> None:
        if brings_no_words(body, heard):
            if await call_in_order(self.service.inbox.note, heard):
                self.service.spawn(self._decline(body, heard))
            return
        if heard.event.endswith(f":{heard.key.thread}"):  # whatever comes later is a reply in its session
            self.surface.name_session(heard)
        await self.service.take(heard)

    async def _decline(self, body: Body, heard: Heard) -> None:
        """Say to the person who sent a file to the bot that it reads words."""
        meant = heard.addressed or await is_meant(self.service.reply_sender, heard)
        if meant and await admit_actor(self.surface, body):
            await tell_actor(self.surface, body, NO_WORDS)

    async def done(self, event: Body) -> None:
        """Ignore the event: the message is kept."""

    async def pressed(self, ack: Any, body: Body) -> None:
        """Take a pressed button or a chosen entry; one that has a form opens it while it still may."""
        heard = await call_in_order(heard_press, body, self.service.reply_sender.shown)
        if heard is None:
            await ack()
            await self._explain(body)
            return
        form = await call_in_order(self._form_of, body, heard)
        if form and await self._opened(body, heard, form):
            await ack()
            return
        work = await self.service.take(heard, trigger="" if form else body.get("trigger_id", ""))
        await ack()
        self.service.spawn(self.service.close_copy(pressed_in(body), heard, work))

    async def _explain(self, body: Body) -> None:
        """Say why a press was not taken; an entry that is chosen for a later OK needs no words."""
        kind = body["actions"][0]["action_id"].partition(":")[0]
        if kind != CHOOSE and await admit_actor(self.surface, body):
            await tell_actor(self.surface, body, NOTHING_CHOSEN if kind == TAKE and asked_by(body) else UNKNOWN_BUTTON)

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
        """Open a button's form for the one who leads the talk; if that cannot be, the press itself is taken."""
        asked = asked_by(body)
        assert asked is not None
        assert isinstance(heard.input, Pressed)
        try:
            async with asyncio.timeout(ACK_SECONDS):
                await find_actor(self.surface, body)
                memory = await asyncio.to_thread(self.service.reply_sender.router.memory, heard.key)
                if memory is None or (memory.owner and memory.owner.id != heard.user.id):
                    return False
                return await self.surface.open_form(form, asked, body.get("trigger_id", ""), heard.input.answer)
        except (TurnedAway, Undelivered, TimeoutError) as why:
            log.info("a form was not opened by its button: %s", why)
            return False

    async def stop(self, ack: Any, body: Body) -> None:
        """End what runs in the button's thread."""
        await ack()
        user = await admit_actor(self.surface, body)
        if user and (asked := asked_by(body)):
            await self.service.stop(asked.key, user)
        elif user:
            await tell_actor(self.surface, body, UNKNOWN_BUTTON)

    async def session_stopped(self, body: Body) -> None:
        """End what runs: the person pressed Slack's own Stop."""
        event = body["event"]
        key = ThreadKey("slack", team_of(body), event["channel"], event["thread_ts"])
        if user := await admit_actor(self.surface, body):
            await self.service.stop(key, user)

    async def feedback(self, ack: Any, body: Body) -> None:
        """Keep a thumb, and say so to the person who gave it."""
        await ack()
        rating, _, result = body["actions"][0]["value"].partition(":")
        if user := await admit_actor(self.surface, body):
            past = self.service.reply_sender.router.history
            said = await asyncio.to_thread(past.rate, user, result, rating == "up")
            await tell_actor(self.surface, body, said)
            key = await asyncio.to_thread(past.may_keep, user, result) if rating == "up" else None
            if key and key.team == team_of(body):
                await self.service.take(offer_example(key, user, result, shared=not is_direct(key.channel)))

    async def repeat(self, ack: Any, body: Body) -> None:
        """Stop or resume what is repeated, by a button of the Home tab."""
        await ack()
        await press_tab(self.service, self.surface, body)

    async def opened(self, body: Body) -> None:
        """Show what stands in the tab that was opened."""
        await show_tab(self.service, self.surface, body)

    async def uninstalled(self, body: Body) -> None:
        """Delete everything of a workspace that took the app or the bot's token away; people's tokens are not ours."""
        event, team = body["event"], team_of(body)
        if event["type"] == "app_uninstalled" or event.get("tokens", {}).get("bot"):
            await self._forget(team)
            await self.service.forget(team)
