"""A TeamsActivityHandler, botbuilder's one list of what can arrive, with what it lacks.

Its `on_...` methods are called by the type of an activity and by the name of an invoke. Mended are those that raise
for what Teams does send: a change of members without channelData (B9), a card's action (B2), invokes that have no
method (B14), and a consent that is answered in a way that is not known.
"""

from typing import Any

from botbuilder.core import ActivityHandler, TurnContext
from botbuilder.core.teams import TeamsActivityHandler
from botbuilder.schema import InvokeResponse

from adapters.teams.botbuilder.activities import received
from adapters.teams.botbuilder.invoke_responses import response_of

Json = dict[str, Any]


class TeamsHandler(TeamsActivityHandler):  # type: ignore[misc]
    """Calls one method for each kind of activity; an invoke's method returns `{"status": int, "body": dict}`."""

    async def on_conversation_update_activity(self, turn_context: TurnContext) -> None:
        """Go by the members alone: the SDK reads channelData, and asks Teams for each person that joins (B9)."""
        await ActivityHandler.on_conversation_update_activity(self, turn_context)

    async def on_message_update_activity(self, turn_context: TurnContext) -> None:
        """Tell an edit from what was restored, as the SDK does, where there is channelData (B9)."""
        kind = received(turn_context).get("channelData", {}).get("eventType")
        if kind == "editMessage":
            await self.on_teams_message_edit(turn_context)
        elif kind == "undeleteMessage":
            await self.on_teams_message_undelete(turn_context)

    async def on_message_delete_activity(self, turn_context: TurnContext) -> None:
        """Take every deletion for one, whatever channelData says of it (B9)."""
        await self.on_teams_message_soft_delete(turn_context)

    async def on_invoke_activity(self, turn_context: TurnContext) -> InvokeResponse | None:
        """Answer an invoke by its name: those that the SDK does not read, or reads wrongly, by methods of our own."""
        activity = received(turn_context)
        match activity.get("name", ""):
            case "adaptiveCard/action" | "task/fetch" | "task/submit":
                answer = await self.on_card_action(activity)
            case "fileConsent/invoke":
                answer = await self.on_file_consent(activity)
            case "application/search":
                answer = await self.on_search(activity)
            case "message/fetchTask":
                answer = await self.on_feedback_form(activity)
            case "message/submitAction":
                answer = await self.on_feedback(activity)
            case "composeExtension/fetchTask":
                answer = await self.on_message_action(activity)
            case "composeExtension/submitAction":
                answer = await self.on_message_action_submit(activity)
            case _:
                told: InvokeResponse | None = await super().on_invoke_activity(turn_context)
                return told
        return response_of(answer)

    async def on_card_action(self, activity: Json) -> Json | None:
        """Take a press on a button of a card (B2), or what is sent from the dialog that it opened."""
        return None

    async def on_file_consent(self, activity: Json) -> Json | None:
        """Take the answer to the offer of a file."""
        return None

    async def on_search(self, activity: Json) -> Json | None:
        """Offer entries to somebody who types into a menu (B14)."""
        return None

    async def on_feedback_form(self, activity: Json) -> Json | None:
        """Show the form below a thumb (B14)."""
        return None

    async def on_feedback(self, activity: Json) -> Json | None:
        """Take a thumb, and what was written with it (B14)."""
        return None

    async def on_message_action(self, activity: Json) -> Json | None:
        """Open the form of an action on a message."""
        return None

    async def on_message_action_submit(self, activity: Json) -> Json | None:
        """Take the form of an action on a message."""
        return None
