"""The entries of menus: fitted into Slack's options, and found by typing."""

from adapters.rendering import controls
from adapters.rendering.text import label_of
from adapters.slack.drawing import Block
from router.cards import Choice

# Names of what can be pressed; the number of its question is in `adapters.rendering.controls`.


PRESS, CHOOSE, TAKE, FORM, STOP, FEEDBACK = "press", "choose", "take", "form", "stop", "feedback"
REPEAT = "repeat"
"""The beginnings of an action_id: a button, a menu, the button beside a menu of several, a button that opens a modal,
Stop, the thumbs, and a button of the Home tab that stops or resumes what is repeated. A number follows if there
may be several in one message."""


# Slack's limits of an option and of a menu.
OPTION_MAX_CHARS = 75
MENU_OPTIONS_MAX = 100


def options_of(choice: Choice) -> list[Block]:
    """Return all entries of a menu, in their order, each with a value of its own."""
    given = zip(choice.options, controls.values_of(choice.options), strict=True)
    return [{"text": plain(option.label), "value": value} for option, value in given]


def chosen_of(choice: Choice) -> list[Block]:
    """Return the entries that are ticked already."""
    given = zip(choice.options, options_of(choice), strict=True)
    return [entry for option, entry in given if option.answer in choice.chosen][:MENU_OPTIONS_MAX]


def matching(choice: Choice, typed: str) -> list[Block]:
    """Return at most 100 entries for what was typed so far: those that begin so, then by words, then by any part."""
    entries = options_of(choice)
    return [entries[n] for n in controls.matching(choice.options, typed)[:MENU_OPTIONS_MAX]]


def plain(label: str, most: int = OPTION_MAX_CHARS) -> Block:
    """Return a label as plain text; a blank one is a dash."""
    return {"type": "plain_text", "text": label_of(label, most), "emoji": False}
