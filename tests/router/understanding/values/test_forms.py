"""What a sentence changes of the e-mail or the write that a card shows."""

import pytest

from router.understanding.values.columns import column_pairs
from router.understanding.values.forms import (
    MailValues,
    WriteValues,
    mail_patch,
    mail_values,
    write_patch,
    write_values,
)
from router.understanding.values.people import copies_blindly
from tests.support.rows import every_row

LABELS = {"DWH": "Warehouse", "SHOP": "Shop"}


@every_row(
    ("typed", "correction"),
    [
        ("can it be xlsx instead", MailValues(form="xlsx")),
        ("as csv please", MailValues(form="csv")),
        ("put it in the mail, no file", MailValues(form="table")),
        ("ohne Anhang", MailValues(form="table")),
        ("add bob@x.de", MailValues(added=("bob@x.de",))),
        ("also to bob@x.de and eve@y.org", MailValues(added=("bob@x.de", "eve@y.org"))),
        ("cc me", MailValues(added=("me",))),
        ("remove ana@firma.de", MailValues(dropped=("ana@firma.de",))),
        ("bob@x.de instead of ana@firma.de", MailValues(added=("bob@x.de",), dropped=("ana@firma.de",))),
        ("not ana@firma.de but bob@x.de", MailValues(added=("bob@x.de",), dropped=("ana@firma.de",))),
        ("change the subject to Weekly numbers", MailValues(subject="Weekly numbers")),
        ("Betreff: Umsätze Juli", MailValues(subject="Umsätze Juli")),
        ("ana@firma.de subject: channel numbers", MailValues(("ana@firma.de",), subject="channel numbers")),
        ("add a note: please check", MailValues(body="please check")),
        ("no attachment", MailValues(form="table")),
        ("Betreff weiß ich noch nicht, Empfänger bob@x.de", MailValues(("bob@x.de",))),
        ("enlève ana et mets bob@x.de", MailValues(added=("bob@x.de",), dropped=("ana@firma.de",))),
        (
            "don't send it to ana, send it to bob@x.de",
            MailValues(added=("bob@x.de",), dropped=("ana@firma.de",)),
        ),
        ("subject: Orders, message: see below", MailValues(subject="Orders", body="see below")),
        ("the subject has a typo", MailValues()),
        ("bob@x.de, and what about last year", MailValues()),
        ("who will get this?", MailValues()),
        ("why is the subject so long?", MailValues()),
        ("how many customers are there", MailValues()),
        ("dont send it", MailValues()),
        ("no", MailValues()),
        ("looks good", MailValues()),
    ],
)
def test_changes_of_an_email(typed: str, correction: MailValues) -> None:
    assert correction == mail_patch(typed, ("ana@firma.de",))


@pytest.mark.parametrize(
    ("correction", "recipients"),
    [
        (MailValues(("c@x",)), ("c@x",)),
        (MailValues(added=("c@x", "a@x")), ("a@x", "b@x", "c@x")),
        (MailValues(dropped=("A@x",)), ("b@x",)),
    ],
)
def test_the_recipients_after_a_change(correction: MailValues, recipients: tuple[str, ...]) -> None:
    assert recipients == correction.recipients(("a@x", "b@x"))


@every_row(
    ("typed", "correction"),
    [
        ("append instead", WriteValues(mode="append")),
        ("no, replace the table", WriteValues(mode="drop")),
        ("empty it first", WriteValues(mode="truncate")),
        ("write it to sales_report instead", WriteValues(table="sales_report")),
        ("in the shop database as table foo", WriteValues("SHOP", table="foo")),
        ("call the job weekly load", WriteValues(name="weekly load")),
        ("amount = total, leave out id", WriteValues(columns={"amount": "total", "id": ""})),
        ("no overwriting please", WriteValues(mode="append")),
        ("not sales_report but customers_archive", WriteValues(table="customers_archive")),
        ("not sales_report", WriteValues()),
        ("sales_report has the wrong columns", WriteValues()),
        ("this is the wrong table altogether", WriteValues()),
        ("the same table as yesterday", WriteValues()),
        ("make a new one, call it q2_regions", WriteValues(table="q2_regions", mode="create")),
        ("how many rows?", WriteValues()),
        ("wait", WriteValues()),
        ("thanks", WriteValues()),
        ("how many customers are there", WriteValues()),
    ],
)
def test_changes_of_a_write(typed: str, correction: WriteValues) -> None:
    tables = ("sales_report", "customers_archive")
    assert correction == write_patch(typed, LABELS, ("amount", "id"), tables=tables)


def test_pairs_of_columns_are_known_to_the_last_word() -> None:
    """A part that names no column of the result makes the whole sentence something else."""
    assert {"amount": "total"} == column_pairs("amount = total", ("amount",))
    assert {} == column_pairs("amount = total and revenue by store", ("amount",))


@pytest.mark.parametrize(
    ("typed", "pairs"),
    [
        ("Land kommt aus country", {"country": "land"}),
        ("skip hire date, not needed", {"hire_date": ""}),
        ("put country into land, not into total", {"country": "land"}),
        ("leave out id and country", {"id": "", "country": ""}),
        ("don't leave out country", {}),
        ("country = land or total", {}),
        ("country is missing", {}),
    ],
)
def test_columns_are_found_as_people_write_them(typed: str, pairs: dict[str, str]) -> None:
    assert pairs == column_pairs(typed, ("id", "country", "hire_date"), ("land", "total"))


@pytest.mark.parametrize(
    ("sentence", "table", "mode"),
    [
        ("write it to orders_2026, total = amount", "orders_2026", ""),
        ("not to orders_2025 but to orders_2026", "orders_2026", ""),
        ("write it to orders_2026, but do not overwrite it", "orders_2026", "append"),
        ("save it as orders_2026, don't empty the table", "orders_2026", "append"),
        ("write it to orders_2026, replace or append", "orders_2026", ""),
        ("anything but orders_2026", "", ""),
    ],
)
def test_a_request_with_denials_and_choices(sentence: str, table: str, mode: str) -> None:
    """What is denied is nothing, and of two modes with an "or" between none is chosen."""
    found = write_values(sentence, {})
    assert (table, mode) == (found.table, found.mode)


@pytest.mark.parametrize(
    "typed",
    [
        "swap bob for kim",
        "eve out, kim in",
        "bob has it already",
        "bob@x.de? no, ana@x.de",
        "send it to ana@x.de or eve@x.de",
        "mail it to ana@x.de. Best, Bob, bob@y.de",
        "reply to bob@x.de",
        "send it to ana@x.de, not Bob, bob@x.de",
        "mail it to me and to Ana Silva",
    ],
)
def test_words_that_are_not_plain_change_no_recipient(typed: str) -> None:
    """Where people stand in other words than "to", "add" and "without", the person has to look."""
    assert mail_values(typed, ("bob@x.de", "eve@x.de")).unsure


@pytest.mark.parametrize(
    "typed",
    [
        "mail it to ana@x.de and eve@x.de",
        "could you send that to ana@x.de please? Thanks!",
        "add ana@x.de, without bob@x.de",
        "no, send it to <mailto:ana@x.de|ana@x.de>",
        "send it to me",
        "take bob out, it goes to ana@x.de only",
    ],
)
def test_plain_words_say_who_gets_an_email(typed: str) -> None:
    """An address is read as the platform writes it, too."""
    found = mail_values(typed, ("bob@x.de",))
    assert not found.unsure
    assert {"me", "ana@x.de"} & {*found.recipients(("bob@x.de",))}


def test_nobody_gets_a_blind_copy() -> None:
    """The one who is meant to get it blindly gets nothing, and the card can say so."""
    assert ("bob@x.de",) == mail_values("mail it to bob@x.de and bcc eve@x.de").recipients()
    assert ("bob@x.de",) == mail_values("mail it to bob@x.de, blind copy eve@x.de").recipients()
    assert copies_blindly("bcc eve@x.de")
    assert not copies_blindly("cc eve@x.de")
