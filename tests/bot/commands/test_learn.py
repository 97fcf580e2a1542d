"""`icc-bot learn`: what dbt, views and past queries say, reviewed, and then told to the model."""

import json
import sqlite3
import tomllib
from contextlib import closing
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from bot.settings.environment import read_settings
from bot.wiring.bot import connections_of
from router.catalog.catalog import Catalog
from router.catalog.foreign_keys import links
from router.catalog.schema import Schema
from router.knowledge.example_store import ExampleStore
from router.knowledge.glossary import Glossary
from router.storage.clock import now
from router.storage.database import home_database
from router.text_to_sql.schema_text import schema_text
from tests.support.in_process import run_here

TABLES = """
CREATE TABLE cust (no TEXT PRIMARY KEY, nm TEXT);
CREATE TABLE ord (id INTEGER PRIMARY KEY, buyer TEXT, st TEXT, amt NUMERIC);
CREATE VIEW v_sales AS SELECT c.nm AS customer, SUM(o.amt) AS net_revenue FROM ord o JOIN cust c ON o.buyer = c.no
GROUP BY c.nm;
"""

MANIFEST: dict[str, Any] = {
    "metadata": {"dbt_schema_version": "https://schemas.getdbt.com/dbt/manifest/v12.json"},
    "nodes": {
        "model.shop.orders": {
            "unique_id": "model.shop.orders",
            "resource_type": "model",
            "name": "orders",
            "alias": "ord",
            "description": "One row for each order.",
            "columns": {
                "st": {"name": "st", "description": "Where the order stands."},
                "gone": {"name": "gone", "description": "Not in the database."},
            },
        },
        "model.shop.secret": {
            "unique_id": "model.shop.secret",
            "resource_type": "model",
            "name": "secret",
            "description": "Not in the connection.",
            "columns": {},
        },
        "test.shop.accepted": {
            "unique_id": "test.shop.accepted",
            "resource_type": "test",
            "attached_node": "model.shop.orders",
            "column_name": "st",
            "test_metadata": {"name": "accepted_values", "kwargs": {"values": ["open", "paid"], "column_name": "st"}},
        },
        "test.shop.relationships": {
            "unique_id": "test.shop.relationships",
            "resource_type": "test",
            "attached_node": "model.shop.orders",
            "column_name": "buyer",
            "test_metadata": {
                "name": "relationships",
                "kwargs": {"arguments": {"to": "source('erp', 'cust')", "field": "no"}},
            },
        },
    },
    "sources": {
        "source.shop.erp.cust": {
            "unique_id": "source.shop.erp.cust",
            "resource_type": "source",
            "name": "cust",
            "identifier": "cust",
            "description": "",
            "columns": {"nm": {"name": "nm", "description": "The customer's name"}},
        }
    },
    "semantic_models": {
        "semantic_model.shop.orders": {
            "name": "orders",
            "model": "ref('orders')",
            "node_relation": {"alias": "ord", "schema_name": "main"},
            "entities": [{"name": "order", "type": "primary"}, {"name": "customer", "type": "foreign"}],
            "dimensions": [{"name": "status", "type": "categorical", "expr": "st"}],
            "measures": [
                {"name": "amount", "agg": "sum", "expr": "amt"},
                {"name": "order_count", "agg": "count_distinct", "expr": "id"},
            ],
        }
    },
    "metrics": {
        "metric.shop.paid": {
            "name": "paid_revenue",
            "label": "Paid revenue",
            "description": "What customers have paid.",
            "type": "simple",
            "type_params": {"measure": {"name": "amount", "filter": None}},
            "filter": {"where_filters": [{"where_sql_template": "{{ Dimension('order__status') }} = 'paid'"}]},
        },
        "metric.shop.revenue": {
            "name": "revenue",
            "label": "All revenue",
            "description": "What customers owe.",
            "type": "simple",
            "type_params": {"measure": {"name": "amount"}},
        },
        "metric.shop.orders": {
            "name": "orders",
            "type": "simple",
            "type_params": {"measure": {"name": "order_count"}},
        },
        "metric.shop.american": {
            "name": "american_revenue",
            "type": "simple",
            "type_params": {"measure": {"name": "amount"}},
            "filter": {"where_filters": [{"where_sql_template": "{{ Dimension('customer__country') }} = 'US'"}]},
        },
        "metric.shop.week": {
            "name": "weekly_revenue",
            "type": "cumulative",
            "type_params": {"measure": {"name": "amount"}, "window": {"count": 7, "granularity": "day"}},
        },
        "metric.shop.average": {
            "name": "average_order",
            "label": "",
            "description": "",
            "type": "ratio",
            "type_params": {"numerator": {"name": "revenue"}, "denominator": {"name": "orders"}},
        },
    },
}

QUERIES = """
-- How much did each customer buy?
SELECT c.nm, SUM(o.amt) FROM ord o JOIN cust c ON o.buyer = c.no WHERE o.st <> 'test' GROUP BY c.nm;
SELECT COUNT(*) FROM ord WHERE st <> 'test';
SELECT AVG(amt) FROM ord WHERE st <> 'test' AND amt > 5;
DELETE FROM ord;
"""


class Place:
    """A folder with a database that declares no keys, and a bot that reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "learned.toml"
        with closing(sqlite3.connect(folder / "erp.db")) as database:
            database.executescript(TABLES)
        (folder / "connections.toml").write_text('# ours\n[connections.erp]\nid = 1\nurl = "sqlite:///erp.db"\n')

    def learn(self, *arguments: str) -> CompletedProcess[str]:
        return run_here(self.folder, {"ICC_BOT_HOME": str(self.folder / "home")}, "learn", *arguments)

    def manifest(self, data: object) -> str:
        (self.folder / "manifest.json").write_text(json.dumps(data))
        return "manifest.json"

    def reviewed(self) -> dict[str, Any]:
        return tomllib.loads(self.file.read_text())

    def schema(self, monkeypatch: pytest.MonkeyPatch) -> Schema:
        monkeypatch.chdir(self.folder)
        with closing(Catalog(connections_of(read_settings()))) as catalog:
            return catalog.schema("erp")


@pytest.fixture(name="place")
def _place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_what_dbt_says_counts_once_it_is_accepted(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Descriptions with their accepted values, keys, and plain metrics; of tables that are there."""
    said = place.learn("dbt", place.manifest(MANIFEST)).stdout
    assert "1 key, 3 descriptions and 2 terms are in learned.toml." in said
    assert place.reviewed() == {
        "connection": "erp",
        "keys": ["ord.buyer = cust.no"],
        "descriptions": {
            "cust.nm": "The customer's name",
            "ord": "One row for each order.",
            "ord.st": "Where the order stands. One of open, paid.",
        },
        "terms": {
            "orders": {"meaning": "COUNT(DISTINCT id) of ord"},
            "All revenue": {"meaning": "What customers owe; SUM(amt) of ord"},
        },
    }
    assert links(place.schema(monkeypatch)) == ()  # nothing counts before it is read

    assert "were taken over" in place.learn("accept", "learned.toml").stdout

    schema = place.schema(monkeypatch)
    assert [(link.table, link.target, link.inferred) for link in links(schema)] == [("ord", "cust", False)]
    assert "-- Where the order stands. One of open, paid." in schema_text(schema)
    glossary = Glossary(place.folder / "glossary.toml", connections_of(read_settings()))
    assert [term.name for term in glossary.used_in("erp", "What is all revenue?")] == ["All revenue"]
    assert (place.folder / "connections.toml").read_text().startswith("# ours\n")


def test_past_queries(place: Place) -> None:
    """Joins, and the question before one, which is kept as an example."""
    (place.folder / "past.sql").write_text(QUERIES)
    assert "past.sql: 3 queries." in place.learn("queries", "past.sql").stdout

    found = place.reviewed()
    assert ["ord.buyer = cust.no"] == found["keys"]
    assert ["How much did each customer buy?"] == list(found["examples"])

    place.learn("accept", "learned.toml")
    with closing(home_database(place.folder / "home")) as database:
        (kept,) = ExampleStore(database, now).every("erp")
    assert kept.question == "How much did each customer buy?"


def test_views(place: Place) -> None:
    """A view says by which columns tables are joined, and what people call a sum."""
    place.learn("views")
    assert ["ord.buyer = cust.no"] == place.reviewed()["keys"]
    assert {"net revenue": {"meaning": "SUM(ord.amt), as in the view v_sales"}} == place.reviewed()["terms"]


def test_what_is_taken_out_does_not_count(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's review decides."""
    place.learn("dbt", place.manifest(MANIFEST))
    place.file.write_text('connection = "erp"\n[descriptions]\nord = "Orders"\n')
    place.learn("accept", "learned.toml")
    schema = place.schema(monkeypatch)
    assert links(schema) == ()
    assert [table.comment for table in schema.tables if table.name == "ord"] == ["Orders"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("keys = 3", "is not as `icc-bot learn` writes it"),
        ('connection = "erp"\nkeys = ["a to b"]', '"a to b" is no key'),
        ('connection = "erp"\n[terms.x]\nmeaning = "y"\nfilter = "DROP TABLE"', 'the term "x": filter is'),
        ('connection = "erp"\n[examples]\nx = "DELETE FROM ord"', "example 1: Only reading"),
        ('connection = "gone"', 'There is no connection "gone"'),
        ('connection = "erp"\nkeys = ["ord.nope = cust.no"]', "names a column that erp does not have"),
        ('connection = "erp"\n[descriptions]\n"ord.nope" = "x"', 'the description of "ord.nope" is of nothing'),
        ('connection = "erp"\n[terms.x]\nmeaning = "y"\nfilter = "gone = 1"', "its filter names a column"),
        ('connection = "erp"\n[term.x]\nmeaning = "y"', "is not as `icc-bot learn` writes it"),
        ('connection = "erp"\nkeys = "ord.buyer = cust.no"', "keys: Input should be a valid list"),
    ],
)
def test_what_is_wrong_changes_nothing(place: Place, text: str, said: str) -> None:
    """One thing that is wrong keeps all from being taken over, and is named."""
    before = (place.folder / "connections.toml").read_text()
    place.file.write_text(text)
    done = place.learn("accept", "learned.toml")
    assert done.returncode
    assert said in done.stdout + done.stderr
    assert before == (place.folder / "connections.toml").read_text()
    assert not (place.folder / "glossary.toml").exists()


def test_a_file_that_is_not_reviewed_yet_stays(place: Place) -> None:
    """Work that somebody put into a review is not overwritten; another program's file is told apart."""
    place.file.write_text("mine")
    assert "is there already" in place.learn("views").stderr
    assert "mine" == place.file.read_text()
    assert "is neither dbt's manifest.json" in place.learn("dbt", place.manifest({"a": 1}), "--out", "b.toml").stderr
    assert "Nothing was found" in place.learn("dbt", place.manifest({"nodes": {}}), "--out", "b.toml").stdout


def test_what_somebody_wrote_by_hand_stays(place: Place) -> None:
    """Keys, descriptions and terms that are there already are named, and not changed; comments stay, and line ends."""
    block = (
        '# ours\r\n[connections.erp]\r\nid = 1\r\nurl = "sqlite:///erp.db"\r\n'
        'keys = ["ord.buyer != cust.no"] # Ana\r\ndescriptions = {"ord.st" = "by hand"} # mine\r\n\r\n# the end\r\n'
    )
    (place.folder / "connections.toml").write_bytes(block.encode())
    (place.folder / "glossary.toml").write_text('[erp."All revenue"]\nmeaning = "ours"\n')
    place.learn("dbt", place.manifest(MANIFEST))
    said = place.learn("accept", "learned.toml").stdout

    assert "A key of ord.buyer is there already, and stays as it is." in said
    assert "A description of ord.st is there already" in said
    assert 'A term "All revenue" is there already' in said
    text = (place.folder / "connections.toml").read_bytes().decode()
    assert tomllib.loads(text)["connections"]["erp"]["descriptions"]["ord.st"] == "by hand"
    assert text.count("\r\n") == text.count("\n") == block.count("\n")
    assert all(words in text for words in ("# Ana", "# mine", "# the end", "One row for each order."))
    assert '[erp."All revenue"]\nmeaning = "ours"\n' in (place.folder / "glossary.toml").read_text()


def test_a_glossary_that_cannot_be_changed_keeps_all_from_being_taken(place: Place) -> None:
    """Nothing is half done: the connections stay as they are, too."""
    place.learn("dbt", place.manifest(MANIFEST))
    before = (place.folder / "connections.toml").read_text()
    (place.folder / "glossary.toml").write_text("[[[")
    assert "Nothing was taken over." in place.learn("accept", "learned.toml").stdout
    assert before == (place.folder / "connections.toml").read_text()


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"nodes": ' * 100_000,
        '{"nodes": ' + "[" * 5_000 + "]" * 5_000 + "}",
        '{"nodes": ' + '{"a": ' * 900 + "1" + "}" * 900 + "}",
    ],
)
def test_deep_json_is_no_manifest(place: Place, text: str) -> None:
    """It is said, however deep it is nested."""
    (place.folder / "deep.json").write_text(text)
    done = place.learn("dbt", str(place.folder / "deep.json"))
    said = ("is neither dbt's manifest.json", "is not as dbt writes it", "Nothing was found")
    assert any(sentence in done.stderr + done.stdout for sentence in said)
    assert "Traceback" not in done.stderr
