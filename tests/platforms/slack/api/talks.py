"""The methods that read channels, and those that show what an agent is doing."""

from dataclasses import dataclass
from typing import Any

from tests.platforms.slack.api.request import Refused, Request
from tests.platforms.slack.payloads import message_json
from tests.platforms.slack.world import Message

STATES = ("active", "processing", "suspended", "closed")
STOP = "agent_session_stopped"


@dataclass(frozen=True, slots=True)
class Status:
    """A status that the bot showed about its work in a thread."""

    method: str
    channel: str
    thread: str | None
    status: str
    title: str = ""


@dataclass(slots=True)
class Session:
    """The session of a thread, as it was created, with the title that it has now."""

    title: str = ""
    initiator: str = ""


@dataclass(frozen=True, slots=True)
class Prompts:
    """Questions that the bot proposed."""

    channel: str
    title: str
    prompts: tuple[tuple[str, str], ...]
    """Title and message of each."""


def open_talk(request: Request) -> dict[str, Any]:
    users = request.text("users")
    person = request.world.people.get(users)
    if person is None or person.team != request.team.id:
        raise Refused("user_not_found" if users else "users_list_not_supplied")
    return {"channel": {"id": request.world.direct(users).id}}


def info(request: Request) -> dict[str, Any]:
    channel = request.channel(joined=False)
    request.read(channel)
    kinds = {f"is_{name}": channel.kind == name for name in ("channel", "group", "im", "mpim")}
    inside = request.team.bot_user in channel.members
    return {"channel": {"id": channel.id, "name": channel.name, "is_member": inside, **kinds}}


def history(request: Request) -> dict[str, Any]:
    channel = request.channel()
    request.history(channel)
    held = [each for each in channel.messages.values() if each.thread in (None, each.ts)]
    return page(request, held[::-1])


def replies(request: Request) -> dict[str, Any]:
    channel = request.channel()
    request.history(channel)
    ts = request.text("ts")
    if request.world.find(channel.id, ts) is None:
        raise Refused("thread_not_found")
    return page(request, [each for each in channel.messages.values() if ts in (each.ts, each.thread)])


def page(request: Request, messages: list[Message]) -> dict[str, Any]:
    """Return one page of what stands for all to see."""
    limit, start = int(request.args.get("limit") or 100), int(request.args.get("cursor") or 0)
    oldest, latest = request.text("oldest") or "0", request.text("latest") or "9"
    seen = [each for each in messages if not (each.deleted or each.ephemeral_to) and oldest < each.ts < latest]
    more = len(seen) > start + limit
    return {
        "messages": [_told(request, each) for each in seen[start : start + limit]],
        "has_more": more,
        "response_metadata": {"next_cursor": str(start + limit) if more else ""},
    }


def _told(request: Request, message: Message) -> dict[str, Any]:
    shown = message_json(message)
    wanted = str(request.args.get("include_all_metadata", "")).lower() in ("1", "true")
    return {**shown, "metadata": message.metadata} if message.metadata and wanted else shown


def session_status(request: Request) -> dict[str, Any]:
    request.args["channel"] = request.text("channel_id")
    channel = request.channel()
    thread = request.thread(channel)
    status, title = request.text("status"), request.text("title")
    if status not in STATES:
        raise Refused("invalid_arguments", ["[ERROR] must be a valid enum value [json-pointer:/status]"])
    if thread is None:
        raise Refused("invalid_arguments", ["[ERROR] missing required field: thread_ts [json-pointer:/thread_ts]"])
    _check_title(title)
    initiator = request.text("initiator_user_id")
    if initiator and initiator not in channel.members:
        raise Refused("user_not_in_channel")
    if STOP not in request.slack.events:
        request.warnings.append(f"missing_{STOP}_event_subscription")
        request.fault(f"without the event {STOP}, nobody can stop the work")
    request.slack.sessions.setdefault((channel.id, thread), Session(title, initiator))
    request.slack.statuses.append(Status(request.method, channel.id, thread, status, title))
    return {"status": status}


def session_rename(request: Request) -> dict[str, Any]:
    request.args["channel"] = request.text("channel_id")
    channel = request.channel()
    session = request.slack.sessions.get((channel.id, request.thread(channel) or ""))
    if session is None:
        raise Refused("session_not_found")
    _check_title(request.text("title"))
    session.title = request.text("title")
    return {"title": session.title}


def _check_title(title: str) -> None:
    if len(title) > 200:
        raise Refused("invalid_arguments", ["[ERROR] must be less than 201 characters [json-pointer:/title]"])


def thread_status(request: Request) -> dict[str, Any]:
    request.args["channel"] = request.text("channel_id")
    channel = request.channel()
    thread = request.thread(channel)
    if len(request.args.get("loading_messages") or []) > 10:
        raise Refused("invalid_arguments", ["[ERROR] no more than 10 items allowed [json-pointer:/loading_messages]"])
    request.slack.statuses.append(Status(request.method, channel.id, thread, request.text("status")))
    return {}


def suggested_prompts(request: Request) -> dict[str, Any]:
    request.args["channel"] = request.text("channel_id")
    channel = request.channel()
    given = request.args.get("prompts")
    if not isinstance(given, list) or not 1 <= len(given) <= 4:
        raise Refused("invalid_arguments", ["[ERROR] 1 to 4 items allowed [json-pointer:/prompts]"])
    if not all(isinstance(each, dict) and each.get("title") and each.get("message") for each in given):
        raise Refused("invalid_arguments", ["[ERROR] missing required field: title, message [json-pointer:/prompts]"])
    if request.args.get("thread_ts"):
        request.fault("thread_ts makes the call fail silently for an app with an agent_view")
        return {}
    pairs = tuple((each["title"], each["message"]) for each in given)
    request.slack.prompts.append(Prompts(channel.id, request.text("title"), pairs))
    return {}
