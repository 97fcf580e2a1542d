"""Sentences that deny what they name, in four languages, and those that only have a denial in them."""

import pytest

from router.understanding.denials import denies
from tests.support.rows import every_row

BOB = "bob@firma.de"


@every_row(
    ("text", "value"),
    [
        ("bob@firma.de must not get it", BOB),
        ("anyone but bob@firma.de", BOB),
        ("ask bob@firma.de first", BOB),
        ("schick es nicht an bob@firma.de", BOB),
        ("n'envoie rien à bob@firma.de", BOB),
        ("no lo envíes a bob@firma.de", BOB),
        ("bob@firma.de nicht", BOB),
        ("not csv", "csv"),
        ("bitte kein csv", "csv"),
        ("anything but sales_report", "sales_report"),
        ("sales_report is broken, use another one", "sales_report"),
        ("please don't empty it first", "empty"),
        ("overwrite nothing", "overwrite"),
        ("überschreib nichts", "überschreib"),
        ("ersetze sie bitte nicht", "ersetze"),
        ("empty it? no", "empty"),
    ],
)
def test_what_is_denied(text: str, value: str) -> None:
    """The value is not what somebody wants."""
    assert denies(text, names=[value])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("not ana@firma.de but bob@firma.de", BOB),
        ("nicht an ana@firma.de, sondern an bob@firma.de", BOB),
        ("no, send it to bob@firma.de", BOB),
        ("bob@firma.de, not as csv", BOB),
        ("not only to ana, also to bob@firma.de", BOB),
        ("sales_report, not customers_archive", "sales_report"),
        ("as csv please", "csv"),
    ],
)
def test_what_is_not_denied(text: str, value: str) -> None:
    """A denial of something else leaves the value as it is."""
    assert not denies(text, names=[value])
