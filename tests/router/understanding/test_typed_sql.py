"""SQL within prose, broken SQL, and English that begins like SQL."""

import pytest

from router.understanding.typed_sql import sql_in


def tables() -> frozenset[str]:
    return frozenset({"orders", "customers", "payments"})


@pytest.mark.parametrize(
    ("typed", "sql"),
    [
        ("select * from orders", "select * from orders"),
        ("can you run select count(*) from orders for me", "select count(*) from orders"),
        ("kannst du bitte select sum(amount) from payments laufen lassen", "select sum(amount) from payments"),
        ('my query is "SELECT id FROM customers", run it', "SELECT id FROM customers"),
        (
            "Hi, IT gave me this:\n\nSELECT id\nFROM customers\nWHERE id = 1;\n\nThanks, Jo",
            "SELECT id\nFROM customers\nWHERE id = 1",
        ),
        ("```sql\nselect 1\n```", "select 1"),
        (
            "i found this in confluence: select id, name from customers where id=1",
            "select id, name from customers where id=1",
        ),
        ("SELEC id from customers where id = 3", "SELEC id from customers where id = 3"),
        ("selct * form customers where id = 3", "selct * form customers where id = 3"),
        ("SELECT * FROM orders WHERE id >", "SELECT * FROM orders WHERE id >"),
        ("drop table customers", "drop table customers"),
        ("select the best five stores from last year", ""),
        ("SELECT id name FORM customers", "SELECT id name FORM customers"),
        ("run select id from orders where id = 1 - can you do that", "select id from orders where id = 1"),
        ("Select a few customers from Spain I could call", ""),
        ("select kunden aus österreich", ""),
        ("delete from my list the ones without email", ""),
        ("with customers from Germany, show orders", ""),
        ("show me orders where total_amount > 1000", ""),
        ("update on the returns please, how many this week?", ""),
        ("drop in sales between June and July", ""),
        ("select", ""),
    ],
)
def test_the_sql_of_a_message(typed: str, sql: str) -> None:
    assert sql == sql_in(typed, tables)
