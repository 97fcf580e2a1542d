"""A schema of 1,000 tables and 20,000 columns: what a question is about is found, and fits a small model."""

import pytest

from router.catalog.schema import Schema
from router.text_to_sql.schema_linking import SCHEMA_MAX_CHARS, cut_to_fit, suggest_tables
from router.text_to_sql.schema_text import schema_text
from tests.router.text_to_sql.company import company, questions


@pytest.fixture(name="schema", scope="module")
def _schema() -> Schema:
    return company()


def test_the_right_tables_are_shown(schema: Schema) -> None:
    """Of 75 questions in words that people use, at least 95 of 100 see all tables that they need, within the budget."""
    asked = questions()
    missed = []
    for question, needed in asked:
        shown = cut_to_fit(question, schema)
        assert len(schema_text(shown)) <= SCHEMA_MAX_CHARS
        if not needed <= {table.name for table in shown.tables}:
            missed.append(question)
    assert len(missed) <= len(asked) // 20, missed


def test_the_likely_ones_of_the_menu(schema: Schema) -> None:
    """What “The likely ones” takes are the right tables for nine questions of ten."""
    asked = questions()
    right = [needed <= set(suggest_tables(question, schema, 8)) for question, needed in asked]
    assert sum(right) >= len(asked) * 0.9
