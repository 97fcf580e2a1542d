"""The e-mail part of the environment."""

from typing import Annotated

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from router.errors import SettingsError
from router.jobs.mail.mail_config import NO_PASSWORD, MailConfig, office_of
from router.notifier import Responders, responders_of

# People who help.


class HandoffSettings(BaseSettings):
    """Settings of the people who are asked where the bot could not help; `reach` is what the router takes."""

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
    def reach(self) -> Responders:
        """The channels and the address of the people who are asked; raises SettingsError with every problem."""
        return responders_of(self.handoff_channel, self.handoff_email)


class MailSettings(BaseSettings):
    """By which server e-mails are sent, as whom and to whom; `mail_config` is what the router takes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    smtp_url: Annotated[
        SecretStr,
        Field(alias="SMTP_URL", description="The mail server: smtp://user:password@host:587, or smtps://…:465."),
    ] = NO_PASSWORD
    email_from: Annotated[
        str, Field(alias="EMAIL_FROM", description="Whom e-mails come from: Reports <reports@example.com>.")
    ] = ""
    email_domains: Annotated[
        str,
        Field(
            alias="EMAIL_ALLOWED_DOMAINS",
            description="The domains that get e-mails, with commas between; default: that of EMAIL_FROM; *: all.",
        ),
    ] = ""
    email_recipients: Annotated[
        int, Field(alias="EMAIL_MAX_RECIPIENTS", gt=0, description="How many people one e-mail may go to.")
    ] = 20
    email_megabytes: Annotated[
        float, Field(alias="EMAIL_MAX_MB", gt=0, le=1000, description="How many megabytes one e-mail may have.")
    ] = 10.0

    @property
    def mail_config(self) -> MailConfig | None:
        """The rules of sending e-mails, None where none are sent; raises SettingsError with every problem."""
        if not self.smtp_url.get_secret_value().strip():
            if self.email_from.strip():
                raise SettingsError(["EMAIL_FROM is set, and no mail server that sends: set SMTP_URL too."])
            return None
        if not self.email_from.strip():
            raise SettingsError(["SMTP_URL is set, and nobody that e-mails come from: set EMAIL_FROM too."])
        return office_of(
            self.smtp_url, self.email_from, self.email_domains, self.email_recipients, self.email_megabytes
        )
