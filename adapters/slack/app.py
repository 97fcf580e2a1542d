"""What the bot listens to: each listener acknowledges at once, and hands over what was heard."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from slack_bolt.async_app import AsyncApp

from adapters.chat.desk import Desk
from adapters.chat.recent import Recent
from adapters.chat.surface import Heard, Place, Undelivered
from adapters.slack.ids import CHOOSE, FEEDBACK, FORM, PRESS, STOP, TAKE
from adapters.slack.inbound import (
    asked_by,
    heard_form,
    heard_message,
    heard_press,
    is_direct,
    menu_of,
    team_of,
)
from adapters.slack.menus import matching
from adapters.slack.modals import ask_modal, values_of, view_of
from adapters.slack.mrkdwn import typed
from adapters.slack.sessions import set_status
from adapters.slack.surface import SlackSurface
from adapters.slack.tabs import show_tab
from adapters.slack.uses import COMMAND, SHORTCUT
from adapters.slack.writer import OUTSIDE
from router.cards import Form
from router.memory import ThreadKey, User
from router.turn import Said

log = logging.getLogger("icc_bot")

FIELD = 0.8
"""Seconds that a modal waits for what is wrong with its field; later, the thread says it."""

OLD = "That button belongs to a message that I do not know any more. Please ask again."
NOTHING = "Choose at least one entry from the menu; then press OK."
LONG = "This SQL is too long for a form of Slack. Copy it, change it, and send it here in the thread."

Body = dict[str, Any]


Uninstalled = Callable[[str], Awaitable[None]]
"""Deletes what is kept of a workspace outside the desk."""


async def _nothing_more(team: str) -> None:
    """Nothing more is kept of a workspace where there is only one."""


def listen(app: AsyncApp, desk: Desk, surface: SlackSurface, uninstalled: Uninstalled = _nothing_more) -> None:
    """Register every listener; `adapters.slack.uses` names what the manifest must have for them."""
    listeners = Listeners(desk, surface, uninstalled)
    app.event("app_mention", middleware=[listeners.keep])(listeners.done)
    app.event("message", middleware=[listeners.keep])(listeners.done)
    app.event("app_home_opened")(listeners.opened)
    app.event("agent_session_stopped")(listeners.session_stopped)
    app.event("app_uninstalled")(listeners.uninstalled)
    app.event("tokens_revoked")(listeners.revoked)
    app.command(COMMAND)(listeners.command)
    app.shortcut(SHORTCUT)(listeners.shortcut)
    app.view("ask")(listeners.asked)
    app.view(FORM)(listeners.filled)
    app.action(re.compile(f"^({PRESS}|{CHOOSE}|{TAKE}):"))(listeners.pressed)
    app.action(re.compile(f"^{FORM}:"))(listeners.form)
    app.action(STOP)(listeners.stop)
    app.action(re.compile(f"^{FEEDBACK}(:|$)"))(listeners.feedback)
    app.options(re.compile(f"^{CHOOSE}:"))(listeners.options)


class Listeners:
    """The listeners of one desk; each parameter's name is one that Bolt knows."""

    def __init__(self, desk: Desk, surface: SlackSurface, forget: Uninstalled) -> None:
        self.desk, self.surface, self._forget = desk, surface, forget
        self._moved: Recent[str, int] = Recent()
        """By an open modal's id: the number of the question that its form answers now."""

    async def keep(self, body: Body, context: Any, next: Any) -> None:
        """Keep a message before it is acknowledged: what is acknowledged is not sent again."""
        heard = heard_message(body, context.bot_user_id or "", self.desk.outlet.shown)
        if heard:
            self.desk.take(heard)
        await next()

    async def done(self, event: Body) -> None:
        """Do nothing more: the message is kept."""

    async def command(self, ack: Any, body: Body) -> None:
        """Take a question, or ask for one where none was typed."""
        text = typed(body.get("text") or "").strip()
        if not text:
            await ack()
            await self._open(body, ask_modal("", f"{body['channel_id']}:"))
            return
        key = ThreadKey("slack", team_of(body), body["channel_id"], "")
        event = f"{team_of(body)}:command:{body['trigger_id']}"
        user = User(f"slack:{body['user_id']}", body.get("user_name", ""))
        heard = Heard(key, user, Said(text), event, shared=not is_direct(key.channel))
        self.desk.take(heard, respond=body.get("response_url", ""))
        await ack()

    async def shortcut(self, ack: Any, body: Body) -> None:
        """Ask what the person wants to know about a message."""
        await ack()
        message, channel = body["message"], body["channel"]["id"]
        where = f"{channel}:{message.get('thread_ts') or message['ts']}"
        await self._open(body, ask_modal(typed(message.get("text") or "")[:2900], where))

    async def asked(self, ack: Any, body: Body) -> None:
        """Take the question of a modal, in the thread that it was opened for where the bot may talk there."""
        await ack()
        view = body["view"]
        channel, _, thread = view["private_metadata"].partition(":")
        question = values_of(view["state"]["values"]).get("question", "")
        key = ThreadKey("slack", team_of(body), channel, thread)
        user = User(f"slack:{body['user']['id']}", body["user"].get("name", ""))
        if thread and not await self._is_free(key, user):
            key = ThreadKey("slack", key.team, "", "")  # this goes to direct messages
        event = f"{key.team}:{view['id']}:{body.get('trigger_id', '')}"
        shared = bool(key.channel) and not is_direct(key.channel)
        self.desk.take(Heard(key, user, Said(question), event, shared=shared))

    async def _is_free(self, key: ThreadKey, user: User) -> bool:
        """Tell whether the bot may write into a thread, and nobody else talks with it there."""
        memory = await asyncio.to_thread(self.desk.outlet.router.memory, key)
        if memory and memory.owner and memory.owner.id != user.id:
            return False
        return await set_status(self.surface.clients, key, "processing") not in OUTSIDE

    async def pressed(self, ack: Any, body: Body) -> None:
        """Take a pressed button or a chosen entry; a press that opens a form does so while it still may."""
        heard = heard_press(body, self.desk.outlet.shown)
        if heard:
            self.desk.take(heard, trigger=body.get("trigger_id", ""))
        await ack()
        kind = body["actions"][0]["action_id"].partition(":")[0]
        if heard is None and kind != CHOOSE:
            await self._tell(body, NOTHING if kind == TAKE and asked_by(body) else OLD)

    async def form(self, ack: Any, body: Body) -> None:
        """Open a question's form."""
        await ack()
        asked, place = asked_by(body), body.get("container", {})
        message = self.desk.outlet.shown.message(place.get("channel_id", ""), place.get("message_ts", ""))
        cards = message.reply.cards if message else ()
        if asked is None or asked.card >= len(cards) or not isinstance(form := cards[asked.card], Form):
            await self._tell(body, OLD)
            return
        view = view_of(form, asked)
        if view is None:
            await self._tell(body, LONG)
        else:
            await self._open(body, view)

    async def filled(self, ack: Any, body: Body) -> None:
        """Take a form; what is wrong with it is said on its field, if that is known in time."""
        view = body["view"]
        heard = heard_form(body, self._moved.get(view["id"]))
        if heard is None:
            await ack()
            return
        refusal: asyncio.Future[tuple[str, int]] = asyncio.get_running_loop().create_future()
        self.desk.take(heard, refusal=refusal)
        try:
            sentence, turn = await asyncio.wait_for(asyncio.shield(refusal), FIELD)
        except TimeoutError:
            refusal.cancel()
            sentence, turn = "", 0
        if not sentence:
            self._moved.pop(view["id"], None)
            await ack()
            return
        if turn:
            self._moved[view["id"]] = turn
        await ack(response_action="errors", errors={_first_field(view): sentence})

    async def stop(self, ack: Any, body: Body) -> None:
        """End what runs in the button's thread."""
        await ack()
        if asked := asked_by(body):
            await self.desk.stop(asked.key, User(f"slack:{body['user']['id']}"))
        else:
            await self._tell(body, OLD)

    async def session_stopped(self, body: Body) -> None:
        """End what runs: the person pressed Slack's own Stop."""
        event = body["event"]
        key = ThreadKey("slack", team_of(body), event["channel"], event["thread_ts"])
        await self.desk.stop(key, User(f"slack:{event['user']}"))

    async def feedback(self, ack: Any, body: Body) -> None:
        """Keep a thumb, and say so to whoever gave it."""
        await ack()
        rating, _, result = body["actions"][0]["value"].partition(":")
        user = User(f"slack:{body['user']['id']}")
        said = await asyncio.to_thread(self.desk.outlet.router.past.rate, user, result, rating == "up")
        await self._tell(body, said)

    async def options(self, ack: Any, body: Body) -> None:
        """Offer the entries of a long menu that fit what is typed."""
        menu = menu_of(body, self.desk.outlet.shown)
        await ack(options=matching(menu, body.get("value", "")) if menu else [])

    async def opened(self, body: Body) -> None:
        """Show what stands in the tab that was opened."""
        await show_tab(self.desk, self.surface, team_of(body), body["event"])

    async def uninstalled(self, body: Body) -> None:
        """Delete everything of a workspace that took the app away."""
        await self._forget(team_of(body))
        await self.desk.forget(team_of(body))

    async def revoked(self, body: Body) -> None:
        """Delete everything of a workspace that took the bot's token back; people's own tokens are none of ours."""
        if body["event"].get("tokens", {}).get("bot"):
            await self.uninstalled(body)

    async def _open(self, body: Body, view: Body) -> None:
        try:
            await self.surface.open_view(team_of(body), body["trigger_id"], view)
        except Undelivered as error:
            log.warning("a form could not be opened: %s", error)
            await self._tell(body, "Slack did not open the form. Press again, or type it into the thread.")

    async def _tell(self, body: Body, text: str) -> None:
        """Tell the person who acted, and nobody else."""
        place, message = body.get("container", {}), body.get("message", {})
        channel = place.get("channel_id") or body.get("channel_id") or (body.get("channel") or {}).get("id", "")
        thread = message.get("thread_ts") or place.get("thread_ts") or ""
        user = body.get("user_id") or body["user"]["id"]
        try:
            await self.surface.whisper(Place(team_of(body), channel, thread), User(f"slack:{user}"), text)
        except Undelivered as error:
            log.warning("%s could not be told: %s", user, error)


def _first_field(view: Body) -> str:
    return next(str(block["block_id"]) for block in view["blocks"] if block["type"] == "input")
