"""Answers to an interaction by its response_url: five of them, within thirty minutes."""

from typing import TYPE_CHECKING, Any

from tests.platforms.slack.api.chat import LONGEST_POST, post, rewrite, said_in
from tests.platforms.slack.api.request import Refused, Request
from tests.platforms.slack.world import ResponseUrl

if TYPE_CHECKING:
    from tests.platforms.slack.server import Server

LIVES = 30 * 60.0
MOST = 5
KNOWN = {"text", "blocks", "response_type", "replace_original", "delete_original", "thread_ts", "attachments"}
KNOWN |= {"unfurl_links", "unfurl_media", "mrkdwn", "metadata"}


def respond(slack: "Server", url_id: str, body: dict[str, Any]) -> dict[str, Any]:
    """Do what a post to a response_url asks, and return {"ok": True} or why not; notes what was refused."""
    url = slack.world.response_urls.get(url_id)
    if url is None or slack.world.now() - url.born > LIVES:
        return {"ok": False, "error": "expired_url"}
    if url.used >= MOST:
        return {"ok": False, "error": "used_url"}
    url.used += 1
    return put(slack, url, body)


def put(slack: "Server", url: ResponseUrl, body: dict[str, Any]) -> dict[str, Any]:
    """Put an answer where it belongs, and return {"ok": True} or why not."""
    team = slack.world.teams[url.team]
    request = Request(slack, "response_url", body, team.token, team)
    channel = slack.world.channels[url.channel]
    for name in body.keys() - KNOWN:
        request.fault(f"does not know the argument {name}")
    message = url.message
    try:
        if message is not None and body.get("delete_original"):
            message.deleted = True
            return {"ok": True}
        text, blocks = said_in(request, LONGEST_POST)
        if message is not None and body.get("replace_original"):
            rewrite(request, channel, message, text, blocks)
            return {"ok": True}
        only = "" if body.get("response_type") == "in_channel" else url.user
        thread = request.text("thread_ts") or (message.thread if message is not None else None)
        post(request, channel, text, blocks, thread=thread, ephemeral_to=only)
    except Refused as refused:
        return refused.answer
    return {"ok": True}


def command_answered(slack: "Server", payload: dict[str, Any], body: Any) -> None:
    """Show what a command was acknowledged with."""
    url = slack.world.response_urls[payload["response_url"].rpartition("/")[2]]
    answer = {"text": body} if isinstance(body, str) else body
    refused = put(slack, url, answer) if answer else {"ok": True}
    if not refused["ok"]:
        slack.note(f"the acknowledgement of {payload['command']}: {refused}")
