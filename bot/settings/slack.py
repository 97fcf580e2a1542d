"""The Slack part of the environment."""

from typing import Annotated, Literal

from pydantic import AnyHttpUrl, BeforeValidator, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.slack.access import NO_SECRET, SlackAccess, Workspaces


class SlackSettings(BaseSettings):
    """Tokens and addresses of Slack; `slack` is what its adapter takes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    slack_bot_token: Annotated[
        SecretStr, Field(alias="SLACK_BOT_TOKEN", description="The bot's token; begins with xoxb-.")
    ] = NO_SECRET
    slack_app_token: Annotated[
        SecretStr, Field(alias="SLACK_APP_TOKEN", description="The app's token for Socket Mode; begins with xapp-.")
    ] = NO_SECRET
    slack_signing_secret: Annotated[
        SecretStr, Field(alias="SLACK_SIGNING_SECRET", description="What Slack signs its HTTP requests with.")
    ] = NO_SECRET
    slack_mode: Annotated[
        Literal["socket", "http"] | None,
        BeforeValidator(lambda given: given.strip().lower() if isinstance(given, str) else given),
        Field(alias="SLACK_MODE", description="How Slack reaches the bot: socket or http."),
    ] = None
    slack_api_url: Annotated[AnyHttpUrl, Field(alias="SLACK_API_URL", description="Where Slack's Web API answers.")] = (
        AnyHttpUrl("https://slack.com/api/")
    )
    slack_ping_interval: Annotated[
        float,
        Field(alias="SLACK_PING_INTERVAL", gt=0, description="Seconds between two looks at whether the socket lives."),
    ] = 5.0
    slack_client_id: Annotated[
        str, Field(alias="SLACK_CLIENT_ID", description="For an app that several workspaces install.")
    ] = ""
    slack_client_secret: Annotated[SecretStr, Field(alias="SLACK_CLIENT_SECRET", description="Its secret.")] = NO_SECRET
    slack_teams: Annotated[
        str, Field(alias="SLACK_TEAMS", description="The ids of the workspaces that may install it, with commas.")
    ] = ""
    slack_token_key: Annotated[
        SecretStr,
        Field(alias="SLACK_TOKEN_KEY", description="Keys that encrypt the workspaces' tokens, with commas between."),
    ] = NO_SECRET
    slack_database_url: Annotated[
        SecretStr, Field(alias="SLACK_DATABASE_URL", description="Where installations are kept; default: SQLite.")
    ] = NO_SECRET

    @property
    def slack(self) -> SlackAccess:
        """The access to Slack, and Slack's to the bot."""
        several = any((self.slack_client_id, self.slack_client_secret, self.slack_token_key))
        # What Socket Mode has no use for is set by those who want HTTP; whoever sets nothing yet is led to a socket.
        over_http = not self.slack_app_token and (several or bool(self.slack_signing_secret))
        return SlackAccess(
            mode=self.slack_mode or ("http" if over_http else "socket"),
            api_url=f"{str(self.slack_api_url).rstrip('/')}/",
            bot_token=self.slack_bot_token,
            app_token=self.slack_app_token,
            signing_secret=self.slack_signing_secret,
            ping_interval=self.slack_ping_interval,
            workspaces=Workspaces(
                self.slack_client_id,
                self.slack_client_secret,
                self.slack_token_key,
                self.slack_database_url,
                frozenset(team.strip() for team in self.slack_teams.split(",") if team.strip()),
            )
            if several
            else None,
        )
