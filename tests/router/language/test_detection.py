"""The language of a sentence."""

from router.language.detection import language_of
from tests.support.rows import every_row

SAID = {
    "en": (
        "no cancelled orders",
        "make an excel file of it",
        "as an average per day",
        "plus last year",
        "orders w/o payment",
        "I hope you die",
        "no more weekly reports",
        "Revenue by region",
        "4711",
        "",
    ),
    "de": (
        "letzten Monat",
        "und jetzt ohne Berlin",
        "Kunden ohne Bestellung",
        "bitte als Diagramm",
        "warum fehlt Berlin",
        "was läuft gerade",
        "bist du ein Mensch",
        "Umsatz pro Region",
    ),
    "fr": (
        "je voudrais un graphique",
        "seulement 2024",
        "C’est prêt ?",
        "pourquoi n'y a-t-il que trois lignes",
        "chaque lundi à 8h",
        "tu es un robot",
        "Chiffre d'affaires par région",
    ),
    "es": (
        "ordenado por nombre",
        "solo 2024",
        "y por mes",
        "dame la lista de clientes",
        "cómo funciona esto",
        "lo mismo pero sin devoluciones",
        "puedes repetir esto cada semana",
    ),
}


@every_row(("language", "text"), [(name, text) for name, texts in SAID.items() for text in texts])
def test_language(language: str, text: str) -> None:
    """Small words and letters tell a language; those that English has, too, leave a sentence English."""
    assert language_of(text) == language
