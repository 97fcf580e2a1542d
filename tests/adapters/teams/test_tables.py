"""Pages of results as tables of Teams."""

from adapters.teams.charts import draw_table
from adapters.teams.drawing import size_of
from router.cards import Head, Table
from tests.platforms.teams.cards.words import words_of

PEOPLE = Table(
    (Head("name"), Head("revenue", "number")),
    (("Barbara Liskov", "990.25"), ("[x](http://evil)", "1e5"), ("", None), ("a\nb", "007")),
    4,
    seconds=0.1,
)


def test_cells_are_literal_and_never_empty() -> None:
    """NULL is slanted, an empty cell quoted, a line break seen; numbers stand on the right."""
    table, legend = draw_table(PEOPLE, 60_000).elements
    said = ["name | revenue", "Barbara Liskov | 990.25", "[x](http://evil) | 1e5", "“” | NULL", "a ↵ b | 007"]
    assert [words_of(row) for row in table["rows"]] == said
    null = table["rows"][3]["cells"][1]["items"][0]
    assert (null["horizontalAlignment"], null["inlines"][0]["italic"]) == ("Right", True)
    assert "horizontalAlignment" not in table["rows"][1]["cells"][0]["items"][0]
    assert words_of(legend) == "4 rows, 0.1 s"


def test_columns_and_rows_left_out_are_named() -> None:
    """Of 40 columns, 6 are shown and the others named, with where to find them; of 30 rows, 20."""
    wide = Table(tuple(Head(f"c{n}") for n in range(40)), (("x" * 500,) * 40,) * 30, 5_000, offset=20)
    table, legend = draw_table(wide, 60_000).elements
    assert (len(table["columns"]), len(table["rows"])) == (6, 21)
    assert "rows 21 to 40 of 5,000" in words_of(legend)
    assert "The first 20 of these 30 rows" in words_of(legend)
    assert "34 more columns: c6, c7" in words_of(legend)
    assert "Long cells are cut at 80 characters" in words_of(legend)


def test_a_table_takes_the_room_there_is() -> None:
    """Cells become shorter first, then rows fewer; where not even one fits, it says so."""
    wide = Table(tuple(Head(f"c{n}") for n in range(6)), (("“é”" * 100,) * 6,) * 20, 20)
    for room in (60_000, 30_000, 10_000, 5_000):
        part = draw_table(wide, room)
        assert len(part.elements) == 2
        assert size_of(part.elements) <= room
    assert draw_table(wide, 500).cut


def test_a_table_without_rows_is_a_line() -> None:
    """Nothing found: the columns are named. Rows that are not kept with a message: their number is."""
    assert words_of(list(draw_table(Table((Head("name"),), (), 0), 9_000).elements)) == "Columns: name\n0 rows"
    assert words_of(list(draw_table(Table((Head("name"),), (), 5), 9_000).elements)) == "A table of 5 rows was here."


def test_a_column_is_as_wide_as_what_it_holds() -> None:
    """Words go on in the next line, so that numbers, dates and codes, which should not be broken, have room."""
    heads = (Head("id", "number"), Head("name"), Head("day", "date"), Head("code"))
    (table, _) = draw_table(Table(heads, (("7", "Anna " * 30, "2026-11-22", "2026-AB-12345"),), 1), 60_000).elements
    assert [{"width": 8}, {"width": 18}, {"width": 14}, {"width": 17}] == table["columns"]


def test_a_number_alone_stands_where_a_line_begins() -> None:
    """As the answer to a question it is read like a word."""
    table, _ = draw_table(Table((Head("customers", "number"),), (("4000",),), 1), 60_000).elements
    assert ["RichTextBlock"] * 2 == [row["cells"][0]["items"][0]["type"] for row in table["rows"]]
    assert "horizontalAlignment" not in str(table)
