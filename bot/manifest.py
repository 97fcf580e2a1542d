"""Packs the Teams app that people install: the manifest with this bot's id, and its icons."""

import json
import re
import zipfile
from pathlib import Path
from typing import Final

from adapters.finding import Finding
from router.errors import SettingsError

FOLDERS: Final = (Path(__file__).resolve().parents[1] / "manifests/teams", Path("manifests/teams"))
"""Where the manifest may be: beside the code in a checkout, or in the working directory."""
ICONS: Final = ("color.png", "outline.png")
HOST: Final = "example.com"
"""Takes the place of a host where there is none; Teams demands addresses, and shows them."""

GUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAME: Final = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])")
LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The time of each file in the package, so that the same app is the same bytes."""


def pack_teams(app_id: str, host: str, out: Path) -> list[Finding]:
    """Write the package to `out` and return what there is to say of it; raises SettingsError."""
    content = package(app_id.strip().lower(), host.strip().lower())
    try:
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as written:
            for name, data in content.items():
                written.writestr(zipfile.ZipInfo(name, LONG_AGO), data, zipfile.ZIP_DEFLATED)
    except OSError as error:
        raise SettingsError([f"--out: {out} cannot be written ({error.strerror})."]) from error
    said = [
        Finding("ok", "Teams app", f"{out} is written. Upload it in Teams (Apps > Manage your apps > Upload an app).")
    ]
    if not host:
        said.append(Finding("warning", "Teams app", f"its links lead to {HOST}; --host names the host that has yours."))
    return said


def package(app_id: str, host: str) -> dict[str, bytes]:
    """Return the files of the package by name; raises SettingsError."""
    problems = []
    if not GUID.fullmatch(app_id):
        problems.append(
            "--app-id is no GUID; it stands under Azure, your Azure Bot, Configuration, as Microsoft App ID."
        )
    if host and not NAME.fullmatch(host):
        problems.append("--host is the name of a host alone, such as bot.acme.com.")
    folder = next((folder for folder in FOLDERS if (folder / "manifest.json").exists()), None)
    if folder is None:
        problems.append("The manifest is not installed with the package; run this in a checkout, which has it.")
    if problems or folder is None:
        raise SettingsError(problems)
    text = (folder / "manifest.json").read_text(encoding="utf-8")
    # What is put in was looked at above: it needs no escaping.
    manifest = json.loads(text.replace("{{app-id}}", app_id).replace("{{host}}", host or HOST))
    if not host:
        del manifest["validDomains"]
    return {
        "manifest.json": json.dumps(manifest, indent=2, ensure_ascii=False).encode(),
        **{name: (folder / name).read_bytes() for name in ICONS},
    }
