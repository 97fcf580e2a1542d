"""A query that is named by another one: the same elsewhere, or that of an earlier result."""

import pytest

from router.understanding.second_query import (
    Same,
    SameElsewhere,
    compares_earlier,
    names_earlier,
    only_same,
    same_elsewhere,
)

CALLED = {
    "shop": ("shop", "Tarn & Trail (sample company)"),
    "warehouse": ("warehouse", "Warehouse"),
    "backup": ("backup", "Sample backup"),
    "depot": ("depot", "Depot"),
}


@pytest.mark.parametrize(
    ("typed", "what", "connections"),
    [
        ("same question on the warehouse", "question", ("warehouse",)),
        ("the same in the warehouse", "question", ("warehouse",)),
        ("same on backup", "question", ("backup",)),
        ("the same question for the depot", "question", ("depot",)),
        ("compare it with the same question in the warehouse please", "question", ("warehouse",)),
        ("same question, but on the Warehouse", "question", ("warehouse",)),
        ("ask the warehouse the same question", "question", ("warehouse",)),
        ("I'd like the same question for Tarn & Trail", "question", ("shop",)),
        ("the same on tarn", "question", ("shop",)),
        ("same on sample", "question", ("shop", "backup")),
        ("same sql on the warehouse", "sql", ("warehouse",)),
        ("run exactly the same query against the warehouse database as well", "sql", ("warehouse",)),
        ("dieselbe Frage an das Warehouse", "question", ("warehouse",)),
        ("gleiche Abfrage auf dem Depot", "sql", ("depot",)),
        ("la même question sur warehouse", "question", ("warehouse",)),
        ("la misma pregunta en el depot, por favor", "question", ("depot",)),
        ("with the warehouse", "either", ("warehouse",)),
        ("what about the warehouse?", "either", ("warehouse",)),
    ],
)
def test_the_same_elsewhere(typed: str, what: Same, connections: tuple[str, ...]) -> None:
    assert SameElsewhere(what, connections) == same_elsewhere(typed, CALLED, lambda word: False)


@pytest.mark.parametrize(
    "typed",
    [
        "the same for 2023",
        "same for Italy",
        "what is in the warehouse?",
        "not the warehouse",
        "the same",
        "same as the first",
        "orders in the warehouse",
        "tarn",
        "",
    ],
)
def test_what_names_no_other_database(typed: str) -> None:
    """Another time, a value, or a question of its own is not the same elsewhere."""
    assert same_elsewhere(typed, CALLED, lambda word: False) is None


def test_a_word_of_the_data_is_no_part_of_a_name() -> None:
    """What may be a value is taken for one, unless the database is named in full."""
    assert same_elsewhere("the same for tarn", CALLED, lambda word: word == "tarn") is None
    assert same_elsewhere("the same for depot", CALLED, lambda word: True) == SameElsewhere("question", ("depot",))


@pytest.mark.parametrize(
    ("typed", "what"),
    [("the same question", "question"), ("exactly the same SQL", "sql"), ("the same for 2023", None), ("orders", None)],
)
def test_words_for_nothing_but_the_same(typed: str, what: Same | None) -> None:
    assert what == only_same(typed)


@pytest.mark.parametrize(
    ("typed", "named"),
    [
        ("with my earlier question", True),
        ("compare with the earlier query", True),
        ("compare this with the earlier query", True),
        ("with the previous result", True),
        ("the previous one", True),
        ("with the query before", True),
        ("the result before that", True),
        ("compare with what I asked earlier", True),
        ("mit der vorherigen Abfrage", True),
        ("avec la requête précédente", True),
        ("con la consulta anterior", True),
        ("compare the last two results", True),
        ("compare both queries", True),
        ("compare two queries", False),
        ("with the previous year", False),
        ("last month", False),
        ("the last orders", False),
        ("the latest results of the survey", False),
    ],
)
def test_the_query_of_an_earlier_result(typed: str, named: bool) -> None:
    assert named == names_earlier(typed)


def test_a_wish_to_compare_with_it() -> None:
    """Only with a word for comparing it is a wish, where rows are on show."""
    assert [True, False, False] == [
        compares_earlier(each)
        for each in ("compare with the previous result", "the previous result", "compare with last year")
    ]
