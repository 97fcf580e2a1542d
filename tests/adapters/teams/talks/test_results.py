"""What is in results: shown as it is, to whom it is for, all of it."""

import csv
import io
import json
import time
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from adapters.rendering.attachment import Attached
from adapters.secret import kept_secret
from adapters.teams.files import Files
from adapters.teams.home import BEGIN
from tests.adapters.slack.talks.site import COLUMNS, ROWS
from tests.adapters.teams.talks.links import fetched, file_of
from tests.adapters.teams.talks.site import TeamsSite
from tests.platforms.teams.looking import shown
from tests.support.ratings import ratings_of

WELCOME = f"Hi! What would you like to know? {BEGIN}"
HARD = ("[x](http://evil)", "<at>all</at>", "<b>bold</b><script>alert(1)</script>", "&amp; **stars** _under_")


def test_data_is_literal(site: TeamsSite) -> None:
    """Markdown, mentions and HTML in rows are seen as they are; nobody is mentioned."""
    coded = [each.replace("<", "'||char(60)||'").replace("&", "'||char(38)||'") for each in HARD]
    sql = "SELECT " + ", ".join(f"'{each}' AS c{n}" for n, each in enumerate(coded))
    _, table = site.ran(sql)
    cells = [each["text"] for each in _runs(table.card)]
    for each in HARD:
        assert each in cells
    assert '"TextBlock"' not in json.dumps(table.card)
    assert "mention" not in json.dumps(table.activity.get("entities", []))


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


def test_a_cell_of_ten_thousand_characters(site: TeamsSite) -> None:
    """Cells that are too long are cut on the card, and whole in the file."""
    _, table = site.ran("SELECT * FROM oddities ORDER BY id", "lars")
    assert len(json.dumps(table.card)) < 80_000
    assert "x" * 10_000 in fetched(site, file_of(site, table, "lars"))[1]


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


def test_thumbs(site: TeamsSite) -> None:
    """A thumb is kept with who gave it and what it is about."""
    _, table = site.ran("SELECT name FROM regions WHERE id = 2")
    assert site.teams.feedback(table, "like", user="ana").wait().body == {}
    assert site.teams.feedback(table, "dislike", user="bob").wait().ok
    kept = [(who, good) for about, who, good in ratings_of(site.bot.database) if "id = 2" in about.sql]
    people = [f"teams:{site.teams.person(name).aad}" for name in ("ana", "bob")]
    assert kept == [(people[0], True), (people[1], False)]


def test_a_welcome_comes_once(site: TeamsSite) -> None:
    """Whoever adds the bot is greeted, and not again."""
    for _ in range(2):
        for post in site.teams.install("nora", "nora"):
            site.teams.redeliver(post.wait()).wait()
    site.teams.wait_message("nora", WELCOME)
    time.sleep(0.1)
    assert sum(WELCOME in shown(each) for each in site.teams.messages("nora", by="bot")) == 1


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
