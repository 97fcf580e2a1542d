"""Where a session knows no default schema but the login's own, the text that runs names the schema itself."""

from router.sql.guard import check
from router.sql.scope import Scope

SALES = Scope.of("SALES", [("SALES", "orders"), ("SALES", "customers")])


def test_bare_tables_of_sql_server_get_the_scopes_schema() -> None:
    """A bare name is judged and run as the same table; names of WITH queries stay bare."""
    verdict = check("WITH big AS (SELECT id FROM orders) SELECT id FROM big", "tsql", SALES)

    assert verdict.allowed
    assert "[SALES].orders" in verdict.sql
    assert "[SALES].big" not in verdict.sql
    assert check(verdict.sql, "tsql", SALES).sql == verdict.sql


def test_others_set_it_in_the_session() -> None:
    """Where the session sets the schema, the text stays as it was written."""
    assert (
        check("SELECT id FROM orders", "postgres", Scope.of("sales", [("sales", "orders")])).sql
        == "SELECT id FROM orders"
    )
