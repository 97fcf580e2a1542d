"""The HTTP side: what is an activity, what an invoke is answered, and what else can be asked."""

import json
from typing import Any

import pytest

from adapters.serving import EVENT_MAX_BYTES, LOOPBACK, listening_on
from adapters.teams.authentication import Loopback
from adapters.teams.server import application
from router.errors import BotError, SettingsError
from tests.adapters.teams.fake_microsoft import activity, microsoft, token
from tests.adapters.teams.guarded_server import door

CLICK = {"status": 200, "body": {"statusCode": 200, "type": "application/vnd.microsoft.card.adaptive", "value": {}}}


def local(**changes: Any) -> dict[str, Any]:
    return activity(serviceUrl="http://localhost/", **changes)


def invoke(name: str = "adaptiveCard/action") -> dict[str, Any]:
    return local(type="invoke", name=name, value={"action": {"verb": "run"}})


async def test_an_invoke_is_answered_with_its_body() -> None:
    """B1: what is returned for an invoke is the HTTP answer, its body as JSON."""

    async def click(given: dict[str, Any]) -> dict[str, Any]:
        assert given["value"]["action"]["verb"] == "run"
        return CLICK

    async with door(gate=Loopback(), on_activity=click) as bot:
        status, text = await bot.knock(body=invoke())

    assert (200, CLICK["body"]) == (status, json.loads(text))


@pytest.mark.parametrize("name", ["adaptiveCard/action", "application/search"])
async def test_an_error_in_a_cards_invoke(name: str, caplog: pytest.LogCaptureFixture) -> None:
    """B13: an exception is told to the card as an error with an id, inside of an answer that is well."""

    async def broken(given: dict[str, Any]) -> None:
        raise KeyError("verb")

    async with door(gate=Loopback(), on_activity=broken) as bot:
        status, text = await bot.knock(body=invoke(name))

    told = json.loads(text)
    assert (200, 500, "application/vnd.microsoft.error") == (status, told["statusCode"], told["type"])
    number = told["value"]["message"].removesuffix(").").rpartition(" ")[2]
    assert f"error {number} while taking invoke {name}" in caplog.text


async def test_a_sentence_for_the_person_stays_one() -> None:
    """A BotError in an invoke is told word for word."""

    async def refusing(given: dict[str, Any]) -> None:
        raise BotError("Nothing was run. Ask Ada.")

    async with door(gate=Loopback(), on_activity=refusing) as bot:
        _, text = await bot.knock(body=invoke())

    assert {"code": "BadRequest", "message": "Nothing was run. Ask Ada."} == json.loads(text)["value"]


async def test_a_message_that_could_not_be_taken_comes_again(caplog: pytest.LogCaptureFixture) -> None:
    """Where a message cannot be kept, Teams is told so, and will send it again."""

    async def full(given: dict[str, Any]) -> None:
        raise OSError("No space left on device")

    async with door(gate=Loopback(), on_activity=full) as bot:
        assert (500, "") == await bot.knock(body=local())

    assert "while taking message" in caplog.text


NO_ACTIVITIES = {
    "nothing": b"",
    "no JSON": b"{",
    "no text": b"\xff\xfe\x00",
    "nested too deeply": b"[" * 100_000,
    "a list": b"[]",
    "an empty object": b"{}",
    "no type": local(type=None),
    "a number as type": local(type=5),
    "no channel": local(channelId=""),
    "no service address": activity(serviceUrl=None),
    "no conversation": local(conversation=None),
    "a conversation without id": local(conversation={"tenantId": "t"}),
    "a text as sender": local(**{"from": "29:alex"}),
    "a text as entities": local(entities="mention"),
    "texts as entities": local(entities=["mention"]),
    "a list as text": local(text=["how", "many"]),
    "a number as name": local(type="invoke", name=7),
}


@pytest.mark.parametrize("body", NO_ACTIVITIES.values(), ids=NO_ACTIVITIES)
async def test_what_is_no_activity(body: Any) -> None:
    """B10: bad JSON, and JSON that is no activity, is 400, and nothing is handed on."""
    async with door(gate=Loopback()) as bot:
        status, _ = await bot.knock(body=body)

        assert (400, []) == (status, bot.heard)


async def test_bad_json_with_a_good_token_is_400_and_without_401() -> None:
    """B10: who does not prove who he is gets nothing read."""
    async with microsoft() as here, door(here) as bot:
        proven, _ = await bot.knock(f"Bearer {token()}", b"{")
        unproven, _ = await bot.knock(None, b"{")

    assert (400, 401) == (proven, unproven)


async def test_a_body_that_is_too_long() -> None:
    """What is longer than any activity is 413."""
    async with door(gate=Loopback()) as bot:
        status, _ = await bot.knock(body=local(text="x" * EVENT_MAX_BYTES))

        assert (413, []) == (status, bot.heard)


async def test_a_port_that_is_taken() -> None:
    """A port that cannot be listened on is a sentence about PORT."""

    async def nothing(given: dict[str, Any]) -> None:
        return None

    async with listening_on(application(Loopback(), nothing), 0, LOOPBACK) as port:
        with pytest.raises(SettingsError, match=f"PORT: port {port} cannot be listened on"):
            async with listening_on(application(Loopback(), nothing), port, LOOPBACK):
                pass
