"""Addresses as people type them."""

import pytest

from router.errors import Unclear
from router.jobs.mail.addresses import address_of, recipients_of
from router.memory.draft import User
from tests.support.rows import every_row

ANA = User("slack:U1", "Ana Example", "Ana@Example.com")


@every_row(
    ("text", "expected"),
    [
        ("bob@example.com", ("bob@example.com",)),
        ("bob@example.com, cy@example.com; dan@example.com\neve@example.com,", ("bob", "cy", "dan", "eve")),
        ("bob@example.com and cy@example.com & dan@example.com", ("bob", "cy", "dan")),
        ("bob@example.com cy@example.com", ("bob", "cy")),
        ("me", ("Ana",)),
        ("Me, bob@example.com", ("Ana", "bob")),
        ("ana  example", ("Ana",)),
        ("me and bob@example.com", ("Ana", "bob")),
        ("Bob B. <bob@example.com>, <cy@example.com>", ("bob", "cy")),
        ('"Example, Bob; and more" <bob@example.com>; cy@example.com', ("bob", "cy")),
        ("Rock and Roll <bob@example.com>", ("bob",)),
        ("bob@example.com, BOB@EXAMPLE.COM, Bob <bob@example.com>", ("bob",)),
        ("me, Ana Example, ana@example.com", ("Ana",)),
        ("mailto:bob@example.com.", ("bob",)),
        ("and bob@example.com", ("bob",)),
        ("Lee, Bob <bob@example.com>, cy@example.com", ("bob", "cy")),
        ("Ana Example, Bob <bob@example.com>", ("Ana", "bob")),
    ],
)
def test_lists_of_people(text: str, expected: tuple[str, ...]) -> None:
    """With what stands between them in lists and in sentences; nobody comes twice."""
    assert tuple(who if "@" in who else f"{who}@example.com" for who in expected) == recipients_of(text, ANA)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("bob@example.com, bob@", "bob@"),
        ("bob", "bob"),
        ("bob@example", "bob@example"),
        ("bob@@example.com", "bob@@example.com"),
        ("bob@exa mple.com", "bob@exa mple.com"),
        ("Team: bob@example.com", "Team: bob@example.com"),
        ("bob@localhost", "bob@localhost"),
        ("bob@[127.0.0.1]", "bob@[127.0.0.1]"),
        ('"bob smith"@example.com', '"bob smith"@example.com'),
        ("Bob <bob>", "bob"),
        ("bob@example.com\rBcc: cy@example.com", "bob@example.com Bcc: cy@example.com"),
        ("bob@example.com\x00", "bob@example.com"),
        ("<bob@example.com> <cy@example.com>", "<bob@example.com> <cy@example.com>"),
        ("someone", "someone"),
    ],
)
def test_what_is_no_address_is_named(text: str, wrong: str) -> None:
    """The one that is wrong, and why; groups and other oddities of the standard are wrong."""
    with pytest.raises(Unclear) as failed:
        recipients_of(text, ANA)
    said = f"I don't know “{text}”." if "@" not in text else f'"{wrong}'
    assert said in str(failed.value)
    assert ("such as ana@example.com" if "@" not in text else "is no e-mail address: ") in str(failed.value)


def test_whose_address_is_not_known_types_it() -> None:
    """Where the platform did not tell it."""
    with pytest.raises(Unclear, match="“me” means: type your e-mail address out"):
        recipients_of("me", User("web:ana", "Ana"))


@pytest.mark.parametrize("text", ["eve%evil.example@example.com", "evil.example!eve@example.com"])
def test_an_address_within_another(text: str) -> None:
    """Servers that still follow such a one would send the e-mail where nobody allowed it."""
    with pytest.raises(Unclear, match="names another address within it"):
        address_of(text)
