"""The environment as one value: every problem is reported at once, with its remedy."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import AfterValidator, AliasChoices, AnyHttpUrl, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.remote.address import ApiAddress, address_of_api
from bot.settings.mail import HandoffSettings, MailSettings
from bot.settings.slack import SlackSettings
from bot.settings.teams import TeamsSettings
from router.errors import SettingsError
from router.jobs.audit_seal import KEY_MIN_CHARS
from router.memory.recurrence import zone_known
from router.text_to_sql.question import Orchestrator

CONNECTIONS_FILE = Path("connections.toml")

# Another process's jobs API, and the tokens of the own one.


class RemoteSettings(BaseSettings):
    """The jobs API that does the jobs, if they are not done here; `jobs_api` is what the rest of the bot takes."""

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
    def jobs_api(self) -> ApiAddress | None:
        """The API that does the jobs, None where they are done here; raises SettingsError with every problem."""
        if not self.base_url.strip():
            return None
        return address_of_api(self.base_url, self.api_token, self.api_allow_http)


class ApiSettings(BaseSettings):
    """Tokens that let programs in, beside those of the file that `icc-bot api --new-token` writes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    api_tokens: Annotated[
        SecretStr,
        Field(
            alias="API_TOKENS", description="Tokens of the API, as NAME PERSON SCOPES HASH, with semicolons between."
        ),
    ] = SecretStr("")


def _token(token: SecretStr | None) -> SecretStr | None:
    if token and not re.fullmatch("off|[A-Za-z0-9_-]{16,}", token.get_secret_value()):
        raise ValueError("a token has 16 or more letters, digits, - and _")
    return token


def _zone(name: str) -> str:
    if not (known := zone_known(name.strip())):
        raise ValueError("there is no such time zone; one is written Europe/Vienna")
    return known


class Settings(SlackSettings, TeamsSettings, MailSettings, HandoffSettings, ApiSettings, RemoteSettings):
    """The settings: the environment, and the file .env in the working directory."""

    home: Annotated[Path, Field(alias="ICC_BOT_HOME", description="The folder for state, results and caches.")] = Path(
        platformdirs.user_data_dir("icc-bot", appauthor=False)
    )
    email: Annotated[
        str,
        Field(alias="ICC_BOT_EMAIL", description="Who you are on the page and in the terminal, for rights by e-mail."),
    ] = ""
    connections: Annotated[
        Path | None,
        Field(
            alias="ICC_BOT_CONNECTIONS",
            description="The file of connections; else connections.toml here, else the sample.",
        ),
    ] = None
    sql_model: Annotated[
        str | None,
        Field(
            alias="SQL_MODEL_NAME",
            description="The model that writes SQL: an Ollama name, provider:model, or embedded.",
        ),
    ] = None
    model: Annotated[
        str | None, Field(alias="MODEL_NAME", description="The model that reads parameters out of sentences.")
    ] = None
    embedding_model: Annotated[
        str,
        Field(
            alias="EMBEDDING_MODEL_NAME",
            description="The model that finds examples by what they mean: an Ollama name, or openai:NAME.",
        ),
    ] = ""
    ollama_base_url: Annotated[
        AnyHttpUrl | None, Field(alias="OLLAMA_BASE_URL", description="Where Ollama answers.")
    ] = None
    model_base_url: Annotated[
        AnyHttpUrl | None,
        Field(
            alias="MODEL_BASE_URL",
            validation_alias=AliasChoices("MODEL_BASE_URL", "OPENAI_BASE_URL"),
            description="Where an openai:... model answers, such as vLLM or llama-server.",
        ),
    ] = None
    model_api_key: Annotated[
        SecretStr | None,
        Field(
            alias="MODEL_API_KEY",
            validation_alias=AliasChoices("MODEL_API_KEY", "OPENAI_API_KEY"),
            description="The key of that server, if it wants one.",
        ),
    ] = None
    model_timeout: Annotated[
        float, Field(alias="SQL_MODEL_TIMEOUT", gt=0, description="Seconds that the SQL model may take for one answer.")
    ] = 180.0
    orchestrator: Annotated[
        Orchestrator,
        Field(alias="ICC_BOT_ORCHESTRATOR", description="Who chooses the next step on the way to SQL: rules or model."),
    ] = "rules"
    prompt_logging: Annotated[
        bool, Field(alias="ENABLE_PROMPT_LOGGING", description="Write every prompt and answer to prompt_logs/.")
    ] = False
    result_days: Annotated[
        float, Field(alias="ICC_BOT_RESULT_DAYS", gt=0, description="Days that results are kept.")
    ] = 7.0
    approval_hours: Annotated[
        float,
        Field(alias="ICC_BOT_APPROVAL_HOURS", gt=0, description="Hours after which SQL must be shown again to be run."),
    ] = 168.0
    time_zone: Annotated[
        str,
        Field(alias="ICC_BOT_TIME_ZONE", description="The time zone of people whose own is not known: Europe/Vienna."),
        AfterValidator(_zone),
    ] = "UTC"
    audit_key: Annotated[
        SecretStr | None,
        Field(
            alias="ICC_BOT_AUDIT_KEY",
            min_length=KEY_MIN_CHARS,
            description="The key that seals the audit trail; else one is made in the folder.",
        ),
    ] = None
    most_schedules: Annotated[
        int,
        # A menu of Slack takes a hundred answers; what is paused has two.
        Field(alias="ICC_BOT_SCHEDULES", ge=0, le=50, description="How many queries one person may have repeated."),
    ] = 20
    port: Annotated[
        int, Field(alias="PORT", ge=0, le=65535, description="The port of the page, or of a bot's HTTP side.")
    ] = 8080

    web_token: Annotated[
        SecretStr | None,
        Field(alias="ICC_BOT_WEB_TOKEN", description="The token in the page's link, or off; by default one is made."),
        AfterValidator(_token),
    ] = None

    @property
    def page_token(self) -> str | None:
        """The page's token where it is the person's own, "" where none is wanted, None where one is to be made."""
        own = self.web_token.get_secret_value() if self.web_token else None
        return "" if own == "off" else own

    @property
    def audit_trail(self) -> Path:
        """The file of the audit trail."""
        return self.home / "audit.jsonl"

    @property
    def audit_secret(self) -> str:
        """The key that seals the audit trail; empty where it is to be kept in the folder."""
        return self.audit_key.get_secret_value() if self.audit_key else ""

    @property
    def results_kept(self) -> timedelta:
        """The time that results are kept."""
        return timedelta(days=self.result_days)

    @property
    def approval_time(self) -> timedelta:
        """The time in which a shown SQL text may be approved."""
        return timedelta(hours=self.approval_hours)


PROBLEM_SENTENCES = {
    "SLACK_MODE": "SLACK_MODE must be socket or http.",
    "PORT": "PORT must be a number from 0 to 65535.",
    "ICC_BOT_WEB_TOKEN": "ICC_BOT_WEB_TOKEN must be off, or 16 or more letters, digits, - and _.",
    "ICC_BOT_AUDIT_KEY": f"ICC_BOT_AUDIT_KEY must have at least {KEY_MIN_CHARS} characters.",
}
"""Sentences on wrong settings, where they are plainer than pydantic's words."""


def read_settings() -> Settings:
    """Return the settings; raises SettingsError with a sentence for each that is wrong, never with its value."""
    try:
        settings = Settings()
    except ValidationError as error:
        raise SettingsError(
            [_sentence("/".join(map(str, e["loc"])), e["msg"]) for e in error.errors(include_input=False)]
        ) from None
    return settings.model_copy(update={"home": settings.home.expanduser().absolute()})


def _sentence(name: str, problem: str) -> str:
    return PROBLEM_SENTENCES.get(name) or f"{name}: {problem}. See .env.example."


def connections_file(settings: Settings) -> Path | None:
    """Return the file that names the databases; None where the sample is asked, or a jobs API is."""
    if settings.base_url:
        return None
    return settings.connections or (CONNECTIONS_FILE if CONNECTIONS_FILE.exists() else None)
