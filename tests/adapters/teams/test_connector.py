"""Writing into conversations: what is sent, what is repeated, and what a no means."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from adapters.teams.calls import TRIES, Calls, session
from adapters.teams.connector import Connector
from adapters.teams.reference import Reference, reference_of
from adapters.teams.tokens import Tokens
from adapters.teams.undone import Dead, Declined, Gone, NoToken, TooLarge, Undone, Unreachable, Unsure
from tests.adapters.teams.microsoft import APP, TENANT, Microsoft, activity, microsoft

CHANNEL = "19:c@thread.tacv2;messageid=17"
QUOTED = "19%3Ac%40thread.tacv2%3Bmessageid%3D17"


@asynccontextmanager
async def connected(here: Microsoft, **changes: Any) -> AsyncIterator[tuple[Connector, Reference]]:
    """Give a connector, and the reference of a channel's thread."""
    async with session() as asking:
        calls = Calls(asking, Tokens(asking, here.access(**changes)), pause=0.001)
        yield Connector(calls), reference_of(activity(serviceUrl=f"{here.url}/emea/", locale="en-GB"))


def no(status: int, code: str = "", **headers: str) -> tuple[int, dict[str, str], Any]:
    return status, headers, {"error": {"code": code, "message": "no"}}


async def test_a_message_arrives_whole() -> None:
    """B3: entities keep all that they hold, and the message says where it belongs and who speaks."""
    label = {
        "type": "https://schema.org/Message",
        "@type": "Message",
        "additionalType": ["AIGeneratedContent"],
        "citation": [{"@type": "Claim", "position": 1, "appearance": {"name": "orders"}}],
    }
    card = {"contentType": "application/vnd.microsoft.card.adaptive", "content": {"type": "AdaptiveCard", "x": None}}
    async with microsoft() as here, connected(here) as (connector, reference):
        id = await connector.send(reference, {"text": "7", "entities": [label], "attachments": [card]})

        assert id == "m1"
        (call,) = here.calls
        assert ("POST", f"/emea/v3/conversations/{QUOTED}/activities", "token1") == (call.method, call.path, call.token)
        assert {
            "type": "message",
            "channelId": "msteams",
            "serviceUrl": f"{here.url}/emea/",
            "conversation": {"id": CHANNEL},
            "from": {"id": f"28:{APP}", "name": "icc-bot"},
            "locale": "en-GB",
            "text": "7",
            "entities": [label],
            "attachments": [card],
        } == call.body


async def test_a_reference_is_all_that_is_needed_later() -> None:
    """What was stored as JSON writes, updates and deletes in another run of the bot, with a token of its own."""
    async with microsoft() as here:
        async with connected(here) as (_, reference):
            stored = reference.to_json()
        async with connected(here) as (connector, _):
            later = Reference.from_json(stored)
            id = await connector.send(later, {"type": "typing"})
            await connector.update(later, "a/b?c", {"text": "new"})
            await connector.delete(later, id)

        assert later == reference
        start = f"/emea/v3/conversations/{QUOTED}/activities"
        assert [("POST", start), ("PUT", f"{start}/a%2Fb%3Fc"), ("DELETE", f"{start}/m1")] == [
            (call.method, call.path) for call in here.calls
        ]
        assert "typing" == here.calls[0].body["type"]
        assert ("a/b?c", "new") == (here.calls[1].body["id"], here.calls[1].body["text"])


def test_a_reference_of_another_version() -> None:
    """Fields that are not known are left out, and those that lack are empty."""
    stored = '{"service_url": "https://smba.example/", "conversation": "c", "mood": "good"}'

    assert Reference("https://smba.example/", "c") == Reference.from_json(stored)


@pytest.mark.parametrize(
    "url",
    [
        "http://smba.example/",
        "ftp://smba.example/",
        "//smba.example/",
        "https://",
        "",
        "https://user:word@smba.example/",
        "http://127.0.0.1@evil.example/",
        "http://localhost.evil.example/",
        "https://[broken/",
        "https://smba.example:port/",
    ],
)
def test_no_token_goes_where_others_can_read_it(url: str) -> None:
    """There is no reference to an address that is neither https nor this machine."""
    with pytest.raises(ValueError, match="https"):
        Reference(url, "c")


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


@pytest.mark.parametrize("asked", ["Fri, 31 Dec 1999 23:59:59 GMT", "soon", "-1", "²"])
async def test_an_odd_retry_after(asked: str) -> None:
    """B7: a time that has passed, or is none, puts nothing off."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append(no(429, "Throttled", **{"Retry-After": asked}))

        assert "m2" == await connector.send(reference, {"text": "7"})


async def test_it_gives_up_in_the_end() -> None:
    """B7: what is put off each time ends as Unreachable, which was surely not done."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend([no(503)] * TRIES)

        with pytest.raises(Unreachable, match="503"):
            await connector.send(reference, {"text": "7"})
        assert len(here.calls) == TRIES


async def test_nobody_listens() -> None:
    """B7: a server that cannot be reached is tried again, and ends as Unreachable."""
    async with microsoft() as here, connected(here) as (connector, reference):
        with pytest.raises(Unreachable, match="cannot be reached"):
            await connector.send(replace(reference, service_url="http://127.0.0.1:9/"), {"text": "7"})


async def test_a_message_whose_answer_is_lost_is_not_doubled() -> None:
    """B7: a message that was sent and not answered is not sent again; whoever sent it is told."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append("drop")

        with pytest.raises(Unsure):
            await connector.send(reference, {"text": "7"})
        assert len(here.calls) == 1


async def test_what_may_be_repeated_is() -> None:
    """B7: what may stand there twice, an update, a deletion and a question are repeated when an answer is lost."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend(["drop", (200, {}, {"id": "m"})])
        id = await connector.send(reference, {"text": "Working…"}, again=True)
        here.answers.append("drop")
        await connector.update(reference, id, {"text": "7"})
        here.answers.append("drop")
        await connector.delete(reference, id)
        here.answers.append("drop")
        await connector.create_direct(reference, "29:alex")

        assert ["POST"] * 2 + ["PUT"] * 2 + ["DELETE"] * 2 + ["POST"] * 2 == [call.method for call in here.calls]


NOS = [
    (403, "BotNotInConversationRoster", Dead),
    (404, "ConversationNotFound", Dead),
    (403, "ContentStreamNotAllowed", Declined),
    (413, "RequestEntityTooLarge", TooLarge),
    (400, "MessageSizeTooBig", TooLarge),
    (400, "BadSyntax", Declined),
    (302, "", Declined),
]


@pytest.mark.parametrize(("status", "code", "kind"), NOS)
async def test_what_a_no_means(status: int, code: str, kind: type[Declined]) -> None:
    """A no is an error of its own kind with Teams' code, at once, and follows no redirection with the token."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append(no(status, code, **({"Location": "https://evil.example/"} if status == 302 else {})))

        with pytest.raises(Declined) as told:
            await connector.send(reference, {"text": "7"})
        assert (kind, status, code) == (type(told.value), told.value.status, told.value.code)
        assert len(here.calls) == 1


@pytest.mark.parametrize(
    ("code", "kind"), [("ActivityNotFoundInConversation", Gone), ("", Gone), ("ConversationNotFound", Dead)]
)
async def test_an_update_of_what_is_gone(code: str, kind: type[Undone]) -> None:
    """A message that was deleted is Gone and its conversation lives; deleting it once more is well."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend([no(404, code), no(404, "ActivityNotFoundInConversation")])

        with pytest.raises(Undone) as told:
            await connector.update(reference, "m1", {"text": "7"})
        await connector.delete(reference, "m1")
        assert kind is type(told.value)


async def test_a_direct_chat() -> None:
    """The direct chat with a person is a reference like any other."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append((201, {}, {"id": "a:1"}))
        direct = await connector.create_direct(reference, "29:alex")
        await connector.send(direct, {"text": "7"})

        made, sent = here.calls
        assert made.path == "/emea/v3/conversations"
        assert {
            "bot": {"id": f"28:{APP}", "name": "icc-bot"},
            "members": [{"id": "29:alex"}],
        }.items() <= made.body.items()
        assert (TENANT, {"tenant": {"id": TENANT}}) == (made.body["tenantId"], made.body["channelData"])
        assert "/emea/v3/conversations/a%3A1/activities" == sent.path
        assert "" == direct.team


async def test_a_member() -> None:
    """A person of a channel is asked for in the team, and a guest of a shared channel in the channel."""
    ada = {"id": "29:ada", "name": "Ada", "email": "ada@acme.example", "objectId": "a2", "tenantId": TENANT}
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append((200, {}, ada))
        found = await connector.member(reference, "29:ada")
        here.answers.extend([no(404, "MemberNotFoundInConversation"), (200, {}, ada)])
        guest = await connector.member(reference, "29:ada")
        here.answers.extend([no(404, "ConversationNotFound")] * 2)
        with pytest.raises(Gone):
            await connector.member(reference, "29:nobody")

        expected = {"id": "29:ada", "name": "Ada", "email": "ada@acme.example", "userPrincipalName": ""}
        assert [expected | {"aadObjectId": "a2"}] * 2 == [found, guest]
        team, channel = "19%3At%40thread.tacv2", "19%3Ac%40thread.tacv2"
        assert [team, team, channel, team, channel] == [call.path.split("/")[4] for call in here.calls]


async def test_many_at_once() -> None:
    """B8: forty messages are on their way at the same time, whatever the number of cores."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.gather = 40
        ids = await asyncio.gather(*[connector.send(reference, {"text": str(n)}) for n in range(40)])

        assert len(set(ids)) == 40
        assert here.tokens_given == 1


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
        assert (1 + TRIES, 0) == (len(here.forms), len(here.calls))


async def test_a_client_on_this_machine_needs_no_token() -> None:
    """Without tokens a message goes out without any."""
    async with microsoft() as here, session() as asking:
        await Connector(Calls(asking, None)).send(Reference(here.url, "c"), {"text": "7"})

        assert "" == here.calls[0].token


async def test_a_number_that_json_does_not_know() -> None:
    """A value that is no JSON is our bug and is raised, before Teams sees it."""
    async with microsoft() as here, connected(here) as (connector, reference):
        with pytest.raises(ValueError, match="JSON"):
            await connector.send(reference, {"value": float("nan")})
        assert [] == here.calls
