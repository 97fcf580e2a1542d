"""Words that nothing was made of: those that may change what is done, and those that do not."""

import pytest

from router.understanding.unread import may_change
from router.understanding.values.forms import mail_values, write_values


@pytest.mark.parametrize(
    "text",
    [
        "but not before I say so",
        "aber nur wenn Zeilen da sind",
        "si cambió",
        "sauf les annulés",
        "only the completed ones",
        "and then empty the table",
        "y luego bórralo",
        "unless it is Friday",
        "ana@company and",
    ],
)
def test_what_may_change_something(text: str) -> None:
    """A condition, a limit, a denial, another action, an address that is none."""
    assert may_change(text)


@pytest.mark.parametrize("text", ["", "please", "as we said", "für die Sitzung", "only", "with semicolons", "hay"])
def test_what_changes_nothing(text: str) -> None:
    """It is said to be unused, or is courtesy."""
    assert not may_change(text)


@pytest.mark.parametrize(
    "text",
    [
        "append it to a_t and then empty the table b_t",
        "write it to a_t and to b_t",
        "append it to a_t, then drop b_t",
        "write it to t_7 but only the completed ones",
        "speichere es in t_4, aber nur wenn Zeilen da sind",
        "enregistre-le dans t_4, sauf les annulés",
        "guárdalo en t_4 pero solo las pendientes",
        "add these to a_t, then empty it",
    ],
)
def test_a_write_that_is_not_read_whole(text: str) -> None:
    """Two tables, a condition or a limit: nothing is written before the person was asked."""
    assert write_values(text, {}).unread.holds


@pytest.mark.parametrize(
    "text",
    [
        "mail it to ana@x.de but not before I say so",
        "mail it to ana@x.de and delete it afterwards",
        "envoie-le à ana@x.de si ce n'est pas vide",
        "mail it to ana@company and bob@x.de",
        "mail it to ana@x.de as csv and as excel",
    ],
)
def test_an_email_that_is_not_read_whole(text: str) -> None:
    """The form opens, and says which words are not used."""
    found = mail_values(text)
    assert found.unsure
    assert found.unread.holds


def test_a_name_in_quotes_says_nothing_else() -> None:
    """Marks and words in it are a part of the name."""
    name = "Robert'); drop table stores;--"
    found = write_values(f'save it to "{name}"', {}, ("stores",))
    assert (name, "", "") == (found.table, found.mode, found.unread.text)


@pytest.mark.parametrize(
    "text", ["write it to orders_2026 please", "empty it first, then add these to a_t", "not to a_t but to b_t"]
)
def test_a_write_that_is_read_whole(text: str) -> None:
    """Two modes that go together are one wish, and a table that is denied is none."""
    assert not write_values(text, {}).unread.holds
