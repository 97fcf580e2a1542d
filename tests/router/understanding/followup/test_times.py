"""Messages that are a time put it in the place of the last question's time."""

import pytest

from router.understanding.followup.full_question import full_question
from router.understanding.followup.previous import PreviousQuestion
from router.understanding.followup.times import times_in
from tests.router.understanding.followup.shop_words import WORDS


@pytest.mark.parametrize(
    ("question", "message", "full"),
    [
        ("Revenue by region", "KW 20", "Revenue by region in KW 20"),
        ("Revenue by region in KW 20", "and week 21?", "Revenue by region in week 21"),
        ("Revenue by region in week 20 2025", "week 21", "Revenue by region in week 21 2025"),
        ("Revenue by region in KW 20", "KW 18 to 20", "Revenue by region in KW 18 to 20"),
        ("Revenue by region in week 20", "the week before", "Revenue by region in week 19"),
        ("Revenue by region in Q1 2025", "the quarter before", "Revenue by region in Q4 2024"),
        ("Revenue by region in April", "March to May", "Revenue by region March to May"),
        ("Revenue by region in 2025", "rolling 12 months", "Revenue by region rolling 12 months"),
        ("Revenue by region this year", "since Easter", "Revenue by region since Easter"),
        ("Revenue by region this year", "since Tuesday", "Revenue by region since Tuesday"),
        ("Revenue by region yesterday", "the day before yesterday", "Revenue by region the day before yesterday"),
        ("Revenue by region in April", "all time", "Revenue by region all time"),
        ("Umsatz pro Region KW 20", "und KW 21?", "Umsatz pro Region KW 21"),
        ("Umsatz pro Region KW 20", "KW 21 statt KW 20", "Umsatz pro Region KW 21"),
        ("Umsatz pro Region KW 20", "die Woche davor", "Umsatz pro Region KW 19"),
        ("Umsatz pro Region im 2. Quartal 2025", "3. Quartal", "Umsatz pro Region im 3. Quartal 2025"),
        ("Umsatz pro Region letzte Woche", "vorletzte Woche", "Umsatz pro Region vorletzte Woche"),
        ("Umsatz pro Region dieses Jahr", "seit Jahresbeginn", "Umsatz pro Region seit Jahresbeginn"),
        ("Ventes par région semaine 20", "semaine 21", "Ventes par région semaine 21"),
        ("Ventes par région en 2025", "au T2", "Ventes par région au T2"),
        ("Ventes par région cette année", "les 3 derniers mois", "Ventes par région les 3 derniers mois"),
        ("Ventes par région hier", "avant-hier", "Ventes par région avant-hier"),
        ("Ventas por región este año", "en lo que va de mes", "Ventas por región en lo que va de mes"),
        ("Ventas por región este mes", "los últimos 7 días", "Ventas por región los últimos 7 días"),
    ],
)
def test_a_time_takes_the_place_of_the_last(question: str, message: str, full: str) -> None:
    """What the new time leaves open, such as the year, is that of the last question."""
    understood = full_question(message, [PreviousQuestion(question, "SELECT 1", names=WORDS)])
    assert understood
    assert understood.question == full


@pytest.mark.parametrize(
    "text", ["Revenue per week", "Items of type T3", "Easter promotion", "Orders on Mondays", "The last 30 orders"]
)
def test_what_may_be_a_name_is_no_time(text: str) -> None:
    """A feast or a weekday is one only behind a word such as "since"."""
    assert not times_in(text)
