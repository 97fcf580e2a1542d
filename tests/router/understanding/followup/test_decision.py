"""Whether a message changes the last question, by a small model."""

from router.understanding.followup.decision import ALONE_MAX, CHANGES_MIN, changes_share
from router.understanding.intent_service import ShippedIntents
from tests.support.rows import every_row


def share(message: str, before: str) -> float:
    """Return how likely the message changes the question before it, by the shipped examples."""
    found = ShippedIntents().decide(message, frozenset(), frozenset())
    shares = {each.category: each.share for each in found.ranked}
    return changes_share(message, before, shares.get("refine_question", 0.0), shares.get("ask_data", 0.0))


@every_row(
    ("message", "before"),
    [
        ("rounded to thousands", "Revenue by store"),
        ("die Filialleiter dazu", "Umsatz pro Filiale"),
        ("arrondis à l'euro", "Ventes par mois"),
        ("I meant the closed stores", "Revenue by store"),
    ],
)
def test_changes_the_question(message: str, before: str) -> None:
    """A part, a wish or a pronoun changes the question before it."""
    assert share(message, before) >= CHANGES_MIN


@every_row(
    ("message", "before"),
    [
        ("how many orders are open?", "Revenue by region"),
        ("Anzahl Kunden pro Land", "Umsatz pro Filiale"),
        ("liste des clients à Lyon", "Ventes par mois"),
        ("pedidos por tienda", "Ventas por mes"),
    ],
)
def test_stands_alone(message: str, before: str) -> None:
    """A question with its own subject is one of its own."""
    assert share(message, before) <= ALONE_MAX
