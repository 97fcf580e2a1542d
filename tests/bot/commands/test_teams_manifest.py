"""The package of the Teams app: it fits the published schema, and the rules that the schema lacks."""

import json
import os
import zipfile
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from bot.commands.teams_manifest import open_questions, package
from tests.support.bot_settings import settings_of
from tests.support.in_process import run_here

SCHEMAS = os.environ.get("ICC_BOT_SCHEMAS")
APP = "11111111-2222-4333-8444-555555555555"
HOST = "bot.acme.com"


def manifest(host: str = HOST) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(package(APP, host)["manifest.json"])
    return made


def test_it_fits_the_published_schema() -> None:
    """The manifest is valid by Microsoft's public JSON Schema, and would not be with an unknown key."""
    if not SCHEMAS:
        pytest.skip("ICC_BOT_SCHEMAS names no folder with Teams' schema")
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((Path(SCHEMAS) / "teams-manifest-1.30.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft4Validator(schema)

    for host in (HOST, ""):
        assert [] == [error.message for error in validator.iter_errors(manifest(host))]
    assert [] != list(validator.iter_errors(manifest() | {"tabs": []}))


def test_nothing_is_left_to_fill_in() -> None:
    """The id is the bot's, the host is in every address, and no placeholder is left."""
    made = manifest()

    assert {APP} == {made["id"], made["bots"][0]["botId"]}
    assert [HOST] == made["validDomains"]
    assert [f"https://{HOST}/", f"https://{HOST}/privacy", f"https://{HOST}/terms"] == [
        made["developer"][name] for name in ("websiteUrl", "privacyUrl", "termsOfUseUrl")
    ]
    assert "{{" not in json.dumps(made)
    assert "validDomains" not in manifest("")


def test_it_asks_for_no_more_than_it_needs() -> None:
    """The bot is in all three scopes, hands files over, and asks for no permission: only mentions are delivered."""
    made = manifest()
    (bot,) = made["bots"]

    assert ["personal", "team", "groupChat"] == bot["scopes"]
    assert (True, False) == (bot["supportsFiles"], bot["isNotificationOnly"])
    assert {"authorization", "webApplicationInfo", "permissions", "devicePermissions"} & made.keys() == set()


def test_questions_to_begin_with() -> None:
    """Questions come first, each whole in its prompt and with a title that fits; twelve entries are never passed."""
    long = "How many " + "very " * 40 + "long orders are there?"
    questions = [long, *(f"Question {n}?" for n in range(20))]
    made = json.loads(package(APP, HOST, questions)["manifest.json"])

    for listed in made["bots"][0]["commandLists"]:
        commands = listed["commands"]
        assert 12 == len(commands) == len({command["title"] for command in commands})
        assert [long, "Question 0?"] == [command["prompt"] for command in commands[:2]]
        assert max(len(command["title"]) for command in commands) <= 128
        # The schema lets a prompt be missing; Teams' own validation does not.
        assert all(command["prompt"] for command in commands if command.get("type") == "prompt")


def test_only_what_everybody_may_ask_is_offered(tmp_path: Path) -> None:
    """Examples of a database with readers stay out of the app, which everybody can see; a bad file is a warning."""
    path = tmp_path / "connections.toml"
    (tmp_path / "a.sqlite").touch()
    one = '[connections.open]\nid = 1\nurl = "sqlite:///a.sqlite"\nexamples = ["How many regions are there?"]\n'
    two = '[connections.pay]\nid = 2\nurl = "sqlite:///a.sqlite"\nexamples = ["Who earns most?"]\nreaders = ["a@b.c"]\n'
    path.write_text(one + two)
    settings = settings_of({"ICC_BOT_CONNECTIONS": str(path)})
    assert (("How many regions are there?",), []) == open_questions(settings)

    path.write_text('[connections.open]\nid = 1\nurl = "env:SURELY_NOT_SET"\n')
    questions, (said,) = open_questions(settings)
    assert ((), "warning") == (questions, said.grade)
    assert "SURELY_NOT_SET" in said.sentence


def test_the_command(tmp_path: Path) -> None:
    """`icc-bot manifest teams` writes the package and says what to do with it; problems are sentences."""

    def run(*argv: str) -> CompletedProcess[str]:
        return run_here(tmp_path, {}, "manifest", "teams", *argv)

    done = run("--app-id", APP)
    assert (0, "") == (done.returncode, done.stderr)
    assert "icc-bot-teams.zip is written. Upload it in Teams" in done.stdout
    assert "--host names the host" in done.stdout
    assert zipfile.is_zipfile(tmp_path / "icc-bot-teams.zip")

    failed = run("--app-id", APP, "--out", "no/such/folder.zip")
    assert 2 == failed.returncode
    assert "cannot be written (No such file or directory)" in failed.stderr
