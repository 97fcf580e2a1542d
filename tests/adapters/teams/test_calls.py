"""What is repeated, and what is not: busy servers, lost answers, tokens that are not taken."""

import asyncio
from dataclasses import replace

import pytest

from adapters.teams.calls import CALL_TRIES, Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference
from adapters.teams.failures import Declined, NoToken, Unanswered
from tests.adapters.teams.connector_setup import connected, no
from tests.adapters.teams.fake_microsoft import microsoft


@pytest.mark.parametrize("status", [408, 412, 429, 500, 502, 503, 504])
async def test_what_teams_puts_off_is_sent_again(status: int) -> None:
    """B7: answers that mean "not now" are followed by another try, until it is done."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend([no(status), no(status, **{"Retry-After": "0"})])

        assert "m3" == await connector.send(reference, {"text": "7"})
        assert ["7"] * 3 == [call.body["text"] for call in here.calls]


async def test_retry_after_is_honoured() -> None:
    """B7: a message is not sent again before the time that Teams asks for."""
    loop = asyncio.get_running_loop()
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append(no(429, "Throttled", **{"Retry-After": "1"}))
        began = loop.time()
        await connector.send(reference, {"text": "7"})

        assert loop.time() - began >= 1
        assert len(here.calls) == 2


async def test_what_is_known_not_to_be_done() -> None:
    """B7: where Teams was busy each time, nothing is lost; where one answer was open, it may have been done."""
    async with microsoft() as here, connected(here) as (connector, reference):
        for first, lost in ((429, False), (500, True)):
            here.answers.extend([no(first), *[no(429)] * (CALL_TRIES - 1)])
            with pytest.raises(Unanswered, match="429") as caught:
                await connector.send(reference, {"text": "7"})
            assert lost == caught.value.lost


async def test_a_lost_answer_is_another_try() -> None:
    """B7: a message, an update, a deletion and a question are repeated; the message's id is that of the last."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend(["drop", (200, {}, {"id": "m"})])
        id = await connector.send(reference, {"text": "7"})
        assert id == "m"
        here.answers.append("drop")
        await connector.update(reference, id, {"text": "7"})
        here.answers.append("drop")
        await connector.delete(reference, id)
        here.answers.append("drop")
        await connector.create_direct(reference, "29:alex")

        assert ["POST"] * 2 + ["PUT"] * 2 + ["DELETE"] * 2 + ["POST"] * 2 == [call.method for call in here.calls]


async def test_many_at_once() -> None:
    """B8: messages to forty conversations are on their way at the same time, whatever the number of cores."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.gather = 40
        sending = [connector.send(replace(reference, conversation=f"c{n}"), {"text": str(n)}) for n in range(40)]
        ids = await asyncio.gather(*sending)

        assert len(set(ids)) == 40
        assert here.tokens_given == 1


async def test_one_at_a_time_into_a_conversation() -> None:
    """What is put off keeps what comes after it waiting, whatever that is, so that it stands there first."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend([no(429), no(503)])
        await asyncio.gather(
            connector.send(reference, {"text": "1"}),
            connector.update(reference, "m", {"text": "2"}),
            connector.delete(reference, "m"),
            connector.send(reference, {"text": "4"}),
        )

        assert ["POST"] * 3 + ["PUT", "DELETE", "POST"] == [call.method for call in here.calls]


async def test_a_token_that_is_not_taken_any_more() -> None:
    """At a 401 another token is fetched and the message sent with it; a second 401 is a no."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append(no(401))
        await connector.send(reference, {"text": "7"})
        here.answers.extend([no(401), no(401)])
        with pytest.raises(Declined, match="401"):
            await connector.send(reference, {"text": "8"})

        assert ["token1", "token2", "token2", "token3"] == [call.token for call in here.calls]


async def test_no_token_is_no_message() -> None:
    """Where Microsoft refuses a token nothing is sent, and it is not asked again; an outage is waited for."""
    wrong = {"error": "invalid_client", "error_description": "AADSTS7000215: Invalid client secret provided."}
    async with microsoft() as here, connected(here) as (connector, reference):
        here.token_error = (401, wrong)
        with pytest.raises(NoToken, match="AADSTS7000215"):
            await connector.send(reference, {"text": "7"})
        assert (1, 0) == (len(here.forms), len(here.calls))

        here.token_error = (503, {})
        with pytest.raises(NoToken, match="503"):
            await connector.send(reference, {"text": "7"})
        assert (1 + CALL_TRIES, 0) == (len(here.forms), len(here.calls))


async def test_a_client_on_this_machine_needs_no_token() -> None:
    """Without tokens a message goes out without any."""
    async with microsoft() as here, session() as asking:
        await Connector(Calls(asking, None)).send(Reference(here.url, "c"), {"text": "7"})

        assert "" == here.calls[0].token
