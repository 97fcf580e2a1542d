"""Reading a text as a connections.toml."""

from pathlib import Path

from router.catalog.connection import Connections
from router.catalog.connections_file import read_connections

ENVIRON = {
    "SALES_URL": "oracle://reader:s3cret@db.example.com:1521/?service_name=SALES",
    "SALES_WRITE_URL": "oracle://writer:s3cret@db.example.com:1521/?service_name=SALES",
    "SAME_USER_URL": "oracle://reader:0ther@db.example.com:1521/?service_name=SALES",
    "PG_URL": "postgres://reader:s3cret@db.example.com/warehouse",
    "PYODBC_URL": "mssql+pyodbc://reader:s3cret@db.example.com/warehouse",
    "DB2_URL": "db2://reader:s3cret@db.example.com/warehouse",
    "BROKEN_URL": "s3cret without any sense",
    "PORT_URL": "postgresql://reader:s3cret@db.example.com:port/warehouse",
    "EMPTY_URL": "",
}


def read(folder: Path, text: str) -> Connections:
    """Read `text` as the connections.toml of a folder that holds archive.db, too."""
    (folder / "archive.db").touch()
    path = folder / "connections.toml"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return read_connections(path, ENVIRON)
