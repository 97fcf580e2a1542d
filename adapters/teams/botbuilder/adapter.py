"""A BotAdapter that runs turns and answers invokes; all else is written by our own connector.

It has no credentials and lets nobody in: a request was authenticated before an activity comes here.
"""

from collections.abc import Awaitable, Callable
from typing import cast

from botbuilder.core import BotAdapter, TurnContext
from botbuilder.schema import Activity, ConversationReference, InvokeResponse, ResourceResponse

from adapters.teams.json_fields import Json

INVOKE_RESPONSE = BotAdapter._INVOKE_RESPONSE_KEY
RECEIVED = "icc-bot.received"
"""The name in a turn's state of the activity as it came: botbuilder's types keep the fields that they know."""


def received_activity(turn: TurnContext) -> Json:
    """Return the activity of a turn as it came."""
    return cast(Json, turn.turn_state[RECEIVED])


class TurnAdapter(BotAdapter):  # type: ignore[misc]
    """Runs turns."""

    async def process(self, activity: Json, logic: Callable[[TurnContext], Awaitable[None]]) -> Json | None:
        """Run a turn for an activity that was let in; returns the answer to an invoke, None if there is none.

        The answer is `{"status": int, "body": dict}`; its body is JSON already: botbuilder writes it down twice (B1).
        """
        turn = TurnContext(self, Activity.deserialize(activity))
        turn.turn_state[RECEIVED] = activity
        await self.run_pipeline(turn, logic)
        told: Activity | None = turn.turn_state.get(INVOKE_RESPONSE)
        answer: InvokeResponse | None = told.value if told else None
        return {"status": int(answer.status), "body": answer.body} if answer and answer.status != 501 else None

    async def send_activities(self, context: TurnContext, activities: list[Activity]) -> list[ResourceResponse]:
        """Keep the answer to an invoke for `process`: it is all that a turn sends."""
        (context.turn_state[INVOKE_RESPONSE],) = activities
        return [ResourceResponse()]

    async def update_activity(self, context: TurnContext, activity: Activity) -> ResourceResponse:
        """Change nothing by a turn: messages are changed by the connector."""
        raise NotImplementedError

    async def delete_activity(self, context: TurnContext, reference: ConversationReference) -> None:
        """Delete nothing by a turn: messages are deleted by the connector."""
        raise NotImplementedError
