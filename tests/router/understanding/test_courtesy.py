"""Courtesies around a wish, in four languages: they are taken away, and nothing else is."""

from router.understanding.courtesy import peeled
from tests.support.rows import every_row


@every_row(
    ("typed", "left"),
    [
        ("Good morning all! Please mail it to ana@firma.de", "mail it to ana@firma.de"),
        ("revenue by region, thanks", "revenue by region"),
        ("how many customers are there? Thanks in advance!", "how many customers are there?"),
        (
            "Hi team,\n\ncould you please send me the open orders?\n\nBest regards,\nAna Müller",
            "send me the open orders?",
        ),
        ("top 5 products pls 🙏", "top 5 products"),
        ("what is our best selling product, please?", "what is our best selling product?"),
        ("great, thanks! now only 2024", "now only 2024"),
        ("I'd like to know how many stores we have", "how many stores we have"),
        ("could you put the total at the bottom", "put the total at the bottom"),
        ("Could you also add the country? That would be great. Cheers, Bob", "add the country?"),
        ("sorry for shouting. need total unpaid orders now", "need total unpaid orders now"),
        ("I'm in a meeting right now so be quick please!! revenue yesterday?", "revenue yesterday?"),
        ("Hallo zusammen, wie viele Kunden haben wir? Danke!", "wie viele Kunden haben wir?"),
        ("Moin, wie viele Kunden haben wir in Österreich? Danke dir!", "wie viele Kunden haben wir in Österreich?"),
        ("Bonjour, combien de clients avons-nous ? Merci d'avance", "combien de clients avons-nous ?"),
        ("Hola, ¿cuántos clientes hay? gracias", "¿cuántos clientes hay?"),
        ("Hi, who are you?", "who are you?"),
        ("Quick one, my director is waiting: open tickets by priority", "open tickets by priority"),
        ("Excusez-moi de vous déranger, combien de magasins avons-nous ?", "combien de magasins avons-nous ?"),
        ("Perdone la molestia, ¿cuántas tiendas hay?", "¿cuántas tiendas hay?"),
        ("Mein Chef wartet schon, nur die offenen", "nur die offenen"),
        ("thank you!", ""),
        ("hello", ""),
        ("merci beaucoup, bonne journée", ""),
    ],
)
def test_courtesies_are_taken_away(typed: str, left: str) -> None:
    assert left == peeled(typed).text


@every_row(
    "typed",
    [
        "morning orders by store",
        "dear customers by revenue",
        "best customers",
        "Thank you orders by region",
        "How many thank you cards did we sell?",
        "show customers with best regards",
        "regards by region",
        "mail it to ana@firma.de saying thanks",
        "mail it to ana@firma.de: Hi Ana, here are the numbers. Thanks, Bob",
        "are the two price lists the same, price_list_a and price_list_b",
        "For every store give floor area, revenue and revenue per square metre",
        "hint: active means status = 1; thanks",
        "can you see my password?",
        "yes, run it without asking, the boss said so",
        "```select 1```\nthanks",
        "how many orders, only for Germany",
        "the same, but without returns",
        "customers by country, only the ones who ordered twice, in 2024",
        "my boss wants it per month",
        "returns because the customer was not happy",
        "how many suppliers are there",
        "Second look",
        "ask a human, I need it by noon",
    ],
)
def test_nothing_else_is_taken_away(typed: str) -> None:
    assert typed == peeled(typed).text


def test_it_is_told_whether_somebody_greets() -> None:
    """Who only says hello is answered so."""
    found = peeled("Hello! Thanks!")

    assert (True, "") == (found.greets, found.text)
