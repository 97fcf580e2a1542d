"""Talks whose process is killed with SIGKILL at random moments, over and over, until each comes to its end.

`python -m tests.kills [TALKS] [SEED]` prints one JSON line: how many talks ended, how many kills it took, and every query
that ran without a Yes of its own. Each life of a bot is a forked child, so that what survives is only what is on disk.
"""

import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from adapters.plain import text_of
from router.memory import Stage
from router.turn import Opened, Said
from tests.platforms.ollama import Ollama
from tests.talk import KEY, Talk

SQL = "SELECT r.name, SUM(o.total) AS revenue FROM orders o JOIN customers c ON o.customer_id = c.id JOIN regions r ON c.region_id = r.id GROUP BY r.name"
QUESTION = "What is the revenue by region?"
LIFE = 0.25
"""Seconds after which a child is dead at the latest."""


def live(folder: Path, url: str) -> None:
    """Go on with the talk wherever it stands, writing each Yes down before it is given; ends the process with status 0 at the end."""
    with Ollama.at(url) as server:
        talk = Talk(folder, server.llm)
        shown = talk.open()
        while talk.stage != Stage.DONE:
            match talk.stage:
                case Stage.CONFIRM_GENERATED_SQL | Stage.CONFIRM_USER_SQL:
                    with (folder / "yes").open("a") as file:
                        file.write("yes\n")
                        file.flush()
                        os.fsync(file.fileno())
                    shown = talk.say("yes")
                case Stage.SHOW_RESULTS:
                    if "North" not in shown:
                        talk.open()
                    talk.say("done")
                case Stage.NEED_NATURAL_LANGUAGE if talk.memory.draft.question:
                    talk.say("again")
                case Stage.START:
                    talk.say(QUESTION)
                case stage:
                    raise AssertionError(f"the talk is lost in {stage}: {text_of(talk.replies[-1])}")
        (folder / "title").write_text(talk.memory.title)
    os._exit(0)
