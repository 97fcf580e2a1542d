"""Rules for every sentence that the bot can say: `uv run python -m tests.sentences_list` prints them all."""

import re

from tests.sentences_list import all_sentences

LABEL_MAX_CHARS = 60
"""Characters of a label; a client cuts a button's at about thirty, a field's and an entry's later."""

ODD = re.compile(
    r"\b(shall|whoever runs|goodbye|ask the next question|taken as a question|i am (?:not )?sure\b"
    r"|wrote no sql|i understood several|another try|with it:)",
    re.IGNORECASE,
)
"""Words that people found stiff, or that tell how the bot works inside."""


def test_they_are_found() -> None:
    """The list is not empty, and has texts of each place where some are written."""
    places = {each.file.rpartition("/")[0] for each in all_sentences()}
    assert places >= {"router/stages", "router/stages/compare", "adapters/slack", "adapters/teams", "adapters/web"}


def test_none_reads_odd() -> None:
    """No sentence has a turn of phrase that people stumbled over."""
    assert [] == [str(each) for each in all_sentences() if ODD.search(each.text)]


def test_labels_are_short() -> None:
    """What stands on a button, an entry or a field is a few words."""
    labels = [each for each in all_sentences() if each.label]
    assert [] == [str(each) for each in labels if len(each.text) > LABEL_MAX_CHARS]


def test_nobody_is_told_twice_in_a_row() -> None:
    """No text has a word twice running, as is left where a sentence was put together."""
    twice = re.compile(r"\b([A-Za-z]{3,}) \1\b")
    assert [] == [str(each) for each in all_sentences() if twice.search(each.text)]
