"""The manifest asks for exactly what the code uses, within Slack's limits."""

import json
import os
from pathlib import Path
from typing import Any, cast

import pytest
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from adapters.chat.conversation_service import ConversationService
from adapters.slack.app import listen
from adapters.slack.scopes import COMMAND, EVENTS, GLOBAL_SHORTCUT, OPTIONAL_SCOPES, SCOPES, SHORTCUT
from adapters.slack.surface import SlackSurface

FOLDER = Path(__file__).parents[3] / "manifests"
MANIFEST: dict[str, Any] = json.loads((FOLDER / "slack.json").read_text(encoding="utf-8"))
OVER_HTTP: dict[str, Any] = json.loads((FOLDER / "slack-http.json").read_text(encoding="utf-8"))
EVENTS_URL = "https://your.host/slack/events"
SCHEMAS = os.environ.get("ICC_BOT_SCHEMAS")
RAW = "https://raw.githubusercontent.com/slackapi/manifest-schema"


def test_it_asks_for_what_the_code_uses() -> None:
    """Scopes, events, the command and the shortcut are those of `adapters.slack.scopes`, each once."""
    scopes = MANIFEST["oauth_config"]["scopes"]

    settings, features = MANIFEST["settings"], MANIFEST["features"]

    assert settings["interactivity"]["is_enabled"]
    assert [command["command"] for command in features["slash_commands"]] == [COMMAND]
    assert [shortcut["callback_id"] for shortcut in features["shortcuts"]] == [SHORTCUT, GLOBAL_SHORTCUT]
    assert sorted([*SCOPES, *OPTIONAL_SCOPES]) == scopes["bot"]
    assert sorted(OPTIONAL_SCOPES) == scopes["bot_optional"]
    assert scopes.keys() == {"bot", "bot_optional"}
    assert sorted(EVENTS) == MANIFEST["settings"]["event_subscriptions"]["bot_events"]


def test_the_one_for_http_differs_in_its_addresses() -> None:
    """The manifest for HTTP is that for sockets, with the addresses of one host that is to be put in."""
    features, oauth, settings = (OVER_HTTP[part] for part in ("features", "oauth_config", "settings"))
    heard = settings["event_subscriptions"] | {"request_url": EVENTS_URL}
    interactive = {"is_enabled": True, "request_url": EVENTS_URL, "message_menu_options_url": EVENTS_URL}

    assert settings == MANIFEST["settings"] | {
        "event_subscriptions": heard,
        "interactivity": interactive,
        "socket_mode_enabled": False,
    }
    assert heard["bot_events"] == MANIFEST["settings"]["event_subscriptions"]["bot_events"]
    assert oauth == MANIFEST["oauth_config"] | {"redirect_urls": ["https://your.host/slack/oauth_redirect"]}
    commands = [command | {"url": EVENTS_URL} for command in MANIFEST["features"]["slash_commands"]]
    assert features == MANIFEST["features"] | {"slash_commands": commands}


def test_it_fits_the_published_schema() -> None:
    """The manifest is valid by Slack's public JSON Schema."""
    if not SCHEMAS:
        pytest.skip("ICC_BOT_SCHEMAS names no folder with Slack's schemas")
    jsonschema = pytest.importorskip("jsonschema")
    referencing = pytest.importorskip("referencing")
    texts = {name: json.loads(path.read_text()) for name, path in _schemas(Path(SCHEMAS)).items()}
    resources = [
        (f"{RAW}/v0.5.0/schemas/manifest.schema.{version}.0.0.json", referencing.Resource.from_contents(texts[version]))
        for version in ("1", "2")
    ]
    registry = referencing.Registry().with_resources(resources)
    validator = jsonschema.Draft7Validator(texts[""], registry=registry)

    for manifest in (MANIFEST, OVER_HTTP):
        assert [error.message for error in validator.iter_errors(manifest)] == []
    assert list(validator.iter_errors(MANIFEST | {"features": {"agents": {}}})) != []


def _schemas(folder: Path) -> dict[str, Path]:
    return {
        "": folder / "slack-manifest.schema.json",
        "1": folder / "slack-manifest.1.schema.json",
        "2": folder / "slack-manifest.2.schema.json",
    }


async def test_the_listeners_are_those_of_the_manifest() -> None:
    """What the app listens to is what `adapters.slack.scopes` names: nothing is asked for and unheard."""
    heard = Recorder()
    listen(heard, cast(ConversationService, None), cast(SlackSurface, None))
    types = {name.partition(".")[0] for name in EVENTS}

    assert heard.events == types
    assert heard.commands == {COMMAND}
    assert heard.shortcuts == {SHORTCUT, GLOBAL_SHORTCUT}
    for type in types:
        assert await matches(heard, {"type": "event_callback", "event": {"type": type}})
    assert not await matches(heard, {"type": "event_callback", "event": {"type": "reaction_added"}})


class Recorder(AsyncApp):
    """A real app that notes what is registered."""

    def __init__(self) -> None:
        super().__init__(client=AsyncWebClient("xoxb-"), signing_secret="s")
        self.events: set[str] = set()
        self.commands: set[str] = set()
        self.shortcuts: set[str] = set()

    def event(self, event: Any, *rest: Any, **more: Any) -> Any:
        self.events.add(event)
        return super().event(event, *rest, **more)

    def command(self, command: Any, *rest: Any, **more: Any) -> Any:
        self.commands.add(command)
        return super().command(command, *rest, **more)

    def shortcut(self, constraints: Any, *rest: Any, **more: Any) -> Any:
        self.shortcuts.add(constraints)
        return super().shortcut(constraints, *rest, **more)


async def matches(app: AsyncApp, payload: dict[str, Any]) -> bool:
    """Return whether any listener of the app wants this."""
    request = AsyncBoltRequest(mode="socket_mode", body=payload)
    return any(
        [await listener.async_matches(req=request, resp=BoltResponse(status=200)) for listener in app._async_listeners]
    )
