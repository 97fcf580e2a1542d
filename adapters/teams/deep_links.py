"""Addresses under which people open a conversation in Teams."""

from urllib.parse import quote, urlencode

from router.memory import ThreadKey


def link_to(key: ThreadKey, client: str) -> str:
    """Return the address of a thread of a channel, or of a group chat; `client` is where people open Teams."""
    channel, _, message = key.thread.partition(";messageid=")
    if not message:
        return f"{client}/l/chat/{quote(key.channel, safe='')}/conversations"
    where = urlencode({"tenantId": key.team, "parentMessageId": message})
    return f"{client}/l/message/{quote(channel, safe='')}/{quote(message, safe='')}?{where}"
