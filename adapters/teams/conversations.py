"""The addresses of conversations, remembered on the disk.

All threads of a channel are written to alike: one row is kept for the channel, however many there are. One that takes
nothing any more keeps its row, without a reference.
"""

from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row, Select, bindparam, delete, select, update

from adapters.teams.access import is_safe
from adapters.teams.json_fields import text
from router.storage.database import Database, upsert
from router.storage.tables import conversation_people as people
from router.storage.tables import conversations


@dataclass(frozen=True, slots=True)
class Reference:
    """A conversation, and where the bot is in it; raises ValueError if a token must not go to `service_url`."""

    service_url: str
    conversation: str
    """The whole id, with the `;messageid=...` that makes it a thread of a channel."""
    tenant: str = ""
    channel: str = "msteams"
    bot_id: str = ""
    bot_name: str = ""
    locale: str = ""
    team: str = ""
    """The team of a channel; its people are asked for there."""
    person: str = ""
    """The person whose own chat it is, by Teams' id; empty if others read it, or that is not known."""

    def __post_init__(self) -> None:
        if not is_safe(self.service_url):
            raise ValueError("a service address must be https, or this machine")


_REFERENCES = TypeAdapter(Reference)


def reference_of(activity: dict[str, Any]) -> Reference:
    """Return the reference of the conversation of an activity that was let in: its service address is signed for."""
    conversation, data, bot = activity["conversation"], activity["channelData"], activity["recipient"]
    return Reference(
        service_url=activity["serviceUrl"],
        conversation=conversation["id"],
        tenant=text(conversation, "tenantId") or text(data.get("tenant"), "id"),
        channel=activity["channelId"],
        bot_id=text(bot, "id"),
        bot_name=text(bot, "name"),
        locale=text(activity, "locale"),
        team=text(data.get("team"), "id"),
        person=text(activity["from"], "id") if text(conversation, "conversationType") == "personal" else "",
    )


class References:
    """The conversations of one bot; thread-safe."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, reference: Reference, person: str = "", personal: bool = False) -> None:
        """Remember a conversation as it was heard just now, and that this person is in it."""
        base, tenant = _base(reference.conversation), reference.tenant
        whole = _REFERENCES.dump_json(replace(reference, conversation=base)).decode()
        row = {"id": base, "tenant": tenant, "team": reference.team, "reference": whole}
        with self._database.writing() as connection:
            upsert(connection, conversations, row)
            if person:
                place = {"tenant": tenant, "id": person, "personal": personal}
                upsert(connection, people, {**place, "conversation": base})

    def of(self, conversation: str) -> Reference | None:
        """Return how a conversation is written to; None if that is not known, or does not work any more."""
        row = self._first(_REFERENCE, {"of_id": _base(conversation)})
        return replace(_REFERENCES.validate_json(row[0]), conversation=conversation) if row else None

    def with_person(self, tenant: str, person: str) -> tuple[Reference | None, bool]:
        """Return a conversation that a person is in, their own with the bot before others; and whether it is that."""
        row = self._first(_WITH_PERSON, {"of_tenant": tenant, "of_person": person})
        return (_REFERENCES.validate_json(row.reference), row.personal) if row else (None, False)

    def beside(self, tenant: str, channel: str) -> Reference | None:
        """Return how a channel is written to in which nobody has spoken yet: as the others of its tenant are."""
        row = self._first(_OF_TENANT, {"of_tenant": tenant})
        return replace(_REFERENCES.validate_json(row[0]), conversation=channel, team="") if row else None

    def is_personal(self, conversation: str) -> bool:
        """Return whether a conversation is one person's own with the bot."""
        return self._first(_PERSONAL, {"of_id": conversation}) is not None

    def bury(self, conversation: str) -> None:
        """Note that a chat or a channel takes nothing any more, until it is heard again; a thread is tried again."""
        with self._database.writing() as connection:
            connection.execute(_BURY, {"of_id": conversation})

    def channels(self, team: str) -> set[str]:
        """Return the channels of a team that are known; none for a chat, which has no team."""
        if not team:
            return set()
        with self._database.reading() as connection:
            return set(connection.execute(select(conversations.c.id).where(conversations.c.team == team)).scalars())

    def forget(self, channel: str) -> None:
        """Delete a chat, or a channel with its threads, and who was in it."""
        with self._database.writing() as connection:
            connection.execute(delete(conversations).where(conversations.c.id == channel))
            connection.execute(delete(people).where(people.c.conversation == channel))

    def _first(self, query: Select[Any], values: dict[str, str]) -> Row[Any] | None:
        with self._database.reading() as connection:
            return connection.execute(query, values).first()


# Built once: that takes longer than to execute them.
_ALIVE = conversations.c.reference != ""
_THIS = conversations.c.id == bindparam("of_id")
_BURY = update(conversations).where(_THIS).values(reference="")
_REFERENCE = select(conversations.c.reference).where(_THIS, _ALIVE)
_WITH_PERSON = (
    select(conversations.c.reference, people.c.personal)
    .join_from(people, conversations, conversations.c.id == people.c.conversation)
    .where(people.c.tenant == bindparam("of_tenant"), people.c.id == bindparam("of_person"), _ALIVE)
    .order_by(people.c.personal.desc())
    .limit(1)
)
_OF_TENANT = select(conversations.c.reference).where(conversations.c.tenant == bindparam("of_tenant"), _ALIVE).limit(1)
_PERSONAL = select(people.c.id).where(people.c.conversation == bindparam("of_id"), people.c.personal).limit(1)


def _base(conversation: str) -> str:
    """Return the channel of a thread; a chat is its own."""
    return conversation.partition(";")[0]
