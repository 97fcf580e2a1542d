"""The stand-in for Teams delivers again what was not taken, and lets calls go wrong as a test wants."""

import pytest
import requests
from aiohttp import ClientConnectionError
from botframework.connector.auth import ChannelValidation, SimpleCredentialProvider

from tests.platforms.teams.activities import activity
from tests.platforms.teams.forging import FORGED
from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams_bot import bot, posted

KNOWN = ("no exp", "no endorsements")
"""What botbuilder takes and should not."""


async def said(teams: Teams, text: str = "x", where: str = "sales", seconds: float = 10.0) -> tuple[int, str | None]:
    """Say something by the connector, and return the status and the Retry-After."""
    status, _, headers = await posted(teams, {"type": "message", "text": text}, where, seconds=seconds)
    return status, headers.get("Retry-After")


async def test_an_activity_that_was_not_taken_comes_again() -> None:
    """It has the same id, whether it was refused or took too long."""
    with Teams(answer_seconds=1.0, retries=(0.0, 0.0, 0.0)) as teams:
        async with bot(teams) as made:
            made.statuses, made.sleeps = [500], [0.0, 60.0]
            teams.say("alex", "hello")
            await teams.awaited.wait_posted()

    post = teams.posts[0]
    assert ["http 500", "timeout", ""] == [attempt.problem for attempt in post.attempts]
    assert len({told["id"] for told in made.told}) == 1
    assert post.ok
    assert [post] == teams.posts.late()


async def test_a_click_comes_again_under_a_new_timestamp_unless_it_was_answered() -> None:
    """A refusal is an answer; the client shows that something went wrong."""
    with Teams(answer_seconds=1.0, retries=(0.0,)) as teams:
        async with bot(teams) as made:
            made.sleeps = [60.0]
            seen = activity(teams, "invoke", teams.conversation("alex"), teams.person("alex"), name="x")
            click = {**seen, "timestamp": "before"}
            await teams.awaited.wait_posted(teams.send(click))
            first = list(made.told)
            made.statuses = [500]
            await teams.awaited.wait_posted(teams.send(click))

    assert [click["id"]] * 2 == [told["id"] for told in first]
    assert first[0]["timestamp"] == "before" != first[1]["timestamp"]
    assert len(made.told) == 3


@pytest.mark.parametrize("how", ["400", "403", "404", "412", "413", "429", "500", "502", "503", "504"])
async def test_a_call_is_refused_as_the_test_wants(how: str) -> None:
    """The next one is not done, in this conversation only; the one after it is."""
    with Teams() as teams:
        teams.fail("send", how, where=teams.conversation("sales").id, retry_after=7)
        elsewhere = await said(teams, where="board")
        refused = await said(teams)
        done = await said(teams, "y")

    assert [elsewhere[0], refused[0], done[0]] == [201, int(how), 201]
    assert refused[1] == ("7" if how in ("429", "503") else None)
    assert ["y"] == [each.text for each in teams.messages("sales")]
    assert teams.refused == []


@pytest.mark.parametrize(("how", "stands"), [("drop", 0), ("lose", 1)])
async def test_a_connection_is_lost_before_or_after(how: str, stands: int) -> None:
    """The bot sees the same; only after `lose` the message stands in the channel."""
    with Teams() as teams:
        teams.fail("send", how)
        with pytest.raises(ClientConnectionError):
            await said(teams)

        assert len(teams.messages("sales")) == stands


async def test_limits_are_counted_and_kept_on_demand() -> None:
    """Seven calls a second may be about one conversation."""
    with Teams(limited=True) as teams:
        times = iter([float(each) / 100 for each in range(1000)])
        teams.world.clock = lambda: 1e9 + next(times)
        statuses = [(await said(teams))[0] for _ in range(9)]

    assert 429 in statuses
    assert teams.limits.over


async def test_botbuilder_takes_the_right_token_and_refuses_the_wrong_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two of the wrong ones it takes as well, which is known; a bot must not."""
    taken = []
    with Teams() as teams:
        monkeypatch.setattr(ChannelValidation, "open_id_metadata_endpoint", teams.openid_url)
        provider = SimpleCredentialProvider(teams.app_id, teams.app_password)
        for name in ("right", *FORGED):
            try:
                await ChannelValidation.authenticate_channel_token_with_service_url(
                    teams.header(name) or "", provider, teams.service_url, "msteams"
                )
            except Exception:  # it has no error of its own for a token that is wrong
                continue
            taken.append(name)

    assert taken == ["right", *KNOWN]


def test_the_keys_can_change_and_fail() -> None:
    """A new key is published in place of the old one, and tokens are signed with it."""
    with Teams() as teams:
        teams.keys.rotate()
        teams.fail("keys", "503")
        url = requests.get(teams.openid_url, timeout=5).json()["jwks_uri"]
        assert requests.get(url, timeout=5).status_code == 503
        kids = [each["kid"] for each in requests.get(url, timeout=5).json()["keys"]]

        assert kids == ["key-web", "key-bare", "key-2"]
        assert ["openid", "keys", "keys"] == [call.method for call in teams.calls]
