"""The demo's mailbox: real e-mails of the e-mail job's own sender, kept as files."""

import re
import smtplib
from datetime import timedelta
from pathlib import Path

import pytest

from adapters.web.mailbox import body_of, latest, read
from bot.demo.mailbox import SENDER, mailbox
from router.errors import JobFailed
from router.jobs.mail.addresses import address_of
from router.jobs.mail.mailer import Mailer

WEEK = timedelta(days=7)
LETTER = f"From: {SENDER}\r\nTo: дарья@example.com\r\nSubject: Umsätze\r\n\r\nGood day\r\n.\r\n".encode()


def test_what_is_sent_is_kept_as_it_came(tmp_path: Path) -> None:
    """In a file that nobody else may read, to anybody; the page finds it."""
    folder = tmp_path / "mail"
    with mailbox(folder, WEEK) as mail_config:
        assert "" == mail_config.problem(["anybody@elsewhere.example"])
        for letter_bytes in (LETTER, LETTER + b"The later one\r\n"):
            Mailer(mail_config).send(letter_bytes, [address_of("ana@example.com")], lambda: None)
        files = sorted(folder.iterdir())
    assert [LETTER, LETTER + b"The later one\r\n"] == [path.read_bytes() for path in files]
    assert all(re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{8}\.eml", path.name) for path in files)
    assert {0o600} == {path.stat().st_mode & 0o777 for path in files}
    assert 0o700 == folder.stat().st_mode & 0o777
    found = latest(folder)
    assert [("Umsätze", SENDER, "дарья@example.com")] * 2 == [
        (f["Subject"], f["From"], f["To"]) for f in found.values()
    ]
    letter = read(folder, next(iter(found)))
    assert letter is not None
    assert ("Good day\n.\nThe later one\n", "") == (
        body_of(letter, "plain").replace("\r\n", "\n"),
        body_of(letter, "html"),
    )
    assert [] == list(letter.iter_attachments())


@pytest.mark.parametrize("login", [None, ("icc-bot", "guessed")])
def test_other_accounts_of_this_machine_can_put_nothing_in(tmp_path: Path, login: tuple[str, str] | None) -> None:
    """The port is open to all of them, but without the password of this start nothing is kept."""
    with mailbox(tmp_path, WEEK) as mail_config:
        assert mail_config.server is not None
        with smtplib.SMTP(mail_config.server.host, mail_config.server.port) as other:
            if login:
                with pytest.raises(smtplib.SMTPAuthenticationError):
                    other.login(*login)
            with pytest.raises(smtplib.SMTPResponseException, match="530"):
                other.sendmail("boss@example.com", ["you@example.com"], b"Subject: Pay\r\n\r\nnow\r\n")
        assert mail_config.server.password.get_secret_value() not in repr(mail_config)
    assert [] == list(tmp_path.iterdir())


def test_it_answers_on_this_machine_only(tmp_path: Path) -> None:
    """And no longer than the block."""
    with mailbox(tmp_path, WEEK) as mail_config:
        Mailer(mail_config).probe()
        assert "127.0.0.1" == mail_config.server.host
    with pytest.raises(JobFailed, match="cannot be reached"):
        Mailer(mail_config).probe()
