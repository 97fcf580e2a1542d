"""What a person is told to look at before SQL runs."""

from router.cards import Text
from tests.platforms.ollama import Ollama
from tests.support.talk import Talk


def plain(talk: Talk) -> list[str]:
    """Return the plain sentences of the last answer."""
    return [card.body for card in talk.replies[-1].cards if isinstance(card, Text) and card.tone == "plain"]


def test_the_card_says_what_to_look_at(talk: Talk, server: Ollama) -> None:
    """What the question says and the SQL does not is told above the buttons; SQL of one's own is not doubted."""
    server.enqueue("SELECT id FROM orders")
    talk.say("Which orders have a total above 77?")
    assert ["Please check: “77” of the question is not in the SQL."] == plain(talk)
    server.enqueue("SELECT id FROM orders WHERE total > 77")
    talk.say("ask: Which orders have a total above 77?")
    assert [] == plain(talk)
    talk.press("edit")
    talk.fill(sql="SELECT name FROM customers")
    assert [] == plain(talk)


def quiet(talk: Talk) -> str:
    """Return the quiet sentences of the last answer."""
    return " ".join(card.body for card in talk.replies[-1].cards if isinstance(card, Text) and card.tone == "quiet")


def test_a_low_score_is_no_finding(talk: Talk, server: Ollama) -> None:
    """Joins over declared keys, and what there is a row for, are not called doubtful: one quiet line says so once."""
    server.enqueue(
        "SELECT r.name, c.name, SUM(o.total) AS revenue, COUNT(o.id) AS orders FROM orders AS o"
        " JOIN customers AS c ON o.customer_id = c.id JOIN regions AS r ON c.region_id = r.id"
        " GROUP BY r.name, c.name ORDER BY r.name, c.name"
    )
    talk.say("Revenue and orders by region and customer")

    assert [] == plain(talk)
    assert quiet(talk).count("less sure") == 1
    assert "check the SQL" not in quiet(talk)


def test_a_constant_that_nobody_said_is_always_told(talk: Talk, server: Ollama) -> None:
    """It comes first, in any language, and stays away once the question has it."""
    server.enqueue("SELECT COUNT(*) FROM orders WHERE status = 'paid'")
    talk.say("Wie viele Bestellungen gibt es pro Land?")
    assert ["Please check: The SQL has `status = 'paid'`, which your question does not say."] == plain(talk)
    assert "less sure" not in quiet(talk)

    server.enqueue("SELECT COUNT(*) FROM orders WHERE status = 'paid'")
    talk.say("ask: How many paid orders are there?")
    assert [] == plain(talk)
