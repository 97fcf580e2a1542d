"""E-mails as bytes, read back as clients read them."""

from datetime import UTC, datetime
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.policy import default
from email.utils import parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from router.errors import Unclear
from router.jobs.mail.addresses import Address, address_of
from router.jobs.mail.message import (
    NAME_MAX_CHARS,
    Attachment,
    EmailContent,
    message_bytes,
    subject_of,
)
from router.language.wording import one_line

WHEN = datetime(2026, 11, 22, 6, 5, tzinfo=UTC)
TOP = ["Date", "From", "Reply-To", "To", "Subject", "Message-ID", "Auto-Submitted", "X-Auto-Response-Suppress"]
TOP += ["MIME-Version", "Content-Type"]
ANA = ("Ana", address_of("ana@example.com"))

words = st.text(st.characters(exclude_categories=()), max_size=120)
lines = words.map(one_line).filter(bool)


def letter(
    subject: str = "Rows",
    text: str = "text",
    html: str = "<p>html</p>",
    name: str = "Reports",
    reply_to: tuple[str, Address] | None = ANA,
    to: tuple[str, ...] = ("bob@example.com",),
    attachment: Attachment | None = None,
) -> EmailContent:
    people = [address_of(each) for each in to]
    sender = (name, address_of("r@example.com"))
    return EmailContent("S-1@example.com", sender, people, subject, text, html, WHEN, reply_to, attachment)


def read(content: bytes) -> EmailMessage:
    message = message_from_bytes(content, policy=default)
    assert isinstance(message, EmailMessage)
    return message


def part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None
    found = body.get_content()
    assert isinstance(found, str)
    return found


def test_what_stands_at_the_top() -> None:
    """Who, to whom, when, under which number, and that a program sent it."""
    content = message_bytes(letter(to=("bob@example.com", "cy@example.org")))
    top = content.partition(b"\r\n\r\n")[0].decode()
    assert top.startswith(
        "Date: Sun, 22 Nov 2026 06:05:00 +0000\r\n"
        'From: "Reports" <r@example.com>\r\n'
        'Reply-To: "Ana" <ana@example.com>\r\n'
        "To: bob@example.com,\r\n"
        " cy@example.org\r\n"
        "Subject: Rows\r\n"
        "Message-ID: <S-1@example.com>\r\n"
        "Auto-Submitted: auto-generated\r\n"
    )
    assert TOP == read(content).keys()


@given(lines)
def test_any_subject_arrives_as_it_was_typed(subject: str) -> None:
    """In any script and of any length, also if it looks like the code that e-mails write such texts in."""
    content = message_bytes(letter(subject))
    message = read(content)
    assert TOP == message.keys()
    assert subject == message["Subject"]
    assert content.isascii()
    assert 78 >= max(map(len, content.partition(b"\r\n\r\n")[0].split(b"\r\n")))


@given(words)
def test_no_name_makes_a_line_of_its_own(name: str) -> None:
    """Whatever a platform or a setting calls people, they are one name, cut at its limit, before one address."""
    content = message_bytes(letter(name=name, reply_to=(name, ANA[1])))
    message, raw = read(content), message_from_bytes(content)
    assert TOP == message.keys()
    for line, address in (("From", "r@example.com"), ("Reply-To", "ana@example.com")):
        # The newer reader puts a blank between two pieces of one name, the older one reads them as the standard says.
        shown = str(make_header(decode_header(parseaddr(raw[line])[0])))
        expected = one_line(name)[:NAME_MAX_CHARS].rstrip()
        assert ([address], expected) == ([each.addr_spec for each in message[line].addresses], shown)


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029", "\x00", "\ud800"])
def test_a_subject_of_two_lines_is_not_taken(end: str) -> None:
    """Nor one with anything that cannot be seen: the person is told."""
    with pytest.raises(Unclear, match="Write it in one line"):
        subject_of(f"Rows{end}Bcc: eve@example.org")


@given(st.text(st.characters(exclude_categories=("Cs",)), max_size=300))
def test_both_texts_arrive_as_they_were(text: str) -> None:
    """But for what cannot be seen; and no line is longer than mail servers bear."""
    content = message_bytes(letter(text=text, html=f"<p>{text}</p>"))
    message = read(content)
    seen = "".join(
        "\N{REPLACEMENT CHARACTER}" if (ord(c) < 32 and c not in "\t\n") or c in "\x7f\ufffe\uffff" else c
        for c in text.replace("\r\n", "\n").replace("\r", "\n")
    )
    assert (seen.rstrip("\n"), f"<p>{seen}</p>") == (
        part(message, "plain").replace("\r\n", "\n").rstrip("\n"),
        part(message, "html").replace("\r\n", "\n").rstrip("\n"),
    )
    assert 998 >= max(map(len, content.split(b"\r\n")))
    assert content.count(b"\r\n") == content.count(b"\n") == content.count(b"\r")
