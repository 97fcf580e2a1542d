"""The rules of sending, as settings give them."""

import pytest
from pydantic import SecretStr

from router.errors import SettingsError
from router.jobs.mail.mail_config import MailConfig, MailServer, build_mail_config, server_of
from tests.support.rows import every_row

HOST = "mail.example.com"


def mail_config(domains: str = "", most: int = 3, sender: str = "Reports <r@example.com>") -> MailConfig:
    return build_mail_config(SecretStr(f"smtp://{HOST}"), sender, domains, most, 1.5)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"smtp://{HOST}", MailServer(HOST, 587, "starttls")),
        (f"smtp://{HOST}:25?starttls=yes", MailServer(HOST, 25, "starttls")),
        (f"smtps://{HOST}", MailServer(HOST, 465, "tls")),
        (
            f" SMTP://bot%40x:p%40s%2Fs%23%C3%A4@{HOST}/ ",
            MailServer(HOST, 587, "starttls", "bot@x", SecretStr("p@s/s#ä")),
        ),
        ("smtp://127.0.0.1:1025?starttls=no", MailServer("127.0.0.1", 1025, "none")),
        ("smtp://[::1]:1025?starttls=no", MailServer("::1", 1025, "none")),
        ("smtp://localhost:1025?starttls=no", MailServer("localhost", 1025, "none")),
        ("smtp://mail.münchen.example", MailServer("mail.xn--mnchen-3ya.example", 587, "starttls")),
    ],
)
def test_a_server_by_its_url(url: str, expected: MailServer) -> None:
    """Each scheme has its port; STARTTLS is demanded unless the server is on this machine and it is said."""
    assert expected == server_of(SecretStr(url))


@every_row(
    ("url", "expected"),
    [
        ("", "does not name a server"),
        (HOST, "does not name a server"),
        (f"http://bot:tiger@{HOST}", "does not name a server"),
        ("smtp://bot:tiger@", "does not name a server"),
        (f"smtp://bot:ti#ger@{HOST}", "cannot be read"),
        (f"smtp://bot:ti/ger@{HOST}", "cannot be read"),
        (f"smtp://bot:tiger@{HOST}:port", "cannot be read"),
        (f"smtp://bot:tiger@{'x' * 70}.example", "cannot be read"),
        (f"smtp://bot:tiger@[{HOST}", "cannot be read"),
        (f"smtp://bot:tiger@{HOST}/inbox", "behind the server's name"),
        (f"smtp://bot:tiger@{HOST}?tiger", "cannot be read"),
        (f"smtp://bot@{HOST}", "a user without a password"),
        (f"smtp://:tiger@{HOST}", "a password without a user"),
        (f"smtp://bot:tiger@{HOST}?starttls=no", "on this machine only"),
        (f"smtp://bot:tiger@{HOST}?tls=no", "option that is not known"),
        (f"smtps://bot:tiger@{HOST}?starttls=no", "option that is not known"),
    ],
)
def test_a_url_that_is_none(url: str, expected: str) -> None:
    """The sentence says how it is written, and nothing of what was written."""
    with pytest.raises(SettingsError, match=expected) as failed:
        server_of(SecretStr(url))
    assert "tiger" not in str(failed.value)
    assert "ger@" not in str(failed.value).replace("password@", "")


def test_only_the_senders_own_domain_gets_e_mails() -> None:
    """Unless others are named: what is not allowed is refused with whom it is for."""
    assert "" == mail_config().problem(["ana@example.com", "BOB@EXAMPLE.COM"])
    assert (
        "I can only mail addresses at example.com, so not ana@sub.example.com and bob@example.org. "
        "Nothing was sent. Your administrator can allow more."
    ) == mail_config().problem(["ana@sub.example.com", "cy@example.com", "bob@example.org"])


def test_every_problem_of_the_settings_is_told() -> None:
    """At once."""
    with pytest.raises(SettingsError) as failed:
        build_mail_config(SecretStr("mail"), "nobody", "example.com, what ever, a@b", 3, 1)
    assert ["SMTP_URL", "EMAIL_FROM", "EMAIL_ALLOWED_DOMAINS:"] == [each.split()[0] for each in failed.value.problems]
    assert "what ever and a@b cannot be a domain" in failed.value.problems[2]
