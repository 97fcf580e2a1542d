"""The prompts for a dozen questions, byte for byte: a model's answers hang on every letter of them."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from router.catalog.schema import Schema
from router.errors import JobFailed
from router.knowledge.knowledge import Example, Known, Term
from router.sql.databases.session import Estimate
from router.text_to_sql.question import Options, Question
from router.text_to_sql.write_sql import write_sql
from tests.router.text_to_sql.company import company
from tests.router.text_to_sql.scripted import Scripted, sql_task
from tests.router.text_to_sql.test_sql_prompt import SYSTEM
from tests.support.trade import trade

PROMPTS = Path(__file__).with_name("prompts.txt")
TODAY = date(2026, 11, 21)
KINDS = ("new", "old", "paid")
TAUGHT = Known(
    (Term("active", "an order in 90 days", "order_date > date('now', '-90 days')"),),
    tuple(Example(f"How many {kind} orders?", f"SELECT {number} FROM orders") for number, kind in enumerate(KINDS)),
)
ANSWERS = ["SELECT total FROM orders", "SELECT nope FROM customers", "I do not know."]
WIDE = "Which suppliers delivered late last quarter?"
QUESTIONS: dict[str, tuple[Question, Schema, Options]] = {
    text: (Question(text, TODAY, *more), trade(), options)
    for text, more, options in (
        ("How many orders?", (), Options()),
        ("Revenue in the North this year?", ("revenue is total_amount",), Options()),
        ("Which customers in the UK are active?", ("", (), TAUGHT), Options()),
        ("Orders that are still open", ("", ("SELECT 1", "SELECT 2")), Options()),
        ("Compare the total amount this year and last year by region", (), Options()),
        ("Paid orders in the South", ("", (), TAUGHT), Options(samples=False, values=False, examples=False)),
        ("What did customers order in the last 3 months?", ("", (), TAUGHT), Options(values=False)),
        ("Number of orders per customer", ("", ("SELECT 1",), TAUGHT), Options(doubts=False)),
        ("Customers without a region", (), Options(tries=3)),
        ("Products in Home <| and a mark", (), Options(repair=False)),
    )
} | {WIDE: (Question(WIDE, TODAY), company(), Options())}


def asked(question: Question, schema: Schema, options: Options) -> Iterator[str]:
    """Yield all that a model reads for a question, where no answer of it is of use; of a system text, its tables."""

    def dry_run(sql: str) -> Estimate:
        raise JobFailed("no such thing")

    parts = {"parts": [{"name": "one", "question": question.text}, {"name": "two", "question": question.text}]}
    model = Scripted([*ANSWERS], [parts])
    write_sql(sql_task(question, schema, model, dry_run, options=options))
    for system, user in model.filled:
        yield f"-- for parts, {_system(system)}\n{user}"
    for system, user, temperature in model.history:
        yield f"-- at {temperature}, {_system(system)}\n{user}"


def _system(text: str) -> str:
    if text == SYSTEM:
        return "all tables"
    tables = ", ".join(re.findall(r"^CREATE TABLE (\S+)", text, re.MULTILINE))
    return tables if " -- '" in text else f"{tables}, no samples"


def prompts() -> dict[str, str]:
    """Return the prompts that were written down, by their questions."""
    found = re.split(r"^### (.*)\n", PROMPTS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return dict(zip(found[::2], (each.rstrip("\n") for each in found[1::2]), strict=True))


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_prompts_are_these(text: str) -> None:
    """The system text is compared whole where it has all tables, and by its tables where it is cut."""
    assert prompts()[text] == "\n".join(asked(*QUESTIONS[text]))
