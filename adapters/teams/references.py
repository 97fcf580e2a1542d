"""Where conversations can be written to, remembered on the disk.

All threads of a channel are written to alike: one row is kept for the channel, however many there are. Each dies by
itself, since the beginning of a thread can be deleted.
"""

from dataclasses import replace
from pathlib import Path

from adapters.chat.database import opened
from adapters.teams.reference import Reference

_TABLES = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, reference TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS dead (id TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS people (
    tenant TEXT NOT NULL, id TEXT NOT NULL, conversation TEXT NOT NULL, personal INTEGER NOT NULL,
    PRIMARY KEY (tenant, id, personal)
);
"""


class References:
    """The conversations of one bot; for the event loop's thread alone."""

    def __init__(self, path: Path) -> None:
        self._file = opened(path, _TABLES)

    def keep(self, reference: Reference, person: str = "", personal: bool = False) -> None:
        """Remember a conversation as it was heard just now, and that this person is in it."""
        base, tenant = _base(reference.conversation), reference.tenant
        whole = replace(reference, conversation=base).to_json()
        self._file.execute("INSERT OR REPLACE INTO conversations VALUES (?, ?, ?)", (base, tenant, whole))
        self._file.execute("DELETE FROM dead WHERE id IN (?, ?)", (base, reference.conversation))
        if person:
            self._file.execute(
                "INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)", (tenant, person, base, int(personal))
            )

    def of(self, conversation: str) -> Reference | None:
        """Return how a conversation is written to; None where that is not known, or does not work any more."""
        query = "SELECT reference FROM conversations WHERE id = ? AND ? NOT IN (SELECT id FROM dead)"
        row = self._file.execute(query, (_base(conversation), conversation)).fetchone()
        return replace(Reference.from_json(row[0]), conversation=conversation) if row else None

    def with_person(self, tenant: str, person: str) -> tuple[Reference | None, bool]:
        """Return a conversation that a person is in, their own with the bot before others; and whether it is that."""
        query = (
            "SELECT reference, personal FROM people JOIN conversations c ON c.id = conversation "
            "WHERE people.tenant = ? AND people.id = ? AND c.id NOT IN (SELECT id FROM dead) "
            "ORDER BY personal DESC LIMIT 1"
        )
        row = self._file.execute(query, (tenant, person)).fetchone()
        return (Reference.from_json(row[0]), bool(row[1])) if row else (None, False)

    def beside(self, tenant: str, channel: str) -> Reference | None:
        """Return how a channel is written to in which nobody has spoken yet: as the others of its tenant are."""
        query = "SELECT reference FROM conversations WHERE tenant = ? AND id NOT IN (SELECT id FROM dead) LIMIT 1"
        row = self._file.execute(query, (tenant,)).fetchone()
        return replace(Reference.from_json(row[0]), conversation=channel, team="") if row else None

    def personal(self, conversation: str) -> bool:
        """Tell whether a conversation is one person's own with the bot."""
        query = "SELECT 1 FROM people WHERE conversation = ? AND personal LIMIT 1"
        return self._file.execute(query, (conversation,)).fetchone() is not None

    def bury(self, conversation: str) -> None:
        """Note that a conversation takes nothing any more, until it is heard again."""
        self._file.execute("INSERT OR IGNORE INTO dead VALUES (?)", (conversation,))

    def channels(self, team: str) -> set[str]:
        """Return the channels of a team that are known; none for a chat, which has no team."""
        if not team:
            return set()
        query = "SELECT id FROM conversations WHERE json_extract(reference, '$.team') = ?"
        return {id for (id,) in self._file.execute(query, (team,))}

    def forget(self, channel: str) -> None:
        """Delete a chat, or a channel with its threads, and who was in it."""
        for table, name in (("conversations", "id"), ("people", "conversation")):
            self._file.execute(f"DELETE FROM {table} WHERE {name} = ?", (channel,))
        within = "id = ? OR substr(id, 1, ?) = ?"
        self._file.execute(f"DELETE FROM dead WHERE {within}", (channel, len(channel) + 1, f"{channel};"))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _base(conversation: str) -> str:
    """Return the channel of a thread; a chat is its own."""
    return conversation.partition(";")[0]
