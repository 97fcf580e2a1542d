"""The entries of menus: fitted into Slack's options, found by typing, and resolved to the router's answers."""

import re
from collections import Counter
from collections.abc import Sequence

from adapters.slack.drawn import Block
from adapters.slack.mrkdwn import clean, squeezed
from router.cards import Choice, Option

# Slack's limits of an option and of a menu.
LONGEST_LABEL = 75
LONGEST_VALUE = 150
MOST_OPTIONS = 100

_INDEX = re.compile(r"#(\d{1,9})")


def options_of(choice: Choice) -> list[Block]:
    """Return all entries of a menu, in their order, each with a value of its own."""
    given = zip(choice.options, _values(choice), strict=True)
    return [{"text": plain(option.label), "value": value} for option, value in given]


def chosen_of(choice: Choice) -> list[Block]:
    """Return the entries that are ticked already."""
    given = zip(choice.options, options_of(choice), strict=True)
    return [entry for option, entry in given if option.answer in choice.chosen][:MOST_OPTIONS]


def matching(choice: Choice, typed: str) -> list[Block]:
    """Return at most 100 entries for what was typed so far: those that begin so, then by words, then by any part."""
    wanted = " ".join(typed.casefold().split())
    ranked = [(_rank(option, wanted), n) for n, option in enumerate(choice.options)]
    entries = options_of(choice)
    return [entries[n] for rank, n in sorted(ranked) if rank < _NOT][:MOST_OPTIONS]


def answers_of(choice: Choice, values: Sequence[str]) -> tuple[str, ...]:
    """Return the router's answers for the values that were chosen; a value that the menu does not have says nothing."""
    answers = dict(zip(_values(choice), (option.answer for option in choice.options), strict=True))
    return tuple(answers[value] for value in values if value in answers)


def plain(label: str, most: int = LONGEST_LABEL) -> Block:
    """Return a label as plain text; a blank one is a dash."""
    text = squeezed(" ".join(clean(label).split()) or "–", most)
    return {"type": "plain_text", "text": text, "emoji": False}


def _values(choice: Choice) -> list[str]:
    """Return what stands for each answer: the answer itself, or `#n` where it is empty, too long or there twice."""
    times = Counter(option.answer for option in choice.options)
    return [
        answer if 0 < len(answer) <= LONGEST_VALUE and times[answer] == 1 and not _INDEX.fullmatch(answer) else f"#{n}"
        for n, answer in enumerate(option.answer for option in choice.options)
    ]


_NOT = 4


def _rank(option: Option, wanted: str) -> int:
    label = " ".join(option.label.casefold().split())
    if not wanted or label.startswith(wanted):
        return 0
    starts = re.split(r"[\W_]+", label)
    if all(any(start.startswith(word) for start in starts) for word in re.split(r"[\W_]+", wanted) if word):
        return 1
    if wanted in label:
        return 2
    return 3 if all(word in label for word in wanted.split()) else _NOT
