"""Rows that tell nothing: it is said, with what to do instead."""

from functools import partial
from pathlib import Path

import pytest

from adapters.rendering.plain_text import text_of
from router.cards import Text
from tests.platforms.ollama import Ollama
from tests.support.talk import Talk, llm_at


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT name FROM customers WHERE id < 0", "The query ran and found no rows."),
        ("SELECT MAX(id) AS last FROM customers WHERE id < 0", "All of its values are empty"),
        ("SELECT COUNT(*) AS customers FROM customers WHERE id < 0", ""),
    ],
)
def test_rows_that_tell_nothing(talk: Talk, sql: str, said: str) -> None:
    """It is said, with what to ask instead; a number of nothing is an answer."""
    talk.say(sql)
    talk.press("yes")
    cards = talk.replies[-1].cards
    told = " ".join(card.body for card in cards if isinstance(card, Text) and card.tone == "plain")
    assert said in told if said else told == ""


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT name FROM customers", "It found 6 rows.\n"),
        ("SELECT name FROM customers LIMIT 2", "It found 2 rows.\n"),
        ("SELECT name FROM (SELECT name FROM customers LIMIT 2) AS some", "It found 2 rows.\n"),
        ("SELECT name FROM customers WHERE id < 0", "It found no rows.\n"),
    ],
)
def test_an_explanation_says_what_came(talk: Talk, sql: str, said: str) -> None:
    """How many rows there were, or that nothing meets the conditions."""
    talk.say(sql)
    talk.press("yes")
    assert said in talk.say("explain the query")


def test_rows_that_a_join_loses_meet_the_conditions(tmp_path: Path, server: Ollama) -> None:
    """Where a join leaves nothing, the data meets the conditions, and neither the rows nor the explanation deny it."""
    talk = Talk(tmp_path, partial(llm_at, server.url), ("outlet",))
    lost = "is empty, or not in `stores`"
    for total, rows, before in ((" WHERE o.total < 10", "no rows", "none is left after its joins"), ("", "1 row", "")):
        talk.say("restart")
        talk.say(f"SELECT s.city, COUNT(*) FROM orders o JOIN stores s ON s.id = o.store_id{total} GROUP BY s.city")
        for shown in (talk.press("yes"), talk.say("explain the query")):
            assert lost in shown
        assert f"It found {rows}." in shown
        assert before in "".join(text_of(reply) for reply in talk.replies)
    talk.close()


def test_the_model_is_told_how_a_query_failed(talk: Talk, server: Ollama) -> None:
    """What the database said when a query ran stands in the prompt of the next try."""
    server.enqueue(
        "SELECT CAST(name AS INTEGER) % 0, abs(-9223372036854775808) FROM customers", "SELECT name FROM customers"
    )
    talk.say("ask: Which names do the customers have?")
    talk.press("yes")
    failed = talk.replies[-1]
    talk.press("again")

    assert "overflow" in server.prompts[-1], failed
    assert "It does not answer the question." not in server.prompts[-1]
