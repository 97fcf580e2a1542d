"""SQL, SQL within prose, broken SQL, and English that begins like SQL."""

import pytest

from router.understanding.typed_sql import TypedSql, find_sql
from tests.support.rows import every_row

WHOLE = (
    "SELECT name FROM clients",
    "select * from orders",
    "SELECT * FROM customers",
    "select name from customers",
    "select 1",
    "select now()",
    "with a as (select 1 as n) select n from a",
    "select id from orders\n\nwhere note = 'a;b - c d'",
    "/* Report */ select id from orders",
    "-- report\nselect id from orders",
    "(select id from orders) union (select id from customers)",
    "values (1), (2)",
    "from orders select count(*)",
    "select “id” from orders",
    "select\u00a0id from orders",
    "select id from orders\nGO",
    "select 1; select 2",
    "select name from stores; drop table stores",
    "select id from orders where id = 5 and thanks for the help",
    "select id from orders; thanks",
    "select id from orders limit 5 thanks",
    "select id from orders where id = 5 please",
    "select id from orders order by id;\n\nBest regards\nJo Smith",
    "select id from orders order by tx, ty",
    "select id, note as thanks from orders order by id, thanks",
    "select thanks.id from orders thanks",
    "select id from orders where note = ‘open'",
    "select id from orders where note = 'open’ and id > 2",
    "SELECT * FROM orders WHERE id >",
    "WITH x AS (SELECT 1",
    "explain select id from orders",
    "EXPLAIN (ANALYZE, BUFFERS) SELECT 1",
    "drop table customers",
    "DELETE FROM orders",
    "ＤＲＯＰ table orders",
    "update customers set name = 'x'",
    "insert into orders values (1)",
    "create table x (a int)",
    "PRAGMA table_info(orders)",
)
"""Texts that are SQL to their end, or would be if they could be read."""

CUT_OUT = (
    ("can you run select count(*) from orders for me", "select count(*) from orders"),
    ("kannst du bitte select sum(amount) from payments p ausführen lassen", "select sum(amount) from payments p"),
    ('my query is "SELECT id FROM customers", run it', "SELECT id FROM customers"),
    (
        "IT gave me this:\n\nSELECT id\nFROM customers\n\nWHERE id = 1",
        "SELECT id\nFROM customers\n\nWHERE id = 1",
    ),
    (
        "please run select id from orders where note = 'a;b - c d' thanks",
        "select id from orders where note = 'a;b - c d'",
    ),
    ("i found this: select id, name from customers where id=1", "select id, name from customers where id=1"),
    ("Selection: select id, name from customers where id=1", "select id, name from customers where id=1"),
    ("here it is: ```select id from orders``` thanks", "select id from orders"),
    ("With this query I get an error: select id from orders where id = = 1", "select id from orders where id = = 1"),
    (
        "please run: select id from orders; and then select 1 as n from customers",
        "select id from orders; and then select 1 as n from customers",
    ),
)

FENCED = (
    "```sql\nselect 1\n```",
    "```select 1```",
    "```postgresql\nselect 1\n```",
    "~~~\nselect 1\n~~~",
    "```\nselect 1;\n```",
)

UNSURE = (
    "SELECT id name FORM customers",
    "Select name and id from customers in the north",
    "select name from customers but not Ada",
    "select customers from germany",
    "select name, city from customers in Berlin",
    "select customer's orders from may",
    "from customers",
    "SELECT customers from Germany",
    "SELECT ALL customers FROM Rome",
    "SELECT customers in Rome with orders over 100",
)
"""Texts that may be either: no table of theirs is known, or they can't be read."""

QUESTIONS = (
    "select",
    "select the best five stores from last year",
    "select the best customers for me",
    "Select a few customers from Spain I could call",
    "select kunden aus österreich",
    "SELECT all the customers from Rome",
    "SELECT the best five customers from last year",
    "SELECT customers from Rome who bought twice",
    "SELECT every customer FROM Rome AND their orders",
    "SELECT alle Kunden FROM Wien",
    "&gt; which customers are from Rome?",
    "select all customers",
    "with all customers who bought twice",
    "with customers from Germany, show orders",
    "with how many customers did we start?",
    "show tables",
    "show me orders where total_amount > 1000",
    "describe our customers",
    "explain the drop in sales",
    "values of the orders",
    "table of orders by month",
    "from which region are most customers",
    "delete from my list the ones without email",
    "delete last year's orders",
    "update on the returns please, how many this week?",
    "drop in sales between June and July",
    "drop the customers table",
    "call me maybe",
    "replace orders by revenue",
    "merge both",
    "use table places instead",
    "replace the table",
    "ask: select id from orders",
    "please select customers from Spain",
)


def tables() -> frozenset[str]:
    return frozenset({"orders", "customers", "payments"})


@every_row("typed", WHOLE)
def test_a_text_that_begins_as_sql_is_sql_to_its_end(typed: str) -> None:
    """Nothing is cut off, whatever stands in it."""
    for text in (typed, f"\n\u200b{typed}  \r\n"):
        found = find_sql(text, tables)
        assert found is not None
        assert (typed, False, False) == (found.text, found.cut, found.unsure)


@every_row(("typed", "sql"), CUT_OUT)
def test_sql_in_a_sentence_is_cut_out(typed: str, sql: str) -> None:
    """As far as it can be read, or to the end where it can't be, or where more SQL stands behind it."""
    assert TypedSql(sql, cut=True) == find_sql(typed, tables)


@every_row("typed", FENCED)
def test_the_text_of_a_code_fence_is_taken_whole(typed: str) -> None:
    """The fence and its language are no part of it."""
    found = find_sql(typed, tables)
    assert found is not None
    assert (TypedSql("select 1")) == TypedSql(found.text.rstrip(";"), found.cut, found.unsure)


@every_row("typed", UNSURE)
def test_what_may_be_either_is_unsure(typed: str) -> None:
    """The person is asked."""
    assert TypedSql(typed, unsure=True) == find_sql(typed, tables)


@every_row("typed", QUESTIONS)
def test_english_that_begins_like_sql_is_none(typed: str) -> None:
    """It stays a question."""
    assert find_sql(typed, tables) is None


@pytest.mark.parametrize("typed", ["select " + "(" * 5000, "select '" * 3000, "a select " * 2000])
def test_no_text_takes_long(typed: str) -> None:
    """Whatever is typed is judged, and nothing is raised."""
    find_sql(typed, tables)
