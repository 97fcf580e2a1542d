"""How the bot reaches Slack, and how Slack reaches the bot: what the environment says, as one value."""

from dataclasses import dataclass
from typing import Literal

from pydantic import SecretStr

Mode = Literal["socket", "http"]

NOTHING = SecretStr("")

STATE_SECONDS = 600
"""How long a person may take between "Add to Slack" and "Allow"."""


@dataclass(frozen=True, slots=True)
class Workspaces:
    """What an app needs that several workspaces install."""

    client_id: str = ""
    client_secret: SecretStr = NOTHING
    token_key: SecretStr = NOTHING
    """Fernet keys with commas between them; the first encrypts, all decrypt."""
    database_url: SecretStr = NOTHING
    teams: frozenset[str] = frozenset()
    """The ids of the workspaces that may install the app; no other is answered."""


@dataclass(frozen=True, slots=True)
class Access:
    """Tokens and addresses; no secret shows in its repr."""

    mode: Mode
    api_url: str = "https://slack.com/api/"
    bot_token: SecretStr = NOTHING
    app_token: SecretStr = NOTHING
    signing_secret: SecretStr = NOTHING
    ping_interval: float = 5.0
    workspaces: Workspaces | None = None
    """Given where several workspaces install the app; then there is no one bot token."""

    @property
    def given(self) -> bool:
        """Whether anything of Slack is set at all."""
        return bool(self.workspaces or any((self.bot_token, self.app_token, self.signing_secret)))
