"""Activities between JSON and botbuilder's types, without a loss (B3).

The types keep the fields that they know: an entity was cut down to its type, which took the AI label, citations and
streams away. So what came in is kept beside its `Activity`, and what goes out has entities that know every key.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

from botbuilder.core import TurnContext
from botbuilder.schema import Activity, Entity

Json = dict[str, Any]

RECEIVED: Final = "icc-bot.received"
"""The name in a turn's state of the activity as it came."""


class WholeEntity(Entity):  # type: ignore[misc]
    """An entity that keeps every key it is given."""

    _attribute_map: Final = {
        "type": {"key": "type", "type": "str"},
        "additional_properties": {"key": "", "type": "{object}"},
    }

    def __init__(self, fields: Mapping[str, Any]) -> None:
        super().__init__(type=fields.get("type"))
        self.additional_properties = {name: value for name, value in fields.items() if name != "type"}


def activity_from(fields: Json) -> Activity:
    """Return an activity to be sent as botbuilder's type; nothing of it is lost when it is written down again."""
    plain = {name: value for name, value in fields.items() if name != "entities"}
    made = Activity.deserialize(plain)
    made.entities = [WholeEntity(each) for each in fields.get("entities", [])] or None
    return made


def activity_to(activity: Activity) -> Json:
    """Return botbuilder's type as JSON."""
    return cast(Json, activity.serialize())


def received(turn: TurnContext) -> Json:
    """Return the activity of a turn as it came."""
    return cast(Json, turn.turn_state[RECEIVED])
