"""The recogniser of the database that a sentence names."""

import pytest

from router.understanding.named_database import NamedDatabase, database_in, named_database
from tests.support.rows import every_row

CALLED = {"Sales": "sales", "Legal": "legal", "Old archive": "archive", "archive": "archive"}


def heard(text: str, *data: str) -> NamedDatabase | None:
    return named_database(text, CALLED, lambda word: word in data)


@every_row(
    ("text", "connection", "question"),
    [
        ("open contracts in Legal?", "legal", "open contracts?"),
        ("in the legal database: contracts per year", "legal", "contracts per year"),
        ("contracts per year (Legal)", "legal", "contracts per year"),
        ("switch to Legal and show me the contracts", "legal", "show me the contracts"),
        ("look in old archive", "archive", ""),
        ("legal: contracts per year", "legal", "contracts per year"),
        ("nimm die Legal-Datenbank", "legal", ""),
        ("dans la base Legal, contrats par an", "legal", "contrats par an"),
        ("contratos en la base de datos Legal", "legal", "contratos"),
        ("and in Legal?", "legal", ""),
        ("in legal", "legal", ""),
        ("and in the legal?", "legal", ""),
        ("open contracts in LEGAL", "legal", "open contracts"),
        ("contracts in old archive?", "archive", "contracts?"),
        ("same question to Sales", "sales", ""),
        ("wrong database, it's in Legal", "legal", ""),
        ("sales", "sales", ""),
        ("take that from Legal instead", "legal", ""),
        ("does Legal have deal_notes?", "legal", "does Legal have deal_notes?"),
        ("Legal, nicht Sales!", "legal", ""),
        ("not sales but legal", "legal", ""),
        ("on passe à Legal", "legal", ""),
    ],
)
def test_a_database_is_named_beside_a_sign(text: str, connection: str, question: str) -> None:
    assert NamedDatabase(connection, question) == heard(text)


@pytest.mark.parametrize(
    "text",
    [
        "people in the sales team",
        "cases of our legal in Leipzig",
        "total of sales in May",
        "people not in Legal",
        "revenue in Sales and Legal",
        "employees from Legal Department",
        "mail it to Legal",
        "write the rows into the Sales database",
        "in the customer database",
    ],
)
def test_an_ordinary_word_names_none(text: str) -> None:
    assert heard(text) is None


def test_a_name_is_found_anywhere() -> None:
    assert "legal" == database_in("put it beside legal", CALLED)
    assert "" == database_in("sales beside legal", CALLED)
