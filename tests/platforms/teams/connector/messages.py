"""Messages that the bot posts, changes and takes back."""

from typing import Any

from tests.platforms.teams.connector.request import Refused, Request
from tests.platforms.teams.connector.rules import require
from tests.platforms.teams.world import Conversation, Message

Answer = tuple[int, Any]


def send(request: Request) -> Answer:
    """Let the bot say something, in a thread if the conversation's id names one."""
    conversation, root = request.place()
    require(request, conversation)
    if request.body["type"] == "typing":
        request.teams.typing.append(request.conversation_id)
        return 201, {"id": request.world.message_id()}
    if request.query.get("isTargetedActivity") != "true":
        return 201, {"id": said(request, conversation, root).id}
    to = str((request.body.get("recipient") or {}).get("id") or "")
    if conversation.kind == "personal" or to not in [each.id for each in conversation.members]:
        raise Refused(400, "BadArgument", "A targeted message needs one member of a channel or group chat.")
    message = said(request, conversation, root)
    message.to = to
    return 201, {"id": message.id}


def reply(request: Request) -> Answer:
    """Let the bot answer a message; in a channel this does not put it under the post."""
    conversation, root = request.place()
    if conversation.kind == "channel" and not root:
        request.fault("replyToId alone does not put an answer into a thread")
    return send(request)


def said(request: Request, conversation: Conversation, root: str) -> Message:
    """Return the message that now stands in the conversation."""
    id_ = request.world.message_id()
    kept = {**request.body, "id": id_}
    message = Message(id_, conversation, kept, "bot", (root or id_) if conversation.kind == "channel" else "")
    conversation.messages[id_] = message
    return message


def update(request: Request) -> Answer:
    """Change a message of the bot for everybody; what an invoke showed to one person is gone."""
    message = _own(request)
    request.body.setdefault("type", "message")
    require(request, message.conversation)
    if request.body.get("id") not in (None, "", message.id):
        request.fault(f"the activity says it is {request.body['id']}, its address says {message.id}")
    message.edits.append(message.activity)
    message.activity = {**request.body, "id": message.id}
    message.seen.clear()
    return 200, {"id": message.id}


def delete(request: Request) -> Answer:
    """Take a message of the bot back."""
    _own(request).deleted = True
    return 200, None


def _own(request: Request) -> Message:
    conversation, root = request.place()
    message = conversation.messages.get(request.id)
    if message is None or message.deleted or (root and message.root != root):
        raise Refused(404, "ActivityNotFoundInConversation", "The activity is not in the conversation.")
    if not message.from_bot:
        raise Refused(403, "Forbidden", "The bot did not write this.")
    return message
