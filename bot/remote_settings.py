"""The part of the environment that names another process's jobs API."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.remote.address import Address, address_of_api


class RemoteSettings(BaseSettings):
    """Where jobs are done, if not here; `jobs_api` is what the rest of the bot takes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    base_url: Annotated[
        str,
        Field(alias="BASE_URL", description="The jobs API that does all jobs, such as https://jobs.example.com."),
    ] = ""
    api_token: Annotated[
        SecretStr, Field(alias="API_TOKEN", description="The bot's token there, with the scope act_for.")
    ] = SecretStr("")
    api_allow_http: Annotated[
        bool, Field(alias="API_ALLOW_HTTP", description="Whether BASE_URL may be http on another machine.")
    ] = False

    @property
    def jobs_api(self) -> Address | None:
        """The API that does the jobs, None where they are done here; raises SettingsError with every problem."""
        if not self.base_url.strip():
            return None
        return address_of_api(self.base_url, self.api_token, self.api_allow_http)
