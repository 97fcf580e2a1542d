"""Singular, plural and stem of English words."""

import pytest

from router.language.inflection import other_number, plural, singular, stem, word_family


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("order", "orders"),
        ("category", "categories"),
        ("address", "addresses"),
        ("box", "boxes"),
        ("branch", "branches"),
        ("status", "statuses"),
        ("bus", "buses"),
        ("house", "houses"),
        ("size", "sizes"),
        ("course", "courses"),
        ("day", "days"),
        ("ad", "ads"),
        ("id", "ids"),
    ],
)
def test_one_and_several(one: str, several: str) -> None:
    """A noun and its plural lead to one another, and share a stem."""
    assert (one, several) == (singular(several), plural(one))
    assert singular(one) == one
    assert plural(several) == several
    assert stem(one) == stem(several) == one


def test_words_made_of_one_another_share_a_family() -> None:
    """More than number is left out there, but of short words nothing."""
    assert len({word_family(stem(each)) for each in ("shipped", "shipping", "shipments", "shippers")}) == 1
    assert "order" == word_family("order")


@pytest.mark.parametrize(
    ("one", "other"),
    [("rivers", "river"), ("river", "rivers"), ("cities", "city"), ("city", "cities"), ("boxes", "box")],
)
def test_the_other_number(one: str, other: str) -> None:
    """A plural is found by its singular, and the other way round."""
    assert other in other_number(one)


def test_the_other_number_of_other_languages() -> None:
    """Spanish adds "es" where English adds "s": both are looked for."""
    assert {"ciudads", "ciudades"} == set(other_number("ciudad"))
