"""The stand-in for Teams answers the Bot Framework's own client as the connector does, refusals included."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from botbuilder.schema import Activity, ChannelAccount, ConversationParameters
from botbuilder.schema import ErrorResponseException as Refusal
from botframework.connector.aio import ConnectorClient
from requests import HTTPError

from tests.platforms.teams.stand_in import Teams
from tests.platforms.teams_bot import activity, connector, posted

HELLO = {"type": "AdaptiveCard", "version": "1.5", "body": [{"type": "TextBlock", "text": "Hello"}]}


@pytest.fixture
def teams() -> Iterator[Teams]:
    """A Teams whose bot is told nothing."""
    with Teams(retries=()) as teams:
        yield teams


@pytest.fixture
async def client(teams: Teams) -> AsyncIterator[ConnectorClient]:
    """The real client."""
    async with connector(teams) as client:
        yield client


async def refusal(call: Any) -> tuple[int, str]:
    """Return the status and the code with which a call is refused."""
    with pytest.raises(Refusal) as raised:
        await call
    return raised.value.response.status_code, raised.value.error.error.code


async def test_a_message_is_changed_and_taken_back(teams: Teams, client: ConnectorClient) -> None:
    """What it was before is kept, and after it is gone there is nothing to change."""
    place = teams.conversation("alex").id
    sent = await client.conversations.send_to_conversation(place, activity("Hello", HELLO))
    await client.conversations.update_activity(place, sent.id, activity("Bye"))
    message = teams.wait_message("alex")
    await client.conversations.delete_activity(place, sent.id)

    assert (message.text, message.card) == ("Bye", None)
    assert [HELLO] == [each["attachments"][0]["content"] for each in message.edits]
    assert teams.messages("alex") == []
    gone = await refusal(client.conversations.update_activity(place, sent.id, activity("Again")))
    assert gone == (404, "ActivityNotFoundInConversation")


async def test_a_bot_changes_its_own_messages_only(teams: Teams, client: ConnectorClient) -> None:
    """A person's message is not the bot's to change."""
    asked = teams.say("board", "Hello", mention=False)
    place = asked.conversation.id

    assert await refusal(client.conversations.update_activity(place, asked.id, activity("x"))) == (403, "Forbidden")


async def test_a_conversation_must_be_there_with_the_bot_in_it(teams: Teams, client: ConnectorClient) -> None:
    """Unknown ones and unknown threads are not found; where the bot was removed or is blocked, it may not write."""
    send = client.conversations.send_to_conversation
    sales, personal = teams.conversation("sales"), teams.conversation("alex")

    assert await refusal(send("19:nobody@thread.v2", activity("x"))) == (404, "ConversationNotFound")
    assert await refusal(send(f"{sales.id};messageid=1", activity("x"))) == (404, "ConversationNotFound")
    teams.person("alex").blocks = True
    assert await refusal(send(personal.id, activity("x"))) == (403, "MessageWritesBlocked")
    sales.bot = False
    assert await refusal(send(sales.id, activity("x"))) == (403, "BotNotInConversationRoster")
    assert [404, 404, 403, 403] == [call.status for call in teams.refused]


async def test_a_personal_chat_is_opened_once(teams: Teams, client: ConnectorClient) -> None:
    """It is the same for each id of the person; a stranger, and another tenant, are refused."""

    def wanted(member: str, tenant: str) -> Any:
        made = ConversationParameters(bot=ChannelAccount(id=teams.bot_id), members=[ChannelAccount(id=member)])
        made.tenant_id, made.is_group = tenant, False
        return client.conversations.create_conversation(made)

    sam = teams.person("sam")
    first, second = await wanted(sam.id, teams.tenant), await wanted(sam.aad, teams.tenant)

    assert first.id == second.id == teams.conversation("sam").id
    assert (await refusal(wanted("29:nobody", teams.tenant)))[0] == 403
    assert (await refusal(wanted(sam.id, "another")))[0] == 403
    assert (await refusal(wanted(sam.id, "")))[0] == 400


async def test_members_have_names_and_addresses(teams: Teams, client: ConnectorClient) -> None:
    """One is found by either id, all come in pages, and a stranger is not among them."""
    teams.join("sales", "sam", "kim")
    place = teams.conversation("sales").id
    alex = teams.person("alex")
    one = await client.conversations.get_conversation_member(place, alex.aad)
    page = await client.conversations.get_conversation_paged_members(place, page_size=2)
    rest = await client.conversations.get_conversation_paged_members(
        place, page_size=2, continuation_token=page.continuation_token
    )

    assert (one.id, one.name, one.additional_properties["email"]) == (alex.id, "Alex Wilber", "alex@example.com")
    assert one.aad_object_id == alex.aad
    assert ["Alex Wilber", "Sam", "Kim"] == [each.name for each in [*page.members, *rest.members]]
    assert 3 == len(await client.conversations.get_conversation_members(teams.conversation("General").id))
    assert (await refusal(client.conversations.get_conversation_member(place, "29:nobody")))[0] == 404


async def test_a_token_is_demanded(teams: Teams, client: ConnectorClient) -> None:
    """The login gives it for the right secret only, and the connector takes it until it expires."""
    send = client.conversations.send_to_conversation
    place = teams.conversation("alex").id
    await send(place, activity("x"))
    assert [teams.app_id] == [each.client_id for each in teams.tokens]
    with pytest.raises(HTTPError) as raised:
        async with connector(teams, "wrong") as stranger:
            await stranger.conversations.send_to_conversation(place, activity("x"))
    assert raised.value.response is not None
    assert raised.value.response.status_code == 401
    assert raised.value.response.json()["error"] == "invalid_client"
    token = teams.tokens[0].value
    assert teams.knows(f"Bearer {token}")
    teams.pass_time(3600)
    assert not teams.knows(f"Bearer {token}")
    assert not teams.knows(token)


async def test_an_activity_may_be_100_kb_of_utf_16(teams: Teams, client: ConnectorClient) -> None:
    """Letters count twice, whatever they take in UTF-8."""
    place = teams.conversation("alex").id
    await client.conversations.send_to_conversation(place, activity("x" * 51_000))

    assert teams.calls[-1].size <= 100 * 1024
    large = client.conversations.send_to_conversation(place, activity("x" * 51_300))
    assert await refusal(large) == (413, "MessageSizeTooBig")


@pytest.mark.parametrize(
    ("said", "fault"),
    [
        (activity("", HELLO), "send: a card without text or summary, for notifications and for old clients"),
        (activity("[x](http://evil.example)"), "send: the text reads this as a link or HTML"),
        (activity("<b>x</b>"), "send: the text reads this as a link or HTML"),
        (
            activity("x", entities=[{"type": "mention", "text": "<at>Kim</at>"}]),
            "send: an entity has nothing but its type",
        ),
    ],
)
async def test_what_is_taken_and_wrong_is_noted(
    teams: Teams, client: ConnectorClient, said: Activity, fault: str
) -> None:
    """Teams would not refuse it; a person would suffer from it. The SDK's client cuts entities down to their type."""
    await client.conversations.send_to_conversation(teams.conversation("alex").id, said)

    assert any(each.startswith(fault) for each in teams.faults)
    assert teams.refused == []


async def test_a_text_may_be_escaped_or_plain(teams: Teams, client: ConnectorClient) -> None:
    """What is no link and no tag to Teams is none here."""
    place = teams.conversation("alex").id
    for said in (
        activity(r"\[x\](y) 1 < 2 &lt;b&gt;"),
        activity("[x](y) <b>", textFormat="plain"),
        activity("a", HELLO),
    ):
        await client.conversations.send_to_conversation(place, said)

    assert teams.faults == []


AI = {"type": "https://schema.org/Message", "@type": "Message", "@context": "https://schema.org"}
CITED = {"@type": "Claim", "position": 2, "appearance": {"name": "orders"}}


@pytest.mark.parametrize(
    ("more", "fault"),
    [
        ({"colour": "red"}, "send: there is no field colour in an activity"),
        ({"entities": [AI | {"citation": [CITED]}]}, "send: the citation 2 does not stand in the text"),
        ({"entities": [AI | {"citation": [CITED | {"position": 1}] * 21}]}, "send: 21 citations of at most 20"),
        ({"entities": [{"type": AI["type"], "a": 1}]}, "send: the entity of the AI label needs @type and @context"),
        ({"suggestedActions": {"actions": []}}, "send: suggestedActions are only shown in personal chats"),
        ({"attachments": [{"contentType": "text/csv"}]}, "send: Teams shows no attachment of the type text/csv"),
    ],
)
async def test_fields_are_looked_at_as_they_come(teams: Teams, more: dict[str, Any], fault: str) -> None:
    """Whole entities, too."""
    status, _, _ = await posted(teams, {"type": "message", "text": "As in [1]", **more})

    assert status == 201
    assert teams.faults == [fault]


OFFER = {"contentType": "application/vnd.microsoft.teams.card.file.consent", "name": "a.csv"}


@pytest.mark.parametrize(
    "body",
    [
        {"type": "poem", "text": "x"},
        {"type": "message"},
        {"text": "x"},
        {"type": "message", "text": "x", "attachments": [{"content": {}}]},
        {"type": "message", "text": "x", "attachments": [{**OFFER, "content": {"sizeInBytes": 1}}]},
    ],
)
async def test_what_is_no_message_is_refused(teams: Teams, body: dict[str, Any]) -> None:
    """Among it a file that is offered outside of a personal chat."""
    status, answer, _ = await posted(teams, body)

    assert (status, set(answer)) == (400, {"error"})
    assert teams.messages("sales") == []
