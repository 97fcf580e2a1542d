"""The Teams part of the environment."""

from pathlib import Path
from typing import Annotated

from pydantic import AnyHttpUrl, Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict

from adapters.teams.access import LOGIN, NO_SECRET, Kind, TeamsAccess


class TeamsSettings(BaseSettings):
    """Ids, credentials and addresses of Teams; `teams` is what its adapter takes."""

    model_config = SettingsConfigDict(env_file=".env", env_file_encoding="utf-8", extra="ignore", env_ignore_empty=True)

    teams_app_id: Annotated[
        str, Field(alias="MicrosoftAppId", description="The Microsoft App ID of the Azure Bot; a GUID.")
    ] = ""
    teams_app_type: Annotated[
        Kind | None, Field(alias="MicrosoftAppType", description="SingleTenant, UserAssignedMSI or MultiTenant.")
    ] = None
    teams_app_tenant: Annotated[
        str, Field(alias="MicrosoftAppTenantId", description="The tenant that the app is registered in; a GUID.")
    ] = ""
    teams_app_password: Annotated[
        SecretStr, Field(alias="MicrosoftAppPassword", description="The value of a client secret of the app.")
    ] = NO_SECRET
    teams_app_certificate: Annotated[
        Path | None,
        Field(
            alias="MicrosoftAppCertificate",
            description="In place of the password: a PEM file with the private key and its certificate.",
        ),
    ] = None
    teams_allowed_tenants: Annotated[
        str,
        Field(
            alias="TEAMS_ALLOWED_TENANTS",
            description="The tenants whose people are answered, with commas between; default: the app's.",
        ),
    ] = ""
    teams_public_url: Annotated[
        str,
        Field(alias="TEAMS_PUBLIC_URL", description="The https address of the bot, from which people fetch files."),
    ] = ""
    teams_upload_hosts: Annotated[
        str,
        Field(
            alias="TEAMS_UPLOAD_HOSTS",
            description="The domains beside SharePoint's where people's OneDrives are, with commas between.",
        ),
    ] = ""
    teams_contact: Annotated[
        str,
        Field(alias="TEAMS_CONTACT", description="Whom people ask about the bot: what its page on privacy names."),
    ] = ""
    teams_login_url: Annotated[
        AnyHttpUrl, Field(alias="TEAMS_LOGIN_URL", description="Where Entra gives tokens; other clouds have another.")
    ] = AnyHttpUrl(LOGIN)
    teams_openid_url: Annotated[
        AnyHttpUrl | None,
        Field(alias="TEAMS_OPENID_URL", description="Where the keys of what Teams sends are announced."),
    ] = None

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


def _names(given: str) -> frozenset[str]:
    """Return names with commas between, in lower case."""
    return frozenset(filter(None, (name.strip().lower() for name in given.split(","))))
