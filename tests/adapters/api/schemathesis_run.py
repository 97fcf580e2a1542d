"""Schemathesis against a running API: what its description allows, what it does not, and one request after another."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.adapters.api.api_server import ApiServer

RULES = """
[checks.positive_data_acceptance]
enabled = false  # a description cannot say which SQL is none, or which connections there are
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429]
"""


def run_schemathesis(api: ApiServer, folder: Path, examples: int, seed: int) -> tuple[int, str, dict[str, Any]]:
    """Send every kind of request, about `examples` of each; returns the exit status, what was said, and the report."""
    report = folder / "report.json"
    (folder / "schemathesis.toml").write_text(RULES)
    command = [
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "run"),
        *(f"{api.url}/v1/openapi.json", "--seed", str(seed)),
        *("--max-examples", str(examples), "--report", "json", "--report-json-path", str(report)),
        *("--no-color", "--generation-database", "none", "--request-timeout", "60"),
    ]
    secret = api.secret("ana@example.com", "read,write,email,act_for")
    done = subprocess.run(
        [*command, "--header", f"Authorization: Bearer {secret}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return done.returncode, done.stdout + done.stderr, found
