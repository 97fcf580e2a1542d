"""The status of a tree; every tree comes to an end."""

import sqlite3
from collections.abc import Iterator
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from router.errors import JobFailed
from router.sql.databases.session import Estimate
from router.text_to_sql.question import Node, NodeState, Options, Question, Tree
from router.text_to_sql.write_sql import Status, check, solve
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.support.hypothesis_examples import examples
from tests.support.trade import SCRIPT

QUESTION = Question("Compare orders to customers", date(2026, 11, 21))


def tree(root: NodeState, *parts: NodeState) -> Tree:
    return Tree(tuple(Node(QUESTION, state=state, whole=True) for state in (root, *parts)))


@settings(max_examples=examples(60))
@given(st.sampled_from(NodeState), st.lists(st.sampled_from(NodeState), max_size=3))
def test_the_status_of_any_tree(root: NodeState, parts: list[NodeState]) -> None:
    """It is the same each time; there is a node exactly as long as the root is not over, and somebody to work on it."""
    status = check(tree(root, *parts))
    assert status == check(tree(root, *parts))
    assert (status.node is None) == (root in (NodeState.GOOD_SQL, NodeState.MAX_RETRIES)) == (not status.agents)
    if status.node:
        before = parts[: status.node - 1]
        assert all(state is NodeState.GOOD_SQL for state in before)
        assert not tree(root, *parts).nodes[status.node].over


@pytest.fixture(scope="module")
def database() -> Iterator[sqlite3.Connection]:
    with sqlite3.connect(":memory:", check_same_thread=False) as connection:
        connection.executescript(SCRIPT)
    yield connection
    connection.close()


SQL = st.sampled_from(
    [
        "SELECT COUNT(*) FROM orders",
        "SELECT COUNT(*) FROM customers",
        "SELECT status, COUNT(*) FROM orders GROUP BY status",
        "SELECT colour FROM orders",
        "DELETE FROM orders",
        "I do not know.",
    ]
)
SHAPES = st.sampled_from(
    [
        {"parts": [{"name": "a", "question": "How many orders?"}, {"name": "b", "question": "How many customers?"}]},
        {"parts": [{"name": "a", "question": "How many orders?"}]},
        {"agent": "schema_linker"},
        {"agent": "sql_generator"},
        {"agent": "query_analyzer"},
        {"agent": "sql_evaluator"},
        {},
    ]
)


@settings(max_examples=examples(20))
@given(st.lists(SQL, min_size=12, max_size=12), st.lists(SHAPES, min_size=40, max_size=40), st.data())
def test_every_tree_ends(
    database: sqlite3.Connection, answers: list[str], shapes: list[object], data: st.DataObject
) -> None:
    """Whatever a model says or chooses: at most three tries a node, the root begins, and it ends the same way again."""
    options = Options(
        tries=data.draw(st.integers(1, 3)),
        doubts=data.draw(st.booleans()),
        orchestrator=data.draw(st.sampled_from(["rules", "model"])),
    )
    avoid = data.draw(st.sampled_from([(), ("SELECT COUNT(*) FROM orders",)]))
    question = Question(data.draw(st.sampled_from([QUESTION.text, "Orders by status"])), QUESTION.today, avoid=avoid)

    def dry_run(sql: str) -> Estimate:
        try:
            database.execute(f"EXPLAIN {sql}")
        except sqlite3.Error as error:
            raise JobFailed(str(error)) from error
        return Estimate()

    def solved() -> Tree:
        model = Scripted([*answers], [*shapes])
        return solve(sql_task(question, None, model, dry_run, options=options))

    done = solved()
    assert done == solved()
    assert check(done) == Status(None)
    for node in done.nodes:
        assert len(node.tries) <= max(options.tries, 2) <= 3
        assert all(not each.good for each in node.tries[:-1])
        assert (node.state is NodeState.GOOD_SQL) == bool(node.tries and node.tries[-1].good)
