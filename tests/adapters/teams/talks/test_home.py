"""`home` in one's own chat: how to begin, and what one may ask."""

from adapters.teams.home import ASK_HINT
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.cards.words import words_of


def test_home(site: TeamsSite) -> None:
    """It names the databases that one may ask, what one asked last, and never those of others."""
    site.ran("SELECT name FROM regions WHERE name <> 'home'", where="ana")
    asked = site.ask(" Home ", where="ana")
    shown = site.shown(asked, "What would you like to know?")
    words = words_of(shown.card)
    assert ASK_HINT in words
    assert "You can ask about: Shop" in words
    assert "Payroll" not in words


def test_home_is_a_word_among_others(site: TeamsSite) -> None:
    """Where others read, it is no command."""
    asked = site.ask("home", where="General")
    site.teams.wait(lambda: [m for m in site.teams.messages("General", by="bot") if int(m.id) > int(asked.id)])
    assert not [m for m in site.teams.messages("General", by="bot") if ASK_HINT in str(m.activity)]
