"""The doctor's word on keys that a database does not declare."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.checks.doctor import check_connection
from bot.settings.environment import read_settings
from bot.wiring.bot import connections_of
from router.catalog.catalog import Catalog

TABLES = """
CREATE TABLE pilots (pilot_id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO pilots VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd');
CREATE TABLE trips (pilot INTEGER, day TEXT);
INSERT INTO trips VALUES (1, 'x'), (2, 'x'), (3, 'y'), (4, 'y');
"""


def said(folder: Path, monkeypatch: pytest.MonkeyPatch, block: str = "") -> str:
    if not (folder / "air.db").exists():
        with closing(sqlite3.connect(folder / "air.db")) as file:
            file.executescript(TABLES)
    (folder / "connections.toml").write_text(f'[connections.air]\nid = 1\nurl = "sqlite:///air.db"\n{block}')
    monkeypatch.setenv("ICC_BOT_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)
    connections = connections_of(read_settings())
    with closing(Catalog(connections)) as catalog:
        return "\n".join(str(finding) for finding in check_connection(connections["air"], catalog))


def test_inferred_keys_are_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A key that was found is named with how sure it is, as a person would confirm it."""
    assert "trips.pilot = pilots.pilot_id (95%)" in said(tmp_path, monkeypatch)


def test_what_is_left_out_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that nobody can ask about are named, with the reason."""
    with closing(sqlite3.connect(tmp_path / "air.db")) as file:
        file.executescript(f"{TABLES} CREATE VIRTUAL TABLE letters USING fts5 (body)")
    assert "Left out: letters, letters_config" in said(tmp_path, monkeypatch)
