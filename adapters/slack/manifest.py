"""The manifest of the app, held against what the code uses."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from adapters.finding import Finding
from adapters.slack.uses import COMMAND, EVENTS, OPTIONAL_SCOPES, SCOPES, SHORTCUT

MANIFEST: Final = Path("manifests/slack.json")

FILE: Final = "Slack manifest"


def check_manifest(path: Path) -> Iterator[Finding]:
    """Yield what the manifest of this folder asks Slack for and the code does not use, or the other way round."""
    if not path.exists():
        return
    try:
        differences = list(differing(json.loads(path.read_text(encoding="utf-8"))))
    except (OSError, ValueError, AttributeError, TypeError) as error:
        yield Finding("warning", FILE, f"{path} cannot be read as a manifest ({type(error).__name__}).")
        return
    for difference in differences:
        yield Finding("warning", FILE, f"{path}: {difference}.")
    if not differences:
        yield Finding("ok", FILE, f"{path} asks for what the bot uses; Slack's own copy may differ.")


def differing(manifest: dict[str, Any]) -> Iterator[str]:
    """Yield each difference between a manifest and what the code uses."""
    features, oauth, config = (manifest.get(part, {}) for part in ("features", "oauth_config", "settings"))
    scopes = oauth.get("scopes", {})
    parts = (
        # Slack wants an optional scope to stand in both lists.
        ("bot scopes", scopes.get("bot", ()), [*SCOPES, *OPTIONAL_SCOPES]),
        ("optional bot scopes", scopes.get("bot_optional", ()), [*OPTIONAL_SCOPES]),
        ("bot events", config.get("event_subscriptions", {}).get("bot_events", ()), [*EVENTS]),
        ("slash commands", [command["command"] for command in features.get("slash_commands", ())], [COMMAND]),
        ("shortcuts", [shortcut["callback_id"] for shortcut in features.get("shortcuts", ())], [SHORTCUT]),
    )
    for what, asked, used in parts:
        if missing := sorted(set(used) - set(asked)):
            yield f"{what} lack {', '.join(missing)}"
        if unused := sorted(set(asked) - set(used)):
            yield f"{what} hold {', '.join(unused)}, which nothing uses"
    if not config.get("interactivity", {}).get("is_enabled"):
        yield "interactivity is off, so that no button works"
