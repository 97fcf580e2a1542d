"""The doctor's word on those who write, and on the tokens of the API."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from adapters.api.auth import TokenScope, new_token, person_of
from bot.checks.doctor import check_api, check_writing
from bot.commands.api_tokens import tokens_of
from bot.settings.environment import Settings, read_settings
from bot.wiring.bot import connections_of
from router.catalog.catalog import Catalog
from tests.support.shop import build_archive, build_shop

WRITES = 'url = "duckdb:///depot.duckdb"\nwrite_url = "duckdb:///depot.duckdb"\nschemas = ["main", "archive"]\n'


def settings(monkeypatch: pytest.MonkeyPatch, folder: Path, block: str) -> Settings:
    build_archive(folder / "depot.duckdb")
    build_shop(folder / "shop.sqlite")
    (folder / "junk.sqlite").write_text("this is no database" * 500)
    (folder / "connections.toml").write_text(f'[connections.depot]\nid = 1\nlabel = "Depot"\n{block}')
    monkeypatch.setenv("ICC_BOT_HOME", str(folder / "home"))
    monkeypatch.chdir(folder)
    return read_settings()


def written(settings: Settings) -> Iterator[str]:
    connections = connections_of(settings)
    with closing(Catalog(connections)) as catalog:
        yield from map(str, check_writing(connections["depot"], catalog))


@pytest.mark.parametrize(
    ("user", "scopes", "expected"),
    [
        ("ana@example.com", {"read", "write"}, "acts as ana@example.com: read, write."),
        ("bob@example.com", {"read"}, "acts as bob@example.com: read."),
        ("bob@example.com", {"read", "write"}, "bob@example.com may write to no connection"),
        ("slack:U1", {"read"}, "slack:U1 may read no connection"),
    ],
)
def test_tokens(
    user: str, scopes: set[TokenScope], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A token of somebody who may not do what it is for is pointed out."""
    people = 'readers = ["ana@example.com", "bob@example.com"]\nwriters = ["ana@example.com"]\n'
    read = settings(monkeypatch, tmp_path, WRITES + people)
    assert [] == list(check_api(read, connections_of(read)))
    secret, token = new_token("nightly", person_of(user), frozenset(scopes))
    tokens_of(read).add(token)
    (finding,) = check_api(read, connections_of(read))
    assert "API token nightly" in str(finding)
    assert expected in str(finding)
    assert secret not in str(finding)


def test_a_list_of_tokens_that_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line that is wrong is pointed out."""
    read = settings(monkeypatch, tmp_path, WRITES)
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "api-tokens").write_text("nonsense\nmore nonsense\n")
    assert ["line 1", "line 2"] == [
        line for line in ("line 1", "line 2") if line in str([*map(str, check_api(read, connections_of(read)))])
    ]
