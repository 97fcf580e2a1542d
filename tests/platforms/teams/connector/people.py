"""The members of a conversation, and new conversations."""

from typing import Any

from tests.platforms.teams.connector.messages import said
from tests.platforms.teams.connector.request import Refused, Request
from tests.platforms.teams.connector.rules import require
from tests.platforms.teams.world import Conversation, Person

Answer = tuple[int, Any]
LARGEST_PAGE = 500


def create(request: Request) -> Answer:
    """Open the personal chat with somebody, or write a new post into a channel."""
    body, data = request.body, request.body.get("channelData") or {}
    channel = (data.get("channel") or {}).get("id")
    if channel:
        request.conversation_id = channel
        conversation, _ = request.place()
        return _first(request, conversation)
    tenant = body.get("tenantId") or body.get("tenantID") or (data.get("tenant") or {}).get("id")
    if not tenant:
        raise Refused(400, "BadSyntax", "The tenant is missing.")
    bot = (body.get("bot") or {}).get("id")
    if bot not in (None, request.teams.bot_id, request.teams.app_id):
        raise Refused(403, "Forbidden", f"The bot is not {bot}.")
    members = body.get("members") or []
    if len(members) != 1 or not members[0].get("id") or body.get("isGroup"):
        raise Refused(400, "BadSyntax", "A bot can only open a chat with exactly one member.")
    person = request.world.find_person(members[0]["id"])
    if person is None or person.tenant != tenant or person.role == "anonymous":
        raise Refused(403, "ForbiddenOperationException", "The user was not found in the tenant.")
    conversation = request.world.personal(person)
    request.conversation_id = conversation.id
    request.place()
    return _first(request, conversation) if body.get("activity") else (201, {"id": conversation.id})


def _first(request: Request, conversation: Conversation) -> Answer:
    request.body = request.body.get("activity") or {}
    require(request, conversation)
    message = said(request, conversation, "")
    place = f"{conversation.id};messageid={message.id}" if message.root else conversation.id
    return 201, {"id": place, "activityId": message.id, "serviceUrl": request.teams.service_url}


def members(request: Request) -> Answer:
    """Return everybody who is in a conversation."""
    conversation, _ = request.place()
    return 200, [member_json(each) for each in conversation.members]


def paged(request: Request) -> Answer:
    """Return a page of those who are in a conversation."""
    conversation, _ = request.place()
    start = int(request.query.get("continuationToken") or 0)
    end = start + min(int(request.query.get("pageSize") or 200), LARGEST_PAGE)
    page: dict[str, Any] = {"members": [member_json(each) for each in conversation.members[start:end]]}
    if end < len(conversation.members):
        page["continuationToken"] = str(end)
    return 200, page


def member(request: Request) -> Answer:
    """Return one of them, by id or aadObjectId."""
    conversation, _ = request.place()
    for each in conversation.members:
        if request.id in (each.id, each.aad):
            return 200, member_json(each)
    raise Refused(404, "MemberNotFoundInConversation", "The user is not in the conversation.")


def member_json(person: Person) -> dict[str, Any]:
    """Return a person as the connector shows them."""
    given, _, family = person.name.partition(" ")
    return {
        "id": person.id,
        "objectId": person.aad,
        "aadObjectId": person.aad,
        "name": person.name,
        "givenName": given,
        "surname": family,
        "email": person.email,
        "userPrincipalName": person.email,
        "tenantId": person.tenant,
        "userRole": person.role,
    }
