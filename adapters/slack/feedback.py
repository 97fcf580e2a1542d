"""What stands below an answer: that AI errs, and thumbs to say whether it did."""

from adapters.slack.asks import button
from adapters.slack.drawn import Block, Richness
from adapters.slack.ids import FEEDBACK
from adapters.slack.menus import plain

LABELS = {"up": "Good answer", "down": "Bad answer"}


def thumbs(result: str, richness: Richness) -> Block:
    """Return thumbs whose value says which result they are about: `up:ID` or `down:ID`."""
    if richness < Richness.FULL:
        # Two buttons need two action_ids.
        rated = [
            button(f"{sign} {LABELS[way]}", f"{FEEDBACK}:{n}", f"{way}:{result}")
            for n, (way, sign) in enumerate((("up", "👍"), ("down", "👎")), 1)
        ]
        return {"type": "actions", "elements": rated}
    up, down = ({"text": plain(label), "value": f"{way}:{result}"} for way, label in LABELS.items())
    element = {"type": "feedback_buttons", "action_id": FEEDBACK, "positive_button": up, "negative_button": down}
    return {"type": "context_actions", "elements": [element]}
