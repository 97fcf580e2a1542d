"""How much memory a piece of work takes, measured in a process of its own: `gained(function, arguments…)`."""

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def gained(work: Callable[..., Any], *arguments: str) -> tuple[float, Any]:
    """Call a function of a module in a new process; return the MB that it took at most, and what it returned.

    Memory that is not Python's counts too, such as that of drivers. What is returned must be JSON.
    """
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.peak_memory", work.__module__, work.__name__, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    megabytes, returned = json.loads(done.stdout.splitlines()[-1])
    return megabytes, returned


def _kilobytes(name: str) -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))


def main(module: str, name: str, *arguments: str) -> None:
    """Call the function, and print what it took and returned."""
    work = getattr(import_module(module), name)
    Path("/proc/self/clear_refs").write_text("5")  # the highest mark begins again
    before = _kilobytes("VmRSS")
    returned = work(*arguments)
    print(json.dumps([(_kilobytes("VmHWM") - before) / 1000, returned]))


if __name__ == "__main__":
    main(*sys.argv[1:])
