"""The workspaces that installed the app: Bolt's tables, in which no token can be read without the key."""

import asyncio
from collections.abc import Collection
from typing import Any, Final

from cryptography.fernet import InvalidToken, MultiFernet
from slack_bolt.error import BoltError
from slack_sdk.oauth.installation_store import Bot, Installation
from slack_sdk.oauth.installation_store.async_installation_store import AsyncInstallationStore
from slack_sdk.oauth.installation_store.sqlalchemy import SQLAlchemyInstallationStore
from slack_sdk.oauth.state_store.async_state_store import AsyncOAuthStateStore
from sqlalchemy import Select, Table, Text, delete, select
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.types import TypeDecorator

from adapters.slack.access import INSTALL_MAX_SECONDS
from adapters.slack.clients import NotInstalled, NotListed
from router.errors import SettingsError
from router.storage.database import Database, open_engine

STATE: Final = b"an installation was begun"

SECRET: Final = (
    "bot_token",
    "bot_refresh_token",
    "user_token",
    "user_refresh_token",
    "incoming_webhook_url",
    "incoming_webhook_configuration_url",
)


class Sealed(TypeDecorator[str]):
    """Text that is encrypted in the database; its type there has no length, as what is encrypted grows."""

    impl = Text
    cache_ok = False

    def __init__(self, fernet: MultiFernet) -> None:
        super().__init__()
        self._fernet = fernet

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Encrypt on the way in."""
        return None if value is None else self._fernet.encrypt(value.encode()).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:
        """Decrypt on the way out; raises InvalidToken if none of the keys fits."""
        return None if value is None else self._fernet.decrypt(value.encode()).decode()


class Installations(AsyncInstallationStore):
    """Bolt's installation store for SQLAlchemy, its tokens sealed, its calls made in threads.

    Only `teams` can install; of another, also one that was listed once, no token is given. Raises SettingsError if
    the database cannot be opened or a stored token not be decrypted.
    """

    def __init__(self, database: Database | str, client_id: str, fernet: MultiFernet, teams: Collection[str]) -> None:
        """Use the bot's database, or that of a URL; it is closed with this."""
        self.teams = frozenset(teams)
        try:
            self._engine = open_engine(database) if isinstance(database, str) else database.engine
            # The bot's database lends connections beside the engine's, which would keep its file open.
            self._close = self._engine.dispose if isinstance(database, str) else database.close
            self._store = SQLAlchemyInstallationStore(client_id, self._engine)
            self._tables: tuple[Table, ...] = (self._store.bots, self._store.installations)
            for table in self._tables:
                for column in (column for column in table.columns if column.name in SECRET):
                    column.type = Sealed(fernet)
            self._store.create_tables()
            self._seal()
        except (SQLAlchemyError, ImportError) as error:
            raise SettingsError(
                [f"SLACK_DATABASE_URL: the database of installations cannot be opened ({type(error).__name__})."]
            ) from error
        except InvalidToken as error:
            raise SettingsError(
                [
                    "SLACK_TOKEN_KEY: a stored token cannot be decrypted with it. Add the key that was used before "
                    "after a comma, or delete the database of installations and have the app installed again."
                ]
            ) from error
        self.states = States(fernet)
        with self._engine.connect() as connection:
            self.app = str(connection.scalar(self._bots(self._store.bots.c.app_id).limit(1)) or "")
        """The id of the app, which its installations name; empty before the first."""

    def _seal(self) -> None:
        """Encrypt every stored token with the first key, so that the keys after it may be taken away."""
        with self._engine.begin() as connection:
            for table in self._tables:
                secrets = [column for column in table.columns if column.name in SECRET]
                for row in connection.execute(select(table.c.id, *secrets)).mappings().all():
                    values = {column.name: row[column] for column in secrets}
                    connection.execute(table.update().where(table.c.id == row["id"]).values(values))

    def _bots(self, *wanted: Any, of: str = "") -> Select[Any]:
        """Return the query for this app's bots, the last one first; `of` one workspace, or of all."""
        c = self._store.bots.c
        mine = (c.client_id == self._store.client_id) & c.bot_token.is_not(None)
        return select(*wanted).where(mine & (c.team_id == of) if of else mine).order_by(c.installed_at.desc())

    @property
    def count(self) -> int:
        """The number of workspaces and organisations that have installed the app."""
        c = self._store.bots.c
        with self._engine.connect() as connection:
            return len(set(connection.execute(self._bots(c.enterprise_id, c.team_id))))

    async def token(self, team: str) -> str:
        """Return the bot token of a workspace; raises NotInstalled."""
        found = await asyncio.to_thread(self._token, team) if team in self.teams else None
        if found is None:
            raise NotInstalled(team)
        return found

    def _token(self, team: str) -> str | None:
        with self._engine.connect() as connection:
            found: str | None = connection.scalar(self._bots(self._store.bots.c.bot_token, of=team).limit(1))
            return found

    async def async_save(self, installation: Installation) -> None:
        """Keep an installation; raises NotListed, or BoltError, which the person who installs reads as a failure."""
        if installation.team_id not in self.teams:
            raise NotListed(installation.team_id)
        try:
            await asyncio.to_thread(self._store.save, installation)
            self.app = str(installation.app_id or "") or self.app
        except SQLAlchemyError as error:
            raise BoltError(f"The installation could not be kept ({type(error).__name__}).") from None

    async def async_find_bot(self, **where: Any) -> Bot | None:
        """Return the last bot of a workspace."""
        if where.get("team_id") not in self.teams:
            return None
        return await asyncio.to_thread(self._store.find_bot, **where)

    async def forget(self, team: str) -> None:
        """Delete everything that is kept of a workspace."""
        await asyncio.to_thread(self._forget, team)

    def _forget(self, team: str) -> None:
        with self._engine.begin() as connection:
            for table in self._tables:
                mine = (table.c.client_id == self._store.client_id) & (table.c.team_id == team)
                connection.execute(delete(table).where(mine))

    def close(self) -> None:
        """Close the database."""
        self._close()


class States(AsyncOAuthStateStore):
    """Tokens that tell a person's own installation from one that was slipped to them, each good for ten minutes.

    Bolt demands the same one of the person's browser, and Slack takes the code beside it once.
    """

    def __init__(self, fernet: MultiFernet) -> None:
        self._fernet = fernet

    async def async_issue(self, *args: Any, **kwargs: Any) -> str:
        """Return a new state."""
        return self._fernet.encrypt(STATE).decode().rstrip("=")  # a cookie holds it

    async def async_consume(self, state: str) -> bool:
        """Return whether this state was issued not long ago."""
        try:
            return self._fernet.decrypt(f"{state}==".encode(), INSTALL_MAX_SECONDS) == STATE
        except InvalidToken:
            return False
