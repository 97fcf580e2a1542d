"""Sentences that want back what was done."""

import pytest

from router.understanding.button_words import takes_back


@pytest.mark.parametrize(
    ("text", "wants_back"),
    [
        ("wait dont send it", True),
        ("Stop, don't send that!", True),
        ("undo", True),
        ("undo that please", True),
        ("call it back", True),
        ("I didn't want to send it", True),
        ("nicht senden", True),
        ("send it", False),
        ("don't send it to Bob, send it to Ana", False),
        ("which orders did we not send", False),
        ("cancel", False),
        ("show orders that we do not send", False),
    ],
)
def test_a_sentence_that_wants_something_back_is_told_from_others(text: str, wants_back: bool) -> None:
    """A correction or a question is none."""
    assert wants_back == takes_back(text)
