"""How the bot reaches Teams, and whom of Teams it answers: what the environment says, as one value."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import SecretStr

Kind = Literal["SingleTenant", "UserAssignedMSI", "MultiTenant"]
"""What Azure calls the type of a bot: how it proves who it is, and whose it is."""

NOTHING = SecretStr("")

LOGIN = "https://login.microsoftonline.com"


@dataclass(frozen=True, slots=True)
class Access:
    """Ids, credentials and addresses; no secret shows in its repr."""

    app_id: str = ""
    kind: Kind | None = None
    tenant: str = ""
    password: SecretStr = NOTHING
    certificate: Path | None = None
    """A PEM file with the private key and its certificate, in place of the password."""
    allowed: frozenset[str] = frozenset()
    """The tenants whose people are answered; none given means the app's own."""
    login_url: str = LOGIN
    openid_url: str = ""
    """Where the keys of incoming tokens are announced; empty means where the cloud of `login_url` does."""
    upload_hosts: frozenset[str] = frozenset()
    """The domains where files may be put, beside those of SharePoint."""
    local: bool = False
    """Without any token, for a client on this machine only."""

    @property
    def given(self) -> bool:
        """Whether anything of Teams is set at all."""
        return bool(self.app_id or self.kind or self.tenant or self.password or self.certificate or self.allowed)

    @property
    def tenants(self) -> frozenset[str]:
        """The tenants whose people are answered, in lower case."""
        return self.allowed or frozenset(filter(None, [self.tenant]))
