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


@pytest.mark.parametrize("word", ["series", "news", "data", "analysis", "class", "gas", "pos", "was", "is", "as", ""])
def test_words_that_only_end_as_a_plural(word: str) -> None:
    """They stay as they are."""
    assert word == singular(word)


def test_irregular_and_unchanged_plurals() -> None:
    """Few nouns of databases are irregular; "movies" keeps its e."""
    assert ["person", "child", "movie"] == [singular(each) for each in ("people", "children", "movies")]
    assert "series" == plural("series")


def test_case_is_kept_for_people_and_lost_for_comparing() -> None:
    """A name is shown in its own case, and compared without."""
    assert ("Category", "CATEGORY", "OrderItem") == tuple(map(singular, ("Categories", "CATEGORIES", "OrderItems")))
    assert "category" == stem("Categories")


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
