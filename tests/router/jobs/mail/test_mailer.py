"""Handing over an e-mail, to real mail servers that behave in every way."""

import logging
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from pydantic import SecretStr

from router.errors import JobFailed, Stopped, Unsure
from router.jobs.mail.addresses import Address, address_of
from router.jobs.mail.mail_config import MailConfig, MailServer
from router.jobs.mail.mailer import Mailer
from tests.support.mail_servers import PASSWORD, SENDER, USER, PostOffice, certificate_in, post_office

ANA, BOB = address_of("ana@example.com"), address_of("bob@example.com")
CONTENT = b"From: reports@example.com\r\nSubject: x\r\n\r\n.one\r\n..two\r\n.\r\nend\r\n"


def mailer(mail_config: MailConfig) -> Mailer:
    """Make one that waits no longer than a test may."""
    return Mailer(mail_config, answer_seconds=5, acceptance_seconds=5)


def send(mail_config: MailConfig, *recipients: Address, content: bytes = CONTENT) -> list[str]:
    """Send, and return what was noted before that which cannot be taken back."""
    noted: list[str] = []
    mailer(mail_config).send(content, recipients or (ANA,), lambda: noted.append("sending"))
    return noted


def refusal(mail_config: MailConfig, *recipients: Address, content: bytes = CONTENT) -> str:
    """Return the sentence of an e-mail that was not sent; the asker may know that nothing was."""
    with pytest.raises(JobFailed) as failed:
        send(mail_config, *recipients, content=content)
    assert not isinstance(failed.value, Unsure)
    return str(failed.value)


def test_everybody_gets_the_same_bytes() -> None:
    """Also lines that are or begin with a dot, which mean something to SMTP; before DATA it is noted."""
    with post_office() as post:
        noted = send(post.mail_config(), ANA, BOB)
    assert ["sending"] == noted
    assert [(["ana@example.com", "bob@example.com"], CONTENT)] == post.letters


def test_a_login_over_starttls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """User and password are of any letters, and go only if the certificate is trusted."""
    trusted = certificate_in(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    with post_office(certificate=trusted, require_starttls=True, auth_required=True) as post:
        post.users = {USER: PASSWORD, "plain": "secret"}
        send(post.mail_config("starttls", USER, PASSWORD))
        send(post.mail_config("starttls", "plain", "secret"))
    assert 2 == len(post.letters)
    assert ["EHLO", "STARTTLS", "EHLO", "AUTH", "MAIL", "RCPT"] == post.steps[:6]


@pytest.mark.parametrize("tls", [False, True])
def test_a_certificate_that_nobody_trusts_ends_it(tls: bool, tmp_path: Path) -> None:
    """Before the password goes over the line."""
    with post_office(certificate=certificate_in(tmp_path), tls=tls) as post:
        said = refusal(post.mail_config("tls" if tls else "starttls", USER, PASSWORD))
    assert "certificate that is not trusted (self-signed certificate)" in said
    assert "AUTH" not in post.steps


def test_without_encryption_nothing_goes() -> None:
    """Where STARTTLS was taken out of the server's offer, by itself or by somebody between."""
    with post_office(auth_require_tls=False) as post:
        assert "offers no encryption" in refusal(post.mail_config("starttls", USER, PASSWORD))
    assert ["EHLO"] == post.steps


def test_a_wrong_password_is_a_sentence_without_it(caplog: pytest.LogCaptureFixture) -> None:
    """Neither the sentence nor the log nor a repr has the password, even if the server repeats it."""
    caplog.set_level(logging.DEBUG)
    with post_office(auth_require_tls=False) as post:
        mail_config = post.mail_config("none", USER, PASSWORD)
        wrong = refusal(mail_config)
        post.says["AUTH"] = f"535 5.7.8 {PASSWORD} is wrong"
        repeated = refusal(mail_config)
    assert "refuses the bot's login (535 5.7.8 Authentication credentials invalid). Nothing was sent." in wrong
    assert "(535 5.7.8 … is wrong)" in repeated
    assert PASSWORD not in f"{wrong}{repeated}{mail_config!r}{caplog.text}"


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ({"EHLO": "421 4.3.2 Closing down"}, "does not take e-mails now (421 4.3.2 Closing down)"),
        ({"AUTH": "454 4.7.0 Later"}, "refuses the bot's login (454 4.7.0 Later)"),
        ({"MAIL": "451 4.3.0 Busy"}, "does not let the bot send as reports@example.com (451 4.3.0 Busy)"),
        ({"MAIL": "550 5.7.1 Not you"}, "does not let the bot send as reports@example.com (550 5.7.1 Not you)"),
        ({"MAIL": "530 5.7.0 Log in"}, "does not let the bot send as reports@example.com (530 5.7.0 Log in)"),
        ({"MAIL": "552 5.3.4 Too big"}, "too large for the mail server"),
        ({"RCPT": "450 4.2.1 Slow down"}, "cannot take for now: ana@example.com (450 4.2.1 Slow down)"),
        ({"RCPT": "550 5.1.1 Who?"}, "refuses: ana@example.com (550 5.1.1 Who?)"),
        ({"DATA": "451 4.3.0 No"}, "does not take the e-mail (451 4.3.0 No)"),
        ({"DATA": "554 5.5.1 No"}, "does not take the e-mail (554 5.5.1 No)"),
        ({"END": "452 4.3.1 Full"}, "refuses the e-mail (452 4.3.1 Full)"),
        ({"END": "554 5.7.1 Spam"}, "refuses the e-mail (554 5.7.1 Spam)"),
        ({"END": "552 5.3.4 Too big"}, "too large for the mail server"),
    ],
)
def test_each_refusal_is_a_sentence(says: dict[str, str], expected: str) -> None:
    """With the server's words, and advice: what has a code from 400 is tried again later."""
    with post_office(auth_require_tls=False) as post:
        post.users, post.says = {"bot": "secret"}, says
        said = refusal(post.mail_config("none", "bot", "secret"))
    assert expected in said
    assert "Nothing was sent." in said or "Nobody got the e-mail." in said
    assert ("(4" in said) == ("Try again in a few minutes." in said)
    assert [] == post.letters


def test_where_one_recipient_is_refused_nobody_gets_it() -> None:
    """The server is told to forget the rest, and the sentence names who was refused."""
    with post_office() as post:
        post.says = {"RCPT bob@example.com": "550 5.1.1 No such user"}
        said = refusal(post.mail_config(), ANA, BOB, address_of("cy@example.com"))
    assert "refuses: bob@example.com (550 5.1.1 No such user). Nobody got the e-mail." in said
    assert ["RSET"] == post.steps[-1:]
    assert ("DATA" in post.steps, post.letters) == (False, [])


def test_an_e_mail_beyond_the_servers_size_is_not_begun() -> None:
    """The server tells its limit at the start."""
    with post_office(data_size_limit=2_000_000) as post:
        said = refusal(post.mail_config(), content=CONTENT + b"x" * 70 + b"\r\n" * 2_000_000)
    assert "too large for the mail server" in said
    assert "it takes 2.0 MB" in said
    assert ["EHLO"] == post.steps


@pytest.mark.parametrize("step", ["EHLO", "AUTH", "MAIL", "RCPT"])
def test_a_server_that_hangs_up_before_the_e_mail_is_a_failure(step: str) -> None:
    """Nobody can have got it."""
    with post_office(auth_require_tls=False) as post:
        post.users, post.dies = {"bot": "secret"}, step
        assert "hung up. Nothing was sent." in refusal(post.mail_config("none", "bot", "secret"))


@pytest.mark.parametrize("step", ["DATA", "BODY", "END"])
@pytest.mark.parametrize("mood", ["dies", "waits"])
def test_a_connection_lost_over_the_e_mail_leaves_it_open(step: str, mood: str) -> None:
    """It may have gone out, so nobody is told that it did not, and it is for a person to send it again."""
    noted: list[str] = []
    with post_office() as post:
        setattr(post, mood, step)
        with pytest.raises(Unsure, match=r"may have gone out, or not\. It is not sent again by itself"):
            Mailer(post.mail_config(), 5, 0.3).send(CONTENT * 100, [ANA], lambda: noted.append("sending"))
    assert ["sending"] == noted
    assert (1 if step == "END" else 0) == len(post.letters)


@pytest.mark.parametrize("step", ["EHLO", "MAIL", "RCPT"])
def test_a_server_that_does_not_answer(step: str) -> None:
    """It is given up after a while."""
    with post_office() as post:
        post.waits = step
        with pytest.raises(JobFailed, match=r"does not answer\. Nothing was sent\. Try again"):
            Mailer(post.mail_config(), answer_seconds=0.3).send(CONTENT, [ANA], lambda: None)


def test_it_is_cancelled_while_the_server_thinks() -> None:
    """Nobody gets it, and nobody waits."""
    with post_office() as post:
        post.waits = "RCPT"
        one = mailer(post.mail_config())
        failed: list[Any] = []

        def run() -> None:
            try:
                one.send(CONTENT, [ANA], lambda: None)
            except Exception as error:
                failed.append(error)

        thread = Thread(target=run)
        thread.start()
        while "RCPT" not in post.steps:
            thread.join(0.01)
        one.cancel()
        thread.join(4)
        assert not thread.is_alive()
    assert [Stopped] == [type(error) for error in failed]


def test_it_is_cancelled_too_late() -> None:
    """What the server is being handed goes out, and is said to have."""
    with post_office() as post:
        one = mailer(post.mail_config())
        one.send(CONTENT, [ANA], one.cancel)
    assert 1 == len(post.letters)


def test_what_may_not_be_noted_is_not_sent() -> None:
    """Where the ledger says no at the last moment, such as for a cancelled job."""

    def no() -> None:
        raise Stopped("It was cancelled.")

    with post_office() as post:
        with pytest.raises(Stopped, match="It was cancelled"):
            mailer(post.mail_config()).send(CONTENT, [ANA], no)
        assert (False, []) == ("DATA" in post.steps, post.letters)


def test_a_probe_sends_nothing() -> None:
    """It connects, logs in, and sees that the sender is taken."""
    with post_office(auth_require_tls=False) as post:
        post.users = {"bot": "secret"}
        mailer(post.mail_config("none", "bot", "secret")).probe()
        assert ["EHLO", "AUTH", "MAIL", "RSET"] == post.steps
        post.says = {"MAIL": "550 5.7.1 Not you"}
        with pytest.raises(JobFailed, match=f"send as {SENDER}"):
            mailer(post.mail_config("none", "bot", "secret")).probe()


def test_the_password_is_no_part_of_a_repr() -> None:
    """Nor of a str."""
    server = MailServer("mail.example.com", 587, "starttls", "bot", SecretStr("tiger"))
    assert "tiger" not in f"{server!r}{server}{PostOffice()}"
