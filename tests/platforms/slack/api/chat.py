"""The methods that post and change messages."""

import re
from collections.abc import Iterator
from typing import Any

from tests.platforms.slack.api.request import Refused, Request
from tests.platforms.slack.payloads import changed, deleted, message_json
from tests.platforms.slack.world import Channel, File, Message, with_ids

LONGEST_POST = 40_000
LONGEST_TEXT = 4_000
LONGEST_MARKDOWN = 12_000
BROADCAST = re.compile(r"<!(channel|here|everyone)\b")
PAUSE = 3.0
"""Seconds that Slack asks to leave between two updates of one message."""


def said_in(request: Request, longest: int) -> tuple[str, list[dict[str, Any]]]:
    """Return the text and the blocks of a message that may be posted."""
    text, blocks, markdown = request.text("text"), request.blocks(), request.text("markdown_text")
    if markdown and (text or blocks):
        raise Refused("markdown_text_conflict")
    if len(markdown) > LONGEST_MARKDOWN:
        raise Refused("msg_too_long")
    if markdown:
        return markdown, []
    if not text and not blocks and not request.args.get("attachments"):
        raise Refused("no_text")
    if len(text) > longest:
        raise Refused("msg_too_long")
    if len(text) > LONGEST_TEXT:
        request.fault(f"text of {len(text)} characters would be cut at {LONGEST_TEXT}")
    if blocks and not text:
        request.warnings.append("missing_text_in_message")
        request.fault("blocks without a text for notifications and screen readers")
    ping = BROADCAST.search("\n".join([text, *_marked(blocks)]))
    if ping is not None:
        request.fault(f"{ping[0]}> would call everybody")
    return text, with_ids(blocks, request.world)


def _marked(value: Any) -> Iterator[str]:
    """Yield every text that Slack reads as mrkdwn."""
    if isinstance(value, list):
        for each in value:
            yield from _marked(each)
    elif isinstance(value, dict):
        if value.get("type") == "mrkdwn":
            yield value["text"]
        yield from _marked(list(value.values()))


def post(request: Request, channel: Channel, text: str, blocks: list[dict[str, Any]], **more: Any) -> Message:
    """Put the bot's message into a channel and tell the app of it, as Slack does."""
    team = request.team
    message = Message(channel.id, request.world.ts(), team.bot_user, text, blocks, team.id, bot_id=team.bot_id, **more)
    channel.messages[message.ts] = message
    if not message.ephemeral_to:
        request.slack.tell_said(channel, message)
    return message


def post_message(request: Request) -> dict[str, Any]:
    channel = request.channel(opens=True)
    text, blocks = said_in(request, LONGEST_POST)
    message = post(request, channel, text, blocks, thread=request.thread(channel), metadata=marked(request) or {})
    return {"channel": channel.id, "ts": message.ts, "message": message_json(message)}


def marked(request: Request) -> dict[str, Any] | None:
    """Return the metadata that is given, which is sound."""
    given = request.args.get("metadata")
    sound = isinstance(given, dict) and isinstance(given.get("event_payload"), dict) and given.get("event_type")
    if given and not sound:
        raise Refused("invalid_metadata_format")
    return given if given is None or isinstance(given, dict) else None


def post_ephemeral(request: Request) -> dict[str, Any]:
    channel = request.channel()
    user = request.text("user")
    if user not in channel.members:
        raise Refused("user_not_in_channel")
    text, blocks = said_in(request, LONGEST_POST)
    message = post(request, channel, text, blocks, thread=request.thread(channel), ephemeral_to=user)
    return {"message_ts": message.ts}


def update(request: Request) -> dict[str, Any]:
    channel = request.channel()
    message = request.own(channel, "cant_update_message")
    text, blocks = said_in(request, LONGEST_TEXT)
    now = request.world.now()
    if now - message.changed < PAUSE:
        request.slack.rapid_updates.append(message.ts)
    message.changed = now
    given = marked(request)
    message.metadata = message.metadata if given is None else given  # what is not given again stays
    rewrite(request, channel, message, text, blocks)
    return {"channel": channel.id, "ts": message.ts, "text": text, "message": message_json(message)}


def rewrite(request: Request, channel: Channel, message: Message, text: str, blocks: list[dict[str, Any]]) -> None:
    """Change a message; blocks that are not given again are gone."""
    before = message_json(message)
    message.edits.append((message.text, message.blocks))
    message.text, message.blocks = text, blocks
    if not message.ephemeral_to:
        request.slack.tell_message(channel, changed(request.world, message, before, channel))


def delete(request: Request) -> dict[str, Any]:
    channel = request.channel()
    message = request.own(channel, "cant_delete_message")
    message.deleted = True
    request.slack.tell_message(channel, deleted(request.world, message, channel))
    return {"channel": channel.id, "ts": message.ts}


def permalink(request: Request) -> dict[str, Any]:
    channel = request.channel(joined=False)
    ts = request.text("message_ts")
    if request.world.find(channel.id, ts) is None:
        raise Refused("message_not_found")
    link = f"https://{request.team.name.lower()}.slack.com/archives/{channel.id}/p{ts.replace('.', '')}"
    return {"channel": channel.id, "permalink": link}


def upload_url(request: Request) -> dict[str, Any]:
    try:
        length = int(request.args["length"])
    except (TypeError, ValueError):
        length = 0
    if length <= 0:
        raise Refused("invalid_arguments", ["[ERROR] must be greater than 0 [json-pointer:/length]"])
    file = File(request.world.new_id("F"), request.text("filename"), length, request.team.id)
    request.world.files[file.id] = file
    return {"upload_url": f"{request.slack.root}/upload/{file.id}", "file_id": file.id}


def complete_upload(request: Request) -> dict[str, Any]:
    given = request.args["files"]
    if not isinstance(given, list) or not given:
        raise Refused("invalid_arguments", ["[ERROR] must provide an array [json-pointer:/files]"])
    files = []
    for each in given:
        file = request.world.files.get(each.get("id", ""))
        if file is None or file.team != request.team.id or not file.content or file.shared:
            raise Refused("file_not_found")
        file.title = each.get("title") or file.name
        files.append(file)
    names = [name for name in [request.text("channel_id"), *str(request.args.get("channels") or "").split(",")] if name]
    for name in names:
        request.args["channel"] = name
        channel = request.channel()
        thread = request.thread(channel)
        post(request, channel, request.text("initial_comment"), [], thread=thread, files=files)
        for file in files:
            file.channel, file.thread, file.shared = channel.id, thread, True
    return {"files": [{"id": file.id, "title": file.title} for file in files]}
