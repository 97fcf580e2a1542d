"""The connector's rules for an activity, and those that Teams does not enforce."""

import re
from typing import Any

from tests.platforms.teams.cards.judge import card_faults, card_problems, marked
from tests.platforms.teams.connector.request import Refused, Request, wide_size
from tests.platforms.teams.world import ADAPTIVE, CONSENT, FILE_INFO, Conversation

LARGEST = 100 * 1024
_FIELDS = (
    "type id timestamp localTimestamp localTimezone callerId serviceUrl channelId from conversation recipient "
    "textFormat attachmentLayout text speak summary inputHint suggestedActions attachments entities channelData "
    "action replyToId label valueType value name relatesTo code expiration importance deliveryMode listenFor "
    "textHighlights semanticAction locale topicName historyDisclosed membersAdded membersRemoved reactionsAdded "
    "reactionsRemoved"
)
FIELDS = frozenset(_FIELDS.split())
CARDS = "application/vnd.microsoft.card."
AI = "https://schema.org/Message"
TAG = re.compile(r"(?<!\\)\]\(|</?[a-zA-Z]")
KINDS = ("message", "typing")


def require(request: Request, conversation: Conversation) -> None:
    """Refuse an activity that Teams refuses, and note what is wrong with one that it takes."""
    body = request.body
    size = wide_size(body)
    if size > LARGEST:
        raise Refused(413, "MessageSizeTooBig", f"RequestEntityTooLarge: {size} bytes of at most {LARGEST}.")
    if body.get("type") not in KINDS:
        raise Refused(400, "BadSyntax", f"Unknown activity type {body.get('type')!r}.")
    if body["type"] == "message" and not (body.get("text") or body.get("attachments")):
        raise Refused(400, "BadSyntax", "Activity must have text or attachments.")
    for name in body.keys() - FIELDS:
        request.fault(f"there is no field {name} in an activity")
    for attachment in body.get("attachments") or []:
        _attachment(request, conversation, attachment)
    cards = [each for each in body.get("attachments") or [] if str(each.get("contentType")).startswith(CARDS)]
    if cards and not body.get("text") and not body.get("summary"):
        request.fault("a card without text or summary, for notifications and for old clients")
    _text(request)
    for entity in body.get("entities") or []:
        _entity(request, entity)
    if body.get("suggestedActions") and conversation.kind != "personal":
        request.fault("suggestedActions are only shown in personal chats")


def _attachment(request: Request, conversation: Conversation, attachment: dict[str, Any]) -> None:
    kind = attachment.get("contentType")
    if not isinstance(kind, str) or not kind:
        raise Refused(400, "BadArgument", "An attachment needs a contentType.")
    if kind == ADAPTIVE:
        card = attachment.get("content")
        found = card_problems(card)
        if found:
            raise Refused(400, "BadArgument", "; ".join(found[:5]))
        for fault in card_faults(card or {}):
            request.fault(fault)
    elif kind in (CONSENT, FILE_INFO):
        _file(conversation, attachment)
    elif not kind.startswith((CARDS, "image/")):
        request.fault(f"Teams shows no attachment of the type {kind}")


def _file(conversation: Conversation, attachment: dict[str, Any]) -> None:
    content = attachment.get("content") or {}
    if attachment["contentType"] == FILE_INFO:
        if not attachment.get("contentUrl") or not content.get("uniqueId"):
            raise Refused(400, "BadArgument", "A file info card needs a contentUrl and a uniqueId.")
    elif conversation.kind != "personal":
        raise Refused(400, "BadArgument", "A file can only be offered in a personal chat.")
    elif not attachment.get("name") or not isinstance(content.get("sizeInBytes"), int):
        raise Refused(400, "BadArgument", "A file consent card needs a name and sizeInBytes.")


def _text(request: Request) -> None:
    """Note links and tags in the text, which data brings there; mentions that have an entity are meant."""
    body = request.body
    text = str(body.get("text") or "")
    named = [each.get("text") for each in body.get("entities") or [] if each.get("type") == "mention"]
    rest = text
    for mention in named:
        if not isinstance(mention, str) or mention not in text:
            request.fault(f"the mention {mention!r} does not stand in the text")
        else:
            rest = rest.replace(mention, "")
    if body.get("textFormat") != "plain" and TAG.search(rest):
        for fault in marked(rest, "the text"):
            request.fault(fault)


def _entity(request: Request, entity: dict[str, Any]) -> None:
    if len(entity) < 2:
        request.fault(f"an entity has nothing but its type: {entity}")
    if entity.get("type") != AI:
        return
    if entity.get("@type") != "Message" or "@context" not in entity:
        request.fault("the entity of the AI label needs @type and @context")
    citations = entity.get("citation") or []
    if len(citations) > 20:
        request.fault(f"{len(citations)} citations of at most 20")
    for each in citations:
        shown = each.get("appearance") or {}
        if not shown.get("name") or len(shown["name"]) > 80 or len(str(shown.get("abstract") or "")) > 160:
            request.fault("a citation needs a name of at most 80 characters and an abstract of at most 160")
        if f"[{each.get('position')}]" not in str(request.body.get("text")):
            request.fault(f"the citation {each.get('position')} does not stand in the text")
