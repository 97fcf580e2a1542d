"""A wrong query is put right from the schema where it can only mean one thing."""

from dataclasses import replace

import pytest

from router.catalog.schema import Column, SchemaTable
from router.sql.dialect import Name
from router.text_to_sql.repair.repair import Repaired, repair
from tests.support.trade import trade

THROUGH = "JOIN customers ON orders.customer_id = customers.id"


def mended(sql: str, dialect: Name = "sqlite") -> str:
    repaired = repair(sql, trade(dialect))
    assert repaired.problems == ()
    return repaired.sql


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT name FROM customers WHERE country = 'USA' ORDER BY name LIMIT 3",
        "SELECT o.id AS n FROM orders AS o WHERE o.total_amount > (SELECT AVG(total_amount) FROM orders) ORDER BY n",
        "WITH big AS (SELECT customer_id AS c FROM orders) SELECT c FROM big GROUP BY c HAVING COUNT(*) > 1",
        "SELECT name FROM customers WHERE EXISTS(SELECT 1 FROM orders WHERE customer_id = customers.id AND id > 1)",
        "SELECT name FROM customers UNION SELECT name FROM products ORDER BY name",
        "SELECT category, SUM(quantity) FROM products JOIN order_items ON products.id = product_id GROUP BY category",
        "SELECT id FROM orders JOIN (SELECT id FROM customers) AS c USING (id)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n",
        "SELECT x.total FROM (SELECT SUM(total_amount) AS total, customer_id FROM orders GROUP BY 2) AS x",
        "SELECT STRFTIME('%Y', order_date) AS year, COUNT(*) FROM orders GROUP BY year",
        "SELECT country, COUNT(*) AS name FROM customers WHERE name > 'A' GROUP BY country",
        "SELECT country, COUNT(*) FROM customers WHERE id > (SELECT AVG(id) FROM orders) GROUP BY country",
    ],
)
def test_a_right_query_stays_as_it_is(sql: str) -> None:
    """CTEs, correlated and derived queries, unions and names of results are understood, not repaired."""
    assert repair(sql, trade()) == Repaired(sql)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "SELECT country, COUNT(*) AS n FROM customers WHERE COUNT(*) > 3 GROUP BY country",
            "SELECT country, COUNT(*) AS n FROM customers GROUP BY country HAVING COUNT(*) > 3",
        ),
        (
            "SELECT country, COUNT(*) AS n FROM customers WHERE n > 3 AND name <> 'x' GROUP BY country",
            "SELECT country, COUNT(*) AS n FROM customers WHERE name <> 'x' GROUP BY country HAVING COUNT(*) > 3",
        ),
        (
            "SELECT customer_id FROM orders WHERE id > 1 AND SUM(total_amount) > 9 GROUP BY customer_id "
            "HAVING COUNT(*) > 1",
            "SELECT customer_id FROM orders WHERE id > 1 GROUP BY customer_id "
            "HAVING COUNT(*) > 1 AND SUM(total_amount) > 9",
        ),
    ],
)
def test_conditions_on_sums_are_asked_of_the_groups(wrong: str, right: str) -> None:
    """They stand in HAVING; what looks at single rows stays in WHERE."""
    assert mended(wrong) == right


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("SELECT customer_name FROM customers", "SELECT name FROM customers"),
        ("SELECT Total_Amout FROM orders", "SELECT total_amount FROM orders"),
        ("SELECT totalAmount FROM orders", "SELECT total_amount FROM orders"),
        ("SELECT c.name FROM customer AS c", "SELECT c.name FROM customers AS c"),
        ("SELECT customer.name FROM customer", "SELECT customers.name FROM customers"),
        ("SELECT customers.name FROM customers AS c", "SELECT c.name FROM customers AS c"),
        (
            f"SELECT orders.name FROM orders {THROUGH}",
            f"SELECT customers.name FROM orders {THROUGH}",
        ),
        (
            f"SELECT x.country FROM orders {THROUGH}",
            f"SELECT customers.country FROM orders {THROUGH}",
        ),
    ],
)
def test_names_are_spelt_and_placed_as_in_the_schema(wrong: str, right: str) -> None:
    """Case, blanks, underscores, plurals, a letter off, the wrong alias: one meaning, so it is taken."""
    assert repair(wrong, trade()).sql == right


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "SELECT region, SUM(total_amount) FROM orders GROUP BY region",
            f"SELECT regions.region, SUM(orders.total_amount) FROM orders {THROUGH}"
            " JOIN regions ON customers.region_id = regions.id GROUP BY region",
        ),
        (
            "SELECT id, customers.name FROM orders",
            f"SELECT orders.id, customers.name FROM orders {THROUGH}",
        ),
        (
            "SELECT * FROM orders WHERE customers.country = 'UK'",
            f"SELECT orders.* FROM orders {THROUGH} WHERE customers.country = 'UK'",
        ),
        (
            "SELECT r.region FROM orders AS o JOIN regions AS r ON o.region_id = r.id",
            "SELECT r.region FROM orders AS o JOIN customers ON o.customer_id = customers.id"
            " JOIN regions AS r ON customers.region_id = r.id",
        ),
        (
            "SELECT c.name FROM customers AS c JOIN orders AS o ON c.id = o.id",
            "SELECT c.name FROM customers AS c JOIN orders AS o ON c.id = o.customer_id",
        ),
        (
            "SELECT name FROM customers JOIN orders",
            "SELECT name FROM customers JOIN orders ON customers.id = orders.customer_id",
        ),
        (
            "SELECT name FROM customers JOIN orders USING (customer_id)",
            "SELECT name FROM customers JOIN orders ON customers.id = orders.customer_id",
        ),
        (
            "WITH t AS (SELECT o.region AS r FROM orders AS o) SELECT r FROM t",
            "WITH t AS (SELECT regions.region AS r FROM orders AS o JOIN customers ON o.customer_id = customers.id"
            " JOIN regions ON customers.region_id = regions.id) SELECT r FROM t",
        ),
    ],
)
def test_joins_follow_the_foreign_keys(wrong: str, right: str) -> None:
    """Missing joins are added on the shortest way, wrong ones led along it; what was clear stays clear."""
    assert mended(wrong) == right


def test_of_two_ways_the_one_is_taken_that_loses_no_rows() -> None:
    """Every order has a customer, but not every order has a store: countries are those of the customers."""
    countries = SchemaTable("countries", "main", (Column("id", "INTEGER"), Column("country_code", "TEXT")), ("id",))
    home = (Column("id", "INTEGER"), Column("country_id", "INTEGER", nullable=False))
    keys = (Column("customer_id", "INTEGER", nullable=False), Column("store_id", "INTEGER"))
    tables = (
        countries,
        SchemaTable("customers", "main", home, ("id",)),
        SchemaTable("orders", "main", keys),
        SchemaTable("stores", "main", home, ("id",)),
    )
    assert repair("SELECT country_code FROM orders", replace(trade(), tables=tables)).notes == (
        "`country_code` was taken from `countries`, joined through `customers`.",
    )


def test_every_repair_is_told_in_a_sentence() -> None:
    """The person sees what was changed, each thing once."""
    assert repair("SELECT region FROM orders GROUP BY region", trade()).notes == (
        "`region` was taken from `regions`, joined through `customers`.",
    )
    assert repair("SELECT c.name FROM customer c JOIN orders o ON c.id = o.id", trade()).notes == (
        "The table is named `customers`, not `customer`.",
        "`customers` and `orders` were joined by `customers.id = orders.customer_id`.",
    )


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        ("SELECT colour FROM products", "the tables of the query have no column colour."),
        (
            "SELECT SUM(o.total_amount) FROM products AS p JOIN orders AS o ON p.order_id = o.id",
            "products has no column order_id; it is in order_items.order_id.",
        ),
        ("SELECT p.colour FROM products AS p", "products has no column colour; it has id, name, category."),
        (
            "SELECT name FROM order_items JOIN orders ON order_items.order_id = orders.id",
            "the tables of the query have no column name; it is in customers.name and in products.name.",
        ),
        (f"SELECT id FROM orders {THROUGH}", "id is in orders and customers; write which one is meant."),
        (
            "SELECT 1 FROM elsewhere",
            "There is no table elsewhere; the tables are customers, order_items, orders, products, regions.",
        ),
        (
            "SELECT category, SUM(total_amount) FROM orders GROUP BY category",
            "the tables of the query have no column category; it is in products.category.",
        ),
    ],
)
def test_what_could_mean_two_things_is_left_and_told(wrong: str, problem: str) -> None:
    """A tie, a join that would multiply a sum, and a name that is nowhere are for the model, with the right names."""
    repaired = repair(wrong, trade())
    assert (repaired.sql, repaired.problems) == (wrong, (problem,))


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ('SELECT name FROM customers WHERE country = "USA"', "SELECT name FROM customers WHERE country = 'USA'"),
        (
            "SELECT name FROM customers WHERE country IN ('usa', 'fr')",
            "SELECT name FROM customers WHERE country IN ('USA', 'fr')",
        ),
        (
            "SELECT id FROM orders WHERE STRFTIME('%m', order_date) = 3",
            "SELECT id FROM orders WHERE STRFTIME('%m', order_date) = '03'",
        ),
        (
            "SELECT COUNT(CASE WHEN status = 'paid' THEN 1 END) / COUNT(*) FROM orders",
            "SELECT 1.0 * COUNT(CASE WHEN status = 'paid' THEN 1 END) / COUNT(*) FROM orders",
        ),
    ],
)
def test_values_are_written_so_that_they_mean_what_was_meant(wrong: str, right: str) -> None:
    """Quotes, case, the text that SQLite makes of dates, and shares of counts."""
    assert mended(wrong) == right


@pytest.mark.parametrize(
    ("dialect", "wrong", "right"),
    [
        (
            "sqlite",
            "SELECT status, COUNT(*) AS n FROM orders ORDER BY n",
            "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n",
        ),
        ("sqlite", "SELECT status, MAX(total_amount) FROM orders", "SELECT status, MAX(total_amount) FROM orders"),
        (
            "duckdb",
            "SELECT status, customer_id, COUNT(*) FROM orders GROUP BY status",
            "SELECT status, customer_id, COUNT(*) FROM orders GROUP BY status, customer_id",
        ),
        (
            "sqlite",
            "SELECT status, customer_id, COUNT(*) FROM orders GROUP BY status",
            "SELECT status, customer_id, COUNT(*) FROM orders GROUP BY status",
        ),
        (
            "postgres",
            "SELECT status, COUNT(*) OVER () FROM orders",
            "SELECT status, COUNT(*) OVER () FROM orders",
        ),
        (
            "postgres",
            "SELECT status AS s, COUNT(*) FROM orders GROUP BY s",
            "SELECT status AS s, COUNT(*) FROM orders GROUP BY s",
        ),
    ],
)
def test_columns_beside_a_sum_are_grouped_by(dialect: Name, wrong: str, right: str) -> None:
    """Without GROUP BY, SQLite would count everything and show any status; the row of a maximum may be meant."""
    assert mended(wrong, dialect) == right


def test_numbers_are_shown_with_what_they_belong_to() -> None:
    """Sums of groups without the names of the groups tell nothing."""
    assert mended("SELECT SUM(total_amount) FROM orders GROUP BY status") == (
        "SELECT status, SUM(total_amount) FROM orders GROUP BY status"
    )
    inner = "SELECT id FROM orders WHERE total_amount IN (SELECT AVG(total_amount) FROM orders GROUP BY status)"
    assert mended(inner) == inner


@pytest.mark.parametrize(
    ("dialect", "foreign", "own"),
    [
        ("sqlite", "SELECT TOP 5 id FROM orders", "SELECT id FROM orders LIMIT 5"),
        (
            "sqlite",
            "SELECT YEAR(order_date) FROM orders",
            "SELECT CAST(STRFTIME('%Y', order_date) AS INTEGER) FROM orders",
        ),
        (
            "sqlite",
            "SELECT EXTRACT(QUARTER FROM order_date) FROM orders",
            "SELECT ((CAST(STRFTIME('%m', order_date) AS INTEGER) + 2) / 3) FROM orders",
        ),
        (
            "sqlite",
            "SELECT DATE_TRUNC('month', order_date) FROM orders",
            "SELECT DATE(order_date, 'start of month') FROM orders",
        ),
        (
            "sqlite",
            "SELECT id FROM orders WHERE order_date > DATE_SUB(CURDATE(), INTERVAL 1 YEAR)",
            "SELECT id FROM orders WHERE order_date > DATE(CURRENT_DATE, '-1 years')",
        ),
        (
            "sqlite",
            "SELECT id FROM orders WHERE order_date > CURRENT_DATE - INTERVAL '2 weeks'",
            "SELECT id FROM orders WHERE order_date > DATE(CURRENT_DATE, '-14 days')",
        ),
        (
            "sqlite",
            "SELECT id FROM orders WHERE order_date > DATEADD(month, -3, GETDATE())",
            "SELECT id FROM orders WHERE order_date > DATE(CURRENT_TIMESTAMP, '-3 months')",
        ),
        (
            "sqlite",
            "SELECT TO_CHAR(order_date, 'YYYY-MM') FROM orders",
            "SELECT STRFTIME('%Y-%m', order_date) FROM orders",
        ),
        ("sqlite", "SELECT LEFT(name, 3) FROM customers", "SELECT SUBSTRING(name, 1, 3) FROM customers"),
        ("postgres", "SELECT YEAR(order_date) FROM orders", "SELECT EXTRACT(YEAR FROM order_date) FROM orders"),
        (
            "postgres",
            "SELECT STRFTIME('%Y-%m', order_date) FROM orders",
            "SELECT TO_CHAR(CAST(order_date AS TIMESTAMP), 'YYYY-MM') FROM orders",
        ),
        ("mysql", "SELECT STRFTIME('%Y', order_date) FROM orders", "SELECT DATE_FORMAT(order_date, '%Y') FROM orders"),
        ("tsql", "SELECT id FROM orders LIMIT 5", "SELECT TOP 5 id FROM orders"),
        ("oracle", "SELECT id FROM orders LIMIT 5", 'SELECT "id" FROM "orders" FETCH FIRST 5 ROWS ONLY'),
    ],
)
def test_functions_of_another_database_are_written_as_this_one_knows_them(
    dialect: Name, foreign: str, own: str
) -> None:
    """A small model mixes dialects; most of what it mixes in has an equal."""
    assert mended(foreign, dialect) == own


def test_a_shortened_name_in_front_is_seen() -> None:
    """A column that carries a piece of its table's name is found before another table's column of the bare name."""
    schema = trade()
    cut = tuple(
        replace(table, columns=tuple(replace(c, name="cust_name") if c.name == "name" else c for c in table.columns))
        if table.name == "customers"
        else table
        for table in schema.tables
    )
    repaired = repair("SELECT name, country FROM customers", replace(schema, tables=cut))

    assert repaired.sql == "SELECT cust_name, country FROM customers"


def test_a_column_that_the_joins_make_one_is_taken_from_either() -> None:
    """What two tables have is no question where the join says that it is the same."""
    joined = "JOIN orders AS o ON c.id = o.customer_id JOIN order_items AS a ON o.id = a.order_id"
    twice = f"{joined} JOIN order_items AS b ON a.order_id = b.order_id"
    sql = f"SELECT c.name, COUNT(c.order_id) FROM customers AS c {twice} WHERE b.quantity > 1 GROUP BY c.name"
    assert mended(sql) == sql.replace("c.order_id", "a.order_id")
    apart = sql.replace("a.order_id = b.order_id", "a.id < b.id")
    assert repair(apart, trade()).problems == ("customers has no column order_id; it is in order_items.order_id.",)


def test_brackets_that_were_forgotten_at_the_end_are_closed() -> None:
    """One or two, and it is said; what has more of them open was broken off."""
    sql = "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total_amount > (SELECT 5))"
    for missing in (1, 2):
        assert repair(f"{sql[:-missing]};", trade()) == Repaired(
            sql, ("A bracket that was open at the end was closed.",)
        )
    broken = f"SELECT ((({sql[:-2]}"
    assert repair(broken, trade()).sql == broken


def test_what_a_list_holds_is_not_taken_from_outside() -> None:
    """A column that the table of a list lacks would be the outer one, and every row would be in the list."""
    sql = "SELECT name FROM customers WHERE country IN (SELECT country FROM order_items WHERE quantity > 9)"
    assert mended(sql) == (
        "SELECT name FROM customers WHERE country IN (SELECT customers.country FROM order_items"
        " JOIN orders ON order_items.order_id = orders.id JOIN customers ON orders.customer_id = customers.id"
        " WHERE order_items.quantity > 9)"
    )
    kept = "SELECT name FROM customers WHERE EXISTS(SELECT country FROM orders WHERE customer_id = customers.id)"
    assert mended(kept) == kept


def test_days_are_counted_between_dates() -> None:
    """SQLite would subtract the years."""
    assert mended("SELECT AVG(order_date - order_date) FROM orders") == (
        "SELECT AVG(JULIANDAY(order_date) - JULIANDAY(order_date)) FROM orders"
    )
