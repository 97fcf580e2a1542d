"""Renews the pinned versions in pyproject.toml: `uv run python tests/pins.py --renew`."""

import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parent.parent / "pyproject.toml"
BLOCK = re.compile(r"(?ms)^\[tool\.uv\]\nconstraint-dependencies = \[\n.*?^\]\n")


def resolved(text: str) -> list[str]:
    """Return name==version of every package that any extra or group brings, on any system."""
    bare = BLOCK.sub("", text)
    PROJECT.write_text(bare)
    try:
        command = ["uv", "lock", "--quiet", "--upgrade"]
        subprocess.run(command, cwd=PROJECT.parent, check=True)
        command = [
            "uv",
            "export",
            "--quiet",
            "--all-extras",
            "--all-groups",
            "--no-hashes",
            "--no-emit-project",
            "--no-annotate",
            "--no-header",
        ]
        lines = subprocess.run(
            command, cwd=PROJECT.parent, check=True, capture_output=True, text=True
        ).stdout.splitlines()
    finally:
        PROJECT.write_text(text)
    return sorted(line.strip() for line in lines if "==" in line)


def main() -> None:
    text = PROJECT.read_text()
    pins = "".join(f'    "{pin}",\n' for pin in (line.replace('"', "'") for line in resolved(text)))
    block = f"[tool.uv]\nconstraint-dependencies = [\n{pins}]\n"
    PROJECT.write_text(BLOCK.sub(lambda _: block, text) if BLOCK.search(text) else f"{text}\n{block}")
    print(f"{pins.count(chr(10))} versions pinned.")


if __name__ == "__main__" and "--renew" in sys.argv:
    main()
