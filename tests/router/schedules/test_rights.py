"""What is repeated when rights change, and when a mail server does not say whether it took an e-mail."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from router.schedules.schedule import ScheduleState
from tests.router.schedules.conftest import model
from tests.router.schedules.test_repeating import CARLA, due, only, repeated
from tests.support.mail_servers import post_office
from tests.support.shop import build_shop
from tests.support.talk import ANA, Talk

SHOP = '[connections.shop]\nid = 1\nlabel = "Shop"\nurl = "sqlite:///shop.sqlite"\n'


@pytest.fixture
def begun(tmp_path: Path) -> Callable[[str], Talk]:
    """Gives a bot over one shop and one list of schedules, with other rights than the one before."""

    def begin(rights: str) -> Talk:
        if not (tmp_path / "shop.sqlite").exists():
            build_shop(tmp_path / "shop.sqlite")
        (tmp_path / "connections.toml").write_text(SHOP + rights)
        return Talk(tmp_path, model)

    return begin


def test_nothing_is_resumed_that_would_be_paused_again(begun: Callable[[str], Talk]) -> None:
    """A person who may not read any more is told so when they press Resume."""
    talk = begun("")
    repeated(talk)
    talk.close()
    talk = begun('readers = ["bob@example.com"]\n')
    (told,) = due(talk, timedelta(hours=1))
    assert 'There is no connection "shop" that you may use (any more).' in told
    assert 'There is no connection "shop" that you may use (any more).' in talk.press("repeat:resume:T-1")
    assert ScheduleState.PAUSED == only(talk).standing
    talk.close()


def test_approvers_that_came_later(begun: Callable[[str], Talk]) -> None:
    """What nobody of them approved is paused, with the way to have it approved."""
    talk = begun("")
    repeated(talk)
    talk.close()
    talk = begun(f'approvers = ["{CARLA.email}"]\n')
    (told,) = due(talk, timedelta(hours=1))
    way = "Stop this, run the query anew and press Repeat this"
    assert f"Ana may not approve SQL for Shop (any more). Nothing was run. {way}" in told
    assert "the request stays open" not in told
    assert way in talk.press("repeat:resume:T-1")
    assert ScheduleState.PAUSED == only(talk).standing
    talk.close()


def test_an_e_mail_that_may_have_gone_out(tmp_path: Path) -> None:
    """Its owner is told, it is not sent twice, it is no failure, and the next one goes out in time."""
    with post_office() as post:
        talk = Talk(tmp_path, model, mail_config=post.mail_config())
        repeated(talk, f"mail this to {ANA.email} every hour")
        post.dies = "END"
        (told,) = due(talk)
        assert "may have gone out, or not" in told
        assert "I do not send it twice." in told
        assert (ScheduleState.RUNS, 0, "It may have been e-mailed, or not.") == (
            only(talk).standing,
            only(talk).failures,
            only(talk).outcome,
        )
        post.dies = ""
        letters = len(post.letters)
        assert [] == due(talk)
        assert letters + 1 == len(post.letters)
        talk.close()
