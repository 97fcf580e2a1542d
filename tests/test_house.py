"""The house rules that a machine can check."""

import re
import subprocess
from pathlib import Path

import pytest

from bot.settings.environment import Settings

ROOT = Path(__file__).parent.parent
SOURCES = sorted(path for top in ("bot", "adapters", "router") for path in (ROOT / top).rglob("*.py"))


def test_every_setting_is_documented() -> None:
    """The settings that the code reads are exactly those of .env.example."""
    read = {field.alias for field in Settings.model_fields.values()}
    documented = set(re.findall(r"^# ([A-Za-z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))

    assert documented == read


def test_files_stay_one_concept() -> None:
    """No source file has grown past 500 lines."""
    lines = {path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}

    assert {path: count for path, count in lines.items() if count > 500} == {}


def test_names_say_something() -> None:
    """No file is called by a name that says nothing."""
    empty = {"utils", "helpers", "common", "misc", "manager", "base"}

    assert [path for path in SOURCES if path.stem in empty] == []


@pytest.mark.parametrize("room", ["router/stages", "router/stages/compare"])
def test_tests_of_stages_are_found_by_the_module(room: str) -> None:
    """A file of tests begins with the name of the module whose stages it is about."""
    modules = [path.stem for path in (ROOT / room).glob("*.py")]
    tests = [path.stem.removeprefix("test_") for path in (ROOT / "tests" / room).glob("test_*.py")]

    assert [test for test in tests if not any(f"{test}_".startswith(f"{module}_") for module in modules)] == []


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
