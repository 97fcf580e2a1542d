"""The part of the environment about people who help."""

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from router.humans import Reach, reach_of


class HandoffSettings(BaseSettings):
    """Where people are asked about questions that the bot could not help with; `reach` is what the router takes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    handoff_channel: Annotated[
        str,
        Field(
            alias="HANDOFF_CHANNEL",
            description="The channel where people help: slack:C0123ABCD #data-help; one of each platform, with commas.",
        ),
    ] = ""
    handoff_email: Annotated[
        str, Field(alias="HANDOFF_EMAIL", description="The address of people who help, where no channel is.")
    ] = ""

    @property
    def reach(self) -> Reach:
        """Where people are asked; raises SettingsError with every problem."""
        return reach_of(self.handoff_channel, self.handoff_email)
