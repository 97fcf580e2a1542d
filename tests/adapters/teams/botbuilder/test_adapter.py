"""botbuilder's turns: what is mended in it, one test a defect."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from botbuilder.core import TurnContext
from botbuilder.schema import ChannelAccount

from adapters.teams.botbuilder.adapter import TurnAdapter
from adapters.teams.botbuilder.handler import TeamsHandler
from adapters.teams.server import activity_of, process
from tests.platforms.teams.activities import activity
from tests.platforms.teams.stand_in import Teams


class Noting(TeamsHandler):
    """A handler that notes which of its methods was called."""

    def __init__(self) -> None:
        presses = dict.fromkeys(("adaptiveCard/action", "task/fetch", "task/submit"), self._press)
        super().__init__({**presses, "message/submitAction": self._fail})
        self.called: list[str] = []

    async def on_message_activity(self, turn_context: TurnContext) -> None:
        """Note it."""
        self.called.append(turn_context.activity.text)

    async def on_members_added_activity(self, members_added: list[ChannelAccount], turn_context: TurnContext) -> None:
        """Note who."""
        self.called.append(f"{len(members_added)} added")

    async def on_teams_message_edit(self, turn_context: TurnContext) -> None:
        """Note it."""
        self.called.append("edited")

    async def _press(self, activity: dict[str, Any]) -> dict[str, Any]:
        """Answer with a body of JSON."""
        verb = activity["value"]["action"]["verb"]
        return {"status": 200, "body": {"statusCode": 200, "type": "message", "value": {"verb": verb}}}

    async def _fail(self, activity: dict[str, Any]) -> dict[str, Any]:
        """Fail."""
        raise LookupError("it is broken")


@pytest.fixture
def heard() -> Iterator[dict[str, Any]]:
    """An activity of somebody's own chat."""
    with Teams(anonymous=True) as teams:
        place = teams.conversation("ana")
        yield activity(teams, "message", place, place.members[0], text="Hi")


@pytest.mark.parametrize("name", ["adaptiveCard/action", "task/fetch", "task/submit"])
async def test_a_press_is_answered_with_its_body(heard: dict[str, Any], name: str) -> None:
    """B1, B2: a press, also one of a dialog, is read by its keys, and the answer's body stays as it was made."""
    value = {"action": {"type": "Action.Execute", "verb": "yes"}}
    press = heard | {"type": "invoke", "name": name, "value": value}
    told = await TurnAdapter().process(press, Noting().on_turn)
    assert told == {"status": 200, "body": {"statusCode": 200, "type": "message", "value": {"verb": "yes"}}}


@pytest.mark.parametrize(
    ("fields", "called"),
    [
        ({"type": "message"}, ["Hi"]),
        ({"type": "conversationUpdate", "membersAdded": [{"id": "1"}, {"id": "2"}]}, ["2 added"]),
        ({"type": "messageUpdate", "channelData": {"eventType": "editMessage"}}, ["edited"]),
        ({"type": "messageUpdate"}, []),
        ({"type": "messageDelete"}, []),
        ({"type": "event", "name": "x"}, []),
        ({"type": "somethingNew"}, []),
    ],
)
async def test_what_arrives_without_channel_data(
    heard: dict[str, Any], fields: dict[str, Any], called: list[str]
) -> None:
    """B9: each kind of activity has its method, also if Teams leaves channelData out."""
    handler = Noting()
    bare = {name: held for name, held in heard.items() if name != "channelData"}
    await TurnAdapter().process({"channelData": {}} | bare | fields, handler.on_turn)
    assert called == handler.called


async def test_errors_and_what_is_not_known(heard: dict[str, Any]) -> None:
    """B13, B14: an error inside of an invoke is told as one, and what is not known as not implemented."""
    statuses = {}
    for name in ("message/submitAction", "message/fetchTask", "suggestedActions/submit", "tab/fetch"):
        invoke = activity_of(_written(heard | {"type": "invoke", "name": name, "value": {}}))
        answer = await process(invoke, lambda given: TurnAdapter().process(given, Noting().on_turn))
        statuses[name] = answer.status
    assert statuses.pop("message/submitAction") == 500
    assert set(statuses.values()) == {501}


def _written(activity: dict[str, Any]) -> bytes:
    return json.dumps(activity).encode()
