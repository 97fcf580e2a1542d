"""Tokens: kept as hashes, told apart, read again."""

import stat
from pathlib import Path

import pytest

from adapters.api.auth import TOKEN_SCOPES, ApiTokens, new_token, person_of, scopes_of
from adapters.api.throttle import WrongTokens
from router.errors import SettingsError, Unclear
from router.memory.draft import User
from tests.adapters.api.api_server import api_server

ANA = person_of("Ana@example.com")


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "api-tokens"


def test_a_token_is_found_and_kept_nowhere(path: Path) -> None:
    """The file holds its hash, for its owner's eyes only; the token opens, and nothing like it does."""
    secret, token = new_token("nightly", ANA, scopes_of("write,read"))
    tokens = ApiTokens(path)
    tokens.add(token)

    assert token == ApiTokens(path).find(secret) == tokens.find(secret)
    assert [None] * 4 == [tokens.find(wrong) for wrong in (secret[:-1], secret + "x", token.hash, "")]
    assert secret not in path.read_text()
    assert secret.removeprefix("icc_") not in path.read_text()
    assert (0o600, True) == (stat.S_IMODE(path.stat().st_mode), path.read_text().startswith("nightly Ana@example.com "))
    assert token.hash not in repr(token)


def test_wrong_tokens_are_throttled(tmp_path: Path) -> None:
    """From one address only so many are looked at within a minute; a right one is let in all the while."""
    with api_server(tmp_path) as api:
        ana = api.client()
        answers = [api.stranger(Authorization=f"Bearer icc_{number}").http.get("/v1/jobs") for number in range(65)]

        assert [401] * 60 + [429] * 5 == [answer.status_code for answer in answers]
        assert all(0 < int(answer.headers["Retry-After"]) <= 61 for answer in answers[60:])
        assert "A right one is let in at any time." in answers[-1].json()["detail"]
        assert 200 == ana.get("/v1/jobs")[0]
        assert 401 == api.stranger().get("/v1/jobs")[0]


def test_counts_of_wrong_tokens_are_bounded() -> None:
    """A network of IPv6 is one place; so many places are counted, and all together overall; a minute ends it."""
    now = [0.0]
    wrong = WrongTokens(lambda: now[0])
    assert [0] * 60 + [61] == [wrong.count(f"2001:db8::{number:x}") for number in range(61)]
    assert wrong.count("::ffff:10.0.0.1") == wrong.count("10.0.0.1") == 0
    assert len(wrong) == 2
    told = [wrong.count(f"10.{number >> 8}.{number & 255}.7") for number in range(20_000)]
    assert told[0] == 0
    assert told[-1] > 0
    assert len(wrong) <= 5_000
    now[0] = 60.0
    assert 0 == wrong.count("2001:db8::1")


def test_people() -> None:
    """A token's person is an address, or an id of a platform, whose jobs and rights they have."""
    assert User("api:ana@example.com", "", "Ana@example.com") == ANA
    assert User("slack:U123") == person_of("slack:U123")
    with pytest.raises(Unclear, match="is no e-mail address"):
        person_of("nobody")


def test_scopes() -> None:
    """There are four; anything else is refused by its name."""
    assert frozenset(TOKEN_SCOPES) == scopes_of(" email,read,write,act_for")
    for wrong, words in (("read,root", 'no scope "root"'), (" , ", "one scope at least")):
        with pytest.raises(Unclear, match=words):
            scopes_of(wrong)


@pytest.mark.parametrize("name", ["", "a b", "a/b", "x" * 41, "ä"])
def test_names_that_are_none(name: str) -> None:
    """A name stands in lines and in the audit trail, so it is a plain word."""
    with pytest.raises(Unclear, match="A token's name"):
        new_token(name, ANA, scopes_of("read"))


def test_a_name_is_taken_once(path: Path) -> None:
    """Two tokens of one name could not be told apart in the audit trail."""
    tokens, (_, token) = ApiTokens(path), new_token("a", ANA, scopes_of("read"))
    tokens.add(token)

    with pytest.raises(Unclear, match="There is a token a already"):
        tokens.add(new_token("a", ANA, scopes_of("read"))[1])


def test_lines_that_are_wrong(path: Path) -> None:
    """All are named by their numbers, and what stands in them is not repeated."""
    good = new_token("a", ANA, scopes_of("read"))[1].line
    path.write_text(f"# tokens\n{good}\nicc_S3CRET\n\nb nobody read {'0' * 64}\nb c@d.example read S3CRET\n{good}\n")

    with pytest.raises(SettingsError) as error:
        ApiTokens(path)
    assert ["line 3", "line 5", "line 6", "line 7"] == [
        problem.partition(", ")[2].partition(":")[0] for problem in error.value.problems
    ]
    assert "S3CRET" not in str(error.value)


def test_a_file_that_is_damaged_later_lets_nobody_in(path: Path) -> None:
    """Until it is mended: then its tokens are taken again."""
    secret, token = new_token("a", ANA, scopes_of("read"))
    tokens = ApiTokens(path)
    tokens.add(token)
    assert token == tokens.find(secret)

    path.write_text("x\n")
    assert tokens.find(secret) is None
    path.write_text(f"{token.line}\n")
    assert token == tokens.find(secret)
    path.unlink()
    assert tokens.find(secret) is None


def test_a_token_is_revoked(path: Path) -> None:
    """The others stay."""
    tokens = ApiTokens(path)
    (one, first), (two, second) = (new_token(name, ANA, scopes_of("read")) for name in ("a", "b"))
    tokens.add(first)
    tokens.add(second)

    tokens.revoke("a")

    assert (None, second) == (tokens.find(one), tokens.find(two))
    with pytest.raises(Unclear, match="has no token a"):
        tokens.revoke("a")
