"""What is in results: shown as it is, to whom it is for, all of it."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from adapters.rendering.attachment import Attached
from adapters.secret import load_secret
from adapters.teams.files import Files
from tests.adapters.teams.talks.links import fetched, file_of
from tests.adapters.teams.talks.site import TeamsSite


def test_links_that_were_not_made_here(site: TeamsSite) -> None:
    """A link that was changed or made up is refused, and so is an old one."""
    _, table = site.ran("SELECT name FROM regions")
    link = file_of(site, table, "ana")
    assert fetched(site, link)[0] == 200
    start, token = link.rsplit("/", 1)
    for forged in (token[:-4], token[:20] + "AAAA" + token[24:], token[::-1], "x", "%C3%A9"):
        assert fetched(site, f"{start}/{forged}")[0] == 403, forged
    home = site.folder / "home"
    secret, address = load_secret(home / "teams.secret"), "https://bot.example.com"
    before = Files(home / "teams-files", secret, address, lambda: datetime.now(UTC) - timedelta(seconds=3601))
    assert fetched(site, before.link(Attached("rows.csv", "n"), ""))[0] == 403


def test_what_links_led_to_goes_with_the_chat(site: TeamsSite) -> None:
    """SQL that was too long for a card is deleted with the chat that it was shown in, before its link is too old."""
    site.teams.group("tidy").members.append(site.teams.person("ana"))
    sql = "SELECT " + ", ".join(f"'{'tidy' * 20}' AS column_{n}" for n in range(200))
    site.shown(site.ask(sql, where="tidy"), "Run on")
    folder = site.folder / "home" / "teams-files"

    def kept() -> bool:
        found = False
        for path in folder.iterdir():
            with suppress(FileNotFoundError):  # it went just now
                found = found or "tidytidy" in path.read_text(errors="replace")
        return found

    assert kept()
    site.teams.uninstall("tidy", "ana")
    site.teams.wait(lambda: not kept())
