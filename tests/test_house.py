"""The house rules that a machine can check."""

import re
import subprocess
from pathlib import Path

import pytest

from bot.settings import Settings
from router.flow import FLOW

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for top in ("bot", "adapters", "router") for path in (ROOT / top).rglob("*.py"))


def test_the_readme_shows_todays_flow(request: pytest.FixtureRequest) -> None:
    """The diagram in the README is the one that `icc-bot flow` prints; `--update` draws it anew."""
    path = ROOT / "README.md"
    if request.config.getoption("--update"):
        block = f"```mermaid\n{FLOW.mermaid()}\n```"
        path.write_text(re.sub(r"```mermaid\n.*?\n```", block, path.read_text(encoding="utf-8"), flags=re.DOTALL))
    drawn = re.search(r"```mermaid\n(.*?)\n```", path.read_text(encoding="utf-8"), re.DOTALL)

    assert drawn is not None
    assert drawn[1] == FLOW.mermaid()


def test_every_setting_is_documented() -> None:
    """The settings that the code reads are exactly those of .env.example."""
    read = {field.alias for field in Settings.model_fields.values()}
    documented = set(re.findall(r"^# ([A-Za-z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))

    assert documented == read


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_stay_one_concept(path: Path) -> None:
    """No source file has grown past 500 lines."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 500


def test_names_say_something() -> None:
    """No file is called by a name that says nothing."""
    empty = {"utils", "helpers", "common", "misc", "manager", "base"}

    assert [path for path in SOURCES if path.stem in empty] == []


def test_the_transcript_of_the_readme_is_true() -> None:
    """The talks in the README are among those that are played as tests."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.search(r"<!-- talk -->\n```text\n(.*?)```", readme, re.DOTALL)
    played = (ROOT / "tests/conversations/read_generated.txt").read_text(encoding="utf-8")

    assert shown is not None
    assert shown[1] in played
    for name, part in re.findall(r"<!-- talk: (\w+) -->\n```text\n(.*?)```", readme, re.DOTALL):
        assert part in (ROOT / f"tests/conversations/{name}.txt").read_text(encoding="utf-8")


def test_no_command_of_the_readme_is_unknown() -> None:
    """Every `icc-bot` command in the README exists."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    used = set(re.findall(r"icc-bot (?!\[)([a-z]+)\b", "\n".join(re.findall(r"```sh\n(.*?)```", readme, re.DOTALL))))
    known = {"demo", "web", "console", "slack", "teams", "manifest", "doctor", "guard", "flow", "jobs", "api", "eval"}
    known |= {"examples", "intents"}

    assert used - known == set()
    assert known - used == set()


def test_nothing_of_a_machine_is_committed() -> None:
    """No committed text holds an absolute path of a developer's machine."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    texts = [
        ROOT / name for name in listed.stdout.split("\0") if name.endswith((".py", ".md", ".toml", ".txt", ".example"))
    ]
    found = [
        path
        for path in texts
        if path.exists() and re.search(r"/(home|Users|work)/\w", path.read_text(encoding="utf-8"))
    ]

    assert [path.name for path in found if path.name != Path(__file__).name] == []
