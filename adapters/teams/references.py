"""Where conversations can be written to, remembered on the disk; dead ones are marked."""

from pathlib import Path

from adapters.chat.database import opened
from adapters.teams.reference import Reference

_TABLES = """
CREATE TABLE IF NOT EXISTS conversations (
    id TEXT PRIMARY KEY, tenant TEXT NOT NULL, reference TEXT NOT NULL, dead INTEGER NOT NULL DEFAULT 0
);
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
        id, tenant = reference.conversation, reference.tenant
        self._file.execute(
            "INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, 0)", (id, tenant, reference.to_json())
        )
        if person:
            self._file.execute("INSERT OR REPLACE INTO people VALUES (?, ?, ?, ?)", (tenant, person, id, int(personal)))

    def of(self, conversation: str) -> Reference | None:
        """Return how a conversation is written to; None where that is not known, or does not work any more."""
        query = "SELECT reference FROM conversations WHERE id = ? AND NOT dead"
        row = self._file.execute(query, (conversation,)).fetchone()
        return Reference.from_json(row[0]) if row else None

    def with_person(self, tenant: str, person: str) -> tuple[Reference | None, bool]:
        """Return a conversation that a person is in, their own with the bot before others; and whether it is that."""
        query = (
            "SELECT reference, personal FROM people JOIN conversations c ON c.id = conversation "
            "WHERE people.tenant = ? AND people.id = ? AND NOT dead ORDER BY personal DESC LIMIT 1"
        )
        row = self._file.execute(query, (tenant, person)).fetchone()
        return (Reference.from_json(row[0]), bool(row[1])) if row else (None, False)

    def personal(self, conversation: str) -> bool:
        """Tell whether a conversation is one person's own with the bot."""
        query = "SELECT 1 FROM people WHERE conversation = ? AND personal LIMIT 1"
        return self._file.execute(query, (conversation,)).fetchone() is not None

    def bury(self, conversation: str) -> None:
        """Note that a conversation takes nothing any more, until it is heard again."""
        self._file.execute("UPDATE conversations SET dead = 1 WHERE id = ?", (conversation,))

    def channels(self, team: str) -> set[str]:
        """Return the channels of a team that are known; none for a chat, which has no team."""
        if not team:
            return set()
        query = "SELECT id FROM conversations WHERE json_extract(reference, '$.team') = ?"
        return {id.partition(";")[0] for (id,) in self._file.execute(query, (team,))}

    def forget(self, channel: str) -> None:
        """Delete a chat, or a channel with its threads, and who was in it."""
        for table, name in (("conversations", "id"), ("people", "conversation")):
            within = f"{name} = ? OR substr({name}, 1, ?) = ?"
            self._file.execute(f"DELETE FROM {table} WHERE {within}", (channel, len(channel) + 1, f"{channel};"))

    def close(self) -> None:
        """Close the file."""
        self._file.close()
