"""Modals are known to every process."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta

import pytest

from adapters.slack.open_modals import MODAL_LIFETIME, OpenModals
from router.cards import Field, Form
from router.storage.clock import now
from router.storage.database import Database
from tests.support.postgres import PostgresDatabase

FORM = Form("Write", (Field("table", "Table", value="sales"),))


@pytest.fixture
def processes(postgres: PostgresDatabase) -> Iterator[tuple[OpenModals, OpenModals]]:
    """Two processes that share a database."""
    with closing(Database(postgres.owner_url)) as one, closing(Database(postgres.owner_url)) as two:
        yield OpenModals(one), OpenModals(two)


def test_a_modal_is_known_until_it_is_closed(processes: tuple[OpenModals, OpenModals]) -> None:
    """Its form stays, and the question that it answers is the one that it was moved to."""
    one, two = processes
    one.add("V1", FORM)
    assert (FORM, None) == (two.form("V1"), two.turn("V1"))
    two.move("V1", 7)
    assert (7, FORM) == (one.turn("V1"), one.form("V1"))
    one.close("V1")
    assert two.turn("V1") is None


def test_a_modal_that_was_opened_before_it_was_noted(processes: tuple[OpenModals, OpenModals]) -> None:
    """Its question moves all the same."""
    one, two = processes
    one.move("V2", 3)
    assert 3 == two.turn("V2")


def test_old_ones_are_forgotten(postgres: PostgresDatabase) -> None:
    """After a day nobody has a modal open."""
    with closing(Database(postgres.owner_url)) as database:
        OpenModals(database, lambda: now() - MODAL_LIFETIME - timedelta(minutes=1)).add("V1", FORM)
        OpenModals(database).add("V2", FORM)
        OpenModals(database).expire()
        assert [None, FORM] == [OpenModals(database).form(id) for id in ("V1", "V2")]
