"""A BotAdapter over our own connector, whose calls are repeated, take turns in a conversation and block nothing.

It has no credentials and lets nobody in: a request was authenticated before an activity comes here.
"""

from collections.abc import Awaitable, Callable
from typing import cast

from botbuilder.core import BotAdapter, TurnContext
from botbuilder.schema import Activity, ActivityTypes, ConversationReference, InvokeResponse, ResourceResponse

from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.json_fields import Json

INVOKE_RESPONSE = BotAdapter._INVOKE_RESPONSE_KEY
RECEIVED = "icc-bot.received"
"""The name in a turn's state of the activity as it came: botbuilder's types keep the fields that they know."""
FRAME = ("channelId", "serviceUrl", "from")
"""Fields that the connector itself fills in."""


def received(turn: TurnContext) -> Json:
    """Return the activity of a turn as it came."""
    return cast(Json, turn.turn_state[RECEIVED])


class ConnectorAdapter(BotAdapter):  # type: ignore[misc]
    """Runs turns, and writes into their conversations."""

    def __init__(self, connector: Connector) -> None:
        super().__init__()
        self._connector = connector

    async def process(self, activity: Json, logic: Callable[[TurnContext], Awaitable[None]]) -> Json | None:
        """Run a turn for an activity that was let in; returns the answer to an invoke, None where there is none.

        The answer is `{"status": int, "body": dict}`; its body is JSON already: botbuilder writes it down twice (B1).
        """
        turn = TurnContext(self, Activity.deserialize(activity))
        turn.turn_state[RECEIVED] = activity
        await self.run_pipeline(turn, logic)
        told: Activity | None = turn.turn_state.get(INVOKE_RESPONSE)
        answer: InvokeResponse | None = told.value if told else None
        return {"status": int(answer.status), "body": answer.body} if answer and answer.status != 501 else None

    async def send_activities(self, context: TurnContext, activities: list[Activity]) -> list[ResourceResponse]:
        """Post activities in the conversation of a turn; the answer to an invoke is kept for `process`."""
        sent = []
        for each in activities:
            if each.type == ActivityTypes.invoke_response:
                context.turn_state[INVOKE_RESPONSE] = each
                sent.append(ResourceResponse())
            else:
                sent.append(ResourceResponse(id=await self._connector.send(_here(context), _content(each))))
        return sent

    async def update_activity(self, context: TurnContext, activity: Activity) -> ResourceResponse:
        """Have an activity of the turn's conversation be this one."""
        await self._connector.update(_here(context), activity.id, _content(activity))
        return ResourceResponse(id=activity.id)

    async def delete_activity(self, context: TurnContext, reference: ConversationReference) -> None:
        """Have an activity of the turn's conversation be gone."""
        await self._connector.delete(_here(context), reference.activity_id)


def _here(context: TurnContext) -> Reference:
    return reference_of(received(context))


def _content(activity: Activity) -> Json:
    return {name: value for name, value in activity.serialize().items() if name not in FRAME}
