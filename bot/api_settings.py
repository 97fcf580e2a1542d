"""The jobs API's part of the environment."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


class ApiSettings(BaseSettings):
    """Who may use the API, beside those of the file that `icc-bot api --new-token` writes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    api_tokens: Annotated[
        SecretStr,
        Field(
            alias="API_TOKENS", description="Tokens of the API, as NAME PERSON SCOPES HASH, with semicolons between."
        ),
    ] = SecretStr("")
