"""Payloads that Slack sends: events, interactions and commands, in the shapes that it documents."""

import html
import json
import re
from typing import Any

from tests.platforms.slack.world import Channel, Message, Person, Team, View, World

APP = "A0ICCBOT"
CHANNEL_TYPES = {"channel": "channel", "group": "group", "im": "im", "mpim": "mpim"}


def escaped(text: str) -> str:
    """Return typed text as Slack hands it on: a channel that was picked while typing, `<#C1|name>`, is a link."""
    return re.sub(r"&lt;(#C[A-Z0-9]+\|[\w-]+)&gt;", r"<\1>", html.escape(text, quote=False))


def event(world: World, team: Team, inner: dict[str, Any]) -> dict[str, Any]:
    """Wrap an event into its envelope, with an event_id of its own."""
    return {
        "token": "verification-token",
        "team_id": team.id,
        "context_team_id": team.id,
        "context_enterprise_id": None,
        "api_app_id": APP,
        "event": inner,
        "type": "event_callback",
        "event_id": world.new_id("Ev"),
        "event_time": int(world.now()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": team.id,
                "user_id": team.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": f"4-{team.id}",
    }


def message_json(message: Message) -> dict[str, Any]:
    """Return a message as the Web API, events and interactions show it."""
    shown: dict[str, Any] = {
        "type": "message",
        "user": message.user,
        "ts": message.ts,
        "text": message.text,
        "team": message.team,
        "blocks": message.blocks,
    }
    if message.bot_id:
        shown |= {"bot_id": message.bot_id, "app_id": APP}
    if message.thread:
        shown["thread_ts"] = message.thread
    if message.edits:
        shown["edited"] = {"user": message.user, "ts": message.edited or message.ts}
    if message.files:
        shown["files"] = [{"id": file.id, "name": file.name, "title": file.title} for file in message.files]
    return shown


def said(message: Message, channel: Channel, mention: bool = False) -> dict[str, Any]:
    """Return the event of a message, as `message` or as `app_mention`."""
    inner = {**message_json(message), "channel": channel.id, "event_ts": message.ts}
    if mention:
        return {**inner, "type": "app_mention"}
    inner["channel_type"] = CHANNEL_TYPES[channel.kind]
    if message.files:
        inner["subtype"] = "file_share"
    return inner


def changed(world: World, message: Message, before: dict[str, Any], channel: Channel) -> dict[str, Any]:
    """Return the event of an edit."""
    ts = world.ts()
    return {
        "type": "message",
        "subtype": "message_changed",
        "message": message_json(message),
        "previous_message": before,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": CHANNEL_TYPES[channel.kind],
    }


def buried(world: World, message: Message, channel: Channel) -> dict[str, Any]:
    """Return the event of a deletion of a message with replies: it stays as a tombstone."""
    event = changed(world, message, message_json(message), channel)
    stone = {"type": "message", "subtype": "tombstone", "user": "USLACKBOT", "text": "This message was deleted."}
    return event | {"message": stone | {"hidden": True, "ts": message.ts, "thread_ts": message.ts}}


def deleted(world: World, message: Message, channel: Channel) -> dict[str, Any]:
    """Return the event of a deletion."""
    ts = world.ts()
    return {
        "type": "message",
        "subtype": "message_deleted",
        "previous_message": message_json(message),
        "deleted_ts": message.ts,
        "channel": channel.id,
        "hidden": True,
        "ts": ts,
        "event_ts": ts,
        "channel_type": CHANNEL_TYPES[channel.kind],
    }


def who(world: World, person: Person) -> dict[str, Any]:
    """Return what every interaction says of its person and team."""
    return {
        "user": {"id": person.id, "username": person.name.lower(), "name": person.name.lower(), "team_id": person.team},
        "api_app_id": APP,
        "token": "verification-token",
        "team": {"id": person.team, "domain": world.teams[person.team].name.lower()},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def place(channel: Channel) -> dict[str, str]:
    """Return what interactions say of a channel."""
    names = {"im": "directmessage", "group": "privategroup"}
    return {"id": channel.id, "name": names.get(channel.kind, channel.name)}


def container(message: Message) -> dict[str, Any]:
    """Return where in a channel an element was used."""
    held = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": bool(message.ephemeral_to),
    }
    return {**held, "thread_ts": message.thread} if message.thread else held


def view_json(view: View) -> dict[str, Any]:
    """Return a view as the Web API and interactions show it, with what was typed so far."""
    empty = {"private_metadata": "", "callback_id": "", "external_id": "", "submit": None, "close": None}
    return {
        **empty,
        "clear_on_close": False,
        "notify_on_close": False,
        **view.body,
        "id": view.id,
        "team_id": view.team,
        "state": {"values": view.state},
        "hash": view.hash,
        "previous_view_id": view.previous,
        "root_view_id": view.previous or view.id,
        "app_id": APP,
        "app_installed_team_id": view.team,
        "bot_id": f"B{view.team[1:]}",
    }


def encoded(payload: dict[str, Any]) -> str:
    """Return a payload as JSON."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
