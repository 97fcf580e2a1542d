"""How likely a statement is right, and where a person should look."""

import pytest

from router.text_to_sql.confidence import SHAPE_WEIGHTS, WEIGHTS, confidence, features, spot, unsure

SIMPLE = "SELECT COUNT(*) FROM orders"
HARD = (
    "SELECT c.name, c.country, SUM(o.total) FROM orders AS o JOIN customers AS c ON o.customer_id = c.id "
    "WHERE o.status = 'open' AND o.total > 5 AND c.country <> 'UK' GROUP BY c.name, c.country"
)


def test_what_is_long_and_has_signs_against_it_is_less_likely() -> None:
    """Each of these makes it less likely, and all are probabilities."""
    assert 0 < confidence(HARD, "sqlite", 0, None) < confidence(SIMPLE, "sqlite", 0, None) < 1
    assert confidence(SIMPLE, "sqlite", 1, None) < confidence(SIMPLE, "sqlite", 0, None)
    assert set(SHAPE_WEIGHTS) == set(features(SIMPLE, "sqlite", 0, None))


def test_what_the_model_was_not_sure_of_is_less_likely() -> None:
    """Its least sure words count, not the first ones, nor what is around the SQL."""
    sure = [("```", -3.0), ("sql", -0.1), ("\n", -2.0), ("SELECT", -0.5), (" T", -1.0), ("1", -0.7), (".", -0.1)]
    doubted = [*sure, (" name", -0.8), (" FROM", -0.01), (" people", -1.2), ("\n```", -0.2)]

    assert unsure([]) is None
    assert unsure(sure) == pytest.approx(0.1)
    assert unsure(doubted) == pytest.approx(2.1)
    assert 0 < confidence(SIMPLE, "sqlite", 0, 2.1) < confidence(SIMPLE, "sqlite", 0, 0.1) < 1
    assert confidence(SIMPLE, "sqlite", 1, 0.1) < confidence(SIMPLE, "sqlite", 0, 0.1)
    assert set(WEIGHTS) == set(features(SIMPLE, "sqlite", 0, 0.1))


def test_a_person_is_sent_to_the_likeliest_place() -> None:
    """First to the joins, with their columns; then to the groups and to the conditions."""
    assert "tables are joined by `o.customer_id = c.id`." == spot(HARD, "sqlite")
    assert "there is a row for each `status`." == spot("SELECT status, COUNT(*) FROM orders GROUP BY status", "sqlite")
    assert "only rows count with `id > 5`." == spot("SELECT id FROM orders WHERE id > 5", "sqlite")
    assert "" == spot(SIMPLE, "sqlite")
    assert "" == spot("SELECT FROM WHERE", "sqlite")
