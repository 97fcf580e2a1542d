"""Writing into conversations: what is sent, and what a no means."""

import pytest
from pydantic import TypeAdapter

from adapters.teams.calls import Calls, session
from adapters.teams.connector import Connector
from adapters.teams.conversations import Reference, reference_of
from adapters.teams.failures import Dead, Declined, MessageGone, Undone
from tests.adapters.teams.connector_setup import connected, no
from tests.adapters.teams.fake_microsoft import APP, TENANT, activity, microsoft

REFERENCES = TypeAdapter(Reference)
CHANNEL = "19:c@thread.tacv2;messageid=17"
QUOTED = "19%3Ac%40thread.tacv2%3Bmessageid%3D17"


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
            stored = REFERENCES.dump_json(reference)
        async with connected(here) as (connector, _):
            later = REFERENCES.validate_json(stored)
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


NOS = [
    (403, "BotNotInConversationRoster", Dead),
    (404, "ConversationNotFound", Dead),
    (413, "RequestEntityTooLarge", Declined),
    (400, "MessageSizeTooBig", Declined),
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
    ("code", "kind"),
    [("ActivityNotFoundInConversation", MessageGone), ("", MessageGone), ("ConversationNotFound", Dead)],
)
async def test_an_update_of_what_is_gone(code: str, kind: type[Undone]) -> None:
    """A message that was deleted is Gone and its conversation lives; deleting it once more is well."""
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.extend([no(404, code), no(404, "ActivityNotFoundInConversation")])

        with pytest.raises(Undone) as told:
            await connector.update(reference, "m1", {"text": "7"})
        await connector.delete(reference, "m1")
        assert kind is type(told.value)


async def test_a_member() -> None:
    """A person of a channel is asked for in the team, and a guest of a shared channel in the channel."""
    ada = {"id": "29:ada", "name": "Ada", "email": "ada@acme.example", "objectId": "a2", "tenantId": TENANT}
    async with microsoft() as here, connected(here) as (connector, reference):
        here.answers.append((200, {}, ada))
        found = await connector.member(reference, "29:ada")
        here.answers.extend([no(404, "MemberNotFoundInConversation"), (200, {}, ada)])
        guest = await connector.member(reference, "29:ada")
        here.answers.extend([no(404, "ConversationNotFound")] * 2)
        with pytest.raises(MessageGone):
            await connector.member(reference, "29:nobody")

        expected = ada | {"userPrincipalName": "", "userRole": ""}
        del expected["objectId"]
        assert [expected | {"aadObjectId": "a2"}] * 2 == [found, guest]
        team, channel = "19%3At%40thread.tacv2", "19%3Ac%40thread.tacv2"
        assert [team, team, channel, team, channel] == [call.path.split("/")[4] for call in here.calls]


async def test_a_member_of_a_client_on_this_machine() -> None:
    """The playground knows people by its own ids only, so that they are found in its list by their Entra id."""
    ada = {"id": "user-1", "name": "Ada", "email": "ada@acme.example", "aadObjectId": "a2"}
    async with microsoft() as here, session() as asking:
        connector = Connector(Calls(asking, None, pause=0.001))
        reference = reference_of(activity(serviceUrl=f"{here.url}/_connector"))
        here.answers.extend([no(404, "MemberNotFoundInConversation"), (200, {}, [{"id": "user-0"}, ada])])
        found = await connector.member(reference, "a2")
        here.answers.extend([no(404, "MemberNotFoundInConversation"), (200, {}, [ada])])
        with pytest.raises(MessageGone):
            await connector.member(reference, "a3")

        assert ada | {"userPrincipalName": "", "tenantId": "", "userRole": ""} == found
        assert "/_connector/v3/conversations/19%3Ac%40thread.tacv2/members" == here.calls[1].path
