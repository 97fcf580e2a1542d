"""The Teams part of the environment, and the doctor's word on it."""

from pathlib import Path

import pytest

from bot.checks.start import check_teams
from bot.settings.environment import read_settings
from tests.adapters.teams.fake_microsoft import APP, TENANT
from tests.support.in_process import run_here
from tests.support.shop import write_connections


def test_what_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids lose spaces and capitals, tenants are a list, addresses have no slash at the end, secrets do not show."""
    monkeypatch.setenv("MicrosoftAppId", f" {APP.upper()} ")
    monkeypatch.setenv("MicrosoftAppType", "SingleTenant")
    monkeypatch.setenv("MicrosoftAppTenantId", TENANT.upper())
    monkeypatch.setenv("MicrosoftAppPassword", "very-s3cret")
    monkeypatch.setenv("TEAMS_LOGIN_URL", "https://login.microsoftonline.us/")
    access = read_settings().teams

    assert access.given
    assert (APP, "SingleTenant", TENANT) == (access.app_id, access.kind, access.tenant)
    assert ("https://login.microsoftonline.us", "") == (access.login_url, access.openid_url)
    assert {TENANT} == access.tenants
    assert "s3cret" not in f"{read_settings()!r} {access!r}"

    monkeypatch.setenv("TEAMS_ALLOWED_TENANTS", f" {APP.upper()},, {TENANT} ")
    assert {APP, TENANT} == read_settings().teams.tenants


def test_no_setting_switches_tokens_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without an app id the check fails; nothing in the environment makes a bot without tokens."""
    monkeypatch.setenv("MicrosoftAppType", "SingleTenant")
    monkeypatch.setenv("TEAMS_LOCAL", "true")
    access = read_settings().teams

    assert not access.local
    assert "Teams app id" in [finding.about for finding in check_teams(access) if finding.grade == "FAILED"]


def test_the_doctor_looks_at_teams(tmp_path: Path) -> None:
    """The doctor says what is missing as soon as anything of Teams is set."""
    write_connections(tmp_path, ["shop"])
    given = {"OLLAMA_BASE_URL": "http://127.0.0.1:9", "MicrosoftAppId": APP}
    done = run_here(tmp_path, given, "doctor")

    assert done.returncode == 1
    assert "FAILED   Teams app type: MicrosoftAppType is not set" in done.stdout
