"""The methods of the Web API: what each needs, takes and does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.api import accounts, chat, talks, views
from tests.platforms.slack.api.request import Refused, Request

__all__ = ["METHODS", "Method", "Refused", "Request", "answer"]


@dataclass(frozen=True, slots=True)
class Method:
    """A method: what does it, the scopes of which it needs one, and its arguments."""

    do: Callable[[Request], dict[str, Any]]
    scopes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    takes: frozenset[str] = frozenset()
    bot: bool = True
    """True if a bot's token is needed."""


def _method(
    do: Callable[[Request], dict[str, Any]], scopes: str = "", needs: str = "", takes: str = "", bot: bool = True
) -> Method:
    return Method(do, tuple(scopes.split()), tuple(needs.split()), frozenset(f"{needs} {takes}".split()), bot)


LOOK = "username icon_emoji icon_url"
POST = f"text blocks attachments thread_ts parse link_names as_user metadata markdown_text {LOOK}"
METHODS = {
    "api.test": _method(accounts.api_test, takes="error foo", bot=False),
    "auth.test": _method(accounts.auth_test),
    "auth.revoke": _method(accounts.revoke, takes="test"),
    "apps.connections.open": _method(accounts.open_connection, bot=False),
    "apps.uninstall": _method(accounts.uninstall, needs="client_id client_secret"),
    "oauth.v2.access": _method(
        accounts.exchange_code,
        needs="code",
        takes="client_id client_secret redirect_uri grant_type refresh_token",
        bot=False,
    ),
    "users.info": _method(accounts.user_info, "users:read", "user", "include_locale"),
    "users.lookupByEmail": _method(accounts.user_by_email, "users:read.email", "email"),
    "bots.info": _method(accounts.bot_info, "users:read", takes="bot team_id"),
    "chat.postMessage": _method(
        chat.post_message,
        "chat:write",
        "channel",
        f"{POST} reply_broadcast unfurl_links unfurl_media mrkdwn container_id file_annotation",
    ),
    "chat.postEphemeral": _method(chat.post_ephemeral, "chat:write", "channel user", POST),
    "chat.update": _method(chat.update, "chat:write", "channel ts", f"{POST} reply_broadcast file_ids"),
    "chat.delete": _method(chat.delete, "chat:write", "channel ts", "as_user"),
    "chat.getPermalink": _method(chat.permalink, needs="channel message_ts"),
    "files.getUploadURLExternal": _method(
        chat.upload_url, "files:write", "filename length", "alt_txt alt_text snippet_type"
    ),
    "files.completeUploadExternal": _method(
        chat.complete_upload, "files:write", "files", f"channel_id channels thread_ts initial_comment blocks {LOOK}"
    ),
    "conversations.open": _method(talks.open_talk, "im:write", takes="users channel return_im prevent_creation"),
    "conversations.info": _method(talks.info, needs="channel", takes="include_locale include_num_members"),
    "conversations.history": _method(
        talks.history, needs="channel", takes="cursor limit oldest latest inclusive include_all_metadata"
    ),
    "conversations.replies": _method(
        talks.replies, needs="channel ts", takes="cursor limit oldest latest inclusive include_all_metadata"
    ),
    "agents.sessions.setStatus": _method(
        talks.session_status, "chat:write", "channel_id status", f"thread_ts title initiator_user_id {LOOK}"
    ),
    "agents.sessions.rename": _method(talks.session_rename, "chat:write", "channel_id title", "thread_ts"),
    "assistant.threads.setStatus": _method(
        talks.thread_status, "assistant:write chat:write", "channel_id thread_ts", f"status loading_messages {LOOK}"
    ),
    "assistant.threads.setSuggestedPrompts": _method(
        talks.suggested_prompts, "assistant:write", "channel_id prompts", "thread_ts title"
    ),
    "views.open": _method(views.open_view, needs="trigger_id view", takes="interactivity_pointer"),
    "views.push": _method(views.push, needs="trigger_id view", takes="interactivity_pointer"),
    "views.update": _method(views.update, needs="view", takes="view_id external_id hash"),
    "views.publish": _method(views.publish, needs="user_id view", takes="hash"),
}


def answer(request: Request) -> dict[str, Any]:
    """Do what is asked and return Slack's answer to it; what is refused has ok: false."""
    method = METHODS.get(request.method)
    if method is None:
        request.slack.note(f"{request.method}: there is no such method")
        return {"ok": False, "error": "unknown_method", "req_method": request.method}
    try:
        return _done(request, method)
    except Refused as refused:
        return refused.answer


def _done(request: Request, method: Method) -> dict[str, Any]:
    if method.bot:
        request.authenticate()
    if method.scopes:
        request.need(*method.scopes)
    missing = [name for name in method.needs if request.args.get(name) in (None, "")]
    if missing:
        problems = [f"[ERROR] missing required field: {name} [json-pointer:/{name}]" for name in missing]
        raise Refused("invalid_arguments", problems)
    for name in request.args.keys() - method.takes - {"token", "team_id"}:
        request.fault(f"does not know the argument {name}")
    done = method.do(request)
    if request.warnings:
        done["warning"] = ",".join(request.warnings)
        done["response_metadata"] = {**done.get("response_metadata", {}), "warnings": request.warnings}
    return {"ok": True, **done}
