"""The listeners of forms and long menus: opened, drawn again, sent and closed."""

import asyncio
import logging
from dataclasses import replace
from typing import Any

from adapters.chat.admission import TurnedAway
from adapters.chat.conversation_service import ConversationService
from adapters.chat.profiles import picked_and_typed
from adapters.chat.surface import NotTaken, Refusal, Undelivered
from adapters.ordered_calls import call_in_order
from adapters.slack.controls import TOO_LONG
from adapters.slack.ephemeral import TELL_AFTER_SECONDS, UNKNOWN_BUTTON, admit_actor, find_actor, open_modal, tell_actor
from adapters.slack.inbound import asked_by, card_of, heard_form, team_of
from adapters.slack.menus import matching
from adapters.slack.modals import FIELD_PROBLEM_MAX_CHARS, PICKED, picked_in, values_of, view_of
from adapters.slack.surface import SlackSurface
from router.cards import Choice, Form
from router.language.wording import truncate
from router.memory.draft import User
from router.stages.tasks import LEAVE
from router.turn import Pressed

log = logging.getLogger("icc_bot")

FIELD_PROBLEM_SECONDS = 0.8
"""Seconds that a modal waits for what is wrong with its field; later, the thread says it."""

NO_ADDRESS = "I cannot see the e-mail address of one of these people. Type it below instead."

Body = dict[str, Any]


class FormListeners:
    """The listeners of one conversation service; each parameter's name is one that Bolt knows."""

    def __init__(self, service: ConversationService, surface: SlackSurface) -> None:
        self.service, self.surface = service, surface

    async def open(self, ack: Any, body: Body) -> None:
        """Open a question's form."""
        await ack()
        if not await admit_actor(self.surface, body):
            return
        asked, form = asked_by(body), await call_in_order(card_of, body, self.service.reply_sender.shown)
        if asked is None or not isinstance(form, Form):
            await tell_actor(self.surface, body, UNKNOWN_BUTTON)
            return
        if view := view_of(form, asked):
            await open_modal(self.surface, body, view)
        else:
            await tell_actor(self.surface, body, TOO_LONG)

    async def filled(self, ack: Any, body: Body) -> None:
        """Take a form; what is wrong with it is said on its field, if that is known in time."""
        view = body["view"]
        values, unknown = await self._values(body)
        if unknown:
            await ack(response_action="errors", errors={unknown: NO_ADDRESS})
            return
        heard = heard_form(body, values, await call_in_order(self.surface.modals.turn, view["id"]))
        if heard is None:
            await ack()
            return
        refusal: Refusal = asyncio.get_running_loop().create_future()
        await self.service.take(heard, refusal=refusal)
        try:
            wrong = await asyncio.wait_for(refusal, FIELD_PROBLEM_SECONDS)
        except TimeoutError:
            wrong = NotTaken()
        if not wrong.sentence:
            await call_in_order(self.surface.modals.close, view["id"])
            await ack()
            return
        if wrong.turn:
            await call_in_order(self.surface.modals.move, view["id"], wrong.turn)
        inputs = [str(block["block_id"]) for block in view["blocks"] if block["type"] == "input"]
        typed = [each for each in inputs if not each.endswith(PICKED)]
        block = wrong.field if wrong.field in inputs else next(iter(typed or inputs))
        await ack(response_action="errors", errors={block: truncate(wrong.sentence, FIELD_PROBLEM_MAX_CHARS)})

    async def _values(self, body: Body) -> tuple[dict[str, str], str]:
        """Return what was put into a form, people as their addresses; and the block of one who has none."""
        state, team = body["view"]["state"]["values"], team_of(body)
        values = values_of(state)
        for name, ids in picked_in(state).items():
            try:
                async with asyncio.timeout(TELL_AFTER_SECONDS / 2):
                    people = [await self.surface.person(team, User(f"slack:{id}")) for id in ids]
            except (Undelivered, TimeoutError):
                return values, f"{name}{PICKED}"
            found = [person.user.email for person in people]
            if not all(found):
                return values, f"{name}{PICKED}"
            values[name] = picked_and_typed(found, values.get(name, ""))
        return values, ""

    async def closed(self, ack: Any, body: Body) -> None:
        """Leave what an open form was about, once it was sent with something wrong and nothing else stands for it."""
        await ack()
        view = body["view"]
        turn = await call_in_order(self.surface.modals.turn, view["id"])
        await call_in_order(self.surface.modals.close, view["id"])
        heard = heard_form(body, {}, turn) if turn else None
        last_turn = self.service.reply_sender.shown.last_turn
        if heard and turn and await call_in_order(last_turn, heard.key) < turn:
            left = replace(heard, input=Pressed(LEAVE.answer, turn), event=f"{heard.key.team}:{view['id']}:closed")
            await self.service.take(left, quiet=True)

    async def options(self, ack: Any, body: Body) -> None:
        """Offer the entries of a long menu that fit what is typed; none to strangers, whom Slack lets type too."""
        menu = await call_in_order(card_of, body, self.service.reply_sender.shown)
        try:
            await find_actor(self.surface, body)
        except TurnedAway:
            menu = None
        await ack(options=matching(menu, body.get("value", "")) if isinstance(menu, Choice) else [])
