"""What of a sentence nothing was made of is told, and ordinary courtesies are not."""

import pytest

from router.errors import AgentAway
from router.llm.call import Requester
from router.text_to_sql.question import Model
from router.understanding.parameters.reader import read_mailing, read_writing


def nobody() -> Model:
    """Have no model."""
    raise AgentAway("There is none.")


@pytest.mark.parametrize(
    ("sentence", "unused"),
    [
        ("mail it to bob@example.com tomorrow at 9", "tomorrow at 9"),
        ("mail it to bob@example.com if there are more than 5 rows", "if there are more than 5"),
        ("send it to bob@example.com, but only the first ten rows", "the first ten"),
        ("send it to bob@example.com without the id column", "without the id column"),
        ("mail it to bob@example.com please, and afterwards thanks", ""),
        ("Could you be so kind and mail it to bob@example.com?", ""),
        ("Schick es bitte mal eben an bob@example.com, liebe Grüße", ""),
    ],
)
def test_of_a_wish_for_an_e_mail(sentence: str, unused: str) -> None:
    """Times, conditions and limits are no part of an e-mail."""
    assert unused == read_mailing(sentence, nobody, Requester("ana")).unused


@pytest.mark.parametrize(
    ("sentence", "unused"),
    [
        ("write these rows to table monthly every monday at 8", "every monday at 8"),
        ("write it to table orders_2026", ""),
        ("please save this into the table orders_2026, thanks", ""),
    ],
)
def test_of_a_wish_for_a_table(sentence: str, unused: str) -> None:
    """Nor of a table."""
    assert unused == read_writing(sentence, nobody, Requester("ana"), {}).unused


@pytest.mark.parametrize(
    ("sentence", "recipients"),
    [
        ("mail it to bob@example.com but not to me", ("bob@example.com",)),
        ("mail it to bob@example.com and bcc eve@example.com", ("bob@example.com",)),
    ],
)
def test_who_is_denied_gets_nothing(sentence: str, recipients: tuple[str, ...]) -> None:
    """The asker is nobody special; a blind copy is no open one."""
    assert recipients == read_mailing(sentence, nobody, Requester("ana")).recipients
