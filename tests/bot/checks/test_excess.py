"""The doctor's word on what a reading user could do if the guard failed."""

from contextlib import closing
from pathlib import Path

import pytest

from bot.checks.doctor import check_excess
from bot.settings.environment import read_settings
from bot.wiring.bot import connections_of
from router.catalog.catalog import Catalog
from tests.support.postgres import READER, PostgresDatabase
from tests.support.shop import build_shop


def said(folder: Path, monkeypatch: pytest.MonkeyPatch, block: str) -> list[str]:
    (folder / "connections.toml").write_text(f'[connections.shop]\nid = 1\nlabel = "Shop"\n{block}')
    monkeypatch.setenv("ICC_BOT_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)
    connections = connections_of(read_settings())
    with closing(Catalog(connections)) as catalog:
        return [str(finding) for finding in check_excess(connections["shop"], catalog)]


def test_the_statements_stand_below(
    postgres: PostgresDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A right to write is a failure, tables that the connection leaves out are a warning; each with its statement."""
    postgres.run(
        f"CREATE TABLE sales (a int); CREATE TABLE pay (a int); GRANT SELECT, INSERT ON sales TO {READER};"
        f"GRANT SELECT ON pay TO {READER}"
    )
    monkeypatch.setenv("SHOP", postgres.reader_url)
    findings = said(tmp_path, monkeypatch, 'url = "env:SHOP"\ntables = ["sales"]\n')
    assert (
        "FAILED   connection shop: The reading user may change public.sales.\n"
        f"         REVOKE INSERT ON TABLE public.sales FROM {READER};"
    ) in findings
    assert (
        "warning  connection shop: The reading user may read what this connection does not name: public.pay.\n"
        f"         REVOKE SELECT ON TABLE public.pay FROM {READER};"
    ) in findings


def test_a_file_has_no_users(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of SQLite and DuckDB, beyond whether the file can be written."""
    build_shop(tmp_path / "shop.sqlite")
    (found,) = said(tmp_path, monkeypatch, 'url = "sqlite:///shop.sqlite"\n')
    assert found.startswith("warning  connection shop: SQLite has no users: this process may write the file")
