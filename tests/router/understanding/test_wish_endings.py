"""The ends of sentences with wishes: files and charts in a word, how a table is filled, what shall not be done."""

import pytest

from router.understanding.wish_endings import bare_wish, mode_last, sent_file, without_denied


@pytest.mark.parametrize(
    ("tail", "step"),
    [
        ("csv", "csv"),
        ("as an Excel file", "xlsx"),
        ("auch als csv", "csv"),
        ("a pie chart", "chart"),
        ("Balkendiagramm", "chart"),
        ("un gráfico de barras", "chart"),
        ("a chart of accounts", None),
        ("csv imports", None),
    ],
)
def test_bare_wishes(tail: str, step: str | None) -> None:
    """A file or a chart, and nothing else."""
    found = bare_wish(tail)
    assert step == (found[0] if found else None)


@pytest.mark.parametrize(
    ("clause", "words"),
    [
        ("mail me the csv", "mail it to me as CSV"),
        ("send the excel file to jo@example.com", "mail it to jo@example.com as Excel"),
        ("send me the csv", "export it as CSV"),
        ("send the parcels", None),
    ],
)
def test_sent_files(clause: str, words: str | None) -> None:
    """Who mails a file wants an e-mail with it; who wants to be sent one may have it here."""
    found = sent_file(clause)
    assert words == (found[1] if found else None)


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("save it to tmp_parcels, overwrite it", "replace the table"),
        ("schreib es in tmp_parcels, vorher leeren", "empty it first"),
        ("guárdalo en tmp_parcels, añadiendo", "append"),
        ("save it to tmp_parcels", ""),
    ],
)
def test_modes(text: str, mode: str) -> None:
    """How a table is filled stands behind a comma."""
    assert mode == mode_last(text)[1]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("parcels of May, but please don't mail it", "parcels of May"),
        ("Pakete im Mai, aber nicht verschicken", "Pakete im Mai"),
        ("suppliers who never send invoices", "suppliers who never send invoices"),
    ],
)
def test_what_is_denied(text: str, kept: str) -> None:
    """It is no part of the question."""
    assert kept == without_denied(text)
