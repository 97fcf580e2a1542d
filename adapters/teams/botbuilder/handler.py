"""A TeamsActivityHandler, botbuilder's one list of what can arrive, with what it lacks.

Its `on_...` methods are called by the type of an activity; invokes go by a table of their names. Mended are those that
raise for what Teams does send: a change of members without channelData (B9), a card's action (B2), invokes that have no
method (B14), and a consent that is answered in a way that is not known.
"""

from collections.abc import Awaitable, Callable, Mapping

from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.core.teams import TeamsActivityHandler
from botbuilder.schema import InvokeResponse

from adapters.teams.botbuilder.adapter import received_activity
from adapters.teams.json_fields import Json

Invoked = Callable[[Json], Awaitable[Json | None]]
"""Takes an invoke; returns `{"status": int, "body": dict}`, whose body may be left out, or None if it is unknown."""


class TeamsHandler(TeamsActivityHandler):  # type: ignore[misc]
    """Calls one method for each kind of activity, and one of `invokes` for each name of an invoke."""

    def __init__(self, invokes: Mapping[str, Invoked]) -> None:
        super().__init__()
        self._invokes = invokes

    async def on_conversation_update_activity(self, turn_context: TurnContext) -> None:
        """Go by the members alone: the SDK reads channelData, and asks Teams for each person that joins (B9)."""
        await ActivityHandler.on_conversation_update_activity(self, turn_context)

    async def on_message_update_activity(self, turn_context: TurnContext) -> None:
        """Take an edit, and nothing that was restored; the SDK raises without channelData (B9)."""
        if received_activity(turn_context).get("channelData", {}).get("eventType") == "editMessage":
            await self.on_teams_message_edit(turn_context)

    async def on_message_delete_activity(self, turn_context: TurnContext) -> None:
        """Take every deletion for one, whatever channelData says of it (B9)."""
        await self.on_teams_message_soft_delete(turn_context)

    async def on_invoke_activity(self, turn_context: TurnContext) -> InvokeResponse | None:
        """Answer an invoke by its name; what is raised goes on to the HTTP side, which logs it (B13)."""
        activity = received_activity(turn_context)
        invoked = self._invokes.get(activity.get("name", ""))
        if invoked is None:
            told: InvokeResponse | None = await super().on_invoke_activity(turn_context)
            return told
        answer = await invoked(activity)
        return None if answer is None else InvokeResponse(status=answer["status"], body=answer.get("body"))
