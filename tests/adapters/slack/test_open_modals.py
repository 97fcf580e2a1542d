"""Modals are known to every process."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from adapters.slack.open_modals import MODAL_LIFETIME, OpenModals
from router.storage.clock import now
from router.storage.database import Database
from tests.support.postgres import PostgresDatabase


@pytest.fixture
def processes(postgres: PostgresDatabase) -> Iterator[tuple[OpenModals, OpenModals]]:
    """Two processes that share a database."""
    with closing(Database(postgres.owner_url)) as one, closing(Database(postgres.owner_url)) as two:
        yield OpenModals(one), OpenModals(two)


def test_a_modal_is_known_until_it_is_closed(processes: tuple[OpenModals, OpenModals]) -> None:
    """The question that it answers is the one that it was moved to."""
    one, two = processes
    assert None is two.turn("V1")
    one.move("V1", 7)
    one.move("V1", 8)
    assert 8 == two.turn("V1")
    two.close("V1")
    assert None is one.turn("V1")


def test_old_ones_are_forgotten(database: Database) -> None:
    """After a day nobody has a modal open."""
    OpenModals(database, lambda: now() - MODAL_LIFETIME - timedelta(minutes=1)).move("V1", 1)
    OpenModals(database).move("V2", 2)
    OpenModals(database).expire()
    assert [None, 2] == [OpenModals(database).turn(id) for id in ("V1", "V2")]
