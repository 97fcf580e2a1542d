"""The environment as one value: every problem is reported at once, with its remedy."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import AfterValidator, AliasChoices, AnyHttpUrl, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.remote.address import ApiAddress, address_of_api
from adapters.slack.access import NO_SECRET, SlackAccess, Workspaces
from adapters.teams.access import LOGIN, Kind, TeamsAccess
from router.errors import SettingsError
from router.jobs.audit_seal import KEY_MIN_CHARS
from router.jobs.mail.mail_config import MailConfig, build_mail_config
from router.memory.recurrence import zone_known
from router.notifier import Responders, responders_of
from router.storage.server import server_url
from router.text_to_sql.question import Orchestrator

CONNECTIONS_FILE = Path("connections.toml")


class _Environment(BaseSettings):
    """A part of the environment, or of the file .env in the working directory."""

    model_config = SettingsConfigDict(
        env_file=".env",
        env_file_encoding="utf-8",
        extra="ignore",
        env_ignore_empty=True,
        alias_generator=str.upper,
        use_attribute_docstrings=True,
    )


class SlackSettings(_Environment):
    """Tokens and addresses of Slack; `slack` is what its adapter takes."""

    slack_bot_token: SecretStr = NO_SECRET
    """The bot's token; begins with xoxb-."""
    slack_app_token: SecretStr = NO_SECRET
    """The app's token for Socket Mode; begins with xapp-."""
    slack_signing_secret: SecretStr = NO_SECRET
    """The secret that Slack signs its HTTP requests with."""
    slack_mode: Annotated[
        Literal["socket", "http"] | None,
        BeforeValidator(lambda given: given.strip().lower() if isinstance(given, str) else given),
    ] = None
    """The way Slack reaches the bot: socket or http."""
    slack_api_url: AnyHttpUrl = AnyHttpUrl("https://slack.com/api/")
    """The address of Slack's Web API."""
    slack_ping_interval: float = Field(default=5.0, gt=0)
    """Seconds between two looks at whether the socket lives."""
    slack_app_id: str = ""
    """The app's id, if Slack is not to be asked for it."""
    slack_contact: str = ""
    """The contact for questions about the bot, named on its pages."""
    slack_client_id: str = ""
    """For an app that several workspaces install."""
    slack_client_secret: SecretStr = NO_SECRET
    """Its secret."""
    slack_teams: str = ""
    """The ids of the workspaces that may install it, with commas."""
    slack_token_key: SecretStr = NO_SECRET
    """Keys that encrypt the workspaces' tokens, with commas between."""
    slack_database_url: SecretStr = NO_SECRET
    """The database of installations; default: SQLite."""

    @property
    def slack(self) -> SlackAccess:
        """The access to Slack, and Slack's to the bot."""
        several = any((self.slack_client_id, self.slack_client_secret, self.slack_token_key))
        # What Socket Mode has no use for is set by those who want HTTP; with no setting at all a socket is used.
        over_http = not self.slack_app_token and (several or bool(self.slack_signing_secret))
        return SlackAccess(
            mode=self.slack_mode or ("http" if over_http else "socket"),
            api_url=f"{str(self.slack_api_url).rstrip('/')}/",
            bot_token=self.slack_bot_token,
            app_token=self.slack_app_token,
            signing_secret=self.slack_signing_secret,
            ping_interval=self.slack_ping_interval,
            app_id=self.slack_app_id.strip(),
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


class TeamsSettings(_Environment):
    """Ids, credentials and addresses of Teams; `teams` is what its adapter takes."""

    teams_app_id: str = Field(default="", alias="MicrosoftAppId")
    """The Microsoft App ID of the Azure Bot; a GUID."""
    teams_app_type: Kind | None = Field(default=None, alias="MicrosoftAppType")
    """SingleTenant, UserAssignedMSI or MultiTenant."""
    teams_app_tenant: str = Field(default="", alias="MicrosoftAppTenantId")
    """The tenant that the app is registered in; a GUID."""
    teams_app_password: SecretStr = Field(default=NO_SECRET, alias="MicrosoftAppPassword")
    """The value of a client secret of the app."""
    teams_app_certificate: Path | None = Field(default=None, alias="MicrosoftAppCertificate")
    """In place of the password: a PEM file with the private key and its certificate."""
    teams_allowed_tenants: str = ""
    """The tenants whose people are answered, with commas between; default: the app's."""
    teams_public_url: str = ""
    """The https address of the bot, from which people fetch files."""
    teams_upload_hosts: str = ""
    """The domains beside SharePoint's where people's OneDrives are, with commas between."""
    teams_contact: str = ""
    """The contact for questions about the bot, named on its page on privacy."""
    teams_login_url: AnyHttpUrl = AnyHttpUrl(LOGIN)
    """The address where Entra gives tokens; other clouds have another."""
    teams_openid_url: AnyHttpUrl | None = None
    """The address where the keys of what Teams sends are announced."""

    @property
    def teams(self) -> TeamsAccess:
        """The access to Teams, and the tenants that are answered."""
        return TeamsAccess(
            app_id=self.teams_app_id.strip().lower(),
            kind=self.teams_app_type,
            tenant=self.teams_app_tenant.strip().lower(),
            password=self.teams_app_password,
            certificate=self.teams_app_certificate,
            allowed=_names(self.teams_allowed_tenants),
            upload_hosts=_names(self.teams_upload_hosts),
            login_url=str(self.teams_login_url).rstrip("/"),
            openid_url=str(self.teams_openid_url or ""),
        )


class MailSettings(_Environment):
    """By which server e-mails are sent, as whom and to whom; `mail_config` is what the router takes."""

    smtp_url: SecretStr = NO_SECRET
    """The mail server: smtp://user:password@host:587, or smtps://…:465."""
    email_from: str = ""
    """The sender of e-mails: Reports <reports@example.com>."""
    email_domains: str = Field(default="", alias="EMAIL_ALLOWED_DOMAINS")
    """The domains that get e-mails, with commas between; default: that of EMAIL_FROM; *: all."""
    email_recipients: int = Field(default=20, alias="EMAIL_MAX_RECIPIENTS", gt=0)
    """The number of people that one e-mail may go to."""
    email_megabytes: float = Field(default=10.0, alias="EMAIL_MAX_MB", gt=0, le=1000)
    """The size of one e-mail, at most, in megabytes."""

    @property
    def mail_config(self) -> MailConfig | None:
        """The rules of sending e-mails, None if none are sent; raises SettingsError with every problem."""
        if not self.smtp_url.get_secret_value().strip():
            if self.email_from.strip():
                raise SettingsError(["EMAIL_FROM is set, and no mail server that sends: set SMTP_URL too."])
            return None
        if not self.email_from.strip():
            raise SettingsError(["SMTP_URL is set, and nobody that e-mails come from: set EMAIL_FROM too."])
        return build_mail_config(
            self.smtp_url, self.email_from, self.email_domains, self.email_recipients, self.email_megabytes
        )


class HandoffSettings(_Environment):
    """Settings of the people who are asked when the bot could not help; `reach` is what the router takes."""

    handoff_channel: str = ""
    """The channel where people help: slack:C0123ABCD #data-help; one of each platform, with commas."""
    handoff_email: str = ""
    """The address of people who help, if no channel is."""

    @property
    def reach(self) -> Responders:
        """The channels and the address of the people who are asked; raises SettingsError with every problem."""
        return responders_of(self.handoff_channel, self.handoff_email)


class RemoteSettings(_Environment):
    """The jobs API that does the jobs, if they are not done here; `jobs_api` is what the rest of the bot takes."""

    base_url: str = ""
    """The jobs API that does all jobs, such as https://jobs.example.com."""
    table_api_base_url: str = ""
    """The address of its requests about connections and tables, if that is another one."""
    api_token: SecretStr = NO_SECRET
    """The bot's token there, with the scope act_for."""
    api_allow_http: bool = False
    """True if BASE_URL may be http on another machine."""

    @property
    def jobs_api(self) -> ApiAddress | None:
        """The API that does the jobs, None if they are done here; raises SettingsError with every problem."""
        if not self.base_url.strip():
            return None
        return address_of_api(self.base_url, self.api_token, self.api_allow_http, self.table_api_base_url)


def _token(token: SecretStr | None) -> SecretStr | None:
    if token and not re.fullmatch("off|[A-Za-z0-9_-]{16,}", token.get_secret_value()):
        raise ValueError("a token has 16 or more letters, digits, - and _")
    return token


def _zone(name: str) -> str:
    if not (known := zone_known(name.strip())):
        raise ValueError("there is no such time zone; one is written Europe/Vienna")
    return known


def _names(given: str) -> frozenset[str]:
    """Return names with commas between, in lower case."""
    return frozenset(filter(None, (name.strip().lower() for name in given.split(","))))


def _upper(given: object) -> object:
    return given.strip().upper() if isinstance(given, str) else given


def _server(given: SecretStr) -> SecretStr:
    """Return the address of a PostgreSQL database as our driver takes it; raises ValueError."""
    text = given.get_secret_value()
    url = server_url(text) if text.strip() else ""
    if url is None:
        raise ValueError("no address of a PostgreSQL database")
    return SecretStr(url)


class Settings(SlackSettings, TeamsSettings, MailSettings, HandoffSettings, RemoteSettings):
    """The settings: the environment, and the file .env in the working directory."""

    home: Path = Field(default=Path(platformdirs.user_data_dir("icc-bot", appauthor=False)), alias="ICC_BOT_HOME")
    """The folder for state, results and caches."""
    database_url: Annotated[SecretStr, AfterValidator(_server)] = Field(default=NO_SECRET, alias="ICC_BOT_DATABASE_URL")
    """A PostgreSQL database for all state, in place of files in the folder."""
    email: str = Field(default="", alias="ICC_BOT_EMAIL")
    """Your address on the page and in the terminal, for rights by e-mail."""
    connections: Path | None = Field(default=None, alias="ICC_BOT_CONNECTIONS")
    """The file of connections; else connections.toml here; the page has a sample else."""
    sql_model: str | None = Field(default=None, alias="SQL_MODEL_NAME")
    """The model that writes SQL: an Ollama name, provider:model, or embedded."""
    model: str | None = Field(default=None, alias="MODEL_NAME")
    """The model that reads parameters out of sentences."""
    embedding_model: str = Field(default="", alias="EMBEDDING_MODEL_NAME")
    """The model that finds examples by what they mean: an Ollama name, or openai:NAME."""
    ollama_base_url: AnyHttpUrl | None = None
    """The address of Ollama."""
    model_base_url: AnyHttpUrl | None = Field(
        default=None, validation_alias=AliasChoices("MODEL_BASE_URL", "OPENAI_BASE_URL")
    )
    """The address of an openai:... model, such as vLLM or llama-server."""
    model_api_key: SecretStr | None = Field(
        default=None, validation_alias=AliasChoices("MODEL_API_KEY", "OPENAI_API_KEY")
    )
    """The key of that server, if it wants one."""
    model_timeout: float = Field(default=180.0, alias="SQL_MODEL_TIMEOUT", gt=0)
    """Seconds that the SQL model may take for one answer."""
    collector: str = Field(default="", alias="OTEL_EXPORTER_OTLP_ENDPOINT")
    """The address of an OpenTelemetry collector, over HTTP; without it nothing is traced."""
    orchestrator: Orchestrator = Field(default="rules", alias="ICC_BOT_ORCHESTRATOR")
    """The chooser of the next step on the way to SQL: rules or model."""
    prompt_logging: bool = Field(default=False, alias="ENABLE_PROMPT_LOGGING")
    """Write every prompt and answer to prompt_logs/."""
    result_days: float = Field(default=7.0, alias="ICC_BOT_RESULT_DAYS", gt=0)
    """Days that results are kept."""
    approval_hours: float = Field(default=168.0, alias="ICC_BOT_APPROVAL_HOURS", gt=0)
    """Hours after which SQL must be shown again to be run."""
    time_zone: Annotated[str, AfterValidator(_zone)] = Field(default="UTC", alias="ICC_BOT_TIME_ZONE")
    """The time zone of people whose own is not known: Europe/Vienna."""
    audit_key: SecretStr | None = Field(default=None, alias="ICC_BOT_AUDIT_KEY", min_length=KEY_MIN_CHARS)
    """The key that seals the audit trail; else one is made in the folder."""
    # A menu of Slack takes a hundred answers; what is paused has two.
    most_schedules: int = Field(default=20, alias="ICC_BOT_SCHEDULES", ge=0, le=50)
    """The number of schedules that one person may have."""
    port: int = Field(default=8080, ge=0, le=65535)
    """The port of the page, or of a bot's HTTP side."""
    metrics_token: SecretStr = Field(default=NO_SECRET, alias="ICC_BOT_METRICS_TOKEN")
    """The token with which Prometheus reads /metrics; without it there is none."""
    log_level: Annotated[Literal["DEBUG", "INFO", "WARNING", "ERROR"], BeforeValidator(_upper)] = Field(
        default="INFO", alias="ICC_BOT_LOG_LEVEL"
    )
    """The level of the log: DEBUG, INFO, WARNING or ERROR."""
    log_format: Annotated[Literal["TEXT", "JSON"], BeforeValidator(_upper)] = Field(
        default="TEXT", alias="ICC_BOT_LOG_FORMAT"
    )
    """The lines of the log: text, or json."""
    web_token: Annotated[SecretStr | None, AfterValidator(_token)] = Field(default=None, alias="ICC_BOT_WEB_TOKEN")
    """The token in the page's link, or off; by default one is made."""

    @property
    def server(self) -> str:
        """The database of all state, as SQLAlchemy takes its address; empty if that is in files."""
        return self.database_url.get_secret_value()

    @property
    def watcher(self) -> str:
        """Return the token with which Prometheus reads the metrics; empty if nobody may."""
        return self.metrics_token.get_secret_value()

    @property
    def page_token(self) -> str | None:
        """The page's token if it is the person's own, "" if none is wanted, None if one is to be made."""
        own = self.web_token.get_secret_value() if self.web_token else None
        return "" if own == "off" else own

    @property
    def audit_trail(self) -> Path:
        """The file of the audit trail."""
        return self.home / "audit.jsonl"

    @property
    def audit_secret(self) -> str:
        """The key that seals the audit trail; empty if it is to be kept in the folder."""
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
    "ICC_BOT_DATABASE_URL": "ICC_BOT_DATABASE_URL must be postgresql://user:password@host:5432/database.",
    "SLACK_MODE": "SLACK_MODE must be socket or http.",
    "ICC_BOT_LOG_LEVEL": "ICC_BOT_LOG_LEVEL must be debug, info, warning or error.",
    "ICC_BOT_LOG_FORMAT": "ICC_BOT_LOG_FORMAT must be text or json.",
    "PORT": "PORT must be a number from 0 to 65535.",
    "ICC_BOT_WEB_TOKEN": "ICC_BOT_WEB_TOKEN must be off, or 16 or more letters, digits, - and _.",
    "ICC_BOT_AUDIT_KEY": f"ICC_BOT_AUDIT_KEY must have at least {KEY_MIN_CHARS} characters.",
}
"""Sentences on wrong settings, if they are plainer than pydantic's words."""


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
    """Return the file that names the databases; None if the sample is asked, or a jobs API is."""
    if settings.base_url:
        return None
    return settings.connections or (CONNECTIONS_FILE if CONNECTIONS_FILE.exists() else None)
