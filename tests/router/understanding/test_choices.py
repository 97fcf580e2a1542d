"""Which of several offered things a sentence means."""

from router.understanding.choices import NONE_OF_THESE, choice_in, named_by
from tests.support.rows import every_row

LABELS = ("Revenue by region", "Revenue by month", "Orders by region")


@every_row(
    ("typed", "place"),
    [
        ("2", 1),
        ("the second one", 1),
        ("i mean the first", 0),
        ("the last one please", 2),
        ("3rd", 2),
        ("Orders by region", 2),
        ("orders", 2),
        ("die zweite", 1),
        ("le premier", 0),
        ("la tercera", 2),
        ("neither", NONE_OF_THESE),
        ("no", NONE_OF_THESE),
        ("none of these", NONE_OF_THESE),
        ("keine davon", NONE_OF_THESE),
        ("something else", NONE_OF_THESE),
        ("Umsatz pro Monat", 1),
        ("los pedidos", 2),
        ("revenue per store", None),
        ("revenue", None),
        ("the fifth", None),
        ("how many customers are there", None),
        ("", None),
    ],
)
def test_the_place_of_what_is_meant(typed: str, place: int | None) -> None:
    assert place == choice_in(typed, LABELS)


DATABASES = (("shop", "Tarn & Trail (sample company)"), ("dwh", "Sample warehouse"), ("hr-2024", "People"))


@every_row(
    ("typed", "places"),
    [
        ("Tarn & Trail (sample company)", (0,)),
        ("Tarn & Trail", (0,)),
        ("tarn and trail", (0,)),
        ("tarn", (0,)),
        ("the shop", (0,)),
        ("the sample company", (0,)),
        ("let's take the company one, please", (0,)),
        ("in the ware database", (1,)),
        ("DWH", (1,)),
        ("hr", (2,)),
        ("sample", (0, 1)),
        ("the sample database", (0, 1)),
        ("first one", (0,)),
        ("the second", (1,)),
        ("the last one", (2,)),
        ("2nd", (1,)),
        ("3", (2,)),
        ("4", ()),
        ("0", ()),
        ("not the shop", ()),
        ("the database", ()),
        ("how many people are in the shop?", ()),
        ("no", ()),
        ("", ()),
    ],
)
def test_the_things_that_names_can_mean(typed: str, places: tuple[int, ...]) -> None:
    """A part of a name is enough where only one thing has it."""
    assert places == named_by(typed, DATABASES)
