"""The activities that Teams sends to a bot, in the shapes that were recorded and that it documents."""

import html
import uuid
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from tests.platforms.teams.world import Conversation, Message, Person

if TYPE_CHECKING:
    from tests.platforms.teams.server import Server

CLIENT_INFO = {"type": "clientInfo", "locale": "en-US", "country": "US", "platform": "Web", "timezone": "UTC"}
SPAN = '<span itemscope="" itemtype="http://schema.skype.com/Mention" itemid="0">'
GAP = "&nbsp;"
"""The character that clients put behind a mention."""


def stamp(now: float) -> str:
    """Return a time as activities have it."""
    return datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def account(person: Person) -> dict[str, Any]:
    """Return a person as activities name them."""
    return {"id": person.id, "name": person.name, "aadObjectId": person.aad}


def activity(
    teams: "Server", kind: str, conversation: Conversation, person: Person, root: str = "", **more: Any
) -> dict[str, Any]:
    """Return what every activity says: who, where, when; with the fields of this one."""
    now = teams.world.now()
    place: dict[str, Any] = {
        "conversationType": conversation.kind,
        "tenantId": conversation.tenant,
        "id": f"{conversation.id};messageid={root}" if root else conversation.id,
    }
    if conversation.kind != "personal":
        place["isGroup"] = True
    return {
        "type": kind,
        "id": str(uuid.uuid4()),
        "timestamp": stamp(now),
        "localTimestamp": stamp(now).replace("Z", "+00:00"),
        "localTimezone": "UTC",
        "channelId": "msteams",
        "serviceUrl": teams.service_url,
        "from": account(person),
        "conversation": place,
        "recipient": {"id": teams.bot_id, "name": teams.bot_name},
        "locale": "en-US",
        "entities": [dict(CLIENT_INFO)],
        "channelData": channel_data(conversation),
        **more,
    }


def channel_data(conversation: Conversation) -> dict[str, Any]:
    """Return what Teams says of a conversation."""
    data: dict[str, Any] = {"tenant": {"id": conversation.tenant}}
    if conversation.kind == "channel":
        data |= {
            "teamsChannelId": conversation.id,
            "teamsTeamId": conversation.team,
            "channel": {"id": conversation.id, "name": conversation.name},
            "team": {"id": conversation.team},
        }
    return data


def typed(
    teams: "Server", message: Message, person: Person, text: str, mention: bool, also: tuple[Person, ...]
) -> dict[str, Any]:
    """Return a message that somebody typed: as text, and as the HTML that the client made."""
    named = [(teams.bot_id, teams.bot_name)] if mention else []
    others = [(each.id, each.name) for each in also]
    entities = [
        {"type": "mention", "mentioned": {"id": id_, "name": name}, "text": f"<at>{name}</at>"}
        for id_, name in [*named, *others]
    ]
    plain = text + "".join(f" <at>{name}</at>" for _, name in others)
    shown = f"<at>{teams.bot_name}</at>{GAP}{plain}" if mention else plain
    first = f"{SPAN}{html.escape(teams.bot_name)}</span>&nbsp;" if mention else ""
    markup = {"contentType": "text/html", "content": f"<p>{first}{html.escape(text)}</p>"}
    more: dict[str, Any] = {"text": shown, "textFormat": "plain", "attachments": [markup]}
    made = activity(teams, "message", message.conversation, person, message.root, **more)
    return made | {"id": message.id, "entities": [*entities, dict(CLIENT_INFO)]}


def quoting(made: dict[str, Any], quotes: tuple[Message, ...]) -> dict[str, Any]:
    """Return a message with what it quotes, as Teams has told it since 2026: a card has no preview."""
    if not quotes:
        return made
    text = "".join(f'<quoted messageId="{each.id}"/>' for each in quotes)
    blocks = "".join(
        f'<blockquote itemscope itemtype="http://schema.skype.com/Reply" itemid="{each.id}">'
        f'<strong itemprop="mri" itemid="8:{each.by}">{html.escape(each.by or "Bot")}</strong>'
        f'<span itemprop="time" itemid="{each.id}"></span>'
        f'<p itemprop="preview">{html.escape("Card" if each.card else each.text)}</p></blockquote>'
        for each in quotes
    )
    entities = [
        {
            "type": "quotedReply",
            "quotedReply": {
                "messageId": each.id,
                "senderId": each.by or made["recipient"]["id"],
                "senderName": "somebody",
                **({} if each.card else {"preview": each.text}),
                "time": each.id,
                "validatedMessageReference": True,
            },
        }
        for each in quotes
    ]
    [markup] = made["attachments"]
    return made | {
        "text": text + made["text"],
        "attachments": [markup | {"content": blocks + markup["content"]}],
        "entities": [*entities, *made["entities"]],
    }


def invoke(teams: "Server", name: str, value: Any, message: Message, person: Person) -> dict[str, Any]:
    """Return what a click on a message sends."""
    more = {"name": name, "value": value, "replyToId": message.id}
    made = activity(teams, "invoke", message.conversation, person, message.root, **more)
    made["channelData"] |= {"source": {"name": "message"}, "legacy": {"replyToId": message.id}}
    return made


def installation(teams: "Server", action: str, conversation: Conversation, person: Person) -> dict[str, Any]:
    """Return that the app was added or removed (`add`, `remove`, `add-upgrade`)."""
    made = activity(teams, "installationUpdate", conversation, person, action=action)
    made["from"] = {"id": person.id, "aadObjectId": person.aad}
    settings = {"selectedChannel": {"id": conversation.id}}
    made["channelData"] |= {"settings": settings, "source": {"name": "message"}}
    return made


def membership(
    teams: "Server", conversation: Conversation, person: Person, field: str, accounts: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return that members were added or removed; `field` is membersAdded or membersRemoved."""
    made = activity(teams, "conversationUpdate", conversation, person) | {field: accounts}
    made["from"] = {"id": person.id, "aadObjectId": person.aad}
    for name in ("locale", "localTimestamp", "localTimezone", "entities"):
        del made[name]
    if conversation.kind == "channel":
        word = "teamMemberAdded" if field == "membersAdded" else "teamMemberRemoved"
        made["channelData"] |= {"eventType": word}
    return made
