"""Looks at ids, credentials and tenants before the bot starts, and says in a sentence what is missing."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta

from aiohttp import ClientError, ClientSession

from adapters.check_finding import Finding
from adapters.teams.access import TeamsAccess, is_safe
from adapters.teams.authentication import TEAMS, fetch
from adapters.teams.calls import session as opened
from adapters.teams.cloud import openid_url_of
from adapters.teams.failures import NoToken
from adapters.teams.tokens import BotTokens, read_certificate

APP, KIND, TENANT, PROOF, PEOPLE, TOKEN, KEYS, LOCAL = (
    "Teams app id",
    "Teams app type",
    "Teams app tenant",
    "Teams app credentials",
    "Teams tenants",
    "Teams token",
    "Teams keys",
    "Teams local",
)
GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CERTIFICATE_WARNING_TIME = timedelta(days=14)

SECRETS = "Azure, App registrations, your app, Certificates & secrets"
CONFIGURATION = "Azure, your Azure Bot, Configuration"

ENTRA_REMEDIES = {
    "AADSTS7000215": f"the secret is wrong; make a new one under {SECRETS} and copy its Value, not its ID",
    "AADSTS7000222": f"the secret has expired; make a new one under {SECRETS}",
    "AADSTS700016": f"no app of this id is in this tenant; compare both with {CONFIGURATION}",
    "AADSTS90002": f"there is no such tenant; compare MicrosoftAppTenantId with {CONFIGURATION}",
    "AADSTS900023": f"there is no such tenant; compare MicrosoftAppTenantId with {CONFIGURATION}",
    "AADSTS700027": f"the certificate is not the app's; upload it under {SECRETS}",
    "AADSTS7000112": "the app is disabled in Entra; an administrator can enable it",
    "unauthorized_client": f"compare id and tenant with {CONFIGURATION}",
    "invalid_client": f"the secret is not the app's; make a new one under {SECRETS}",
}
"""The advice on what to mend, by Entra's code."""


async def check(access: TeamsAccess) -> AsyncIterator[Finding]:
    """Yield every finding: the settings, and whether Microsoft gives a token for them and its keys."""
    if access.local:
        yield Finding(
            "warning", LOCAL, "without tokens, whoever uses this machine may be anybody; it is for trying the bot out."
        )
        return
    found = list(settings(access))
    for finding in found:
        yield finding
    if any(finding.grade == "FAILED" for finding in found):
        return
    async with opened() as session:
        yield await _token(BotTokens(session, access))
        yield await _keys(session, openid_url_of(access))


def settings(access: TeamsAccess) -> Iterator[Finding]:
    """Yield a finding for each setting that is missing or cannot be what it should be."""
    yield from _guid(APP, "MicrosoftAppId", access.app_id, f"it stands under {CONFIGURATION}, as Microsoft App ID")
    if access.kind is None:
        yield Finding(
            "FAILED",
            KIND,
            "MicrosoftAppType is not set; it is SingleTenant, UserAssignedMSI or MultiTenant, as it stands under "
            f"{CONFIGURATION}, Bot Type.",
        )
    if access.kind != "MultiTenant" or access.tenant:
        where = f"it stands under {CONFIGURATION}, as App Tenant ID"
        yield from _guid(TENANT, "MicrosoftAppTenantId", access.tenant, where)
    yield from _credentials(access)
    yield from _tenants(access)
    for name, url in (("TEAMS_LOGIN_URL", access.login_url), ("TEAMS_OPENID_URL", openid_url_of(access))):
        if not is_safe(url):
            yield Finding("FAILED", TOKEN, f"{name} must be https; what is sent there is secret, or trusted.")


def _guid(about: str, name: str, value: str, where: str) -> Iterator[Finding]:
    if not value:
        yield Finding("FAILED", about, f"{name} is not set; {where}.")
    elif not GUID.fullmatch(value):
        yield Finding("FAILED", about, f"{name} is no GUID; {where}.")


def _credentials(access: TeamsAccess) -> Iterator[Finding]:
    password = access.password.get_secret_value()
    if access.kind == "UserAssignedMSI":
        if password or access.certificate:
            yield Finding("warning", PROOF, "a managed identity needs neither password nor certificate; take it away.")
    elif password and access.certificate:
        yield Finding("FAILED", PROOF, "set MicrosoftAppPassword or MicrosoftAppCertificate, not both.")
    elif access.certificate:
        yield from _certificate(access)
    elif not password:
        yield Finding(
            "FAILED", PROOF, f"neither MicrosoftAppPassword nor MicrosoftAppCertificate is set; see {SECRETS}."
        )
    elif GUID.fullmatch(password.strip().lower()):
        remedy = f"make a new one under {SECRETS} and copy its Value"
        yield Finding("FAILED", PROOF, f"MicrosoftAppPassword is the ID of a secret, not its Value; {remedy}.")


def _certificate(access: TeamsAccess) -> Iterator[Finding]:
    assert access.certificate is not None
    try:
        ends = read_certificate(access.certificate).ends
    except ValueError as error:
        yield Finding("FAILED", PROOF, f"MicrosoftAppCertificate: {access.certificate} {error}.")
        return
    day, now = f"{ends:%Y-%m-%d}", datetime.now(UTC)
    if ends <= now:
        yield Finding("FAILED", PROOF, f"the certificate has expired on {day}; upload a new one under {SECRETS}.")
    elif ends - now <= CERTIFICATE_WARNING_TIME:
        yield Finding("warning", PROOF, f"the certificate expires on {day}; upload the next one under {SECRETS}.")


def _tenants(access: TeamsAccess) -> Iterator[Finding]:
    wrong = sorted(tenant for tenant in access.allowed if not GUID.fullmatch(tenant))
    if wrong:
        yield Finding(
            "FAILED",
            PEOPLE,
            f"TEAMS_ALLOWED_TENANTS holds {', '.join(wrong)}; tenants are GUIDs, with commas between. Each stands in "
            "its Entra admin center, Overview, as Tenant ID.",
        )
    elif access.kind == "MultiTenant" and not access.allowed:
        yield Finding(
            "FAILED",
            PEOPLE,
            "TEAMS_ALLOWED_TENANTS is not set; a bot of type MultiTenant can be reached from every tenant of the "
            "world, so name those that are answered.",
        )
    elif len(access.tenants) == 1:
        yield Finding("ok", PEOPLE, "people of one tenant are answered.")
    elif access.tenants:
        yield Finding("ok", PEOPLE, f"people of {len(access.tenants)} tenants are answered.")


async def _token(tokens: BotTokens) -> Finding:
    try:
        await tokens.get()
    except NoToken as error:
        if error.lasting:
            remedy = ENTRA_REMEDIES.get(error.code, f"compare id, tenant and credentials with {CONFIGURATION}")
            return Finding("FAILED", TOKEN, f"Microsoft gives none ({error.code}); {remedy}.")
        return Finding(
            "FAILED",
            TOKEN,
            f"Microsoft could not be asked for one ({error.code}); look at the network, and at TEAMS_LOGIN_URL.",
            lasting=False,
        )
    return Finding("ok", TOKEN, "Microsoft gives one for this app.")


async def _keys(session: ClientSession, url: str) -> Finding:
    try:
        keys = await fetch(session, url)
    except (ClientError, TimeoutError, OSError, ValueError) as error:
        return Finding(
            "FAILED",
            KEYS,
            f"the keys of what Teams sends cannot be read at {url} ({type(error).__name__}); look at the network, "
            "and at TEAMS_OPENID_URL.",
            lasting=False,
        )
    good = sum(TEAMS in key.endorsements for key in keys.values())
    if not good:
        return Finding("FAILED", KEYS, f"none of the keys at {url} is for Teams; look at TEAMS_OPENID_URL.")
    return Finding("ok", KEYS, "what Teams sends can be told from what others send.")
