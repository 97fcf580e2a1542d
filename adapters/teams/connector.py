"""Writes into conversations, by the REST calls of the Bot Framework.

The SDK's own client cuts entities down to their type, which takes the AI label away; it works in a handful of threads,
and repeats nothing. These are five calls of JSON, so that they are made here, without threads.

Every call is repeated until it is answered for good. A message has no key by which Teams would know it again, and what
is in a conversation is not told to bots: so a message whose answer was lost may come to stand there twice, which is
better than a question without an answer. The id is that of the last; the buttons of both work.

Into one conversation one call is made at a time, with its repetitions: what was written first stands first, and if
Teams says that it is too much, nobody goes on.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from adapters.chat.keyed_lock import KeyedLock
from adapters.teams.calls import CALL_TRIES, CallResponse, Calls
from adapters.teams.conversations import Reference
from adapters.teams.failures import Dead, Declined, MessageGone
from adapters.teams.json_fields import Json, text

NO_CONVERSATION = "Conversation"
"""The beginnings of a 404's codes where it is the conversation that is not there."""

TARGETED_QUERY = "isTargetedActivity=true"
"""Asks for a message that its recipient alone sees."""

PERSON_FIELDS = ("id", "name", "email", "userPrincipalName", "tenantId", "userRole")
"""A person as Teams knows them; what it does not tell is empty."""

MEMBERS_A_PAGE = 500
MEMBER_PAGES_MAX = 10
"""Pages of a conversation's people that are looked through for an address; Teams gives at most 500 people each."""


class Connector:
    """Writes into all conversations; a call raises Undone if it is not done, or may not be."""

    def __init__(self, calls: Calls) -> None:
        self._calls, self._locks = calls, KeyedLock()

    async def send(self, reference: Reference, activity: Json, *, tries: int = CALL_TRIES) -> str:
        """Post an activity and return its id, empty if Teams gives none."""
        said = await self._write("POST", reference, "activities", _whole(reference, activity), tries)
        return text(said.body, "id")

    async def send_to(self, reference: Reference, user: str, activity: Json) -> str:
        """Post an activity that one member of a channel or a group chat sees and nobody else; returns its id."""
        id = (await self.member(reference, user))["id"]
        whole = _whole(reference, activity) | {"recipient": {"id": id}}
        said = await self._write("POST", reference, f"activities?{TARGETED_QUERY}", whole)
        return text(said.body, "id")

    async def update(self, reference: Reference, id: str, activity: Json, *, tries: int = CALL_TRIES) -> None:
        """Have an activity be this one from now on, for everybody; raises Gone if it was deleted."""
        whole = _whole(reference, activity) | {"id": id}
        await self._write("PUT", reference, f"activities/{_quoted(id)}", whole, tries)

    async def delete(self, reference: Reference, id: str) -> None:
        """Have an activity be gone."""
        with suppress(MessageGone):
            await self._write("DELETE", reference, f"activities/{_quoted(id)}")

    async def create_direct(self, reference: Reference, user: str) -> Reference:
        """Return the direct chat with a person, by id or Entra id; raises Dead if they do not have the bot."""
        body = {
            "isGroup": False,
            "bot": {"id": reference.bot_id, "name": reference.bot_name},
            "members": [{"id": user}],
            "tenantId": reference.tenant,
            "channelData": {"tenant": {"id": reference.tenant}},
        }
        # Between the same two there is one such chat, however often it is made.
        said = await self._make("POST", reference, "", body)
        return replace(reference, conversation=text(said.body, "id"), team="", person="")

    async def member(self, reference: Reference, user: str) -> dict[str, str]:
        """Return what Teams tells of a person, by the names in KNOWN and `aadObjectId`; raises Gone if unknown."""
        channel = reference.conversation.partition(";")[0]
        try:
            said = await self._member(reference, reference.team or channel, user)
        except MessageGone:
            if self._calls.local:
                return _known(await self._listed(replace(reference, conversation=channel), user))
            if not reference.team:
                raise
            said = await self._member(reference, channel, user)  # a guest of a shared channel is not one of its team
        return _known(said.body)

    async def member_at(self, reference: Reference, address: str) -> dict[str, str] | None:
        """Return what Teams tells of the person of a conversation who has this address; None if nobody has."""
        place = replace(reference, conversation=reference.team or reference.conversation.partition(";")[0])
        wanted, more = address.casefold(), ""
        for _ in range(MEMBER_PAGES_MAX):
            page = (await self._make("GET", place, f"pagedmembers?pageSize={MEMBERS_A_PAGE}{more}")).body
            members = page.get("members") if isinstance(page, dict) else None
            for each in members if isinstance(members, list) else []:
                if wanted in (text(each, "email").casefold(), text(each, "userPrincipalName").casefold()):
                    return _known(each)
            if not (token := text(page, "continuationToken")):
                break
            more = f"&continuationToken={_quoted(token)}"
        return None

    async def _listed(self, reference: Reference, user: str) -> Json:
        """Return a person by Entra id from the list of a conversation: the playground finds nobody by that alone."""
        listed = (await self._make("GET", reference, "members")).body
        for each in listed if isinstance(listed, list) else []:
            if user in (text(each, "aadObjectId"), text(each, "objectId")):
                return dict(each)
        raise MessageGone(404, "MemberNotFoundInConversation")

    async def _member(self, reference: Reference, place: str, user: str) -> CallResponse:
        return await self._make("GET", replace(reference, conversation=place), f"members/{_quoted(user)}")

    async def _write(
        self, method: str, reference: Reference, path: str, body: Json | None = None, tries: int = CALL_TRIES
    ) -> CallResponse:
        async with self._locks.at(reference.conversation):
            return await self._make(method, reference, path, body, tries)

    async def _make(
        self, method: str, reference: Reference, path: str, body: Json | None = None, tries: int = CALL_TRIES
    ) -> CallResponse:
        url = f"{reference.service_url.rstrip('/')}/v3/conversations"
        if path:
            url += f"/{_quoted(reference.conversation)}/{path}"
        said = await self._calls.make(method, url, body, tries=tries)
        if said.status >= 300:
            raise _declined(method, said)
        return said


def _whole(reference: Reference, activity: Json) -> Json:
    """Return an activity with what says where it belongs and who speaks; nothing of it is lost."""
    frame: Json = {
        "type": "message",
        "channelId": reference.channel,
        "serviceUrl": reference.service_url,
        "conversation": {"id": reference.conversation},
        "from": {"id": reference.bot_id, "name": reference.bot_name},
    }
    return frame | ({"locale": reference.locale} if reference.locale else {}) | activity


def _known(person: Any) -> dict[str, str]:
    known = {name: text(person, name) for name in PERSON_FIELDS}
    return known | {"aadObjectId": text(person, "aadObjectId") or text(person, "objectId")}


def _declined(method: str, said: CallResponse) -> Declined:
    """Return what an answer that will not change means for this call."""
    error = said.body.get("error") if isinstance(said.body, dict) else None
    code = text(error, "code")
    looks = method == "GET"  # if the bot may not look somebody up, it may still write
    if said.status == 404 and method != "POST" and (looks or not code.startswith(NO_CONVERSATION)):
        return MessageGone(said.status, code)
    if said.status in (403, 404) and not looks:
        return Dead(said.status, code)
    return Declined(said.status, code)


def _quoted(id: str) -> str:
    return quote(id, safe="")
