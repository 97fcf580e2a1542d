"""What tokens of offered files stand for, and for how long."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from adapters.rendering.attachment import Attached
from adapters.teams.file_offers import OFFER_LIFETIME, Consents
from router.storage.database import Database

TEXT = Attached("query.sql", "SELECT 1")
GIVEN = ("teams:ana", "a:ana", "a:ana 17", "shop")
"""Whom a file is offered to, where, with which message, and where its rows came from."""


@dataclass
class Clock:
    """A time that a test sets."""

    now: datetime = datetime(2026, 3, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """The time of these offers."""
    return Clock()


@pytest.fixture
def consents(database: Database, tmp_path: Path, clock: Clock) -> Consents:
    """The offers of a bot."""
    return Consents(database, tmp_path / "offered", clock)


def test_a_token_is_used_once(consents: Consents) -> None:
    """A token stands for its file until it is used, and is known after; what it was used for is kept until the end."""
    made = consents.offer(TEXT, *GIVEN)
    assert made
    assert (made.name, made.person, made.conversation, made.connection) == ("query.sql", "teams:ana", "a:ana", "shop")
    assert made.path.read_text() == "SELECT 1"
    assert [True, False] == [consents.take(made.token, "18", "there") for _ in range(2)]
    found = consents.find(made.token)
    assert found
    assert found.message == "18"
    assert consents.left() == [(found, "there")]
    consents.end(made.token)
    assert (consents.left(), consents.take(made.token, "18", "there")) == ([], False)
    assert consents.find(made.token) == found


def test_tokens_say_nothing(consents: Consents) -> None:
    """Tokens are long and random, and show in no repr."""
    tokens = {made.token for n in range(20, 40) if (made := consents.offer(TEXT, "teams:ana", "a:ana", f"a:ana {n}"))}
    assert len(tokens) == 20
    assert {43} == {len(token) for token in tokens}
    made = consents.offer(TEXT, *GIVEN)
    assert made
    assert made.token not in repr(made)
    assert consents.find("made up") is None


def test_a_file_is_offered_once_with_a_message(consents: Consents) -> None:
    """The same file with the same message is one offer; with another message, or another file, it is another."""
    other = Attached("query.sql", "SELECT 2")
    assert consents.offer(TEXT, *GIVEN)
    assert consents.offer(TEXT, *GIVEN) is None
    assert consents.offer(other, *GIVEN)
    assert consents.offer(TEXT, "teams:ana", "a:ana", "a:ana 18")


def test_an_offer_that_did_not_arrive(consents: Consents) -> None:
    """What could not be offered can be offered again."""
    made = consents.offer(TEXT, *GIVEN)
    assert made
    consents.drop(made.token)
    assert consents.offer(TEXT, *GIVEN)


def test_a_new_token(consents: Consents) -> None:
    """An offer that is made once more has another token, and the one before stands for nothing."""
    made = consents.offer(TEXT, *GIVEN)
    assert made
    consents.take(made.token, "18", "there")
    renewed = consents.renew(made)
    assert consents.find(made.token) is None
    assert consents.find(renewed.token) == renewed
    assert (consents.left(), consents.take(renewed.token, "19", "")) == ([], True)


def test_a_day(consents: Consents, clock: Clock, tmp_path: Path) -> None:
    """After a day an offer is not known any more and its text is deleted; a file of the bot's disk is left alone."""
    path = tmp_path / "rows.csv"
    path.write_text("n")
    made, text = consents.offer(Attached("rows.csv", path), *GIVEN), consents.offer(TEXT, *GIVEN)
    assert made
    assert text
    clock.now += OFFER_LIFETIME - timedelta(seconds=1)
    consents.expire()
    assert consents.find(made.token)
    clock.now += timedelta(seconds=1)
    assert consents.find(made.token) is None
    consents.expire()
    assert (path.exists(), text.path.exists()) == (True, False)


def test_it_outlives_the_process(database: Database, consents: Consents, clock: Clock, tmp_path: Path) -> None:
    """Another process knows the tokens of this one."""
    made = consents.offer(TEXT, *GIVEN)
    assert made
    consents.place(made.token, "18")
    later = Consents(database, tmp_path / "offered", clock)
    found = later.find(made.token)
    assert found
    assert (found.path, found.message) == (made.path, "18")
    assert (tmp_path / "offered").stat().st_mode & 0o077 == 0
