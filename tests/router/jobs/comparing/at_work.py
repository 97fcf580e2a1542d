"""A process that does the jobs of a folder until it is killed, as a module: its arguments are FOLDER and URL."""

import sys
from pathlib import Path
from threading import Event

from tests.router.jobs.comparing.bench import Bench

if __name__ == "__main__":
    with Bench(Path(sys.argv[1]), sys.argv[2]).runner():
        Event().wait()
