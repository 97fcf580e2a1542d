"""The page's token as the environment sets it."""

import pytest

from bot.commands.web import serve_page
from bot.settings.environment import read_settings
from router.errors import SettingsError


@pytest.mark.parametrize(
    ("given", "expected"),
    [("", None), ("off", ""), ("a-token_of-my-own", "a-token_of-my-own")],
)
def test_a_token_of_ones_own(monkeypatch: pytest.MonkeyPatch, given: str, expected: str | None) -> None:
    """One is made where none is set; "off" asks for none; and it is never shown."""
    monkeypatch.setenv("ICC_BOT_WEB_TOKEN", given)
    settings = read_settings()
    assert settings.page_token == expected
    assert "a-token" not in repr(settings)


@pytest.mark.parametrize("given", ["short", "fifteen-letters", "one that has blanks in it", "Off", "ä" * 20])
def test_a_token_that_could_be_guessed_or_broken(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    """It is refused with a sentence that does not tell it."""
    monkeypatch.setenv("ICC_BOT_WEB_TOKEN", given)
    with pytest.raises(SettingsError) as refused:
        read_settings()
    assert refused.value.problems == ("ICC_BOT_WEB_TOKEN must be off, or 16 or more letters, digits, - and _.",)


def test_a_public_page_has_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page that others reach always has a token."""
    monkeypatch.setenv("ICC_BOT_WEB_TOKEN", "off")
    with pytest.raises(SettingsError, match="ICC_BOT_WEB_TOKEN is off, and --public"):
        serve_page(read_settings(), print, host="0.0.0.0", port=0, public=True, open_browser=False)
