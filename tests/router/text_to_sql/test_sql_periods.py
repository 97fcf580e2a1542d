"""Times that models get wrong become dates, in four languages."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.text_to_sql.periods import periods
from tests.support.rows import every_row

PIECES = (
    *("since", "bis", "avant", "between", "and", "to", "of", "the", "last", "next", "first", "letzten", "derniers"),
    *(
        "3",
        "0",
        "99",
        "31.",
        "31.02.",
        "2025",
        "9999",
        "0000",
        "9999-12-31",
        "2026-W54",
        "'25",
        "FY25",
        "Q3",
        "T3",
        "-",
    ),
    *("KW", "week", "days", "Tage", "quarter", "year", "May", "June", "Easter", "Friday", "Anfang", "end of", "YTD"),
    *("vor", "il y a", "hace", "same period last year", "before last", "fiscal", "per", ","),
)
WEDNESDAY = date(2026, 8, 12)
"""The day of the questions below."""


def _days(text: str) -> list[str]:
    """Return the dates of a text's times: "first day, first day after it"; nothing if there is no such end."""
    return [f"{time.start or ''}, {time.end or ''}" for time in periods(text, WEDNESDAY)]


@every_row(
    ("text", "days"),
    [
        ("Freight costs in week 31", "2026-07-27, 2026-08-03"),
        ("Freight costs CW 31", "2026-07-27, 2026-08-03"),
        ("Frachtkosten KW 31", "2026-07-27, 2026-08-03"),
        ("Frachtkosten in der 31. Kalenderwoche", "2026-07-27, 2026-08-03"),
        ("Frachtkosten KW40", "2025-09-29, 2025-10-06"),
        ("Frachtkosten KW 31/2025", "2025-07-28, 2025-08-04"),
        ("frais de transport semaine 31", "2026-07-27, 2026-08-03"),
        ("gastos de la semana 31", "2026-07-27, 2026-08-03"),
        ("Freight costs in Q2", "2026-04-01, 2026-07-01"),
        ("Freight costs in Q4", "2025-10-01, 2026-01-01"),
        ("Freight costs Q2 24", "2024-04-01, 2024-07-01"),
        ("Freight costs in the second quarter of 2025", "2025-04-01, 2025-07-01"),
        ("Frachtkosten im 2. Quartal", "2026-04-01, 2026-07-01"),
        ("frais du 2e trimestre", "2026-04-01, 2026-07-01"),
        ("gastos del segundo trimestre de 2025", "2025-04-01, 2025-07-01"),
        ("Freight costs in H1", "2026-01-01, 2026-07-01"),
        ("Freight costs in the second half of 2025", "2025-07-01, 2026-01-01"),
        ("Frachtkosten im ersten Halbjahr 2025", "2025-01-01, 2025-07-01"),
        ("frais du premier semestre", "2026-01-01, 2026-07-01"),
        ("gastos del primer semestre", "2026-01-01, 2026-07-01"),
        ("Freight costs YTD", "2026-01-01, 2026-08-13"),
        ("MTD freight costs", "2026-08-01, 2026-08-13"),
        ("freight costs qtd", "2026-07-01, 2026-08-13"),
        ("Frachtkosten seit Jahresbeginn", "2026-01-01, 2026-08-13"),
        ("frais depuis le début de l'année", "2026-01-01, 2026-08-13"),
        ("gastos en lo que va de año", "2026-01-01, 2026-08-13"),
        ("Freight costs in May", "2026-05-01, 2026-06-01"),
        ("Freight costs in November", "2025-11-01, 2025-12-01"),
        ("Freight costs in May 2024", "2024-05-01, 2024-06-01"),
        ("Frachtkosten im März", "2026-03-01, 2026-04-01"),
        ("frais en août 2025", "2025-08-01, 2025-09-01"),
        ("gastos en enero", "2026-01-01, 2026-02-01"),
        ("Frachtkosten letzte Woche", "2026-08-03, 2026-08-10"),
        ("frais de la semaine dernière", "2026-08-03, 2026-08-10"),
        ("gastos de la semana pasada", "2026-08-03, 2026-08-10"),
        ("Frachtkosten diesen Monat", "2026-08-01, 2026-09-01"),
        ("Frachtkosten nächstes Quartal", "2026-10-01, 2027-01-01"),
        ("frais de ce trimestre", "2026-07-01, 2026-10-01"),
        ("gastos del año pasado", "2025-01-01, 2026-01-01"),
        ("Frachtkosten im Vorjahr", "2025-01-01, 2026-01-01"),
        ("Frachtkosten der vorletzten Woche", "2026-07-27, 2026-08-03"),
        ("Frachtkosten der letzten 14 Tage", "2026-07-29, 2026-08-13"),
        ("Frachtkosten der letzten zwei Monate", "2026-06-12, 2026-08-13"),
        ("frais des 2 derniers mois", "2026-06-12, 2026-08-13"),
        ("gastos de los últimos 14 días", "2026-07-29, 2026-08-13"),
        ("Freight costs of the rolling 2 weeks", "2026-07-29, 2026-08-13"),
        ("gastos desde mayo", "2026-05-01, "),
        ("Frachtkosten ab Mai", "2026-05-01, "),
        ("Freight costs before April", ", 2026-04-01"),
        ("Frachtkosten gestern", "2026-08-11, 2026-08-12"),
        ("les frais d'hier", "2026-08-11, 2026-08-12"),
        ("gastos de anteayer", "2026-08-10, 2026-08-11"),
        ("Freight costs of the day before yesterday", "2026-08-10, 2026-08-11"),
        ("Freight costs since May", "2026-05-01, "),
        ("Freight costs until July", ", 2026-08-01"),
        ("Freight costs since last week", "2026-08-03, "),
    ],
)
def test_a_named_time_becomes_its_dates(text: str, days: str) -> None:
    """A time without a year is the last that has begun."""
    assert _days(text) == [days]


@every_row(
    "text",
    [
        "Customers who are currently active",
        "Amount of order 2024",
        "Freight costs between 2000 and 2020",
        "Invoices above 2025 euros",
        "May I see the suppliers?",
        "Suppliers from Graz, and may I see their towns?",
        "Copy it to freight_2025-Q1",
        "Frachtkosten Ende Mai",
        "The orders of June Miller",
        "Which teams march to the depot?",
        "Hier sind die Lieferanten von Graz",
        "Top 5 suppliers per week",
        "Freight costs per week 10 or more",
        "Freight costs around Christmas",
        "Freight costs in the last days",
        "Freight costs on 2026-05-04",
        "Freight costs in 2025",
        "Items of type T3",
        "Freight costs Monday to Friday",
        # Days from one to another, feasts and other years are left to the model.
        "Freight costs KW 29 to 31",
        "Freight costs in weeks 29-31 2025",
        "Freight costs Q1 to Q2",
        "Freight costs since Easter",
        "Freight costs since 2 May",
        "Freight costs between February and April",
        "gastos del 4 al 8 de mayo",
        "Freight costs from November to February",
        "Freight costs last Thursday",
        "Frachtkosten Anfang Mai",
        "Freight costs from May on",
        "Freight costs in May and June 2025",
        "Freight costs in fiscal Q1",
        "Freight costs FY25 Q2",
        "2025 Q2",
        "Freight costs of the last 2 months of 2025",
    ],
)
def test_what_is_no_sure_time_has_no_dates(text: str) -> None:
    """A wrong date is worse than none; a year or a date can be compared with as it stands."""
    assert _days(text) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Frachtkosten KW 31", "KW 31 = 27 July to 2 August 2026"),
        ("Freight costs in Q1", "Q1 = 1 January to 31 March 2026"),
        ("Freight costs in Q4", "Q4 = 1 October to 31 December 2025 (the last that has begun)"),
        ("Freight costs since April", "since April = from 1 April 2026"),
        ("Freight costs before April", "before April = up to 31 March 2026"),
        ("Freight costs yesterday", "yesterday = 11 August 2026"),
    ],
)
def test_a_person_is_told_the_dates_and_what_was_assumed(text: str, line: str) -> None:
    """The line stands on the card, beside the SQL."""
    assert [time.line for time in periods(text, WEDNESDAY)] == [line]


@given(st.lists(st.sampled_from(PIECES), max_size=8))
def test_words_in_any_order_do_no_harm(pieces: list[str]) -> None:
    """Every time that is found has a day, and ends after it began."""
    for time in periods(" ".join(pieces), WEDNESDAY):
        assert time.condition
        assert time.line
        assert not time.start or not time.end or time.start < time.end
