"""connections.toml: what a good file gives."""

from pathlib import Path

from router.catalog.connections_file import read_connections
from router.sql.dialect import DIALECTS
from tests.router.catalog.toml import ENVIRON, read
from tests.support.documents import PAGES, blocks

GOOD = """\
default = "archive"
[groups]
finance = ["Ana@Example.com", "slack:U123"]

[connections.SALES]
id = 10
label = "Sales (Oracle)"
url = "env:SALES_URL"
write_url = "env:SALES_WRITE_URL"
schemas = ["SALES"]
tables = [
    "ORDERS*",  # and their lines
    "CUSTOMERS",
]
samples = false
max_rows = 500
max_result_mb = 7
timeout = 2.5
readers = ["@finance", "Bob@example.com"]
approvers = ["*"]
writers = []

[connections.Archive]
id = 2
url = "sqlite:///archive.db"
"""


def test_good_file(tmp_path: Path) -> None:
    """Every key reaches its connection; people are expanded, and addresses written in lower case."""
    sales = read(tmp_path, GOOD)["SALES"]

    assert ("SALES", 10, "Sales (Oracle)", DIALECTS["oracle"]) == (sales.name, sales.id, sales.label, sales.dialect)
    assert (sales.schemas, sales.tables) == (("SALES",), ("ORDERS*", "CUSTOMERS"))
    assert (sales.samples, sales.max_rows, sales.timeout) == (False, 500, 2.5)
    assert sales.max_result_bytes == 7_000_000
    assert frozenset({"ana@example.com", "slack:U123", "bob@example.com"}) == sales.readers
    assert (frozenset({"*"}), frozenset()) == (sales.approvers, sales.writers)


def test_names_and_numbers_lead_to_one_another(tmp_path: Path) -> None:
    """A connection is found by its name in any case and by its number, and the default one without either."""
    connections = read(tmp_path, GOOD)

    assert list(connections) == ["SALES", "Archive"]
    assert connections["sales"].id == 10
    assert connections.by_id(10).name == "SALES"
    assert connections.default is connections["ARCHIVE"]
    assert None is connections.get("gone")


def test_urls_are_complete(tmp_path: Path) -> None:
    """URLs name the bot's own driver, keep their password, and files start at the folder of connections.toml."""
    connections = read(tmp_path, GOOD + '[connections.PG]\nid = 3\nurl = "env:PG_URL"\n')

    assert connections["SALES"].url == "oracle+oracledb://reader:s3cret@db.example.com:1521/?service_name=SALES"
    assert connections["PG"].url == "postgresql+psycopg://reader:s3cret@db.example.com/warehouse"
    assert f"sqlite:///{tmp_path / 'archive.db'}" == connections["Archive"].url


def test_no_secret_is_shown(tmp_path: Path) -> None:
    """Neither a connection nor a list of them shows a URL."""
    connections = read(tmp_path, GOOD)

    shown = f"{connections} {connections['SALES']} {[*connections.values()]!r}"
    assert "s3cret" not in shown
    assert "db.example.com" not in shown


def test_password_in_a_file_of_ones_own(tmp_path: Path) -> None:
    """A password written into the file is accepted while nobody else on the computer can read the file."""
    connections = read(tmp_path, '[connections.A]\nid = 1\nurl = "postgresql://reader:s3cret@db.example.com/a"\n')

    assert connections["A"].url == "postgresql+psycopg://reader:s3cret@db.example.com/a"


def test_example_is_good(tmp_path: Path) -> None:
    """The example at the root is read without a problem, once its file and its variables exist."""
    example = Path(__file__).parents[3] / "connections.example.toml"
    copy = tmp_path / "connections.toml"
    copy.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "archive.db").touch()

    connections = read_connections(copy, {**ENVIRON, "WAREHOUSE_URL": ENVIRON["PG_URL"]})

    expected = {"SALES": "Oracle", "WAREHOUSE": "PostgreSQL", "ARCHIVE": "SQLite"}
    assert expected == {connection.name: connection.dialect.label for connection in connections.values()}


def test_docs_are_good(tmp_path: Path) -> None:
    """What the docs show of the file is read without a problem, once its variables exist."""
    pieces = [block for page in PAGES for block in blocks(page, "toml")]
    shown = [piece for piece in pieces if "[connections." in piece or piece.startswith("[channels]")]
    (tmp_path / "connections.toml").write_text("\n".join(shown), encoding="utf-8")
    environ = {"ORACLE_10_URL": ENVIRON["SALES_URL"], "ORACLE_10_WRITE": ENVIRON["SALES_WRITE_URL"]}

    connections = read_connections(tmp_path / "connections.toml", environ)

    assert frozenset({"ana@example.com"}) == connections["ORACLE_10"].teachers
    assert frozenset({"slack:C0456EFGH"}) == connections.channels.private
