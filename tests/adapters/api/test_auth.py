"""Tokens: kept as hashes, told apart, read anew."""

import stat
from pathlib import Path

import pytest

from adapters.api.auth import TOKEN_SCOPES, ApiTokens, new_token, person_of, scopes_of
from router.errors import SettingsError, Unclear
from router.memory.draft import User

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
