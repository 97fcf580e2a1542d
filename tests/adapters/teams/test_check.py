"""The check before the start: each missing thing is a sentence with where to find it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from adapters.check_finding import Finding
from adapters.teams.access import TeamsAccess
from adapters.teams.check import check
from tests.adapters.teams.fake_microsoft import APP, PASSWORD, TENANT, microsoft
from tests.adapters.teams.test_tokens import certificate_pem, pem

WHOLE = TeamsAccess(app_id=APP, kind="SingleTenant", tenant=TENANT, password=SecretStr(PASSWORD))


async def found(access: TeamsAccess) -> list[Finding]:
    """Return the findings; no secret is in them."""
    findings = [finding async for finding in check(access)]
    assert PASSWORD not in f"{access!r} {findings!r}"
    return findings


def failures(findings: list[Finding]) -> list[str]:
    return [f"{finding.about}: {finding.sentence}" for finding in findings if finding.grade == "FAILED"]


async def test_all_is_well() -> None:
    """With right settings Microsoft gives a token and its keys, and every finding is ok."""
    async with microsoft() as here:
        findings = await found(here.access())

        assert ["ok"] * 3 == [finding.grade for finding in findings]
        assert (1, 1) == (here.tokens_given, here.keys_asked)


async def test_nothing_is_set() -> None:
    """Everything that is missing is said at once, and Microsoft is not asked."""
    assert ["Teams app id", "Teams app type", "Teams app tenant", "Teams app credentials"] == [
        failure.partition(":")[0] for failure in failures(await found(TeamsAccess()))
    ]


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"app_id": ""}, "MicrosoftAppId is not set; it stands under Azure, your Azure Bot, Configuration"),
    ({"app_id": "icc-bot"}, "MicrosoftAppId is no GUID"),
    ({"kind": None}, "MicrosoftAppType is not set; it is SingleTenant, UserAssignedMSI or MultiTenant"),
    ({"tenant": ""}, "MicrosoftAppTenantId is not set"),
    ({"tenant": "acme.example"}, "MicrosoftAppTenantId is no GUID"),
    ({"kind": "UserAssignedMSI", "tenant": ""}, "MicrosoftAppTenantId is not set"),
    ({"password": SecretStr("")}, "neither MicrosoftAppPassword nor MicrosoftAppCertificate is set"),
    ({"password": SecretStr(APP)}, "is the ID of a secret, not its Value"),
    ({"certificate": Path("nowhere.pem")}, "MicrosoftAppPassword or MicrosoftAppCertificate, not both"),
    ({"password": SecretStr(""), "certificate": Path("nowhere.pem")}, "nowhere.pem cannot be read"),
    ({"kind": "MultiTenant"}, "TEAMS_ALLOWED_TENANTS is not set"),
    ({"allowed": frozenset({TENANT, "acme"})}, "TEAMS_ALLOWED_TENANTS holds acme"),
    ({"login_url": "http://login.example"}, "TEAMS_LOGIN_URL must be https"),
    ({"openid_url": "http://login.example"}, "TEAMS_OPENID_URL must be https"),
]


@pytest.mark.parametrize(("changes", "sentence"), WRONG, ids=[sentence for _, sentence in WRONG])
async def test_a_setting_that_is_wrong(changes: dict[str, Any], sentence: str) -> None:
    """A setting that is missing or cannot be right is one sentence."""
    (failure,) = failures(await found(replace(WHOLE, **changes)))

    assert sentence in failure


@pytest.mark.parametrize(("days", "grade"), [(90, ""), (5, "warning"), (-1, "FAILED")])
async def test_a_certificate_ends(tmp_path: Path, days: int, grade: str) -> None:
    """A certificate that has expired is a failure, and one that soon will is a warning, with the day."""
    path = tmp_path / "app.pem"
    path.write_bytes(pem() + certificate_pem(days=days))
    async with microsoft() as here:
        findings = await found(here.access(password=SecretStr(""), certificate=path))

    assert [grade] * bool(grade) == [finding.grade for finding in findings if "certificate" in finding.sentence]


ENTRA = [
    ("AADSTS7000215", "the secret is wrong; make a new one"),
    ("AADSTS7000222", "the secret has expired"),
    ("AADSTS700016", "no app of this id is in this tenant"),
    ("AADSTS90002", "there is no such tenant"),
    ("AADSTS1", "compare id, tenant and credentials"),
]


@pytest.mark.parametrize(("code", "remedy"), ENTRA)
async def test_no_token_is_given(code: str, remedy: str) -> None:
    """What Entra says is told with what to mend."""
    async with microsoft() as here:
        here.token_error = (401, {"error": "x", "error_description": f"{code}: No. Trace ID: 1"})
        (failure,) = failures(await found(here.access()))

    assert f"Teams token: Microsoft gives none ({code}); {remedy}" in failure


async def test_microsoft_cannot_be_reached() -> None:
    """An outage, of the login and of the keys, is said with the settings that name them."""
    async with microsoft() as here:
        access = here.access(login_url="http://127.0.0.1:9", openid_url="http://127.0.0.1:9/openid")
        token, keys = failures(await found(access))

    assert "could not be asked for one (ClientConnectorError); look at the network, and at TEAMS_LOGIN_URL" in token
    assert "http://127.0.0.1:9/openid (ClientConnectorError); look at the network, and at TEAMS_OPENID_URL" in keys
