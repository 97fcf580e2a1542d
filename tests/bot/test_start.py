"""What a start of the program loads: a command waits for its own libraries, and for nobody else's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.shop import write_connections

ROOT = Path(__file__).parents[2]
CHAT = ("nicegui", "botbuilder", "msal", "slack_bolt", "slack_sdk")
HEAVY = (*CHAT, "langchain", "langsmith", "matplotlib", "xllamacpp")
LIBRARIES = (*HEAVY, "sqlalchemy", "sqlglot", "pydantic", "aiohttp")
PROGRAM = """
import contextlib, io, sys
from bot.__main__ import main
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main(sys.argv[1:])
print(*sorted(name for name in sys.modules if sys.modules[name] is not None))
"""


@pytest.mark.parametrize(
    ("argv", "strangers"),
    [
        (["--version"], LIBRARIES),
        (["--help"], LIBRARIES),
        (["jobs", "list"], (*HEAVY, "httpx", "sqlglot", "aiohttp", "sqlalchemy.orm", "sqlalchemy.dialects.postgresql")),
        (["doctor"], (*CHAT, "matplotlib")),
        (["slack"], ("nicegui", "botbuilder", "msal", "langchain", "matplotlib", "sqlalchemy.orm")),
        (["teams"], ("nicegui", "slack_bolt", "slack_sdk", "langchain", "matplotlib", "sqlalchemy.orm")),
    ],
)
def test_a_command_loads_its_own_libraries_only(tmp_path: Path, argv: list[str], strangers: tuple[str, ...]) -> None:
    """None of the libraries that other commands need is loaded; without settings, `slack` and `teams` end at once."""
    write_connections(tmp_path, ["shop"])
    given = {"PYTHONPATH": str(ROOT), "OLLAMA_BASE_URL": "http://127.0.0.1:9", "ICC_BOT_HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *argv],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=True,
        env={**os.environ, **given},
    )
    loaded = done.stdout.split()

    assert "bot.__main__" in loaded
    assert [name for name in loaded if name.startswith(strangers)] == []
