"""Settings by which the bot reaches Slack and Slack reaches the bot, read from the environment into one value."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pydantic import SecretStr

from router.errors import SettingsError

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet


Mode = Literal["socket", "http"]

NO_SECRET = SecretStr("")

INSTALL_MAX_SECONDS = 600
"""The time that a person may take between "Add to Slack" and "Allow"."""


@dataclass(frozen=True, slots=True)
class Workspaces:
    """The settings of an app that several workspaces install."""

    client_id: str = ""
    client_secret: SecretStr = NO_SECRET
    token_key: SecretStr = NO_SECRET
    """Fernet keys with commas between them; the first encrypts, all decrypt."""
    database_url: SecretStr = NO_SECRET
    teams: frozenset[str] = frozenset()
    """The ids of the workspaces that may install the app; no other is answered."""


@dataclass(frozen=True, slots=True)
class SlackAccess:
    """Tokens and addresses; no secret shows in its repr."""

    mode: Mode
    api_url: str = "https://slack.com/api/"
    bot_token: SecretStr = NO_SECRET
    app_token: SecretStr = NO_SECRET
    signing_secret: SecretStr = NO_SECRET
    ping_interval: float = 5.0
    app_id: str = ""
    """The app's own id; empty: Slack is asked for it."""
    workspaces: Workspaces | None = None
    """Given if several workspaces install the app; then there is no one bot token."""

    @property
    def given(self) -> bool:
        """Return whether anything of Slack is set at all."""
        return bool(self.workspaces or any((self.bot_token, self.app_token, self.signing_secret)))


def new_key() -> str:
    """Return a new key for tokens."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key().decode()


def cipher(keys: str) -> "MultiFernet":
    """Return what encrypts with the first of several keys and decrypts with all; raises SettingsError."""
    from cryptography.fernet import Fernet, MultiFernet

    problems, fernets = [], []
    for number, key in enumerate((key.strip() for key in keys.split(",")), start=1):
        try:
            fernets.append(Fernet(key))
        except ValueError:
            problems.append(f"SLACK_TOKEN_KEY: key {number} is none; icc-bot slack --new-key prints one that is.")
    if problems:
        raise SettingsError(problems)
    return MultiFernet(fernets)
