"""What is in results: shown as it is, to whom it is for, all of it."""

import csv
import io
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from adapters.rendering.attachment import Attached
from adapters.secret import kept_secret
from adapters.teams.files import Files
from tests.adapters.slack.talks.site import COLUMNS, ROWS
from tests.adapters.teams.talks.links import fetched, file_of
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.looking import shown


def _runs(value):  # type: ignore[no-untyped-def]
    if isinstance(value, list):
        return [run for each in value for run in _runs(each)]
    if isinstance(value, dict):
        mine = [value] if value.get("type") == "TextRun" else []
        return mine + [run for each in value.values() for run in _runs(each)]
    return []


def test_forty_columns_and_five_thousand_rows(site: TeamsSite) -> None:
    """Next leaves no row out; what the link leads to has all of it."""
    _, table = site.ran("SELECT * FROM measurements ORDER BY id", "lars")
    seen: list[str] = []
    for page in range(4):
        if page:
            site.press(table, "Next", "lars")
            first = f"\n{len(seen) + 1} | "
            site.teams.wait(lambda first=first: first in shown(table))
        rows = next(each for each in table.card["body"] if each["type"] == "Table")["rows"][1:]
        seen += [_runs(row)[0]["text"] for row in rows]
    assert seen == [str(n) for n in range(1, len(seen) + 1)]
    assert len(seen) >= 40
    status, text = fetched(site, file_of(site, table, "lars"))
    lines = list(csv.reader(io.StringIO(text)))
    assert (status, len(lines), {len(line) for line in lines}) == (200, ROWS + 1, {COLUMNS})


def test_links_that_were_not_made_here(site: TeamsSite) -> None:
    """A link that was changed or made up is refused, and so is an old one."""
    _, table = site.ran("SELECT name FROM regions")
    link = file_of(site, table, "ana")
    assert fetched(site, link)[0] == 200
    start, token = link.rsplit("/", 1)
    for forged in (token[:-4], token[:20] + "AAAA" + token[24:], token[::-1], "x", "%C3%A9"):
        assert fetched(site, f"{start}/{forged}")[0] == 403, forged
    home = site.folder / "home"
    secret, address = kept_secret(home / "teams.secret"), "https://bot.example.com"
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
