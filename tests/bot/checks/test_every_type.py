"""The doctor on a database with a column of every type and its edge values."""

import json
from pathlib import Path

import pytest

from router.sql.dialect import Name
from tests.router.sql.test_value_kinds import ENGINES, fill
from tests.router.sql.value_places import place_of
from tests.support.in_process import run_here


@pytest.mark.parametrize("name", ENGINES)
def test_the_doctor_reads_every_type(name: Name, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    """It ends with findings in sentences, of the connection too, and never with a trace."""
    with place_of(name, request, tmp_path / name) as place:
        fill(place)
        lines = ["[connections.every]", "id = 1", f"url = {json.dumps(place.url, ensure_ascii=False)}"]
        (tmp_path / "connections.toml").write_text("\n".join(lines))
        home = {"ICC_BOT_HOME": str(tmp_path / "home"), "OLLAMA_BASE_URL": "http://127.0.0.1:9"}
        done = run_here(tmp_path, home, "doctor")
    told = done.stdout + done.stderr
    assert "Traceback" not in told
    assert "unexpected" not in told.lower()
    assert "every" in told
    assert done.returncode in (0, 1)
