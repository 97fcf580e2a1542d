"""`icc-bot manifest teams`: packs the app that people install: the manifest with this bot's id, and its icons."""

import json
import os
import re
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from adapters.check_finding import Finding
from bot.command_line import Say
from bot.settings.environment import CONNECTIONS_FILE, Settings
from router.catalog.connections_file import read_connections
from router.errors import SettingsError
from router.language.wording import truncate
from router.memory.draft import User
from router.policy import example_questions

MANIFEST_FOLDERS: Final = (Path(__file__).resolve().parents[2] / "manifests/teams", Path("manifests/teams"))
"""Folders of the manifest: beside the code in a checkout, or in the working directory."""
ICONS: Final = ("color.png", "outline.png")
PLACEHOLDER_HOST: Final = "example.com"
"""Takes the place of a host if there is none; Teams demands addresses, and shows them."""

COMMANDS_MAX: Final = 12
"""Commands and questions of one scope."""
QUESTIONS_MAX: Final = 5
DROPPABLE_COMMANDS: Final = ("refresh", "back", "done")
"""Commands that make room for questions, in this order: each is also a button, or named by `help`."""
EXAMPLE_TITLE_MAX_CHARS: Final = 128
EXAMPLE_QUESTION_MAX_CHARS: Final = 4000
"""Characters of a question."""

GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
HOST_NAME: Final = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])")
ZIP_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the package, so that the same app is the same bytes."""


def write_manifest(
    settings: Settings, say: Say, app_id: str, host: str = "", out: Path = Path("icc-bot-teams.zip")
) -> int:
    """Write the package of the app for Teams, and say what was found."""
    questions, unread = open_questions(settings)
    for finding in (*unread, *pack_teams(app_id, host, out, questions)):
        say(str(finding))
    return 0


def pack_teams(app_id: str, host: str, out: Path, questions: Sequence[str] = ()) -> list[Finding]:
    """Write the package to `out` and return what there is to say of it; raises SettingsError.

    The questions, as far as they fit, are what people may begin with; everybody who can see the app can read them.
    """
    content = package(app_id.strip().lower(), host.strip().lower(), questions)
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
            for name, data in content.items():
                written.writestr(zipfile.ZipInfo(name, ZIP_TIME), data, zipfile.ZIP_DEFLATED)
    except OSError as error:
        raise SettingsError([f"--out: {out} cannot be written ({error.strerror})."]) from error
    said = [
        Finding("ok", "Teams app", f"{out} is written. Upload it in Teams (Apps > Manage your apps > Upload an app).")
    ]
    if not app_id.strip("0-"):
        said.append(Finding("warning", "Teams app", "its id is an example's; --app-id is that of your own Azure Bot."))
    if not host:
        said.append(
            Finding(
                "warning", "Teams app", f"its links lead to {PLACEHOLDER_HOST}; --host names the host that has yours."
            )
        )
    return said


def package(app_id: str, host: str, questions: Sequence[str] = ()) -> dict[str, bytes]:
    """Return the files of the package by name; raises SettingsError."""
    problems = []
    if not GUID.fullmatch(app_id):
        problems.append(
            "--app-id is no GUID; it stands under Azure, your Azure Bot, Configuration, as Microsoft App ID."
        )
    if host and not HOST_NAME.fullmatch(host):
        problems.append("--host is the name of a host alone, such as bot.acme.com.")
    folder = next((folder for folder in MANIFEST_FOLDERS if (folder / "manifest.json").exists()), None)
    if folder is None:
        problems.append("The manifest is not installed with the package; run this in a checkout, which has it.")
    if problems or folder is None:
        raise SettingsError(problems)
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    # What is put in was looked at above: it needs no escaping.
    manifest = json.loads(text.replace("{{app-id}}", app_id).replace("{{host}}", host or PLACEHOLDER_HOST))
    if not host:
        del manifest["validDomains"]
    for listed in manifest["bots"][0]["commandLists"]:
        chosen = questions[:QUESTIONS_MAX]
        over = len(chosen) + len(listed["commands"]) - COMMANDS_MAX
        gone = DROPPABLE_COMMANDS[: max(0, over)]
        kept = [each for each in listed["commands"] if each["title"] not in gone]
        listed["commands"] = [*map(_starter, chosen), *kept]
    return {
        "manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False).encode(),
        **{name: (folder / name).read_bytes() for name in ICONS},
    }


def open_questions(settings: Settings) -> tuple[tuple[str, ...], list[Finding]]:
    """Return the examples of those connections of the file that everybody may read, and why it cannot be read."""
    path = settings.connections or CONNECTIONS_FILE
    if not path.exists():
        return (), []
    try:
        return example_questions(read_connections(path, os.environ), User("")), []
    except SettingsError as error:
        why = f"no examples of {path} are offered: {' '.join(error.problems)}"
        return (), [Finding("warning", "Teams app", why)]


def _starter(question: str) -> dict[str, str]:
    """Return a question that Teams offers when a person opens the chat."""
    title = truncate(" ".join(question.split()), EXAMPLE_TITLE_MAX_CHARS)
    return {
        "title": title,
        "description": "A question to begin with",
        "type": "prompt",
        "prompt": question[:EXAMPLE_QUESTION_MAX_CHARS],
    }
