"""Who is let in: tokens, keys, tenants and channels, against a Microsoft with keys of its own."""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

import pytest

from adapters.teams.authentication import KEYS_PACE_SECONDS, Loopback
from tests.adapters.teams.fake_microsoft import TENANT, activity, handmade, microsoft, part, public_pem, token
from tests.adapters.teams.guarded_server import door

NOW = int(time.time())
EMULATOR = {
    "v1": "https://sts.windows.net/d6d49420-f39b-4df7-a1dc-d59a935871db/",
    "v2": "https://login.microsoftonline.com/d6d49420-f39b-4df7-a1dc-d59a935871db/v2.0",
}


def body_of(whole: str) -> str:
    return whole.split(".")[1]


def tampered() -> str:
    head, _, signature = token().split(".")
    return f"{head}.{body_of(token(exp=NOW + 9999))}.{signature}"


CASES: dict[str, tuple[int, Callable[[], str | None]]] = {
    "right": (200, lambda: f"Bearer {token()}"),
    "right, with a scheme in lower case": (200, lambda: f"bearer {token()}"),
    "expired a minute ago, by a clock ahead": (200, lambda: f"Bearer {token(exp=int(time.time()) - 60)}"),
    "expired": (401, lambda: f"Bearer {token(exp=NOW - 3600)}"),
    "not yet valid": (401, lambda: f"Bearer {token(nbf=NOW + 3600)}"),
    "without exp": (401, lambda: f"Bearer {token(without='exp')}"),
    "forged by another key of the same name": (401, lambda: f"Bearer {token(signer='other')}"),
    "unknown key": (401, lambda: f"Bearer {token(kid='other', signer='other')}"),
    "no key": (401, lambda: f"Bearer {token(kid=None)}"),
    "wrong audience": (401, lambda: f"Bearer {token(aud='99999999-2222-4333-8444-555555555555')}"),
    "several audiences": (401, lambda: f"Bearer {token(aud=[activity()['recipient']['id'][3:], 'other'])}"),
    "no audience": (401, lambda: f"Bearer {token(without='aud')}"),
    "wrong issuer": (401, lambda: f"Bearer {token(iss='https://api.botframework.example')}"),
    "no issuer": (401, lambda: f"Bearer {token(without='iss')}"),
    "emulator, version 1": (401, lambda: f"Bearer {token(iss=EMULATOR['v1'], ver='1.0', appid='x')}"),
    "emulator, version 2": (401, lambda: f"Bearer {token(iss=EMULATOR['v2'], ver='2.0', azp='x')}"),
    "wrong service address": (401, lambda: f"Bearer {token(serviceurl='https://evil.example/')}"),
    "no service address": (401, lambda: f"Bearer {token(without='serviceurl')}"),
    "key of another channel": (401, lambda: f"Bearer {token(kid='web', signer='web')}"),
    "key of no channel": (401, lambda: f"Bearer {token(kid='bare', signer='bare')}"),
    "no algorithm": (401, lambda: f"Bearer {handmade({'alg': 'none', 'kid': 'good'}, body_of(token()), None)}"),
    "signed by HMAC with the public key": (
        401,
        lambda: f"Bearer {handmade({'alg': 'HS256', 'kid': 'good'}, body_of(token()), public_pem('good'))}",
    ),
    "changed after it was signed": (401, lambda: f"Bearer {tampered()}"),
    "a key that is no text": (401, lambda: f"Bearer {handmade({'alg': 'RS256', 'kid': 5}, body_of(token()), b'x')}"),
    "no header": (401, lambda: None),
    "empty header": (401, lambda: ""),
    "no token in the header": (401, lambda: "Bearer "),
    "two tokens": (401, lambda: f"Bearer {token()} {token()}"),
    "basic": (401, lambda: "Basic Ym90OnNlY3JldA=="),
    "garbage": (401, lambda: "garbage"),
    "garbage as a token": (401, lambda: "Bearer a.b.c"),
    "a header that is nested too deeply": (401, lambda: f"Bearer {part(b'[' * 5000)}.{body_of(token())}.x"),
    "a header that is a list": (401, lambda: f"Bearer {part(b'[]')}.{body_of(token())}.x"),
    "the token alone": (401, lambda: token()),
}


@pytest.mark.parametrize(("status", "header"), CASES.values(), ids=CASES)
async def test_tokens(status: int, header: Callable[[], str | None], caplog: pytest.LogCaptureFixture) -> None:
    """B4, B5, B12: right tokens come in, all others are 401, and no token gets into the log."""
    async with microsoft() as here, door(here) as bot:
        answered, _ = await bot.knock(header())

        assert status == answered
        assert len(bot.heard) == (status == 200)
    assert "eyJ" not in caplog.text  # as every token begins


async def test_a_header_that_is_no_text() -> None:
    """B4: bytes that are no text are 401 too."""
    async with microsoft() as here, door(here) as bot:
        reader, writer = await asyncio.open_connection("127.0.0.1", int(bot.url.rpartition(":")[2]))
        head = b"POST /api/messages HTTP/1.1\r\nHost: bot\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        writer.write(head + b"Connection: close\r\nAuthorization: Bearer \xff.b.c\r\n\r\n{}")
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()

    assert b"HTTP/1.1 401 Unauthorized" == answer.partition(b"\r\n")[0]


def of_tenants(conversation: str | None, data: str | None) -> dict[str, Any]:
    """Return an activity that names these tenants."""
    return activity(
        conversation={"id": "c"} if conversation is None else {"id": "c", "tenantId": conversation},
        channelData={} if data is None else {"tenant": {"id": data}},
    )


@pytest.mark.parametrize(
    ("status", "conversation", "data"),
    [
        (200, TENANT, TENANT),
        (200, TENANT, None),
        (200, None, TENANT.upper()),
        (403, None, None),
        (403, "other", "other"),
        (403, TENANT, "other"),
        (403, "other", TENANT),
    ],
)
async def test_tenants(status: int, conversation: str | None, data: str | None) -> None:
    """An activity is let in where every tenant that it names is one of those served, and it names one."""
    async with microsoft() as here, door(here) as bot:
        answered, _ = await bot.knock(f"Bearer {token()}", of_tenants(conversation, data))

        assert status == answered
        assert len(bot.heard) == (status == 200)


async def test_allowed_tenants_take_the_place_of_the_apps_own() -> None:
    """Where tenants are named, the app's own is not served unless it is one of them."""
    async with microsoft() as here, door(here, allowed=frozenset({"guest"})) as bot:
        assert (200, "") == await bot.knock(f"Bearer {token()}", of_tenants("guest", "guest"))
        assert (403, "") == await bot.knock(f"Bearer {token()}", of_tenants(TENANT, TENANT))


async def test_a_web_chat_is_not_let_in() -> None:
    """With a good token of another channel, where people name themselves, an activity is refused."""
    async with microsoft() as here, door(here) as bot:
        here.keys["good"] = ["msteams", "webchat"]
        answered, _ = await bot.knock(f"Bearer {token()}", activity(channelId="webchat"))

        assert (403, []) == (answered, bot.heard)


async def test_answers_go_over_https_only() -> None:
    """A service address that others could read on the way is refused, even if it is signed."""
    plain = "http://smba.example/"
    async with microsoft() as here, door(here) as bot:
        answered, _ = await bot.knock(f"Bearer {token(serviceurl=plain)}", activity(serviceUrl=plain))

        assert (401, []) == (answered, bot.heard)


@pytest.mark.parametrize("how", ["down", "error", "hanging", "empty"])
async def test_an_outage_is_no_refusal(how: str, caplog: pytest.LogCaptureFixture) -> None:
    """B4, B6: where Microsoft's keys cannot be fetched, 503 is answered and an error is logged; the loop goes on."""
    async with microsoft() as here:
        here.keys_status, here.keys_hang = 500 if how == "error" else 200, how == "hanging"
        if how == "empty":
            here.keys.clear()
        async with door(here, patience=0.2, **({"openid_url": "http://127.0.0.1:9/"} if how == "down" else {})) as bot:
            (first, _), alive = await asyncio.gather(bot.knock(f"Bearer {token()}"), asyncio.sleep(0, "alive"))
            here.keys["good"] = ["msteams"]
            here.keys_status, here.keys_hang = 200, False
            bot.clock.now += 10
            second, _ = await bot.knock(f"Bearer {token()}")

    assert (503, "alive") == (first, alive)
    assert second == (503 if how == "down" else 200)
    assert any(record.levelno == logging.ERROR and "gives no keys" in record.message for record in caplog.records)


async def test_nobody_waits_for_keys_that_do_not_come() -> None:
    """B6: while Microsoft does not answer, requests for something else are answered."""
    async with microsoft() as here, door(here, patience=0.4) as bot:
        here.keys_hang = True
        first = asyncio.create_task(bot.knock(f"Bearer {token()}"))
        while not here.keys_asked:
            await asyncio.sleep(0.01)
        async with bot.asking.get(f"{bot.url}/health") as answer:
            assert (200, False) == (answer.status, first.done())

        assert (503, "") == await first


async def test_a_new_key_is_found_at_once() -> None:
    """A key that is not known is looked for when it is first seen, and so is the next one some seconds later."""
    async with microsoft() as here, door(here) as bot:
        seen = []
        for kid in ("good", "new", "newer"):
            here.keys[kid] = ["msteams"]
            bot.clock.now += KEYS_PACE_SECONDS
            status, _ = await bot.knock(f"Bearer {token(kid=kid, signer=kid)}")
            seen.append((status, here.keys_asked))

    assert [(200, 1), (200, 2), (200, 3)] == seen


async def test_invented_keys_do_not_hide_a_new_one() -> None:
    """Among a flood of invented names a rotated key is told to come back, and is good some seconds later.

    What has a known key is answered all the time, and Microsoft is asked seldom.
    """
    async with microsoft() as here, door(here) as bot:
        await bot.knock(f"Bearer {token()}")
        bot.clock.now += KEYS_PACE_SECONDS
        flood = [await bot.knock(f"Bearer {token(kid=f'invented-{n}')}") for n in range(50)]
        here.keys["new"] = ["msteams"]
        known, _ = await bot.knock(f"Bearer {token()}")
        early, _ = await bot.knock(f"Bearer {token(kid='new', signer='new')}")
        asked = here.keys_asked
        bot.clock.now += KEYS_PACE_SECONDS
        later, _ = await bot.knock(f"Bearer {token(kid='new', signer='new')}")

    assert {401, 503} == {status for status, _ in flood}
    assert (200, 503, 200) == (known, early, later)
    assert asked == 2


async def test_many_at_once_fetch_keys_once() -> None:
    """The first messages after a start wait for one fetch of the keys together."""
    async with microsoft() as here, door(here) as bot:
        answers = await asyncio.gather(*[bot.knock(f"Bearer {token()}") for _ in range(10)])

        assert [(200, "")] * 10 == answers
        assert here.keys_asked == 1


async def test_known_keys_outlive_an_outage() -> None:
    """When the daily fetch fails, known keys stay good; whether an unknown one is good cannot be told."""
    async with microsoft() as here, door(here) as bot:
        seen = [await bot.knock(f"Bearer {token()}")]
        here.keys_status = 500
        bot.clock.now += 25 * 60 * 60
        seen.append(await bot.knock(f"Bearer {token()}"))
        seen.append(await bot.knock(f"Bearer {token(kid='new', signer='new')}"))
        asked = here.keys_asked

    assert [(200, ""), (200, ""), (503, "")] == seen
    assert asked == 2


async def test_a_key_that_was_taken_back() -> None:
    """After a day the keys are fetched again, and one that is not announced any more is refused."""
    async with microsoft() as here, door(here) as bot:
        before, _ = await bot.knock(f"Bearer {token()}")
        del here.keys["good"]
        bot.clock.now += 25 * 60 * 60
        after, _ = await bot.knock(f"Bearer {token()}")

    assert (200, 401) == (before, after)


async def test_without_tokens_only_this_machine_is_answered() -> None:
    """The local gate lets in a client on this machine, and nothing that came by another name or through a tunnel."""
    here = activity(serviceUrl="http://localhost:56150/_connector")
    async with door(gate=Loopback()) as bot:
        seen = [
            await bot.knock(body=here),
            await bot.knock(body=here, **{"X-Forwarded-For": "203.0.113.9"}),
            await bot.knock(body=here, Host="bot.example"),
            await bot.knock(body=activity(serviceUrl="https://evil.example/")),
        ]

        assert [200, 403, 403, 403] == [status for status, _ in seen]
        assert len(bot.heard) == 1
