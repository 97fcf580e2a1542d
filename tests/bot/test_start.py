"""Libraries that a start of the program loads: a command waits for its own libraries, and for nobody else's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.platforms.ollama import Ollama
from tests.support.shop import write_connections

ROOT = Path(__file__).parents[2]
CHAT = ("nicegui", "botbuilder", "msal", "slack_bolt", "slack_sdk")
HEAVY = (*CHAT, "langchain", "langsmith", "matplotlib", "xllamacpp")
LATER = (
    *("langchain", "langsmith", "openai", "ollama", "xllamacpp"),
    *("matplotlib", "PIL", "numpy", "sklearn", "xlsxwriter", "email_validator"),
    *("duckdb", "psycopg", "oracledb", "pymysql", "pymssql", "sqlalchemy.orm", "alembic"),
    *("nicegui", "fastapi", "uvicorn", "tabulate", "wcwidth", "opentelemetry.sdk", "opentelemetry.exporter"),
)
"""Libraries that no question needs before its card: exports, mails, drawings, traces, other surfaces, models."""
CLIENT = ("langchain", "langsmith", "ollama", "numpy", "opentelemetry.sdk")
"""Libraries of the model's client: loaded with the first question, and by nothing before it."""
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
        (["--help"], LIBRARIES),
        (["jobs", "list"], (*HEAVY, "httpx", "sqlglot", "aiohttp", "sqlalchemy.orm", "sqlalchemy.dialects.postgresql")),
        (["doctor"], (*CHAT, "matplotlib")),
        pytest.param(
            *(["slack"], (*LATER, "botbuilder", "botframework", "msal", "jwt", "cryptography", "tomlkit")),
            marks=pytest.mark.thorough,
        ),
        pytest.param(*(["teams"], (*LATER, "slack_bolt", "slack_sdk", "tomlkit")), marks=pytest.mark.thorough),
    ],
)
def test_a_command_loads_its_own_libraries_only(tmp_path: Path, argv: list[str], strangers: tuple[str, ...]) -> None:
    """None of the libraries that other commands need is loaded; without settings, `slack` and `teams` end at once."""
    loaded = loaded_by(tmp_path, argv)

    assert "bot.__main__" in loaded
    assert [name for name in loaded if name.startswith(strangers)] == []


def test_a_question_loads_little(tmp_path: Path) -> None:
    """A question as far as its card needs no library of what may come after it, and none of other models."""
    with Ollama(script=lambda prompt: "SELECT name FROM regions") as model:
        loaded = loaded_by(tmp_path, ["console"], "Which regions are there?\n", model.url)
        prompts = model.prompts

    assert any("Which regions are there?" in prompt for prompt in prompts)
    strangers = (*(each for each in LATER if each not in CLIENT), *CHAT, "aiohttp")
    assert [name for name in loaded if name.startswith(strangers)] == []


def loaded_by(folder: Path, argv: list[str], typed: str = "", model: str = "http://127.0.0.1:9") -> list[str]:
    """Return the modules that a command has loaded at its end."""
    write_connections(folder, ["shop"])
    given = {"PYTHONPATH": str(ROOT), "OLLAMA_BASE_URL": model, "ICC_BOT_HOME": str(folder / "home")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *argv],
        input=typed,
        capture_output=True,
        text=True,
        cwd=folder,
        check=True,
        env={**os.environ, **given},
    )
    return done.stdout.split()
