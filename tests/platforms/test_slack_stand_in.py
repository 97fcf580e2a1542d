"""The stand-in for Slack answers the real client of the Web API as Slack does, refusals included."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from aiohttp import ClientSession
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from tests.platforms.slack.stand_in import Slack
from tests.platforms.slack_samples import DIVIDER, FIELD, SECTION, actions, button, modal

HOME = {"type": "home", "blocks": [SECTION]}
VIEW = modal({**FIELD, "block_id": "name"})


@pytest.fixture
def slack() -> Iterator[Slack]:
    """A Slack with nobody connected; nothing is delivered."""
    with Slack(events=set()) as slack:
        slack.user("U1", "Ana", "ana@example.com")
        yield slack


@pytest.fixture
async def client(slack: Slack) -> AsyncIterator[AsyncWebClient]:
    """The real client, without its retries."""
    async with ClientSession() as session:
        yield AsyncWebClient(slack.bot_token, base_url=slack.url, session=session, retry_handlers=[])


async def refusal(client: AsyncWebClient, method: str, **arguments: Any) -> dict[str, Any]:
    """Return what a call is refused with."""
    with pytest.raises(SlackApiError) as raised:
        await client.api_call(method, json=arguments)
    data = raised.value.response.data
    assert isinstance(data, dict)
    return data


async def test_a_token_is_known_by_its_bot(slack: Slack, client: AsyncWebClient) -> None:
    """auth.test tells who the bot is, and the scopes in a header."""
    answer = await client.auth_test()

    assert (answer["team_id"], answer["user_id"], answer["bot_id"]) == ("T1", slack.bot_user, "B1")
    assert set(answer.headers["x-oauth-scopes"].split(",")) == slack.scopes


async def test_updates_in_a_hurry_are_counted(slack: Slack, client: AsyncWebClient) -> None:
    """An update within three seconds of the one before is counted, and done all the same."""
    posted = await client.chat_postMessage(channel="C1", text="1")
    await client.chat_update(channel="C1", ts=posted["ts"], text="2")
    slack.pass_time(4)
    await client.chat_update(channel="C1", ts=posted["ts"], text="3")
    await client.chat_update(channel="C1", ts=posted["ts"], text="4")

    assert slack.rapid_updates == [posted["ts"]]
    assert slack.messages("C1")[0].text == "4"


REFUSALS: list[tuple[str, dict[str, Any], str]] = [
    ("chat.postMessage", {"channel": "C9", "text": "x"}, "channel_not_found"),
    ("chat.postMessage", {"channel": "U9", "text": "x"}, "channel_not_found"),
    ("chat.postMessage", {"channel": "COUT", "text": "x"}, "not_in_channel"),
    ("chat.postMessage", {"channel": "GOUT", "text": "x"}, "channel_not_found"),
    ("chat.postMessage", {"channel": "C2", "text": "x"}, "channel_not_found"),
    ("chat.postMessage", {"channel": "C1"}, "no_text"),
    ("chat.postMessage", {"channel": "C1", "text": "x" * 40_001}, "msg_too_long"),
    ("chat.postMessage", {"channel": "C1", "text": "x", "thread_ts": "1.2"}, "thread_not_found"),
    ("chat.postMessage", {"channel": "C1", "text": "x", "blocks": [{"type": "alert"}]}, "invalid_blocks"),
    ("chat.postMessage", {"channel": "C1", "text": "x", "blocks": "[{"}, "invalid_blocks_format"),
    ("chat.postMessage", {"text": "x"}, "invalid_arguments"),
    ("chat.postEphemeral", {"channel": "C1", "user": "U9", "text": "x"}, "user_not_in_channel"),
    ("chat.update", {"channel": "C1", "ts": "1.2", "text": "x"}, "message_not_found"),
    ("chat.update", {"channel": "C1", "ts": "theirs", "text": "x"}, "cant_update_message"),
    ("chat.update", {"channel": "C1", "ts": "private", "text": "x"}, "message_not_found"),
    ("chat.update", {"channel": "C1", "ts": "ours", "text": "x" * 4001}, "msg_too_long"),
    ("chat.update", {"channel": "U1", "ts": "ours", "text": "x"}, "channel_not_found"),
    ("chat.delete", {"channel": "C1", "ts": "theirs"}, "cant_delete_message"),
    ("chat.getPermalink", {"channel": "C1", "message_ts": "1.2"}, "message_not_found"),
    ("views.open", {"trigger_id": "1.2", "view": VIEW}, "invalid_trigger_id"),
    ("views.open", {"trigger_id": "1.2", "view": {**VIEW, "type": "home"}}, "invalid_arguments"),
    ("views.update", {"view_id": "V9", "view": VIEW}, "not_found"),
    ("views.publish", {"user_id": "U9", "view": HOME}, "user_not_found"),
    ("conversations.open", {"users": "U1"}, "missing_scope"),
    ("conversations.replies", {"channel": "C1", "ts": "ours"}, "missing_scope"),
    ("conversations.info", {"channel": "C1"}, "missing_scope"),
    ("files.getUploadURLExternal", {"filename": "a.csv", "length": 0}, "invalid_arguments"),
    ("files.completeUploadExternal", {"files": [{"id": "F9"}], "channel_id": "C1"}, "file_not_found"),
    ("agents.sessions.setStatus", {"channel_id": "C1", "thread_ts": "ours", "status": "busy"}, "invalid_arguments"),
    ("assistant.threads.setSuggestedPrompts", {"channel_id": "C1", "prompts": [1] * 5}, "invalid_arguments"),
    ("apps.connections.open", {}, "not_allowed_token_type"),
    ("apps.uninstall", {"client_id": "111.222", "client_secret": "wrong"}, "bad_client_secret"),
    ("oauth.v2.access", {"client_id": "111.222", "client_secret": "client-secret", "code": "x"}, "invalid_code"),
    ("chat.postMesage", {"channel": "C1", "text": "x"}, "unknown_method"),
]


@pytest.mark.parametrize(("method", "arguments", "error"), REFUSALS, ids=[f"{each[0]} {each[2]}" for each in REFUSALS])
async def test_it_refuses_what_slack_refuses(
    slack: Slack, client: AsyncWebClient, method: str, arguments: dict[str, Any], error: str
) -> None:
    """Each refusal has Slack's name for it."""
    slack.channel("COUT", bot=False)
    slack.channel("GOUT", kind="group", bot=False)
    slack.team("T2")
    slack.channel("C2", team="T2")
    theirs = slack.say("C1", "mine")
    ours = await client.chat_postMessage(channel="C1", text="x")
    private = await client.chat_postEphemeral(channel="C1", user="U1", text="x")
    known = {"theirs": theirs.ts, "ours": ours["ts"], "private": private["message_ts"]}
    asked = {name: known.get(str(value), value) for name, value in arguments.items()}

    assert (await refusal(client, method, **asked))["error"] == error
    assert [method] == [call.method for call in slack.refused]


async def test_a_missing_scope_is_named(slack: Slack, client: AsyncWebClient) -> None:
    """Without the scope, the answer says what is needed and what there is."""
    slack.scopes = {"commands"}
    answer = await refusal(client, "chat.postMessage", channel="C1", text="x")

    assert (answer["error"], answer["needed"], answer["provided"]) == ("missing_scope", "chat:write", "commands")


async def test_tokens_are_checked(slack: Slack) -> None:
    """No token, a wrong one and one of a team that left are told apart."""
    slack.team("T2")
    gone = slack.teams["T2"].token
    slack.uninstall("T2")
    answers = []
    for token in ("", "xoxb-wrong", gone):
        answers.append((await refusal(AsyncWebClient(token, base_url=slack.url), "auth.test"))["error"])

    assert answers == ["not_authed", "invalid_auth", "account_inactive"]


async def test_what_slack_would_only_warn_of_is_noted(slack: Slack, client: AsyncWebClient) -> None:
    """Blocks without a text, unknown arguments, and a call to everybody are done and noted."""
    answer = await client.api_call("chat.postMessage", json={"channel": "C1", "blocks": [DIVIDER], "thread": "1.2"})
    await client.chat_postMessage(channel="C1", text="<!channel> hello")

    assert answer["warning"] == "missing_text_in_message"
    assert slack.faults == [
        "chat.postMessage: does not know the argument thread",
        "chat.postMessage: blocks without a text for notifications and screen readers",
        "chat.postMessage: <!channel> would call everybody",
    ]


async def test_a_trigger_opens_one_modal_within_three_seconds(slack: Slack, client: AsyncWebClient) -> None:
    """A trigger_id works once and not for long."""
    first, second = slack.world.trigger("U1", "T1"), slack.world.trigger("U1", "T1")
    opened = await client.views_open(trigger_id=first, view=VIEW)
    again = await refusal(client, "views.open", trigger_id=first, view=VIEW)
    slack.pass_time(3.1)
    late = await refusal(client, "views.open", trigger_id=second, view=VIEW)

    assert (again["error"], late["error"]) == ("exchanged_trigger_id", "expired_trigger_id")
    assert [opened["view"]["id"]] == [view.id for view in slack.views]


async def test_a_view_is_updated_from_its_newest_state(slack: Slack, client: AsyncWebClient) -> None:
    """An old hash is refused; the Home tab is what was published last."""
    opened = await client.views_open(trigger_id=slack.world.trigger("U1", "T1"), view=VIEW)
    view = opened["view"]
    await client.views_update(view_id=view["id"], hash=view["hash"], view=VIEW)
    conflict = await refusal(client, "views.update", view_id=view["id"], hash=view["hash"], view=VIEW)
    await client.views_publish(user_id="U1", view=HOME)
    home = slack.home("U1")

    assert conflict["error"] == "hash_conflict"
    assert home is not None
    assert "Hello" == home.blocks[0]["text"]["text"]


async def test_a_response_url_answers_five_times(slack: Slack, client: AsyncWebClient) -> None:
    """It replaces what was pressed or says something to one person; the sixth time it is used up."""
    await client.chat_postMessage(channel="C1", text="Run?", blocks=[actions(button())])
    message = slack.messages("C1")[0]
    hook = AsyncWebhookClient(slack.press(message, "Go").payload["response_url"])
    await hook.send(text="Running", replace_original=True)
    whispered = [await hook.send(text="psst") for _ in range(5)]

    assert message.text == "Running"
    assert [200, 200, 200, 200, 404] == [each.status_code for each in whispered]
    assert ["U1"] * 4 == [each.ephemeral_to for each in slack.messages("C1")[1:]]
    assert ["response_url"] == [call.method for call in slack.refused]
