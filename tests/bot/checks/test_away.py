"""One connection that is away stops nobody: the bot starts, its log and the doctor say what is wrong."""

from pathlib import Path

import pytest

from bot.checks.doctor import findings
from bot.wiring.bot import connections_of
from router.errors import SettingsError
from tests.support.bot_settings import settings_of
from tests.support.shop import write_connections

AWAY = """
[connections.sales]
id = 20
url = "env:GONE_URL"

[connections.old]
id = 21
url = "sqlite:///gone.sqlite"
"""


def environment(folder: Path, more: str) -> dict[str, str]:
    """Return settings for the shop and these connections."""
    path = write_connections(folder, ["shop"])
    path.write_text(path.read_text() + more)
    return {"ICC_BOT_HOME": str(folder / "home"), "ICC_BOT_CONNECTIONS": str(path)}


def test_the_doctor(tmp_path: Path) -> None:
    """Each that is away failed, with what to mend; the others are looked at."""
    found = {
        each.about: each for each in findings(settings_of(environment(tmp_path, AWAY))) if "connection" in each.about
    }
    assert "FAILED" == found["connection sales"].grade == found["connection old"].grade
    assert "it is away: connections.toml, line 8: [sales] url is to come from" in str(found["connection sales"])
    assert "it is away: the file" in str(found["connection old"])
    assert "FAILED" != found["connection shop"].grade


def test_a_file_that_is_not_in_order(tmp_path: Path) -> None:
    """It is an error at start; the doctor says so, and by what a bot goes on that is at work."""
    settings = settings_of(environment(tmp_path, "lable = 'x'\n"))
    with pytest.raises(SettingsError, match="lable"):
        connections_of(settings)
    found = [str(each) for each in findings(settings) if each.about == "connections"]
    assert "lable" in found[0]
    assert "goes on with the connections and rights of the last file that was in order" in found[1]


def test_an_error_that_nobody_thought_of(tmp_path: Path) -> None:
    """A check that breaks off is a finding with advice, never a trace; the checks after it are made."""
    settings = settings_of(environment(tmp_path, ""))
    list(findings(settings))
    settings.audit_trail.unlink(missing_ok=True)
    settings.audit_trail.mkdir(parents=True)
    (broken,) = [each for each in findings(settings) if each.about == "audit"]
    assert ("FAILED", True) == (broken.grade, broken.sentence.startswith("this check broke off with an error"))
    assert "IsADirectoryError in " in broken.sentence
