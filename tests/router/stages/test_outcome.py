"""Rows that tell nothing, or what cannot be: it is said, with what to do instead."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from router.cards import Text
from tests.platforms.ollama import Ollama
from tests.support.talk import Talk, llm_at


@pytest.fixture(name="talk")
def _talk(tmp_path: Path, server: Ollama) -> Iterator[Talk]:
    talk = Talk(tmp_path, partial(llm_at, server.url))
    yield talk
    talk.close()


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT name FROM customers WHERE id < 0", "no rows: nothing in the data meets all of its conditions at once"),
        ("SELECT MAX(id) AS last FROM customers WHERE id < 0", "All of its values are empty"),
        ("SELECT COUNT(*) AS customers FROM customers WHERE id < 0", ""),
        ("SELECT 3 AS orders_total, 5 AS orders_cancelled", "`orders_total` is smaller than `orders_cancelled`"),
        ("SELECT 5 AS orders_total, 3 AS orders_cancelled, 9 AS customers_new", ""),
        ("SELECT 50 AS order_total, 2026 AS order_year", ""),
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
    ("question", "sql", "said"),
    [
        ("Revenue for each region", "SELECT SUM(id) AS revenue FROM customers", "you asked for each region"),
        ("Revenue for each region", "SELECT id, name FROM customers", ""),
        (
            "What percentage of orders is paid?",
            "SELECT 250.0 AS percentage",
            "`percentage` is 250, and no share can be",
        ),
        ("What percentage of orders is paid?", "SELECT 25.0 AS percentage", ""),
        ("By what percentage did revenue grow?", "SELECT 250.0 AS percentage", ""),
        ("What is the share price?", "SELECT 189.5 AS share_price", ""),
        ("What is the average number of orders for each customer?", "SELECT 2.5 AS orders", ""),
        ("Price per kilogram of product 7", "SELECT 2.5 AS price", ""),
        (
            "Which customers have never ordered?",
            "SELECT name FROM customers WHERE id < 0",
            "nothing of which this holds",
        ),
        ("By what percent is it more than last year?", "SELECT 250.0 AS percent", ""),
    ],
)
def test_rows_that_cannot_be_the_answer(talk: Talk, server: Ollama, question: str, sql: str, said: str) -> None:
    """One row where one for each was asked, or a share of more than all, is named."""
    server.enqueue(sql)
    talk.say(f"ask: {question}")
    talk.press("yes")
    cards = talk.replies[-1].cards
    told = " ".join(card.body for card in cards if isinstance(card, Text) and card.tone == "plain")
    assert said in told if said else told == ""


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
