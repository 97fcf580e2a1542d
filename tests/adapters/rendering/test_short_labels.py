"""Answers that are sentences: their buttons have a few whole words, and the sentences stand above as a list."""

from typing import Any

import pytest

from adapters.rendering.controls import QuestionRef, with_short_labels
from adapters.slack.controls import draw_ask as draw_in_slack
from adapters.teams.controls import draw_ask as draw_in_teams
from router.cards import Buttons, Option
from router.memory.thread import ThreadKey
from tests.platforms.slack.looking import words_of as slack_words
from tests.platforms.teams.cards.words import words_of as teams_words

LONG = (
    "Revenue of orders placed in 2024 by region, as the question before, but only open ones",
    "A question of its own: which regions have customers who ordered nothing in the last twelve months?",
    "Donaudampfschifffahrtsgesellschaftskapitänskajütenschlüsselverzeichnis",
)
ASKED = QuestionRef(ThreadKey("slack", "T1", "C1", "1.2"), 3, 0)


def question(*labels: str) -> Buttons:
    """Return a question with these answers, and Neither."""
    return Buttons(
        "Which one do you mean?", tuple(Option(f"like:{n}", each) for n, each in enumerate((*labels, "Neither")))
    )


def test_few_whole_words() -> None:
    """A label has the number that may be typed and words that are not cut, unless one alone is too long."""
    card = question(*LONG)
    short = with_short_labels(card)
    assert [each.answer for each in short.options] == [each.answer for each in card.options]
    assert [each.label for each in short.options] == [
        "1. Revenue of orders placed in…",
        "2. A question of its own:…",
        "3. Donaudampfschifffahrtsgesel…",
        "Neither",
    ]
    assert short.prompt.splitlines() == [card.prompt, *(f"{n}. {each}" for n, each in enumerate(LONG, 1))]


@pytest.mark.parametrize("draw", ["slack", "teams"])
def test_in_each_chat(draw: str) -> None:
    """The whole sentence is read above the buttons, and no button is longer than clients show."""
    card = question(*LONG)
    drawn: Any
    if draw == "slack":
        drawn = draw_in_slack(card, ASKED).blocks
        said = slack_words(list(drawn[:-1]))
        labels = [each["text"]["text"] for each in drawn[-1]["elements"]]
    else:
        drawn = draw_in_teams(card, ASKED, 6)
        said = teams_words(list(drawn[:-1]))
        labels = [each["title"] for each in drawn[-1]["actions"]]
    assert all(each in said for each in LONG)
    assert max(map(len, labels)) <= 32
    assert len(set(labels)) == 4
