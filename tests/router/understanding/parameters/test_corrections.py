"""What a sentence changes of the e-mail or the write that a card shows."""

import pytest

from router.understanding.parameters.columns import column_pairs
from router.understanding.parameters.corrections import WritingCorrection, writing_correction
from router.understanding.parameters.mail_corrections import MailingCorrection, mailing_correction

LABELS = {"DWH": "Warehouse", "SHOP": "Shop"}


@pytest.mark.parametrize(
    ("typed", "correction"),
    [
        ("can it be xlsx instead", MailingCorrection(form="xlsx")),
        ("as csv please", MailingCorrection(form="csv")),
        ("put it in the mail, no file", MailingCorrection(form="table")),
        ("ohne Anhang", MailingCorrection(form="table")),
        ("add bob@x.de", MailingCorrection(added=("bob@x.de",))),
        ("also to bob@x.de and eve@y.org", MailingCorrection(added=("bob@x.de", "eve@y.org"))),
        ("cc me", MailingCorrection(added=("me",))),
        ("remove ana@firma.de", MailingCorrection(dropped=("ana@firma.de",))),
        ("bob@x.de instead of ana@firma.de", MailingCorrection(added=("bob@x.de",), dropped=("ana@firma.de",))),
        ("not ana@firma.de but bob@x.de", MailingCorrection(added=("bob@x.de",), dropped=("ana@firma.de",))),
        ("change the subject to Weekly numbers", MailingCorrection(subject="Weekly numbers")),
        ("Betreff: Umsätze Juli", MailingCorrection(subject="Umsätze Juli")),
        ("ana@firma.de subject: channel numbers", MailingCorrection(("ana@firma.de",), subject="channel numbers")),
        ("add a note: please check", MailingCorrection(body="please check")),
        ("without the text", MailingCorrection(body="")),
        ("no attachment", MailingCorrection(form="table")),
        ("leave the message empty", MailingCorrection(body="")),
        ("Betreff weiß ich noch nicht, Empfänger bob@x.de", MailingCorrection(("bob@x.de",))),
        ("enlève ana et mets bob@x.de", MailingCorrection(added=("bob@x.de",), dropped=("ana@firma.de",))),
        (
            "don't send it to ana, send it to bob@x.de",
            MailingCorrection(added=("bob@x.de",), dropped=("ana@firma.de",)),
        ),
        ("subject: Orders, message: see below", MailingCorrection(subject="Orders", body="see below")),
        ("the subject has a typo", MailingCorrection()),
        ("bob@x.de, and what about last year", MailingCorrection()),
        ("who will get this?", MailingCorrection()),
        ("why is the subject so long?", MailingCorrection()),
        ("how many customers are there", MailingCorrection()),
        ("dont send it", MailingCorrection()),
        ("no", MailingCorrection()),
        ("looks good", MailingCorrection()),
    ],
)
def test_changes_of_an_email(typed: str, correction: MailingCorrection) -> None:
    assert correction == mailing_correction(typed, ("ana@firma.de",))


@pytest.mark.parametrize(
    ("correction", "recipients"),
    [
        (MailingCorrection(("c@x",)), ("c@x",)),
        (MailingCorrection(added=("c@x", "a@x")), ("a@x", "b@x", "c@x")),
        (MailingCorrection(dropped=("A@x",)), ("b@x",)),
    ],
)
def test_the_recipients_after_a_change(correction: MailingCorrection, recipients: tuple[str, ...]) -> None:
    assert recipients == correction.recipients(("a@x", "b@x"))


@pytest.mark.parametrize(
    ("typed", "correction"),
    [
        ("append instead", WritingCorrection(mode="append")),
        ("no, replace the table", WritingCorrection(mode="drop")),
        ("empty it first", WritingCorrection(mode="truncate")),
        ("write it to sales_report instead", WritingCorrection(table="sales_report")),
        ("in the shop database as table foo", WritingCorrection("SHOP", table="foo")),
        ("call the job weekly load", WritingCorrection(name="weekly load")),
        ("amount = total, leave out id", WritingCorrection(columns={"amount": "total", "id": ""})),
        ("no overwriting please", WritingCorrection(mode="append")),
        ("wrong table, I need the archive one for customers", WritingCorrection(table="customers_archive")),
        ("not sales_report but customers_archive", WritingCorrection(table="customers_archive")),
        ("not sales_report", WritingCorrection()),
        ("sales_report has the wrong columns", WritingCorrection()),
        ("this is the wrong table altogether", WritingCorrection()),
        ("the same table as yesterday", WritingCorrection()),
        ("make a new one, call it q2_regions", WritingCorrection(table="q2_regions", mode="create")),
        ("how many rows?", WritingCorrection()),
        ("wait", WritingCorrection()),
        ("thanks", WritingCorrection()),
        ("how many customers are there", WritingCorrection()),
    ],
)
def test_changes_of_a_write(typed: str, correction: WritingCorrection) -> None:
    tables = ("sales_report", "customers_archive")
    assert correction == writing_correction(typed, LABELS, ("amount", "id"), tables=tables)


def test_pairs_of_columns_are_known_to_the_last_word() -> None:
    """A part that names no column of the result makes the whole sentence something else."""
    assert {"amount": "total"} == column_pairs("put amount into total", ("amount",))
    assert {} == column_pairs("amount = total and say hi", ("amount",))


@pytest.mark.parametrize(
    ("typed", "pairs"),
    [
        ("Land kommt aus country", {"country": "land"}),
        ("skip hire date, not needed", {"hire_date": ""}),
        ("id and country are not needed", {"id": "", "country": ""}),
        ("put country into land, not into total", {"country": "land"}),
        ("only country", {"id": "", "hire_date": ""}),
        ("country is missing", {}),
    ],
)
def test_columns_are_found_as_people_write_them(typed: str, pairs: dict[str, str]) -> None:
    assert pairs == column_pairs(typed, ("id", "country", "hire_date"), ("land", "total"))
