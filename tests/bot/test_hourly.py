"""What is done every hour goes on, whatever happens in one of them."""

import sqlite3
from threading import Event

import pytest

from bot.hourly import hourly
from router.errors import JobFailed


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), sqlite3.OperationalError("locked"), JobFailed("Away.")])
def test_one_failure_is_not_the_end(error: Exception, caplog: pytest.LogCaptureFixture) -> None:
    """It is logged, and done again the next time."""
    failed, done = [], Event()

    def act() -> None:
        if not failed:
            failed.append(1)
            raise error
        done.set()

    end = hourly(act, 0)
    assert done.wait(60)
    end.set()

    assert str(error) in caplog.text
