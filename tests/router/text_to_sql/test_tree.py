"""Questions that are solved in parts, and a model that chooses the steps: a real database, a server as Ollama's."""

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from bot.models import ollama_server
from router.errors import AgentAway
from router.llm.call import Requester
from router.llm.client import Llm
from router.sql.databases.session import Estimate, PooledDatabase
from router.sql.dialect import DIALECTS
from router.sql.opening import open_database
from router.text_to_sql.question import DEFAULT_OPTIONS, Options, Question, SqlTask
from router.text_to_sql.write_sql import WrittenSql, write_sql
from tests.platforms.ollama import Answer, Ollama
from tests.router.text_to_sql.test_sql_prompt import SYSTEM
from tests.support.trade import build_trade, trade

MODEL = "qwen2.5-coder:7b"
BESIDE = "Compare orders to customers"
COMPARISON = "Compare the total amount this year and last year by region"
PARTS = {
    "parts": [
        {"name": "orders", "question": "How many orders?"},
        {"name": "customers", "question": "How many customers?"},
    ]
}
ORDERS, CUSTOMERS = "SELECT COUNT(*) FROM orders", "SELECT COUNT(*) FROM customers"
WHOLE = "SELECT COUNT(DISTINCT orders.id), COUNT(DISTINCT customers.id) FROM orders CROSS JOIN customers"


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PooledDatabase]:
    path: Path = build_trade(tmp_path_factory.mktemp("trade") / "trade.sqlite")
    opened = open_database(f"sqlite:///{path}", DIALECTS["sqlite"], 10.0)
    yield opened
    opened.close()


TIMEOUT_SECONDS = 2.0
"""Seconds for an answer, which are waited for a server that is away, too."""


class Solving:
    """What came of a question, what was told meanwhile, and what the model was asked."""

    def __init__(self, database: PooledDatabase, server: Ollama, text: str, options: Options = DEFAULT_OPTIONS) -> None:
        self.told: list[str] = []
        self.server = server

        def dry_run(sql: str) -> Estimate:
            with database.session() as session:
                return session.check(sql)

        model = Llm(ollama_server.chat(server.url, MODEL, 2048, 60.0), MODEL, timeout=TIMEOUT_SECONDS)
        requester = Requester("u1", lambda text, step=0: self.told.append(text))
        question = Question(text, date(2026, 11, 21))
        self.written: WrittenSql = write_sql(SqlTask(question, trade(), model, dry_run, requester, options))
        self.rows: list[tuple[Any, ...]] = []
        if not self.written.problem:
            with database.session() as session:
                _, batches = session.stream(self.written.sql)
                self.rows = [tuple(row) for batch in batches for row in batch]

    @property
    def kinds(self) -> list[str]:
        """For each call, whether an answer of some shape was wanted, or SQL."""
        return ["shape" if "format" in body else "sql" for body in self.server.history]


def test_totals_are_solved_in_parts(database: PooledDatabase, server: Ollama) -> None:
    """One call for the parts, one for each of them; each sees the same beginning and its own question only."""
    server.enqueue(json.dumps(PARTS), ORDERS, CUSTOMERS)
    solving = Solving(database, server, BESIDE)
    assert solving.rows == [(2, 2)]
    assert (solving.written.status, solving.written.attempts) == ("good_sql", 1)
    assert solving.written.notes == ("Answered in parts: “How many orders?” and “How many customers?”.",)
    assert solving.kinds == ["shape", "sql", "sql"]
    assert {body["messages"][0]["content"] for body in server.history} == {SYSTEM}
    assert server.prompts[1:] == ["Question: How many orders?", "Question: How many customers?"]
    assert solving.told == ["Writing the SQL, part 1 of 2…", "Writing the SQL, part 2 of 2…"]


def test_what_was_unlikely_to_the_model_is_doubted(database: PooledDatabase, server: Ollama) -> None:
    """The same query is doubted, or not, by what the server tells of its tokens; of parts, the least likely counts."""
    sql = "SELECT name FROM customers WHERE region_id = 1"
    server.enqueue(Answer(sql, logprobs=(-0.1,) * 8), Answer(sql, logprobs=(-1.0,) * 8))
    sure, doubted = (Solving(database, server, "Customers of the first region?").written for _ in range(2))
    assert sure.sql == doubted.sql
    assert (doubted.doubts, doubted.unsure, sure.unsure) == ((), True, False)
    assert doubted.sure < sure.sure

    likely, unlikely = Answer(ORDERS, logprobs=(-0.1,) * 4), Answer(CUSTOMERS, logprobs=(-1.0,) * 4)
    server.enqueue(json.dumps(PARTS), likely, unlikely)
    assert Solving(database, server, BESIDE).written.surprisal == pytest.approx(1.0)


def test_a_comparison_is_solved_in_parts(database: PooledDatabase, server: Ollama) -> None:
    """Each part has one time, which becomes its dates; what a part's repair mended is told."""
    parts = [
        {"name": f"{which} year", "question": f"The total amount {which} year by region"} for which in ("this", "last")
    ]
    bare = "SELECT region, SUM(total_amount) FROM orders WHERE order_date >= '{}' AND order_date < '{}' GROUP BY region"
    years = bare.format("2026-01-01", "2027-01-01"), bare.format("2025-01-01", "2026-01-01")
    server.enqueue(json.dumps({"parts": parts}), *years)
    solving = Solving(database, server, COMPARISON)
    assert solving.rows == [("North", 100, None), ("South", 50, None)]
    assert solving.written.notes[1:] == ("`region` was taken from `regions`, joined through `customers`.",)
    assert "this year: >= '2026-01-01' AND < '2027-01-01'\n" in server.prompts[1]
    assert "this year" not in server.prompts[2]


def test_a_part_that_fails_leaves_the_question_whole(database: PooledDatabase, server: Ollama) -> None:
    """After three tries the prompt is that of a question that was never divided; the other part is not asked."""
    server.enqueue(json.dumps(PARTS), *["I do not know."] * 3, WHOLE)
    solving = Solving(database, server, BESIDE)
    assert solving.rows == [(2, 2)]
    assert solving.kinds == ["shape", *["sql"] * 4]
    assert server.prompts[-1] == f"Question: {BESIDE}"
    assert server.history[-1]["options"]["temperature"] == 0


def test_a_model_may_choose_the_next_step(database: PooledDatabase, server: Ollama) -> None:
    """It may leave a comparison whole, or have it divided; a simple question that it wants divided is not."""
    server.enqueue('{"agent": "schema_linker"}', WHOLE)
    solving = Solving(database, server, BESIDE, Options(orchestrator="model"))
    assert (solving.kinds, solving.rows) == (["shape", "sql"], [(2, 2)])
    assert "Possible now: query_analyzer, schema_linker." in server.prompts[0]
    for question, kinds in (("All orders", ["shape", "sql"]), (BESIDE, ["shape", "shape", "sql", "sql"])):
        server.history.clear()
        server.enqueue('{"agent": "query_analyzer"}', *([json.dumps(PARTS)] if question == BESIDE else []), ORDERS)
        server.enqueue(*([CUSTOMERS] if question == BESIDE else []))
        assert Solving(database, server, question, Options(orchestrator="model")).kinds == kinds


@pytest.mark.parametrize(
    "said",
    ['{"agent": "sql_evaluator"}', '{"agent": "drop_table"}', "the generator, I think", Answer("no", status=500)],
)
def test_a_choice_that_is_none_is_not_followed(database: PooledDatabase, server: Ollama, said: str | Answer) -> None:
    """What rules choose is done instead, whatever the model said."""
    asked = [said] if isinstance(said, Answer) or "evaluator" in said else [said, said]
    server.enqueue(*asked, "SELECT id FROM orders")
    solving = Solving(database, server, "All orders", Options(orchestrator="model"))
    assert (solving.kinds, solving.written.problem) == ([*["shape"] * len(asked), "sql"], None)


def test_a_model_that_is_away_ends_the_work(database: PooledDatabase) -> None:
    """The person is told by the call for SQL, also if parts were to be asked for."""
    with Ollama() as gone:
        pass
    with pytest.raises(AgentAway):
        Solving(database, gone, BESIDE)
