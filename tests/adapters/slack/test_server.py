"""The HTTP side of the bot: signatures, health, and installing the app in a workspace."""

import io
import re
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest
from pydantic import SecretStr
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.oauth.installation_store import Installation

from adapters.public_pages import SitePages
from adapters.serving import EVENT_MAX_BYTES, listening_on
from adapters.slack.access import SlackAccess, Workspaces, cipher, new_key
from adapters.slack.bolt import OwnWorkspace, Workspace, bolt_app
from adapters.slack.clients import Clients, NotInstalled
from adapters.slack.installations import Installations
from adapters.slack.scopes import OPTIONAL_SCOPES, SCOPES
from adapters.slack.server import REFUSALS_MAX, application
from tests.platforms.slack.payloads import APP
from tests.platforms.slack.signing import signed
from tests.platforms.slack.stand_in import Slack

pytestmark = pytest.mark.filterwarnings("ignore:BasicAuth is deprecated:DeprecationWarning")  # slack_sdk uses it

SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
TEAMS = {"T1", "T2"}
EVENT = b'{"type": "event_callback", "team_id": "T1", "event": {"type": "app_home_opened", "user": "U1"}}'


class Site:
    """A running bot's HTTP side, with what it heard."""

    def __init__(self, port: int, heard: list[dict[str, Any]], session: aiohttp.ClientSession) -> None:
        self.url, self.heard, self.session = f"http://127.0.0.1:{port}", heard, session

    async def post(self, body: bytes, headers: dict[str, str]) -> int:
        headers = {"Content-Type": "application/json", **headers}
        async with self.session.post(f"{self.url}/slack/events", data=io.BytesIO(body), headers=headers) as answer:
            return answer.status

    async def get(self, path: str, **cookies: str) -> tuple[int, str, dict[str, str]]:
        async with self.session.get(
            f"{self.url}{path}", headers={"Cookie": "; ".join(f"{k}={v}" for k, v in cookies.items())}
        ) as answer:
            return answer.status, await answer.text(), {c.key: c.value for c in answer.cookies.values()}


@asynccontextmanager
async def site(
    slack: Slack, mode: str = "http", installations: Installations | None = None, healthy: bool = True
) -> AsyncIterator[Site]:
    several = Workspaces(slack.client_id, SecretStr(slack.client_secret)) if installations else None
    given = SlackAccess(
        mode=mode,  # type: ignore[arg-type]
        api_url=slack.url,
        bot_token=SecretStr("" if several else slack.bot_token),
        signing_secret=SecretStr(SECRET),
        workspaces=several,
    )

    async def token(team: str) -> str:
        return slack.bot_token

    async def well() -> bool:
        return healthy

    clients = Clients(installations.token if installations else token, given.api_url)
    app: AsyncApp = bolt_app(given, clients, installations or OwnWorkspace(Workspace("T1", "UBOT", "B1"), APP))
    heard: list[dict[str, Any]] = []

    async def opened(body: dict[str, Any], context: Any) -> None:
        heard.append({"user": body["event"]["user"], "token": context.bot_token})

    app.event("app_home_opened")(opened)
    try:
        running = application(app, given, well, SitePages("Ana <ana@example.com>", days=2.5))
        async with listening_on(running, 0, "127.0.0.1") as port, aiohttp.ClientSession() as session:
            yield Site(port, heard, session)
    finally:
        await clients.close()


async def test_deep_json_is_refused() -> None:
    """Also where Slack signed it."""
    with Slack() as slack:
        async with site(slack) as bot:
            deep = b"[" * 100_000
            assert 400 == await bot.post(deep, signed(deep, SECRET))


async def test_what_slack_signed_is_taken() -> None:
    """A request with a fresh signature reaches the listeners and is acknowledged."""
    with Slack() as slack:
        async with site(slack) as bot:
            status = await bot.post(EVENT, signed(EVENT, SECRET))

    assert status == 200
    assert bot.heard == [{"user": "U1", "token": slack.bot_token}]


@pytest.mark.parametrize(
    "headers",
    [
        # Signed when the test runs: what was signed when the tests were collected may be too old by then.
        lambda: signed(EVENT, "another secret"),
        lambda: signed(EVENT + b" ", SECRET),
        lambda: signed(EVENT, SECRET, 1_700_000_000),
        lambda: signed(EVENT, SECRET, time.time() + 600),
        dict,
        lambda: signed(EVENT, SECRET) | {"X-Slack-Request-Timestamp": "soon"},
        lambda: signed(EVENT, SECRET) | {"X-Slack-Signature": "v0=ä"},
    ],
)
async def test_what_slack_did_not_sign_is_refused(
    headers: Callable[[], dict[str, str]], caplog: pytest.LogCaptureFixture
) -> None:
    """A forged signature or an old timestamp is answered with 401, logged in one line, and heard by nobody."""
    with Slack() as slack:
        async with site(slack) as bot:
            status = await bot.post(EVENT, headers())

    (line,) = [record.getMessage() for record in caplog.records if record.name == "icc_bot"]
    assert (status, bot.heard) == (401, [])
    assert line.startswith("a request from 127.0.0.1 was refused: ")
    assert "event_callback" not in caplog.text


async def test_a_wrong_signing_secret() -> None:
    """After many refusals in a row health says so, and until then a forger makes nobody ill."""
    with Slack() as slack:
        async with site(slack) as bot:
            for _ in range(REFUSALS_MAX):
                await bot.post(EVENT, {})
            for _ in range(REFUSALS_MAX - 1):
                await bot.post(EVENT, signed(EVENT, "another secret"))
            forged = (await bot.get("/health"))[0]
            await bot.post(EVENT, signed(EVENT, "another secret"))
            wrong = await bot.get("/health")
            await bot.post(EVENT, signed(EVENT, SECRET))
            right = (await bot.get("/health"))[0]

    assert (200, 503, 200) == (forged, wrong[0], right)
    assert '{"status": "signatures fail", "mode": "http"}' == wrong[1]


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        '"text"',
        "3",
        "true",
        "null",
        '[{"type": "event_callback"}]',
        '{"type": "event_callback", "team_id": "T1", "event": []}',
        '{"type": "event_callback", "team_id": "T1", "event": "text"}',
        '{"type": "event_callback", "team": "T1"}',
        '{"type": "event_callback", "view": 3}',
        '{"type": "event_callback", "authorizations": ["T1"]}',
        '{"type": "block_actions", "team": {"id": "T1"}, "actions": "press"}',
    ],
)
async def test_json_that_is_no_payload(body: str, caplog: pytest.LogCaptureFixture) -> None:
    """Signed JSON of another shape than Slack's payloads is answered with 400, and the bot goes on answering."""
    with Slack() as slack:
        async with site(slack) as bot:
            status = await bot.post(body.encode(), signed(body.encode(), SECRET))
            form = urlencode({"payload": body}).encode()
            typed = {"Content-Type": "application/x-www-form-urlencoded"}
            as_form = await bot.post(form, signed(form, SECRET) | typed)
            after = await bot.post(EVENT, signed(EVENT, SECRET))

    assert (400, 400, 200) == (status, as_form, after)
    assert [record for record in caplog.records if record.exc_info] == []


async def test_a_long_body() -> None:
    """A body above the limit is turned away unread."""
    body = b" " * (EVENT_MAX_BYTES + 1)
    with Slack() as slack:
        async with site(slack) as bot:
            status = await bot.post(body, signed(body, SECRET))

    assert status == 413


async def test_health() -> None:
    """Health is 200 with the mode while the bot is connected, else 503."""
    with Slack() as slack:
        async with site(slack) as bot:
            well = await bot.get("/health")
        async with site(slack, "socket", healthy=False) as bot:
            ill = await bot.get("/health")

    assert (200, '{"status": "ok", "mode": "http"}') == well[:2]
    assert (503, '{"status": "not connected to Slack", "mode": "socket"}') == ill[:2]


async def test_pages_for_everybody(tmp_path: Path) -> None:
    """Over HTTP, pages say what the bot is, keeps and whom to ask, without scripts; they can install it if they may."""
    with Slack() as slack:
        async with site(slack) as bot:
            alone = {path: await bot.get(path) for path in ("/", "/privacy", "/support")}
        async with several(slack, tmp_path) as (bot, _):
            installed = (await bot.get("/"))[1]

    assert [200] * 3 == [status for status, _, _ in alone.values()]
    for _, text, _ in alone.values():
        assert [] == re.findall(r"<script|<img|<link|<form|https?://|\son\w+=", text)
        assert {"/", "/privacy", "/support"} >= set(re.findall(r'href="([^"]+)"', text))
    assert 'href="/slack/install">Add to Slack</a>' in installed
    assert "for 2.5 days" in alone["/privacy"][1]
    assert "ask Ana &lt;ana@example.com&gt;." in alone["/privacy"][1]
    assert "ask Ana &lt;ana@example.com&gt;." in alone["/support"][1]


@asynccontextmanager
async def several(slack: Slack, tmp_path: Path) -> AsyncIterator[tuple[Site, Installations]]:
    store = Installations(f"sqlite:///{tmp_path}/i.sqlite", slack.client_id, cipher(new_key()), TEAMS)
    try:
        async with site(slack, installations=store) as bot:
            yield bot, store
    finally:
        store.close()


async def state_of(bot: Site) -> tuple[str, dict[str, str], str]:
    status, page, cookies = await bot.get("/slack/install")
    assert status == 200
    found = re.search(r'href="([^"]+state=([\w-]+)[^"]*)"', page.replace("&amp;", "&"))
    assert found is not None
    return found[2], cookies, found[1]


async def test_a_workspace_installs_the_app(tmp_path: Path) -> None:
    """A workspace installs the app, its events are served with its own token, and the exchange uses SLACK_API_URL."""
    with Slack() as slack:
        slack.team("T2", token="xoxb-T2-own")
        slack.user("U2", team="T2")
        async with several(slack, tmp_path) as (bot, store):
            state, cookies, address = await state_of(bot)
            status, page, _ = await bot.get(f"/slack/oauth_redirect?code={slack.code('T2')}&state={state}", **cookies)
            event = EVENT.replace(b"T1", b"T2").replace(b"U1", b"U2")
            taken = [await bot.post(event, signed(event, SECRET)) for _ in range(3)]
            token = await store.token("T2")
    exchanged = [call.method for call in slack.calls]

    assert address.startswith(f"{slack.url.removesuffix('/api/')}/oauth/v2/authorize?state=")
    assert all(scope in address for scope in (*SCOPES, *OPTIONAL_SCOPES))
    assert (200, [200] * 3, "xoxb-T2-own") == (status, taken, token)
    assert bot.heard == [{"user": "U2", "token": "xoxb-T2-own"}] * 3
    # One look at the token after the exchange, one at the first event, none for the others.
    assert exchanged == ["oauth.v2.access", "auth.test", "auth.test"]
    assert "xoxb" not in page


async def test_an_installation_that_was_slipped_to_somebody(tmp_path: Path) -> None:
    """Without the cookie of its beginner, with a made-up state, or with a used code, nothing is installed."""
    with Slack() as slack:
        async with several(slack, tmp_path) as (bot, store):
            state, cookies, _ = await state_of(bot)
            code = slack.code("T1")
            stolen = (await bot.get(f"/slack/oauth_redirect?code={code}&state={state}"))[0]
            forged = (await bot.get(f"/slack/oauth_redirect?code={code}&state=x", **dict.fromkeys(cookies, "x")))[0]
            wrong = (await bot.get(f"/slack/oauth_redirect?code=no&state={state}", **cookies))[0]
            refused = (await bot.get("/slack/oauth_redirect?error=access_denied"))[0]
            count = store.count

    assert (400, 401, 401, 200, 0) == (stolen, forged, wrong, refused, count)


async def test_a_workspace_that_is_not_listed(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A workspace that SLACK_TEAMS does not name reads why it cannot install the app, and no token of it is kept."""
    with Slack() as slack:
        slack.team("T9", token="xoxb-T9-s3cret")
        slack.user("U9", team="T9")
        async with several(slack, tmp_path) as (bot, store):
            state, cookies, _ = await state_of(bot)
            status, page, _ = await bot.get(f"/slack/oauth_redirect?code={slack.code('T9')}&state={state}", **cookies)
            count = store.count
            event = EVENT.replace(b"T1", b"T9").replace(b"U1", b"U9")
            taken = await bot.post(event, signed(event, SECRET))

    assert (403, 0, 200, []) == (status, count, taken, bot.heard)
    assert page.startswith("This workspace is not one of those that this bot serves. No token was kept")
    assert "workspace T9 may not install the app" in caplog.text
    assert "what came from workspace T9 was refused" in caplog.text
    assert "s3cret" not in caplog.text


async def test_a_workspace_that_was_listed_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A workspace that was taken off the list is not served, although its token is still there."""
    key = new_key()
    with Slack() as slack:
        url = f"sqlite:///{tmp_path}/i.sqlite"
        before = Installations(url, slack.client_id, cipher(key), TEAMS)
        await before.async_save(Installation(user_id="U1", app_id="A1", team_id="T1", bot_token=slack.bot_token))
        before.close()
        after = Installations(url, slack.client_id, cipher(key), {"T2"})
        try:
            async with site(slack, installations=after) as bot:
                taken = await bot.post(EVENT, signed(EVENT, SECRET))
            with pytest.raises(NotInstalled):
                await after.token("T1")
        finally:
            after.close()

    assert (200, [], []) == (taken, bot.heard, slack.calls)


async def test_another_workspace_than_the_tokens_own(caplog: pytest.LogCaptureFixture) -> None:
    """With one bot token, its own workspace is served; what comes from another is acknowledged and not heard."""
    event = EVENT.replace(b"T1", b"T2")
    with Slack() as slack:
        async with site(slack) as bot:
            taken = [await bot.post(each, signed(each, SECRET)) for each in (event, EVENT)]

    assert ([200, 200], ["U1"]) == (taken, [each["user"] for each in bot.heard])
    assert "what came from workspace T2 was refused" in caplog.text


async def test_what_is_meant_for_another_app(caplog: pytest.LogCaptureFixture) -> None:
    """What names another app is acknowledged and not heard, not even that it was uninstalled; what names none is."""
    other, own = (EVENT.replace(b'"team_id"', f'"api_app_id": "{app}", "team_id"'.encode()) for app in ("AOTHER", APP))
    with Slack() as slack:
        async with site(slack) as bot:
            taken = [await bot.post(each, signed(each, SECRET)) for each in (other, own, EVENT)]

    assert ([200] * 3, ["U1", "U1"]) == (taken, [each["user"] for each in bot.heard])
    assert f"what was meant for the app AOTHER was refused: this is {APP}" in caplog.text


async def test_an_author_of_another_company_in_a_shared_channel() -> None:
    """An event belongs to the workspace through which it comes, whosever workspace its author is of."""
    body = EVENT.replace(b'"team_id": "T1"', b'"team_id": "T2", "authorizations": [{"team_id": "T1"}]')
    with Slack() as slack:
        async with site(slack) as bot:
            await bot.post(body, signed(body, SECRET))

    assert len(bot.heard) == 1


async def test_a_workspace_that_went_is_not_served(tmp_path: Path) -> None:
    """After a workspace is forgotten, its events reach no listener, although its token was known to be good."""
    with Slack() as slack:
        async with several(slack, tmp_path) as (bot, store):
            state, cookies, _ = await state_of(bot)
            await bot.get(f"/slack/oauth_redirect?code={slack.code('T1')}&state={state}", **cookies)
            await bot.post(EVENT, signed(EVENT, SECRET))
            await store.forget("T1")
            await bot.post(EVENT, signed(EVENT, SECRET))

    assert len(bot.heard) == 1
