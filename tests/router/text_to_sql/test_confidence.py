"""How likely a statement is right, and where a person should look."""

import pytest

from router.text_to_sql.confidence import SHAPE_WEIGHTS, WEIGHTS, confidence, features, surprisal

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


def told(*words: tuple[str, float]) -> list[tuple[str, float]]:
    """Return the tokens of a statement that begins as a matter of style."""
    return [("SELECT", -0.5), (" T", -1.0), ("1", -0.7), (".name", -0.1), *words]


def test_the_least_likely_tokens_count() -> None:
    """Three of them at most, not the first ones, and nothing that is said around the SQL."""
    sql, end = "SELECT T1.name FROM people AS T1", [(" FROM", -0.01), (" people", -1.2), (" AS T1", -0.8)]
    around = [("Here:", -6.0), ("\n```", -3.0), ("sql\n", -2.0)]
    behind = [("\n```", -2.0), (" It lists", -5.0), (" names.", -4.0)]

    assert surprisal(told(), "SELECT T1.name") == pytest.approx(0.1)
    assert surprisal(told(*end), sql) == pytest.approx(2.1)
    assert surprisal([*around, *told(*end), *behind], sql) == pytest.approx(2.1)
    assert surprisal(told(), "SELECT 1") is None
    assert surprisal(told()[:3], "SELECT T1") is None
    assert surprisal([], sql) is None


def test_what_was_unlikely_to_the_model_is_less_likely_right() -> None:
    """So is what has a sign against it."""
    assert 0 < confidence(SIMPLE, "sqlite", 0, 2.1) < confidence(SIMPLE, "sqlite", 0, 0.1) < 1
    assert confidence(SIMPLE, "sqlite", 1, 0.1) < confidence(SIMPLE, "sqlite", 0, 0.1)
    assert set(WEIGHTS) == set(features(SIMPLE, "sqlite", 0, 0.1))
