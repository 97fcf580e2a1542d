"""The entries of menus: fitted into Slack's options, and found by typing."""

from adapters import menu
from adapters.fitting import label_of
from adapters.slack.drawn import Block
from router.cards import Choice

# Slack's limits of an option and of a menu.
LONGEST_LABEL = 75
MOST_OPTIONS = 100


def options_of(choice: Choice) -> list[Block]:
    """Return all entries of a menu, in their order, each with a value of its own."""
    given = zip(choice.options, menu.values_of(choice.options), strict=True)
    return [{"text": plain(option.label), "value": value} for option, value in given]


def chosen_of(choice: Choice) -> list[Block]:
    """Return the entries that are ticked already."""
    given = zip(choice.options, options_of(choice), strict=True)
    return [entry for option, entry in given if option.answer in choice.chosen][:MOST_OPTIONS]


def matching(choice: Choice, typed: str) -> list[Block]:
    """Return at most 100 entries for what was typed so far: those that begin so, then by words, then by any part."""
    entries = options_of(choice)
    return [entries[n] for n in menu.matching(choice.options, typed)[:MOST_OPTIONS]]


def plain(label: str, most: int = LONGEST_LABEL) -> Block:
    """Return a label as plain text; a blank one is a dash."""
    return {"type": "plain_text", "text": label_of(label, most), "emoji": False}
