"""Schemathesis against a running API: what its description allows, what it does not, and one request after another."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.adapters.api.house import House

# What a description cannot say is refused as well, such as SQL that is none, or a connection that is not there.
LEFT_OUT = "positive_data_acceptance"


def hammered(api: House, folder: Path, examples: int, seed: int) -> tuple[int, str, dict[str, Any]]:
    """Send every kind of request, about `examples` of each; returns the exit status, what was said, and the report."""
    report = folder / "report.json"
    command = [
        *(sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()", "run"),
        *(f"{api.url}/v1/openapi.json", "--exclude-checks", LEFT_OUT, "--seed", str(seed)),
        *("--max-examples", str(examples), "--report", "json", "--report-json-path", str(report)),
        *("--no-color", "--generation-database", "none", "--request-timeout", "60"),
    ]
    secret = api.secret("ana@example.com", "read,write,email,admin")
    done = subprocess.run(
        [*command, "--header", f"Authorization: Bearer {secret}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(report.read_text(encoding="utf-8")) if report.exists() else {}
    return done.returncode, done.stdout + done.stderr, found
