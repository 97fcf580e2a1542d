"""Pages of results as tables of Teams."""

from adapters.teams.drawing import DETAILS
from adapters.teams.tables import draw_table
from router.cards import Head, Table
from tests.platforms.teams.cards.words import words_of

BEST = DETAILS[0]
PEOPLE = Table(
    (Head("name"), Head("revenue", "number")),
    (("Barbara Liskov", "990.25"), ("[x](http://evil)", "1e5"), ("", None), ("a\nb", "007")),
    4,
    seconds=0.1,
)


def test_cells_are_literal_and_never_empty() -> None:
    """NULL is slanted, an empty cell quoted, a line break seen; numbers stand on the right."""
    table, legend = draw_table(PEOPLE, BEST).elements
    said = ["name | revenue", "Barbara Liskov | 990.25", "[x](http://evil) | 1e5", "“” | NULL", "a ↵ b | 007"]
    assert [words_of(row) for row in table["rows"]] == said
    null = table["rows"][3]["cells"][1]["items"][0]
    assert (null["horizontalAlignment"], null["inlines"][0]["italic"]) == ("Right", True)
    assert "horizontalAlignment" not in table["rows"][1]["cells"][0]["items"][0]
    assert words_of(legend) == "4 rows"


def test_rows_are_listed_where_columns_do_not_fit() -> None:
    """A phone shows what is in a row one below the other; few columns fit there, too."""
    heads = (Head("name"), Head("city"), Head("orders", "number"), Head("total", "number"))
    table = Table(heads, (("Ada", "Porto", "3", None), ("Bob", "Ghent", "1", "7.50")), 2, title="Sales", source="Shop")
    title, cells, phone, legend = draw_table(table, BEST).elements
    assert words_of(title) == "Sales  ·  Shop"
    assert words_of(phone).split("\n") == [
        "Ada",
        "city: Porto  ·  orders: 3  ·  total: NULL",
        "Bob",
        "city: Ghent  ·  orders: 1  ·  total: 7.50",
    ]
    assert (cells["targetWidth"], phone["targetWidth"]) == ("atLeast:standard", "atMost:narrow")
    assert words_of(legend) == "2 rows"
    narrow = Table(heads[:3], (("Ada", "Porto", "3"),), 1)
    assert [each["type"] for each in draw_table(narrow, BEST).elements] == ["Table", "RichTextBlock"]


def test_columns_that_a_phone_has_no_room_for_are_listed_there() -> None:
    """What would run together in 358 pixels, a width that is no narrow one, stands side by side in a wide chat only."""
    heads = (
        Head("order_number"),
        Head("customer"),
        Head("ordered_on", "date"),
        Head("status"),
        Head("total", "number"),
    )
    row = ("2026-AB-12345", "Ada Lovelace and Sons", "2026-11-22", "delivered", "1234567.50")
    cells, phone, _ = draw_table(Table(heads, (row,), 1), BEST).elements
    assert (cells["targetWidth"], phone["targetWidth"]) == ("atLeast:wide", "atMost:standard")
    assert "status: delivered" in words_of(phone)
