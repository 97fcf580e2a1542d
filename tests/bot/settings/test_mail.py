"""The e-mail part of the environment, and the doctor's word on it."""

from collections.abc import Mapping

import pytest
from pydantic import SecretStr

from bot.checks.doctor import check_mail
from bot.settings.environment import Settings, read_settings
from router.errors import SettingsError
from router.jobs.mail.addresses import address_of
from router.jobs.mail.mail_config import MailConfig, MailServer
from tests.support.mail_servers import post_office

GOOD = {"SMTP_URL": "smtp://bot:p%40ss@mail.example.com", "EMAIL_FROM": "Reports <reports@example.com>"}


def settings(monkeypatch: pytest.MonkeyPatch, environment: Mapping[str, str]) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return read_settings()


def said(settings: Settings) -> list[str]:
    return [str(finding) for finding in check_mail(settings)]


def test_nothing_is_set() -> None:
    """Then no e-mail is sent, and there is nothing to look at."""
    assert (None, []) == (read_settings().mail_config, said(read_settings()))


def test_what_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """With its defaults: 20 people of the sender's own domain, 10 MB; the password does not show."""
    read = settings(monkeypatch, GOOD)
    server = MailServer("mail.example.com", 587, "starttls", "bot", SecretStr("p@ss"))
    sender = address_of("reports@example.com")
    assert MailConfig(sender, "Reports", frozenset({"example.com"}), 20, 10_000_000, server=server) == read.mail_config
    assert "p@ss" not in f"{read!r}{read.mail_config!r}"
    assert "p%40ss" not in f"{read!r}"
    other = {"EMAIL_ALLOWED_DOMAINS": "a.example,b.example", "EMAIL_MAX_RECIPIENTS": "3", "EMAIL_MAX_MB": "0.5"}
    mail_config = settings(monkeypatch, other).mail_config
    assert mail_config is not None
    assert (frozenset({"a.example", "b.example"}), 3, 500_000) == (
        mail_config.domains,
        mail_config.most,
        mail_config.largest,
    )


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"SMTP_URL": GOOD["SMTP_URL"]}, "set EMAIL_FROM too"),
        ({"EMAIL_FROM": GOOD["EMAIL_FROM"]}, "set SMTP_URL too"),
        (GOOD | {"SMTP_URL": "mail.example.com"}, "SMTP_URL does not name a server"),
    ],
)
def test_what_is_wrong_is_a_sentence(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the start, and from the doctor."""
    read = settings(monkeypatch, environment)
    with pytest.raises(SettingsError, match=expected):
        _ = read.mail_config
    (finding,) = said(read)
    assert finding.startswith("FAILED   e-mail: ")
    assert expected in finding


def test_the_doctor_logs_in_and_sends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says who may get e-mails."""
    with post_office(auth_require_tls=False) as post:
        post.users = {"bot": "s3cret"}
        good = {"SMTP_URL": f"smtp://bot:s3cret@127.0.0.1:{post.port}?starttls=no", "EMAIL_FROM": "r@example.com"}
        assert [
            "ok       e-mail: e-mails go to addresses at example.com only.",
            f"ok       e-mail: 127.0.0.1:{post.port} lets the bot send as r@example.com after a login as bot.",
        ] == said(settings(monkeypatch, good))
        assert [] == post.letters
        post.users = {}
        warning, failed = said(settings(monkeypatch, {"EMAIL_ALLOWED_DOMAINS": "*"}))
    assert failed.startswith(f"FAILED   e-mail: The mail server 127.0.0.1:{post.port} refuses the bot's login (535")
    assert warning.startswith("warning  e-mail: EMAIL_ALLOWED_DOMAINS=* lets results be sent to anybody")
    assert "s3cret" not in failed
