"""The environment as one value: every problem is reported at once, with its remedy."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import platformdirs
from pydantic import AfterValidator, AliasChoices, AnyHttpUrl, Field, SecretStr, ValidationError

from bot.api_settings import ApiSettings
from bot.handoff_settings import HandoffSettings
from bot.mail_settings import MailSettings
from bot.remote_settings import RemoteSettings
from bot.slack_settings import SlackSettings
from bot.teams_settings import TeamsSettings
from router.agents.options import Orchestrator
from router.errors import SettingsError
from router.jobs.audit_seal import KEY_MIN_CHARS
from router.timing import zone_known


def _token(token: SecretStr | None) -> SecretStr | None:
    if token and not re.fullmatch("off|[A-Za-z0-9_-]{16,}", token.get_secret_value()):
        raise ValueError("a token has 16 or more letters, digits, - and _")
    return token


def _zone(name: str) -> str:
    if not (known := zone_known(name.strip())):
        raise ValueError("there is no such time zone; one is written Europe/Vienna")
    return known


class Settings(SlackSettings, TeamsSettings, MailSettings, HandoffSettings, ApiSettings, RemoteSettings):
    """What the environment, or a file .env in the working directory, says."""

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
    def results_kept(self) -> timedelta:
        """How long results are kept."""
        return timedelta(days=self.result_days)

    @property
    def approval_time(self) -> timedelta:
        """How long a shown SQL text may be approved."""
        return timedelta(hours=self.approval_hours)


SENTENCES = {
    "SLACK_MODE": "SLACK_MODE must be socket or http.",
    "PORT": "PORT must be a number from 0 to 65535.",
    "ICC_BOT_WEB_TOKEN": "ICC_BOT_WEB_TOKEN must be off, or 16 or more letters, digits, - and _.",
    "ICC_BOT_AUDIT_KEY": f"ICC_BOT_AUDIT_KEY must have at least {KEY_MIN_CHARS} characters.",
}
"""What is said of a setting that is wrong, where that is plainer than pydantic's words."""


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
    return SENTENCES.get(name) or f"{name}: {problem}. See .env.example."
