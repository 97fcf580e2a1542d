"""Messages that grow while they are read: in personal chats only, in sequence, for two minutes."""

from typing import Any

from tests.platforms.teams.connector.request import Refused, Request
from tests.platforms.teams.world import Conversation, Message, Stream

LONGEST = 120.0
PAUSED = {"error": {"code": "ContentStreamSequenceOrderPreConditionFailed", "message": "PreCondition failed."}}


def is_stream(body: dict[str, Any]) -> bool:
    """Tell whether an activity belongs to a stream."""
    return _info(body) is not None


def _info(body: dict[str, Any]) -> dict[str, Any] | None:
    entities = body.get("entities") or []
    return next((each for each in entities if str(each.get("type")).lower() == "streaminfo"), None)


def stream(request: Request, conversation: Conversation) -> tuple[int, Any]:
    """Begin a stream, go on with it or end it."""
    body, info = request.body, _info(request.body) or {}
    kind = info.get("streamType", "streaming")
    if conversation.kind != "personal":
        raise Refused(403, "ContentStreamNotAllowed", "Content stream is not allowed.")
    if (body.get("conversation") or {}).get("conversationType") != "personal":  # as Microsoft's playground
        raise Refused(405, "MethodNotAllowed", "Streaming API is not enabled for non personal scope.")
    if kind not in ("informative", "streaming", "final"):
        raise Refused(400, "BadRequest", f"There is no streamType {kind!r}.")
    if (body["type"] == "message") != (kind == "final"):
        raise Refused(400, "BadRequest", "Streaming activities are typing, the final one is a message.")
    if not body.get("text"):
        raise Refused(400, "BadRequest", "Streaming activities should include text.")
    if kind != "final" and body.get("attachments"):
        raise Refused(400, "BadRequest", "Attachments are allowed in the final message only.")
    if "streamId" not in info:
        return _begin(request, conversation, info, kind)
    return _go_on(request, _going(request, conversation, str(info["streamId"])), info, kind)


def _begin(request: Request, conversation: Conversation, info: dict[str, Any], kind: str) -> tuple[int, Any]:
    if kind == "final" or info.get("streamSequence") != 1:
        raise Refused(400, "BadRequest", "A stream starts with the streamSequence 1.")
    now, id_ = request.world.now(), request.world.message_id()
    message = Message(id_, conversation, {**request.body, "id": id_}, "bot", streaming=True)
    conversation.messages[id_] = message
    begun = Stream(id_, conversation, message, now, [request.body["text"]], [kind], [now], sequence=1)
    request.world.streams.append(begun)
    return 201, {"id": id_}


def _going(request: Request, conversation: Conversation, id_: str) -> Stream:
    found = [each for each in request.world.streams if each.id == id_ and each.conversation is conversation]
    if not found:
        raise Refused(404, "ActivityNotFoundInConversation", "There is no such stream.")
    if found[0].stopped:
        raise Refused(403, "ContentStreamNotAllowed", "Content stream was canceled by user.")
    if found[0].final:
        reason = "Content stream is not allowed on an already completed streamed message."
        raise Refused(403, "ContentStreamNotAllowed", reason)
    if request.world.now() - found[0].born > LONGEST:
        reason = "Content stream finished due to exceeded streaming time."
        raise Refused(403, "ContentStreamNotAllowed", reason)
    return found[0]


def _go_on(request: Request, going: Stream, info: dict[str, Any], kind: str) -> tuple[int, Any]:
    sequence, text = info.get("streamSequence"), request.body["text"]
    if kind == "final":
        if sequence is not None:
            request.fault("the final message of a stream has no streamSequence")
        going.final, going.message.streaming = True, False
    elif not isinstance(sequence, int) or isinstance(sequence, bool):
        raise Refused(400, "BadRequest", "streamSequence is a whole number.")
    elif sequence <= going.sequence:
        going.dropped.append(sequence)
        return 202, PAUSED
    else:
        going.sequence = sequence
    said = [each for each, before in zip(going.chunks, going.kinds, strict=True) if before == "streaming"]
    if kind == "streaming" and said and not text.startswith(said[-1]):
        request.fault("each part of a stream holds the whole text so far")
    going.times.append(request.world.now())
    going.chunks.append(text)
    going.kinds.append(kind)
    going.message.activity = {**request.body, "id": going.id}
    return 202, {}
