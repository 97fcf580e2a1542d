"""Talks whose process is killed with SIGKILL at random moments, over and over, until each comes to its end.

`python -m tests.support.talk_kills [TALKS] [SEED]` prints one JSON line: how many talks ended as they should, how many
kills that took, and every query that ran without a Yes of its own. Each life of a bot is a forked child: what survives
is what is on disk.
"""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from functools import partial
from pathlib import Path

import langchain_ollama  # noqa: F401  imported before the first fork, so that a child's life is spent on its talk

from router.jobs.audit_check import verify
from router.memory.stage import Stage
from tests.support.shop import write_connections
from tests.support.talk import Talk, llm_at

SQL = "SELECT name FROM regions ORDER BY name"
QUESTION = "What are the regions called?"


def live(folder: Path, url: str) -> None:
    """Go on with the talk wherever it stands; leaves the file `ended` behind when it is over."""
    talk = Talk(folder, partial(llm_at, url))
    shown = talk.open()
    while talk.stage != Stage.DONE:
        match talk.stage:
            case Stage.START:
                shown = talk.say(QUESTION)
            case Stage.NEED_NATURAL_LANGUAGE if talk.memory.draft.question == QUESTION:
                shown = talk.say("again")
            case Stage.CHOOSE_CONNECTION if talk.memory.draft.question == QUESTION:
                shown = talk.say("shop")
            case Stage.CONFIRM_GENERATED_SQL if SQL in " ".join(shown.split()):
                shown = talk.say("yes")
            case Stage.SHOW_RESULTS if "North" in shown and "South" in shown:
                shown = talk.say("done")
            case stage:
                raise AssertionError(f"the talk is lost in {stage}: {shown}")
    (folder / "ended").touch()


def kill_until_ended(folder: Path, url: str, dice: random.Random) -> int:
    """Have one life after the other go on with the talk, each killed at a random moment; returns how many were."""
    kills = 0
    while not (folder / "ended").exists():
        child = os.fork()
        if child == 0:
            status = 1
            try:
                live(folder, url)
                status = 0
            except BaseException:
                traceback.print_exc()
            os._exit(status)
        # Each life may last a little longer, so that every talk comes to its end however slow the machine is.
        time.sleep(dice.uniform(0.0, 0.05 * 1.2**kills))
        ended, status = os.waitpid(child, os.WNOHANG)
        if not ended:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
            kills += 1
        elif os.waitstatus_to_exitcode(status):
            raise AssertionError(f"the bot failed in {folder}")
    return kills


def unasked(folder: Path) -> list[str]:
    """Return each start of a query in the trail that no approval of its own came before."""
    found, approved = [], False
    for line in (folder / "audit.jsonl").read_text().splitlines():
        try:
            event = json.loads(line)["event"]
        except ValueError:
            continue  # torn by a kill
        if event == "started" and not approved:
            found.append(line)
        # An approval is for the next start alone: a kill in between does not save it up.
        approved = event == "approved" if event in ("approved", "started", "interrupted") else approved
    return found


def main() -> None:
    talks, seed = (int(number) for number in (*sys.argv[1:], "100", "1")[:2])
    dice = random.Random(seed)
    kills, wrong = 0, []
    with tempfile.TemporaryDirectory() as room:
        answers = Path(room) / "answers"
        answers.write_text(SQL)
        command = [sys.executable, "-m", "tests.platforms.ollama", "--port", "0", "--answers", str(answers)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        url = server.stdout.readline().split()[5].rstrip(";")
        try:
            for number in range(talks):
                folder = Path(room) / str(number)
                folder.mkdir()
                write_connections(folder, ["shop"])
                kills += kill_until_ended(folder, url, dice)
                wrong += unasked(folder)
                wrong += [f"the trail of talk {number} is broken"] * bool(verify(folder / "audit.jsonl").broken)
        finally:
            server.kill()
            server.wait()
    print(json.dumps({"talks": talks, "kills": kills, "wrong": wrong}))


if __name__ == "__main__":
    main()
