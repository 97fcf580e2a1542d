"""connections.toml is read again when it changes; what is not in order changes nothing."""

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from router.catalog.catalog import Catalog
from router.catalog.connection import Channels
from router.catalog.reload import FollowedConnections
from router.errors import JobFailed, NotFound, SettingsError
from router.sql.dialect import DIALECTS, UNKNOWN_DIALECT
from tests.support.shop import build_shop

SHOP = '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n'
OTHER = '[connections.other]\nid = 2\nurl = "sqlite:///other.sqlite"\n'


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    for name in ("shop", "other"):
        build_shop(tmp_path / f"{name}.sqlite")
    path = tmp_path / "connections.toml"
    path.write_text(SHOP)
    return path


def test_what_counts_at_once(path: Path) -> None:
    """Each key that is saved holds for the next look; groups, channels and the default one as well."""
    connections = FollowedConnections(path, {}, settle=0)
    path.write_text(
        'default = "other"\n[groups]\nus = ["ana@example.com"]\n[channels]\nallowed = ["slack:C1"]\n'
        + SHOP
        + "readers = ['@us']\napprovers = []\nwriters = []\nteachers = []\ntables = ['regions']\nprivate = true\n"
        + OTHER
    )

    shop = connections["shop"]
    assert (frozenset({"ana@example.com"}), frozenset(), True) == (shop.readers, shop.approvers, shop.private)
    assert (frozenset(), frozenset(), ("regions",)) == (shop.writers, shop.teachers, shop.tables)
    assert Channels(frozenset({"slack:C1"})) == connections.channels
    assert connections.default is connections["other"]
    assert ["shop", "other"] == [each.name for each in connections.values()] == list(dict(connections.items()))
    path.write_text(OTHER)
    assert ["other"] == list(connections)
    with pytest.raises(NotFound):
        connections.require("shop")


def test_a_database_that_another_process_opens(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """None of its variables and drivers is needed here, now and after a change of the file; its kind may be named."""
    text = '[connections.shop]\nid = 1\nurl = "postgresql://reader@nowhere/shop"\nwrite_url = "env:NOT_SET"\n'
    path.write_text(text + 'readers = ["ana@example.com"]\n')
    connections = FollowedConnections(path, {}, settle=0, opens=False)

    assert frozenset({"ana@example.com"}) == connections["shop"].readers
    path.write_text(text + 'readers = ["bob@example.com"]\n')
    assert frozenset({"bob@example.com"}) == connections["shop"].readers
    shop = connections["shop"]
    assert ("", "", "", UNKNOWN_DIALECT) == (shop.away, shop.url, shop.write_url, shop.dialect)
    path.write_text(text + 'dialect = "PostgreSQL"\n')
    assert DIALECTS["postgres"] == connections["shop"].dialect
    with pytest.raises(SettingsError, match="NOT_SET"):
        FollowedConnections(path, {}, settle=0, opens=True)
    assert [] == [record for record in caplog.records if record.levelno > logging.INFO]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ("[connections.shop\n", "this is not TOML"),
        ("", "there is no connection"),
        (SHOP + "raeders = []\n", 'there is no key "raeders"; write "readers"'),
        (SHOP + "readers = ['Ana']\n", '"Ana" is nobody'),
        (SHOP.replace("sqlite:///shop.sqlite", "env:GONE"), "environment variable GONE, which is not set"),
        (None, "does not exist"),
    ],
)
def test_a_file_that_is_not_in_order(
    path: Path, caplog: pytest.LogCaptureFixture, broken: str | None, why: str
) -> None:
    """The last good one holds, the log says once what is wrong; and once it is mended, it counts."""
    connections = FollowedConnections(path, {}, settle=0)
    if broken is None:
        path.unlink()
    else:
        path.write_text(broken)
    with caplog.at_level(logging.WARNING, "icc_bot"):
        assert [(1, None)] * 3 == [(connections["shop"].id, connections["shop"].readers) for _ in range(3)]
    (said,) = caplog.messages
    assert said.startswith(
        "connections.toml is not in order any more, so all connections and rights stay as they were:"
    )
    assert why in said
    path.write_text(SHOP + "readers = []\n")
    assert frozenset() == connections["shop"].readers


def test_a_file_with_a_password_that_others_may_read(path: Path) -> None:
    """It holds as soon as its mode is right, though nothing else changed."""
    connections = FollowedConnections(path, {}, settle=0)
    path.write_text(OTHER + '[connections.pg]\nid = 3\nurl = "postgresql://reader:s3cret@127.0.0.1/a"\n')
    path.chmod(0o644)
    assert ["shop"] == list(connections)
    path.chmod(0o600)
    assert ["other", "pg"] == list(connections)


def test_many_who_look_while_it_changes(path: Path) -> None:
    """Nobody ever sees half of a change, and nobody waits for another one's reading."""
    connections = FollowedConnections(path, {}, settle=0)
    names = {1: {"shop"}, 2: {"shop", "other"}}

    def look(_: int) -> bool:
        found = [each.name for each in connections.values()]
        return set(found) == names[len(found)]

    with ThreadPoolExecutor(4) as threads:
        looks = [threads.map(look, range(500)) for _ in range(4)]
        for number in range(20):
            path.write_text(SHOP + OTHER * (number % 2))
        assert {True} == {seen for each in looks for seen in each}


def test_a_file_that_is_half_saved(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """What is valid before the rest is written does not count: rights do not widen for a moment."""
    path.write_text(SHOP + "readers = []\n")
    connections = FollowedConnections(path, {}, settle=0.3)
    with path.open("w") as file:
        file.write(SHOP)
        file.flush()
        began = time.monotonic()
        seen = {connections["shop"].readers for _ in range(100)}
        if time.monotonic() - began < 0.2:  # the machine was not busy meanwhile
            assert {frozenset()} == seen
        file.write("readers = ['ana@example.com']\n")
    while not connections["shop"].readers and time.monotonic() - began < 5:
        time.sleep(0.01)
    assert frozenset({"ana@example.com"}) == connections["shop"].readers
    assert time.monotonic() - began >= 0.3
    assert [] == [record for record in caplog.records if record.levelno >= logging.WARNING]


def test_tables_of_a_changed_connection(path: Path) -> None:
    """What may be read is asked again where that changed; where only people did, nothing is read again."""
    connections = FollowedConnections(path, {}, settle=0)
    catalog = Catalog(connections)
    names = lambda: [table.name for table in catalog.schema("shop").tables]  # noqa: E731
    assert ["customers", "numbers", "orders", "regions"] == names()
    path.write_text(SHOP + "tables = ['regions']\n")
    assert ["regions"] == names()
    known, database = catalog.schema("shop"), catalog.database("shop")
    path.write_text(SHOP + "tables = ['regions']\nreaders = ['ana@example.com']\n")
    assert frozenset({"ana@example.com"}) == connections["shop"].readers
    assert (True, True) == (catalog.schema("shop") is known, catalog.database("shop") is database)
    catalog.close()


def test_a_database_that_was_moved(path: Path) -> None:
    """The new place is asked; what runs at the old one comes to its end, and then it is closed."""
    connections = FollowedConnections(path, {}, settle=0)
    catalog = Catalog(connections)
    old = catalog.database("shop")
    with old.session() as session:
        path.write_text(SHOP.replace("shop.sqlite", "other.sqlite"))
        new = catalog.database("shop")
        _, rows = session.stream("SELECT count(*) FROM numbers")
        assert [[(50,)]] == list(rows)
    assert old is not new
    with pytest.raises(JobFailed, match="closed"), old.session():
        pass
    new.ping()
    path.write_text(OTHER)
    with pytest.raises(NotFound):
        catalog.schema("shop")
    assert [] == catalog.known()
    with pytest.raises(JobFailed, match="closed"), new.session():
        pass
    catalog.close()


def test_a_file_that_goes_and_comes_back(path: Path) -> None:
    """Its connection is away meanwhile, and asked again without a restart."""
    catalog = Catalog(FollowedConnections(path, {}, settle=0))
    assert ("main",) == catalog.schemas("shop")
    file = path.parent / "shop.sqlite"
    file.rename(path.parent / "elsewhere")
    for ask in (catalog.schemas, catalog.database):
        with pytest.raises(JobFailed, match="Shop is away: I cannot open its database"):
            ask("shop")
    build_shop(file)
    with catalog.database("shop").session() as session:
        _, rows = session.stream("SELECT count(*) FROM regions")
        assert [[(2,)]] == list(rows)
    catalog.close()
